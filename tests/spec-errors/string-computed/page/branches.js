function draw(payload) {
  heading(text(payload.kind));
  footer(text("more", { count: payload.count }));
}

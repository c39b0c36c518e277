function draw(payload) {
  heading(text("branches"));
  footer(text("more", { count: payload.count }));
}

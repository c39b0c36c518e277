// Puts the parts together: the handshake, the delivery, what is shown, and its refresh.

/** @type {Shown | null} */
let shownView = null;
let entersFullscreen = true;
let enteredFullscreen = false;
/** @type {string | null} */
let refusedLink = null;
/** @type {string | null} */
let drawnFailure = null;

const root = /** @type {HTMLElement} */ (document.getElementById("view"));

/** @type {Record<string, number>} */
const openedParts = {};

const bridge = connectBridge({
  toolInput: (params) => delivery.input(params),
  toolInputPartial: (params) => delivery.partialInput(params),
  toolResult: (params) => delivery.result(params),
  toolCancelled: (params) => delivery.cancelled(params),
  hostContextChanged,
  teardown: stopEverything,
});

const delivery = createDelivery({ bridge, draw: show, shown: () => shownView, showLoading, say });

const sight = watchSight(root, () => refresh.schedule());

const refresh = createRefresh({
  bridge,
  seen: sight.seen,
  shown: () => shownView,
  callArguments: () => delivery.callArguments() ?? shownView?.kind.callArguments(shownView.envelope.payload) ?? {},
  replace(envelope) {
    if (show(envelope)) tellModelOfChange();
  },
  stillCurrent(instant) {
    const time = Date.parse(instant);
    if (shownView && !Number.isNaN(time)) shownView.readAt = time;
  },
  stateChanged: refreshStateChanged,
});

const stamp = createStamp(
  () => shownView,
  () => refresh.state(),
  () => refresh.byPerson(),
);
const stampTimer = setInterval(() => {
  stamp.update();
  updateTimes(root);
}, STAMP_MILLISECONDS);

/** @type {ReturnType<typeof watchSize> | null} */
let size = null;

start();

async function start() {
  applyHostContext({});
  document.title = text("page_title");
  prefersDark.addEventListener("change", () => applyHostContext({}));
  if (window.parent === window) {
    say({ title: text("outside") });
    return;
  }
  showLoading({});
  delivery.begin();
  await bridge.initialize();
  size = watchSize((height) => bridge.notify("ui/notifications/size-changed", { height }));
  delivery.handshakeDone();
  if (shownView) redraw();
  refresh.schedule();
}

/** @param {any} changes */
function hostContextChanged(changes) {
  const before = drawnFrom();
  const mode = displayMode();
  applyHostContext(changes);
  if (displayMode() !== mode) size?.forget();
  if (displayMode() === "inline") enteredFullscreen = false;
  // A theme needs no new drawing, and drawing anew takes away what the person has marked.
  if (drawnFrom() !== before) redraw();
  refresh.schedule();
}

/** What the drawing depends on beside its payload. */
function drawnFrom() {
  const { availableDisplayModes, locale, timeZone } = hostContext;
  return JSON.stringify([displayMode(), availableDisplayModes, locale, timeZone, capabilities]);
}

/**
 * Draws a view, aside first: one that cannot be drawn leaves what stands untouched.
 * @param {ViewEnvelope} envelope
 */
function show(envelope) {
  const kind = KINDS[envelope.kind];
  const time = Date.parse(envelope.payload.generated_at);
  const candidate = { envelope, kind, readAt: Number.isNaN(time) ? Date.now() : time };
  if (!draw(candidate)) return false;
  shownView = candidate;
  stamp.update();
  refresh.schedule();
  return true;
}

function redraw() {
  if (!shownView) return;
  draw(shownView);
  stamp.update();
}

/** @param {Shown} view */
function draw({ kind, envelope }) {
  // Read before the drawing, which moves the stamp with its button.
  const focused = document.activeElement?.id;
  let drawn;
  try {
    drawn = kind.draw(envelope.payload, stageFor());
  } catch {
    return false;
  }
  root.replaceChildren(drawn);
  root.setAttribute("aria-busy", "false");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  return true;
}

/** @returns {Stage} */
function stageFor() {
  return {
    opened: openedParts,
    whole: displayMode() === "fullscreen",
    opensLinks: hostCan("openLinks"),
    redraw,
    openLink,
    modeButton,
    footer,
  };
}

/** @param {(HTMLElement | null)[]} actions */
function footer(actions) {
  const line = el("div", { class: "footer-line" }, ...actions, stamp.element);
  drawnFailure = failureToSay();
  return el(
    "footer",
    { class: "footer" },
    line,
    drawnFailure !== null ? el("p", { class: "note", role: "status", text: drawnFailure }) : null,
    refusedLink ? linkNotice(refusedLink) : null,
  );
}

/** @param {string} address */
function linkNotice(address) {
  const dismiss = () => {
    refusedLink = null;
    redraw();
  };
  return el(
    "div",
    { class: "link-notice", role: "status" },
    el("p", null, text("link_refused"), " ", el("span", { class: "address", text: address })),
    button("dismiss", text("dismiss"), dismiss, { quiet: true }),
  );
}

function modeButton() {
  if (displayMode() === "fullscreen") {
    // A view that the host started in full screen is left by the host's own control.
    if (!enteredFullscreen || !offersDisplayMode("inline")) return null;
    return iconButton("mode", text("exit_full_screen"), "collapse", () => changeMode("inline"));
  }
  if (!entersFullscreen || !offersDisplayMode("fullscreen")) return null;
  return iconButton("mode", text("full_screen"), "expand", () => changeMode("fullscreen"));
}

/** @param {"inline" | "fullscreen"} mode */
async function changeMode(mode) {
  let answered;
  try {
    answered = (await bridge.request("ui/request-display-mode", { mode })).mode;
  } catch {
    answered = undefined;
  }
  if (answered === "fullscreen") enteredFullscreen = true;
  // Some hosts answer and never tell the change, some tell it and answer late: both lead here.
  if (mode === "fullscreen" && answered !== "fullscreen" && displayMode() !== "fullscreen") entersFullscreen = false;
  hostContextChanged(typeof answered === "string" ? { displayMode: answered } : {});
  redraw();
}

/** @param {string} address */
async function openLink(address) {
  const url = webAddress(address);
  if (!url) return;
  let opened = false;
  try {
    const answer = await bridge.request("ui/open-link", { url });
    opened = answer.isError !== true && answer.status !== "error";
  } catch {
    // Told to the person below, like any other refusal.
  }
  refusedLink = opened ? null : url;
  redraw();
}

// Why is said to a person who asked; otherwise the stamp's own words are enough.
function failureToSay() {
  const { failure, asked } = refresh.state();
  return asked ? failure : null;
}

function refreshStateChanged() {
  // An answer without news leaves the drawing alone, and with it what the person has marked.
  if (refresh.state().busy || failureToSay() === drawnFailure) stamp.update();
  else redraw();
}

/** @param {Record<string, any>} callArguments */
function showLoading(callArguments) {
  if (shownView) return;
  root.setAttribute("aria-busy", "true");
  root.replaceChildren(drawLoading(callArguments));
}

/** @param {Notice} notice */
function say(notice) {
  root.setAttribute("aria-busy", "false");
  root.replaceChildren(drawNotice(notice));
  if (notice.unable) {
    const kind = String(delivery.callArguments()?.kind ?? "");
    tellModel(bridge, composeContext({ kind, words: `${text("context_unable")} ${notice.title}`, readAt: null }));
  }
}

function tellModelOfChange() {
  if (!shownView) return;
  const { envelope, kind, readAt } = shownView;
  const facts = kind.facts(envelope.payload);
  const words = text("context_changed");
  tellModel(bridge, composeContext({ kind: envelope.kind, words, facts, readAt: new Date(readAt).toISOString() }));
}

function stopEverything() {
  delivery.stop();
  refresh.stop();
  sight.stop();
  size?.stop();
  clearInterval(stampTimer);
}

// What stands on the page: a skeleton, a notice or a view, and the line beneath that says when it was read.

/**
 * @typedef {object} Kind
 * @property {(callArguments: Record<string, any>) => string | null} named what a call is about, in few words
 * @property {(payload: any) => Record<string, unknown>} callArguments for the case that the host did not tell them
 * @property {(payload: any) => boolean} inMotion
 * @property {(payload: any) => boolean} settled
 * @property {(payload: any, stage: Stage) => HTMLElement} draw
 * @property {(payload: any) => Facts} facts
 */

/** @type {Record<string, Kind>} */
const KINDS = {};

/**
 * @typedef {object} Notice
 * @property {string} title
 * @property {string} [help]
 * @property {() => void} [retry]
 * @property {boolean} [failed]
 * @property {boolean} [unable] the model is told, since the person sees nothing
 */

/**
 * @typedef {object} Stage what a kind may use of the page
 * @property {Record<string, number>} opened how far the person opened each part; kept when the data changes
 * @property {boolean} whole whether everything is to be drawn
 * @property {boolean} opensLinks
 * @property {() => void} redraw
 * @property {(address: string) => void} openLink
 * @property {() => HTMLElement | null} modeButton
 * @property {(actions: (HTMLElement | null)[]) => HTMLElement} footer
 */

// The stamp's phrase moves by the minute.
const STAMP_MILLISECONDS = 20_000;
const STALE_MILLISECONDS = 3_600_000;

/**
 * What a call's arguments are about, if its kind can say.
 * @param {Record<string, any> | null} callArguments
 */
function nameOf(callArguments) {
  const kind = callArguments?.kind;
  return callArguments && typeof kind === "string" && Object.hasOwn(KINDS, kind) ? KINDS[kind].named(callArguments) : null;
}

/** @param {Record<string, any>} callArguments */
function drawLoading(callArguments) {
  const target = nameOf(callArguments);
  const words = target ? text("loading_named", { target }) : text("loading");
  const bars = ["short", "long", "middle"].map((length) => el("div", { class: `bar bar-${length}` }));
  return el("div", { class: "loading", role: "status" }, el("p", { class: "loading-words", text: words }), ...bars);
}

/** @param {Notice} notice */
function drawNotice({ title, help, retry, failed }) {
  return el(
    "div",
    { class: failed ? "notice notice-failed" : "notice", role: "status" },
    el("p", { class: "notice-title", text: title }),
    help ? el("p", { class: "notice-help", text: help }) : null,
    retry ? button("retry", text("retry"), retry, { iconName: "refresh" }) : null,
  );
}

/**
 * The stamp with its refresh button; `update` follows the time and the state of the refresh without a redraw.
 * @param {() => Shown | null} shown
 * @param {() => RefreshState} refreshState
 * @param {() => void} refresh
 */
function createStamp(shown, refreshState, refresh) {
  const words = el("span", { class: "stamp-words" });
  const press = iconButton("refresh", text("refresh"), "refresh", refresh);
  const element = el("div", { class: "stamp" }, words, press);

  function update() {
    const current = shown();
    if (!current) return;
    const state = refreshState();
    words.textContent = state.busy && state.asked ? text("refreshing") : stampWords(current.readAt, state);
    const exact = formatInstant(new Date(current.readAt).toISOString());
    words.title = state.failure === null ? exact : `${exact}\n${visible(state.failure)}`;
    words.classList.toggle("stamp-failed", state.failure !== null);
    press.hidden = !state.possible;
    press.classList.toggle("spinning", state.busy);
  }

  return { element, update };
}

/**
 * @param {number} readAt
 * @param {RefreshState} state
 */
function stampWords(readAt, state) {
  const when = formatAgo(readAt);
  if (state.failure !== null) return text("read_unrefreshed", { when });
  return Date.now() - readAt > STALE_MILLISECONDS ? text("read_stale", { when }) : text("read", { when });
}

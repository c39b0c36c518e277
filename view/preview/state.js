// What the page's address remembers, so that a reload keeps it and a link leads to it.

/** Where the page stands in one column (preview.css), a view of fixed width would not fit. */
export const oneColumn = window.matchMedia("(max-width: 860px)");
export const NARROWEST = 240;
const WIDEST = 2000;

export const THEMES = ["system", "light", "dark"];

/** @type {[string, string, string][]} */
export const FLAVOURS = [
  ["lose-meta", "Lose _meta of results", "The result arrives without the data that is meant for the view."],
  ["refuse-calls", "Refuse the view’s tool calls", "Offered, but each call is answered with an error."],
  ["no-capabilities", "No capabilities", "Nothing is offered: no tool calls, no links, no word to the model."],
  ["no-styles", "No style variables", "The view draws with its own colours and fonts."],
  ["cancel", "Cancel the call", "The view is told that the call was cancelled."],
];

/**
 * @typedef {object} State
 * @property {string | null} tool
 * @property {number | null} example
 * @property {Record<string, any> | null} arguments
 * @property {string} theme
 * @property {string} width pixels, or `fluid`
 * @property {"inline" | "fullscreen"} mode
 * @property {Set<string>} flavours
 */

/** @returns {State} */
export function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const theme = given.get("theme") ?? "";
  const flavours = (given.get("host") ?? "").split(",");
  return {
    tool: given.get("tool"),
    example: /^\d+$/.test(given.get("example") ?? "") ? Number(given.get("example")) : null,
    arguments: readArguments(given.get("arguments")),
    theme: THEMES.includes(theme) ? theme : "system",
    width: readWidth(given.get("width")),
    mode: given.get("mode") === "fullscreen" ? "fullscreen" : "inline",
    flavours: new Set(FLAVOURS.map(([name]) => name).filter((name) => flavours.includes(name))),
  };
}

/** @param {State} state */
export function writeState(state) {
  const words = new URLSearchParams();
  if (state.tool) words.set("tool", state.tool);
  if (state.example !== null) words.set("example", String(state.example));
  else if (state.arguments) words.set("arguments", JSON.stringify(state.arguments));
  if (state.theme !== "system") words.set("theme", state.theme);
  words.set("width", state.width);
  if (state.mode !== "inline") words.set("mode", state.mode);
  if (state.flavours.size > 0) words.set("host", [...state.flavours].join(","));
  history.replaceState(null, "", `#${words}`);
}

/** @param {string | null} text */
function readArguments(text) {
  try {
    const value = JSON.parse(text ?? "null");
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** @param {string | null} text */
function readWidth(text) {
  if (text === "fluid") return text;
  const pixels = Math.round(Number(text));
  return pixels >= NARROWEST && pixels <= WIDEST ? String(pixels) : defaultWidth();
}

function defaultWidth() {
  return oneColumn.matches ? "fluid" : "640";
}

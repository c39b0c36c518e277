// What was said between the host and the view, and which tools were called.

import { byId, el, segments } from "./dom.js";
import { byteLength, formatDuration, formatJson, formatSize } from "./format.js";

// A view that talks without end must not fill the memory.
const MOST_ENTRIES = 500;

/**
 * @typedef {object} Entry
 * @property {string} lane its colour
 * @property {string} way from where to where
 * @property {string} name
 * @property {string} [note]
 * @property {boolean} failed
 * @property {number} [milliseconds]
 * @property {any} body
 */

export function createLog() {
  const list = byId("log-list");
  const counter = byId("log-count");
  let began = performance.now();
  let counts = { message: 0, call: 0 };

  const chooseFilter = segments(
    byId("log-filter"),
    [["all", "Everything"], ["message", "Messages"], ["call", "Tool calls"]],
    (value) => (list.dataset.only = value),
  );
  chooseFilter("all");
  list.dataset.only = "all";
  byId("log-clear").addEventListener("click", clear);

  function clear() {
    counts = { message: 0, call: 0 };
    list.replaceChildren();
    count();
  }

  function count() {
    counter.textContent = `${counted(counts.message, "message")}, ${counted(counts.call, "tool call")}`;
  }

  /**
   * @param {"message" | "call"} sort
   * @param {Entry} entry
   */
  function add(sort, { lane, way, name, note, failed, milliseconds, body }) {
    counts[sort] += 1;
    const facts = [
      el("span", { class: "log-time", text: `+${formatDuration(performance.now() - began)}` }),
      el("span", { class: `lane ${lane}`, text: way }),
      el("span", { class: "log-name" }, name, note ? el("span", { class: "log-note", text: note }) : null),
      failed ? el("span", { class: "badge failed", text: "error" }) : null,
      milliseconds === undefined ? null : el("span", { class: "log-figure", text: formatDuration(milliseconds) }),
      el("span", { class: "log-figure", text: formatSize(byteLength(body)) }),
    ];
    const details = el("details", null, el("summary", null, ...facts));
    // The JSON is written out only for those who look.
    const write = () => details.append(el("pre", { class: "code", tabindex: 0, text: formatJson(body) }));
    details.addEventListener("toggle", write, { once: true });
    list.append(el("li", { class: `log-entry ${sort}` }, details));
    if (list.childElementCount > MOST_ENTRIES) list.firstElementChild?.remove();
    count();
  }

  count();
  return {
    /** @param {string} words */
    begin(words) {
      began = performance.now();
      list.append(el("li", { class: "log-heading", text: words }));
    },
    /** @param {import("./bridge.js").Traffic} traffic */
    message({ from, method, answer, milliseconds, message }) {
      add("message", {
        lane: `from-${from}`,
        way: from === "host" ? "host → view" : "view → host",
        name: method,
        note: answer ? "answer" : message.id === undefined ? undefined : "request",
        failed: message.error !== undefined,
        milliseconds: answer ? milliseconds : undefined,
        body: message,
      });
    },
    /**
     * @param {"model" | "view"} caller
     * @param {string} name
     * @param {object} given
     * @param {import("./server.js").Outcome} outcome
     */
    call(caller, name, given, { milliseconds, ...answer }) {
      add("call", {
        lane: "to-server",
        way: "host → server",
        name,
        note: `for the ${caller}`,
        failed: answer.error !== undefined || answer.result?.isError === true,
        milliseconds,
        body: { name, arguments: given, ...answer },
      });
    },
  };
}

/**
 * @param {number} number
 * @param {string} noun
 */
function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

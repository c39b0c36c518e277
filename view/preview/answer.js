// A tool's answer as the model gets it, and what the view tells the model afterwards.

import { byId, el } from "./dom.js";
import { formatDuration, formatJson } from "./format.js";

/** @param {import("./server.js").Outcome} outcome */
export function showAnswer(outcome) {
  byId("answer").replaceChildren(...drawOutcome(outcome));
}

/** @param {string} words */
export function showNoAnswer(words) {
  byId("answer").replaceChildren(el("p", { class: "empty", text: words }));
}

/** @param {import("./server.js").Outcome} outcome */
function drawOutcome({ result, error, aborted, milliseconds }) {
  if (aborted) return [el("p", { class: "empty", text: "The call was cancelled." })];
  if (error) {
    const facts = ["Refused", `error ${error.code}`, formatDuration(milliseconds)];
    return [drawFacts(facts, true), el("pre", { class: "text", tabindex: 0, text: error.message })];
  }
  const { content, structuredContent, isError, _meta: meta, ...others } = result;
  const blocks = Array.isArray(content) ? content : [];
  const length = JSON.stringify({ content, structuredContent }).length;
  const characters = `${length.toLocaleString("en")} characters`;
  const facts = [isError ? "Failed" : "Answered", formatDuration(milliseconds), characters];
  const structured = formatJson(structuredContent);
  const parts = [drawFacts(facts, isError === true), ...blocks.flatMap((block) => drawBlock(block, structured))];
  if (structuredContent !== undefined) parts.push(...drawJson("Structured content", structured));
  if (Object.keys(others).length > 0) parts.push(...drawJson("Also in the answer", formatJson(others)));
  if (meta !== undefined) parts.push(drawMeta(meta));
  return parts;
}

/**
 * @param {string[]} facts
 * @param {boolean} failed
 */
function drawFacts([first, ...others], failed) {
  return el(
    "p",
    { class: "facts" },
    el("span", { class: failed ? "badge failed" : "badge", text: first }),
    ...others.map((fact) => el("span", { text: fact })),
  );
}

/**
 * Answers that have structured content repeat it as text, which need not be read twice.
 * @param {any} block
 * @param {string} structured
 * @returns {HTMLElement[]}
 */
function drawBlock(block, structured) {
  if (block?.type !== "text") return drawJson(String(block?.type ?? "block"), formatJson(block));
  const text = String(block.text);
  if (structured !== "" && asJson(text) === structured) {
    return [el("p", { class: "about", text: "The text is the same JSON as the structured content below." })];
  }
  return [el("pre", { class: "text", tabindex: 0, text })];
}

/** @param {string} text */
function asJson(text) {
  try {
    return formatJson(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * @param {string} title
 * @param {string} json
 */
function drawJson(title, json) {
  return [el("h3", { text: title }), el("pre", { class: "code", tabindex: 0, text: json })];
}

/** @param {any} meta */
function drawMeta(meta) {
  const summary = el("summary", { text: "Beside it, for the view only" });
  return el("details", { class: "meta" }, summary, el("pre", { class: "code", tabindex: 0, text: formatJson(meta) }));
}

/** What the view says to the model. Each update of the context takes the place of the last one. */
export function createTold() {
  const box = byId("told");
  let updates = 0;

  /**
   * @param {string} words
   * @param {any} content
   * @param {any} structuredContent
   */
  function draw(words, content, structuredContent) {
    const blocks = [content].flat().filter((block) => block !== undefined);
    const time = new Date().toLocaleTimeString();
    const parts = [el("p", { class: "facts" }, el("span", { text: words }), el("span", { text: time }))];
    for (const block of blocks) parts.push(...drawBlock(block, ""));
    if (structuredContent !== undefined) parts.push(...drawJson("Structured content", formatJson(structuredContent)));
    return el("div", null, ...parts);
  }

  return {
    clear() {
      updates = 0;
      const words = "Nothing yet. A view speaks when what it shows has changed.";
      box.replaceChildren(el("p", { class: "empty", text: words }));
    },
    /** @param {{ content?: any[], structuredContent?: any }} update */
    context({ content, structuredContent }) {
      updates += 1;
      const words = updates === 1 ? "Context" : `Context, update ${updates} in place of the one before`;
      box.replaceChildren(draw(words, content, structuredContent));
    },
    /** @param {any} message */
    message(message) {
      box.append(draw("Message in the person’s name", message.content, undefined));
    },
  };
}

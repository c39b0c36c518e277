// The choice of a tool, of a ready example and of arguments.

import { byId, el } from "./dom.js";
import { createForm } from "./form.js";
import { hasView, visibleTo } from "./server.js";

/**
 * @typedef {object} Choice
 * @property {import("./server.js").Tool} tool
 * @property {number | null} example
 * @property {Record<string, any>} arguments
 */

/**
 * @param {import("./server.js").Start} start
 * @param {object} acts
 * @param {(choice: Choice) => void} acts.chosen a tool or an example was chosen
 * @param {() => void} acts.edited
 * @param {() => void} acts.submitted
 */
export function createPanel(start, { chosen, edited, submitted }) {
  const select = byId("tool");
  const list = byId("example-list");
  /** @type {import("./server.js").Tool} */
  let tool = start.tools[0];
  /** @type {number | null} */
  let example = null;

  const form = createForm(byId("fields"), () => {
    example = null;
    markExample();
    edited();
  });

  for (const [title, tools] of grouped(start.tools)) {
    if (tools.length === 0) continue;
    const options = tools.map(({ name, title: words }) => {
      return el("option", { value: name, text: words ? `${name} — ${words}` : name });
    });
    select.append(el("optgroup", { label: title }, ...options));
  }
  select.addEventListener("change", () => {
    set(start.tools.find((each) => each.name === select.value) ?? tool, 0, null);
    chosen(choice());
  });
  // A field that the browser complains about must be there to be seen.
  byId("form").addEventListener("invalid", () => (byId("arguments").open = true), true);
  byId("form").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    submitted();
  });

  function examples() {
    return start.examples[tool.name] ?? [];
  }

  /**
   * @param {import("./server.js").Tool} newTool
   * @param {number | null} newExample
   * @param {Record<string, any> | null} given in place of an example's
   */
  function set(newTool, newExample, given) {
    tool = newTool;
    example = given === null && newExample !== null && newExample < examples().length ? newExample : null;
    select.value = tool.name;
    byId("tool-description").textContent = tool.description ?? "";
    form.build(tool.inputSchema, given ?? (example === null ? {} : examples()[example].arguments));
    byId("examples").hidden = examples().length === 0;
    list.replaceChildren(...examples().map(({ title }, index) => drawExample(title, index)));
    markExample();
  }

  /**
   * @param {string} title
   * @param {number} index
   */
  function drawExample(title, index) {
    const choose = () => {
      example = index;
      form.fill(examples()[index].arguments);
      markExample();
      chosen(choice());
    };
    return el("li", null, el("button", { type: "button", text: title, onclick: choose }));
  }

  function markExample() {
    for (const [index, button] of list.querySelectorAll("button").entries()) {
      button.setAttribute("aria-pressed", String(index === example));
    }
  }

  /** @returns {Choice} */
  function choice() {
    return { tool, example, arguments: form.values() };
  }

  return {
    set,
    choice,
    valid: () => byId("form").checkValidity(),
    exampleTitle: () => (example === null ? null : examples()[example].title),
    /** @param {boolean} running */
    setRunning(running) {
      byId("call").textContent = running ? "Cancel" : "Call";
    },
  };
}

/**
 * @param {import("./server.js").Tool[]} tools
 * @returns {[string, import("./server.js").Tool[]][]}
 */
function grouped(tools) {
  const forModel = tools.filter((each) => visibleTo(each, "model"));
  return [
    ["With a view", forModel.filter(hasView)],
    ["Answering the model", forModel.filter((each) => !hasView(each))],
    ["Only for views", tools.filter((each) => !visibleTo(each, "model"))],
  ];
}

// A page that hosts views as MCP clients do: calls a tool, mounts its view and shows all that passes between them.

import { createTold, showAnswer, showNoAnswer } from "./answer.js";
import { resolvedTheme, watchSystemTheme } from "./context.js";
import { byId, el, segments } from "./dom.js";
import { formatDuration, formatSize, byteLength } from "./format.js";
import { createLog } from "./log.js";
import { mountView } from "./mount.js";
import { createPanel } from "./panel.js";
import { createQuestion } from "./question.js";
import { callTool, fetchStart, hasView, onlyReads, visibleTo } from "./server.js";
import { createStage } from "./stage.js";
import { FLAVOURS, oneColumn, readState, THEMES, writeState } from "./state.js";

/**
 * @typedef {object} Run a call of the model's
 * @property {import("./server.js").Tool} tool
 * @property {Record<string, any>} arguments
 * @property {Promise<import("./server.js").Outcome>} outcome
 * @property {AbortController} abort
 * @property {boolean} done
 */

const state = readState();
/** @type {import("./server.js").Start} */
let start;
/** @type {ReturnType<typeof createPanel>} */
let panel;
/** @type {Run | null} */
let run = null;
/** @type {import("./mount.js").Mount | null} */
let mounted = null;
// Taking a view down takes a moment, in which another may be asked for: the last one wins.
let mountings = 0;

const log = createLog();
const told = createTold();
const question = createQuestion();
const stage = createStage({
  widthChosen: (width) => change({ width }),
  resized: () => mounted?.changeContext({ containerDimensions: stage.dimensions() }),
});

const markTheme = segments(byId("theme"), named(THEMES), (theme) => change({ theme }));
const markWidth = segments(byId("width"), named(["280", "400", "640", "900", "fluid"]), (width) => change({ width }));
const markMode = segments(byId("mode"), [["inline", "Inline"], ["fullscreen", "Full screen"]], changeMode);
const flavourInputs = FLAVOURS.map(drawFlavour);

begin();

async function begin() {
  byId("flavours").append(...flavourInputs.map(({ row }) => row));
  byId("leave").addEventListener("click", () => changeMode("inline"));
  byId("again").addEventListener("click", () => run && present(run, "mounted again"));
  window.addEventListener("keydown", ({ key }) => key === "Escape" && changeMode("inline"));
  watchSystemTheme(applyTheme);
  byId("arguments").open = !oneColumn.matches;
  applyLayout();
  applyTheme();
  told.clear();
  try {
    start = await fetchStart();
  } catch (error) {
    say(`The preview cannot start: ${error}. Is “bb ai mcp preview” still running?`);
    return;
  }
  if (start.tools.length === 0) {
    say("The server offers no tools.");
    return;
  }
  byId("about").append(...drawAbout());
  panel = createPanel(start, { chosen, edited: remember, submitted });
  window.addEventListener("hashchange", followAddress);
  followAddress();
}

function followAddress() {
  Object.assign(state, readState());
  const known = start.tools.find(({ name }) => name === state.tool);
  const unknown = known ? null : state.tool;
  const tool = known ?? start.tools.find(({ name }) => name === "show") ?? start.tools.find(hasView) ?? start.tools[0];
  byId("host-settings").open = state.flavours.size > 0;
  applyLayout();
  applyTheme();
  panel.set(tool, state.arguments ? null : (state.example ?? 0), state.arguments);
  chosen(panel.choice());
  if (unknown) say(`There is no tool ${unknown} here, so this is ${tool.name}.`);
}

/**
 * What has been chosen is called at once, unless calling it would change something or is sure to fail.
 * @param {import("./panel.js").Choice} choice
 */
function chosen({ tool, example }) {
  remember();
  const ready = example !== null || state.arguments !== null;
  if (ready && onlyReads(tool) && panel.valid()) call();
  else wait();
}

function remember() {
  const { tool, example, arguments: given } = panel.choice();
  state.tool = tool.name;
  state.example = example;
  state.arguments = example === null && Object.keys(given).length > 0 ? given : null;
  writeState(state);
}

function submitted() {
  if (run && !run.done) run.abort.abort();
  else call();
}

function call() {
  const { tool, arguments: given } = panel.choice();
  const title = panel.exampleTitle();
  const abort = new AbortController();
  run?.abort.abort();
  /** @type {Run} */
  const current = { tool, arguments: given, abort, done: false, outcome: callTool(tool.name, given, abort.signal) };
  run = current;
  say("");
  log.begin(title ? `${tool.name}: ${title}` : tool.name);
  panel.setRunning(true);
  byId("answer-title").textContent = visibleTo(tool, "model") ? "What the model gets" : "What a view gets";
  showNoAnswer("Waiting for the answer.");
  present(current);
  current.outcome.then((outcome) => {
    current.done = true;
    log.call("model", tool.name, given, outcome);
    if (run !== current) return;
    panel.setRunning(false);
    showAnswer(outcome);
  });
}

/** Nothing is called until the person says so. */
async function wait() {
  run?.abort.abort();
  run = null;
  panel.setRunning(false);
  showNoAnswer("Not called yet. Fill in the arguments and press Call.");
  await unmount();
  if (run === null) showStage(false);
}

/**
 * Mounts the view of a call, if it has one, and delivers what the call brings.
 * @param {Run} current
 * @param {string} [why]
 */
async function present(current, why) {
  const last = await unmount();
  if (!last) return;
  told.clear();
  byId("status").textContent = "";
  const { tool } = current;
  showStage(hasView(tool));
  if (!hasView(tool)) return;
  if (why) log.begin(`${tool.name}: ${why}`);
  byId("stage-name").textContent = tool.title ?? tool.name;
  stage.begin();
  const view = mountView(tool, current.arguments, {
    state,
    tools: start.tools,
    place: stage.place,
    dimensions: stage.dimensions,
    sized: stage.setHeight,
    modeAsked: changeMode,
    openLink: question.ask,
    told: told.context,
    spoken: told.message,
    record: log.message,
    trouble: say,
    async call(name, given) {
      const outcome = await callTool(name, given);
      log.call("view", name, given, outcome);
      return outcome;
    },
  });
  mounted = view;
  const outcome = await current.outcome;
  if (mounted === view) setStatus(outcome);
  view.deliver(outcome);
}

/** Whether nothing else has been asked for meanwhile. */
async function unmount() {
  const mine = ++mountings;
  const view = mounted;
  mounted = null;
  question.dismiss();
  await view?.close();
  return mine === mountings;
}

/** @param {boolean} visible */
function showStage(visible) {
  stage.show(visible);
  byId("told-box").hidden = !visible;
  byId("toolbar").classList.toggle("theme-only", !visible);
  if (!visible && state.mode === "fullscreen") changeMode("inline");
}

/** @param {import("./server.js").Outcome} outcome */
function setStatus({ result, error, milliseconds }) {
  const size = result ? `, ${formatSize(byteLength(result))}` : "";
  const how = error ? "refused" : result?.isError ? "failed" : result ? "answered" : "cancelled";
  byId("status").textContent = `${run?.tool.name ?? ""} ${how} after ${formatDuration(milliseconds)}${size}`;
}

/** @param {Partial<import("./state.js").State>} changes */
function change(changes) {
  Object.assign(state, changes);
  writeState(state);
  if (changes.theme) applyTheme();
  if (changes.width) applyLayout();
}

/** @param {string} mode */
function changeMode(mode) {
  const wanted = mode === "fullscreen" ? "fullscreen" : "inline";
  if (wanted === state.mode) return;
  state.mode = wanted;
  writeState(state);
  applyLayout();
  mounted?.changeContext({ displayMode: wanted, containerDimensions: stage.dimensions() });
}

function applyTheme() {
  const theme = resolvedTheme(state.theme);
  markTheme(state.theme);
  if (document.documentElement.dataset.theme === theme) return;
  document.documentElement.dataset.theme = theme;
  mounted?.changeContext({ theme });
}

function applyLayout() {
  markWidth(state.width);
  markMode(state.mode);
  stage.setWidth(state.width);
  stage.setFullscreen(state.mode === "fullscreen");
  for (const { name, input } of flavourInputs) input.checked = state.flavours.has(name);
}

/** @param {[string, string, string]} flavour */
function drawFlavour([name, words, about]) {
  const id = `flavour-${name}`;
  const properties = { type: "checkbox", id, "aria-describedby": `${id}-about` };
  const input = /** @type {HTMLInputElement} */ (el("input", properties));
  input.addEventListener("change", () => {
    if (input.checked) state.flavours.add(name);
    else state.flavours.delete(name);
    writeState(state);
    if (run) present(run, input.checked ? `mounted with “${words}”` : `mounted without “${words}”`);
  });
  const help = el("p", { class: "about", id: `${id}-about`, text: about });
  const texts = el("div", null, el("label", { for: id, text: words }), help);
  return { name, input, row: el("div", { class: "check" }, input, texts) };
}

function drawAbout() {
  const { name, title, version } = start.server;
  const demo = start.target === "demo";
  return [
    el("span", { text: [title ?? name, version].filter(Boolean).join(" ") }),
    el("span", { class: demo ? "chip demo" : "chip", text: demo ? "Demo" : start.target }),
    start.scope ? el("span", { class: "chip", text: `Scope ${start.scope}` }) : null,
  ].filter((part) => part !== null);
}

/** @param {string} words empty to take back what was said */
function say(words) {
  const trouble = byId("trouble");
  trouble.textContent = words;
  trouble.hidden = words === "";
}

/**
 * @param {string[]} values
 * @returns {[string, string][]}
 */
function named(values) {
  return values.map((value) => [value, value.charAt(0).toUpperCase() + value.slice(1)]);
}

// The preview's own server, which speaks MCP for this page.

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} [title]
 * @property {string} [description]
 * @property {any} [inputSchema]
 * @property {any} [annotations]
 * @property {any} [_meta]
 */

/**
 * @typedef {object} Start
 * @property {{ name?: string, title?: string, version?: string }} server
 * @property {string} target
 * @property {string | null} scope
 * @property {Tool[]} tools
 * @property {Record<string, { title: string, arguments: Record<string, any> }[]>} examples
 */

/**
 * @typedef {object} Outcome of a call: one of the first three, and how long it took
 * @property {any} [result]
 * @property {{ code: number, message: string }} [error]
 * @property {boolean} [aborted]
 * @property {number} milliseconds
 */

const VIEW = "ui://bb/view";
const NO_ANSWER = -32000;

/** @returns {Promise<Start>} */
export async function fetchStart() {
  const response = await fetch("./start");
  if (!response.ok) throw new Error(`the preview's server answered ${response.status}`);
  const start = await response.json();
  return { ...start, tools: start.tools ?? [], examples: start.examples ?? {} };
}

/**
 * Never throws: a server that is gone is an outcome like any other.
 * @param {string} name
 * @param {Record<string, any>} callArguments
 * @param {AbortSignal} [signal]
 * @returns {Promise<Outcome>}
 */
export async function callTool(name, callArguments, signal) {
  const began = performance.now();
  const done = (/** @type {object} */ how) => ({ ...how, milliseconds: performance.now() - began });
  try {
    const response = await fetch("./call", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name, arguments: callArguments }),
      signal,
    });
    const answer = await response.json();
    if (answer.result) return done({ result: answer.result });
    const { code = NO_ANSWER, message = `the preview's server answered ${response.status}` } = answer.error ?? {};
    return done({ error: { code, message } });
  } catch (error) {
    if (signal?.aborted) return done({ aborted: true });
    return done({ error: { code: NO_ANSWER, message: `the preview's server gave no answer (${error})` } });
  }
}

/**
 * A tool that says nothing of its visibility is for both.
 * @param {Tool} tool
 * @param {"model" | "app"} whom
 */
export function visibleTo(tool, whom) {
  const visibility = tool._meta?.ui?.visibility;
  return !Array.isArray(visibility) || visibility.includes(whom);
}

/** @param {Tool} tool */
export function hasView(tool) {
  return tool._meta?.ui?.resourceUri === VIEW && visibleTo(tool, "model");
}

/** @param {Tool} tool */
export function onlyReads(tool) {
  return tool.annotations?.readOnlyHint === true;
}

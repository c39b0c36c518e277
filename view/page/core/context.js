// What the model is told of the view. Each update replaces the last one, so the whole is composed every time.

/**
 * @typedef {object} Facts
 * @property {string} target
 * @property {string} state
 * @property {Record<string, number>} counts
 * @property {[string, string][]} quoted what others wrote, each with the name of what it is
 */

/**
 * @param {object} view
 * @param {string} view.kind
 * @param {string} view.words
 * @param {string | null} view.readAt
 * @param {Facts} [view.facts]
 */
function composeContext({ kind, words, readAt, facts }) {
  const front = [`kind: ${oneLine(kind)}`];
  if (facts) front.push(`target: ${oneLine(facts.target)}`, `state: ${oneLine(facts.state)}`);
  if (readAt) front.push(`read_at: ${oneLine(readAt)}`);
  if (facts) {
    for (const [name, count] of Object.entries(facts.counts)) front.push(`${name}: ${count}`);
  }
  const parts = ["---", ...front, "---", "", words];
  if (facts && facts.quoted.length > 0) {
    const lines = facts.quoted.map(([name, value]) => `${name}: ${oneLine(value)}`);
    parts.push("", text("context_quoted"), "", ...fenced(lines));
  }
  return parts.join("\n");
}

// A front matter value or a quoted line must not be able to end its line and start another, and a model
// reads what no person saw: here nothing that takes no room stays.
/** @param {string} value */
function oneLine(value) {
  return visible(value)
    .replace(/[\u061c\u200c-\u200f]/g, spelled)
    .replace(/\s+/g, " ");
}

// A fence longer than any run of backticks inside, so that what is quoted cannot close it.
/** @param {string[]} lines */
function fenced(lines) {
  const runs = lines.join("\n").match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [`${fence}text`, ...lines, fence];
}

/**
 * Hosts may refuse or drop this, and nothing here depends on it.
 * @param {Bridge} bridge
 * @param {string} words
 */
function tellModel(bridge, words) {
  if (!hostCan("updateModelContext")) return;
  bridge.request("ui/update-model-context", { content: [{ type: "text", text: words }] }).catch(() => undefined);
}

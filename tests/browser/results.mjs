// Results as the server gives them, made of a payload, and what a host may leave of them.

let views = 0;

export function envelopeOf(payload, changes = {}) {
  return {
    version: 1,
    kind: "pull_request",
    view: `view-${(views += 1)}`,
    fingerprint: `fingerprint-${views}`,
    offers: { kinds: ["pull_request"], actions: [], refresh: true },
    payload,
    ...changes,
  };
}

export function resultOf(payload, changes) {
  return { content: [{ type: "text", text: "Shown." }], _meta: { "bb/view": envelopeOf(payload, changes) } };
}

export function unchanged(fingerprint = "same") {
  const envelope = { version: 1, unchanged: true, fingerprint, read_at: new Date().toISOString() };
  return { content: [{ type: "text", text: "Unchanged." }], _meta: { "bb/view": envelope } };
}

export const EMPTY = { content: [] };

export function failure(words) {
  return { isError: true, content: [{ type: "text", text: words }] };
}

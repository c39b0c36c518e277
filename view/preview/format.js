// Sizes, times and JSON as a person reads them.

// Pictures travel as long strings, which would bury everything around them.
const LONGEST_STRING = 600;

const encoder = new TextEncoder();

/** @param {unknown} value */
export function byteLength(value) {
  return encoder.encode(JSON.stringify(value) ?? "").length;
}

/** @param {number} bytes */
export function formatSize(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 100_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${Math.round(bytes / 1000)} kB`;
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @param {unknown} value */
export function formatJson(value) {
  return JSON.stringify(value, (_, part) => (typeof part === "string" ? cut(part) : part), 2) ?? "";
}

/** @param {string} text */
function cut(text) {
  if (text.length <= LONGEST_STRING) return text;
  return `${text.slice(0, LONGEST_STRING)}… (${(text.length - LONGEST_STRING).toLocaleString("en")} more characters)`;
}

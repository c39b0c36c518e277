// Bitbucket's metaphors as shapes on a grid of 16 units. Each is drawn in the colour of the text around it.

/** @typedef {{ path: string, fill?: boolean }} Shape */

/** @type {Record<string, Shape[]>} */
const ICONS = {
  pull_request: [
    { path: "M4 5.9v4.2M4 5.9a1.9 1.9 0 1 0 0-3.8a1.9 1.9 0 0 0 0 3.8M4 13.9a1.9 1.9 0 1 0 0-3.8a1.9 1.9 0 0 0 0 3.8M12 13.9a1.9 1.9 0 1 0 0-3.8a1.9 1.9 0 0 0 0 3.8" },
    { path: "M12 10.1V6.5a2.3 2.3 0 0 0-2.3-2.3H7.6M9.4 2.2L7.4 4.2l2 2" },
  ],
  branch: [
    { path: "M4.5 5.6v4.8M4.5 5.6a1.8 1.8 0 1 0 0-3.6a1.8 1.8 0 0 0 0 3.6M4.5 14a1.8 1.8 0 1 0 0-3.6a1.8 1.8 0 0 0 0 3.6M11.5 7a1.8 1.8 0 1 0 0-3.6a1.8 1.8 0 0 0 0 3.6" },
    { path: "M11.5 7c0 2.4-2 2.7-4.2 3.1c-1 .2-1.5.5-2 .9" },
  ],
  arrow: [{ path: "M2.5 8h10.5M9.3 4.2L13 8l-3.7 3.8" }],
  approved: [{ path: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z", fill: true }, { path: "M4.9 8.2l2.1 2.1l4.1-4.3" }],
  needs_work: [{ path: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z", fill: true }, { path: "M4.9 8h6.2" }],
  build_successful: [{ path: "M8 1.7a6.3 6.3 0 1 1 0 12.6A6.3 6.3 0 0 1 8 1.7Z" }, { path: "M5.1 8.2l2 2l3.8-4.1" }],
  build_failed: [{ path: "M8 1.7a6.3 6.3 0 1 1 0 12.6A6.3 6.3 0 0 1 8 1.7Z" }, { path: "M8 4.8v3.8M8 11v.2" }],
  build_in_progress: [{ path: "M8 1.7a6.3 6.3 0 1 1 0 12.6A6.3 6.3 0 0 1 8 1.7Z" }, { path: "M8 4.6V8l2.4 1.6" }],
  build_cancelled: [{ path: "M8 1.7a6.3 6.3 0 1 1 0 12.6A6.3 6.3 0 0 1 8 1.7Z" }, { path: "M4.6 11.4l6.8-6.8" }],
  build_unknown: [
    { path: "M8 1.7a6.3 6.3 0 1 1 0 12.6A6.3 6.3 0 0 1 8 1.7Z" },
    { path: "M6.2 6.3a1.8 1.8 0 1 1 2.7 1.6c-.6.3-.9.7-.9 1.3M8 11.3v.2" },
  ],
  build_none: [{ path: "M8 1.7a6.3 6.3 0 1 1 0 12.6A6.3 6.3 0 0 1 8 1.7Z" }],
  task: [{ path: "M3.8 2.2h8.4a1.6 1.6 0 0 1 1.6 1.6v8.4a1.6 1.6 0 0 1-1.6 1.6H3.8a1.6 1.6 0 0 1-1.6-1.6V3.8a1.6 1.6 0 0 1 1.6-1.6Z" }, { path: "M5.2 8.1l2 2l3.7-4" }],
  comment: [{ path: "M3.4 2.4h9.2a1.4 1.4 0 0 1 1.4 1.4v5.8a1.4 1.4 0 0 1-1.4 1.4H7.4L4.2 13.8V11h-.8A1.4 1.4 0 0 1 2 9.6V3.8a1.4 1.4 0 0 1 1.4-1.4Z" }],
  conflict: [{ path: "M8 2l6.4 11.4H1.6Z" }, { path: "M8 6.4v3.2M8 11.5v.2" }],
  merge_check: [{ path: "M8 1.6l5.4 2v4c0 3.2-2.1 5.6-5.4 6.8c-3.3-1.2-5.4-3.6-5.4-6.8v-4Z" }, { path: "M8 5v3.2M8 10.6v.2" }],
  auto_merge: [{ path: "M9 1.8L3.6 9h3.6l-.6 5.2L12.4 7H8.6Z" }],
  refresh: [{ path: "M13.4 8a5.4 5.4 0 1 1-1.7-3.9M13.5 1.8v3.1h-3.1" }],
  external: [{ path: "M6.6 3H3.8A1.3 1.3 0 0 0 2.5 4.3v7.9a1.3 1.3 0 0 0 1.3 1.3h7.9a1.3 1.3 0 0 0 1.3-1.3V9.4M9.4 2.5h4.1v4.1M13.2 2.8L7.6 8.4" }],
  expand: [{ path: "M9.6 2.5h3.9v3.9M6.4 13.5H2.5V9.6M13.2 2.8L9.4 6.6M2.8 13.2l3.8-3.8" }],
  collapse: [{ path: "M13.3 6.5H9.5V2.7M2.7 9.5h3.8v3.8M9.8 6.2l3.6-3.6M6.2 9.8l-3.6 3.6" }],
  chevron: [{ path: "M4 6.2l4 4l4-4" }],
};

/**
 * An icon, silent to assistive technology unless it is named.
 * @param {string} name
 * @param {string} [label]
 */
function icon(name, label) {
  const shapes = (ICONS[name] ?? []).map((shape) =>
    svg("path", { d: shape.path, class: shape.fill ? "icon-disc" : "icon-line" }),
  );
  /** @type {Record<string, string>} */
  const described = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const className = `icon icon-${name.replace(/_/g, "-")}`;
  return svg("svg", { viewBox: "0 0 16 16", class: className, focusable: "false", ...described }, ...shapes);
}

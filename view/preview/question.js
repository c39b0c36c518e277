// The question whether an address may be opened, put to the person as a host would.

import { byId } from "./dom.js";

export function createQuestion() {
  const box = byId("question");
  const open = byId("question-open");
  /** @type {((opened: boolean) => void) | null} */
  let decide = null;
  /** @type {Element | null} */
  let before = null;

  /** @param {boolean} opened */
  function settle(opened) {
    if (box.hidden) return;
    const inside = box.contains(document.activeElement);
    box.hidden = true;
    if (inside && before instanceof HTMLElement) before.focus();
    open.removeAttribute("href");
    decide?.(opened);
    decide = null;
  }

  open.addEventListener("click", () => setTimeout(() => settle(true), 0));
  byId("question-refuse").addEventListener("click", () => settle(false));
  box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    settle(false);
  });

  return {
    /**
     * @param {string} address of the web, already checked
     * @returns {Promise<boolean>}
     */
    ask(address) {
      settle(false);
      before = document.activeElement;
      byId("question-address").textContent = address;
      open.href = address;
      box.hidden = false;
      open.focus();
      return new Promise((resolve) => (decide = resolve));
    },
    dismiss: () => settle(false),
  };
}

// Elements from names and texts. Nothing is ever parsed as HTML.

/**
 * `text`, `class` and `on…` are set as properties, `true` and `false` as present and absent; the rest are attributes.
 * @param {string} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function el(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2).toLowerCase(), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * An element the document is known to have.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}

/**
 * A group of radio buttons drawn as one control, into a fieldset that has its legend.
 * @param {HTMLElement} fieldset
 * @param {[string, string][]} choices each a value and its words
 * @param {(value: string) => void} chosen
 */
export function segments(fieldset, choices, chosen) {
  const inputs = choices.map(([value, words]) => {
    const id = `${fieldset.id}-${value}`;
    const input = /** @type {HTMLInputElement} */ (el("input", { type: "radio", id, name: fieldset.id, value }));
    input.addEventListener("change", () => chosen(value));
    fieldset.append(input, el("label", { for: id, text: words }));
    return input;
  });
  /** @param {string} value */
  return (value) => {
    for (const input of inputs) input.checked = input.value === value;
  };
}

/** @param {unknown} value */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

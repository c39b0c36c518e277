// The one way elements come to be: tags, attributes and texts named in code, never a string parsed as HTML.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

const TAGS = new Set([
  "div", "span", "p", "h1", "h2", "ul", "li", "dl", "dt", "dd", "button", "img", "time", "header", "section", "footer",
]);

const ATTRIBUTES = new Set([
  "alt", "aria-busy", "aria-disabled", "aria-expanded", "aria-hidden", "aria-label", "aria-live", "datetime", "dir", "id",
  "role", "src", "tabindex", "title",
]);

// Pictures travel as data; SVG is left out because it is a document of its own.
const RASTER = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/;

/**
 * Builds an element. `class`, `text` and `on*` (a function) are properties beside the listed attributes;
 * anything else throws, so that no address, style or markup gets in by way of a value.
 * Null and false among the children are left out.
 * @param {string} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
function el(tag, properties, ...children) {
  if (!TAGS.has(tag)) throw new TypeError(`no element ${tag} on this page`);
  const element = document.createElement(tag);
  if (tag === "button") element.setAttribute("type", "button");
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    setProperty(element, name, value);
  }
  appendAll(element, children);
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} value
 */
function setProperty(element, name, value) {
  if (name === "class") element.className = value;
  else if (name === "text") element.textContent = visible(value);
  else if (name.startsWith("on")) {
    if (typeof value !== "function") throw new TypeError(`${name} takes a function`);
    element.addEventListener(name.slice(2), value);
  } else if (!ATTRIBUTES.has(name)) throw new TypeError(`no attribute ${name} on this page`);
  else if (name === "src" && !isRaster(value)) throw new TypeError("a picture must be raster data");
  else element.setAttribute(name, visible(value));
}

/** @param {unknown} value */
function isRaster(value) {
  return typeof value === "string" && RASTER.test(value);
}

/**
 * @param {Element} element
 * @param {(Node | string | null | undefined | false)[]} children
 */
function appendAll(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === "string" ? visible(child) : child);
  }
}

/**
 * Text that others wrote, isolated so that its direction stays its own.
 * @param {string} value
 * @param {string} [className]
 */
function foreign(value, className) {
  return el("span", { class: className ? `foreign ${className}` : "foreign", dir: "auto", text: value, title: value });
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...Element} children
 */
function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * The address, if it is one a person can be sent to.
 * @param {unknown} address
 */
function webAddress(address) {
  try {
    const url = new URL(String(address));
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}

// Fields for a tool's arguments, made from its input schema.

import { el, isObject } from "./dom.js";

const LONG_TEXT = 1000;

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control
 * @property {(text: string) => any} read
 * @property {(value: any) => string} write
 */

/**
 * @param {HTMLElement} container
 * @param {() => void} changed
 */
export function createForm(container, changed) {
  /** @type {Field[]} */
  let fields = [];

  return {
    /**
     * @param {any} schema
     * @param {Record<string, any>} values
     */
    build(schema, values) {
      const properties = isObject(schema?.properties) ? schema.properties : {};
      const required = Array.isArray(schema?.required) ? schema.required : [];
      fields = [];
      const rows = Object.entries(properties).map(([name, property]) => {
        const { row, field } = createField(name, property, required.includes(name));
        field.control.addEventListener("input", changed);
        fields.push(field);
        return row;
      });
      if (rows.length === 0) rows.push(el("p", { class: "empty", text: "This tool takes none." }));
      container.replaceChildren(...rows);
      this.fill(values);
    },
    /** @param {Record<string, any>} values */
    fill(values) {
      for (const { name, control, write } of fields) {
        control.value = Object.hasOwn(values, name) ? write(values[name]) : "";
      }
    },
    /** What stands in the fields; a field left empty is an argument not given. */
    values() {
      /** @type {Record<string, any>} */
      const values = {};
      for (const { name, control, read } of fields) {
        if (control.value !== "") values[name] = read(control.value);
      }
      return values;
    },
  };
}

/**
 * @param {string} name
 * @param {any} property
 * @param {boolean} required
 */
function createField(name, property, required) {
  const id = `argument-${name}`;
  const field = { name, ...controlFor(property) };
  const { control } = field;
  control.id = id;
  control.required = required;
  control.setAttribute("spellcheck", "false");
  if (property.description) control.setAttribute("aria-describedby", `${id}-about`);
  const label = el(
    "label",
    { for: id },
    el("span", { class: "argument", text: name }),
    required ? el("span", { class: "required", text: "required" }) : null,
  );
  const row = el("div", { class: "field" }, label, control);
  if (property.description) row.append(el("p", { class: "about", id: `${id}-about`, text: property.description }));
  return { row, field };
}

/**
 * @param {any} property
 * @returns {Omit<Field, "name">}
 */
function controlFor(property) {
  const { type, items, enumeration } = shapeOf(property);
  const given = property.default === undefined ? "" : String(property.default);
  if (enumeration) return selectOf(enumeration.map((value) => [String(value), value]), given);
  if (type === "boolean") return selectOf([["true", true], ["false", false]], given);
  if (type === "integer" || type === "number") return numberField(type, property, given);
  if (type === "string") return textField(property, given);
  if (type === "array" && items?.type === "string") return linesField();
  return jsonField();
}

/**
 * The one type a property has, leaving aside that it may be null.
 * @param {any} property
 * @returns {{ type?: string, items?: any, enumeration?: unknown[] }}
 */
function shapeOf(property) {
  const choices = property.anyOf ?? property.oneOf;
  const shape = Array.isArray(choices) ? (choices.find((each) => each?.type !== "null") ?? {}) : property;
  const types = [shape.type].flat().filter((each) => each !== "null");
  /** @type {unknown[] | undefined} */
  const all = Array.isArray(shape.enum) ? shape.enum : undefined;
  const enumeration = all?.filter((each) => each !== null);
  return { type: types.length === 1 ? types[0] : undefined, items: shape.items, enumeration };
}

/**
 * @param {[string, unknown][]} choices
 * @param {string} given
 * @returns {Omit<Field, "name">}
 */
function selectOf(choices, given) {
  const control = /** @type {HTMLSelectElement} */ (el("select", null));
  control.append(el("option", { value: "", text: given ? `${given} (default)` : "not given" }));
  for (const [words] of choices) control.append(el("option", { value: words, text: words }));
  const values = new Map(choices);
  return { control, read: (text) => values.get(text), write: String };
}

/**
 * @param {string} type
 * @param {any} property
 * @param {string} given
 * @returns {Omit<Field, "name">}
 */
function numberField(type, property, given) {
  const { minimum, maximum } = property;
  const step = type === "integer" ? 1 : "any";
  const properties = { type: "number", min: minimum, max: maximum, step, placeholder: given };
  return { control: /** @type {HTMLInputElement} */ (el("input", properties)), read: Number, write: String };
}

/**
 * @param {any} property
 * @param {string} given
 * @returns {Omit<Field, "name">}
 */
function textField({ maxLength }, given) {
  const long = maxLength >= LONG_TEXT;
  const control = long
    ? el("textarea", { rows: 4, maxlength: maxLength, placeholder: given })
    : el("input", { type: "text", maxlength: maxLength, placeholder: given });
  return { control: /** @type {HTMLInputElement} */ (control), read: String, write: String };
}

/** @returns {Omit<Field, "name">} */
function linesField() {
  const control = /** @type {HTMLTextAreaElement} */ (el("textarea", { rows: 3, placeholder: "one a line" }));
  const read = (/** @type {string} */ text) => text.split("\n").filter((line) => line !== "");
  return { control, read, write: (value) => [value].flat().join("\n") };
}

/** @returns {Omit<Field, "name">} */
function jsonField() {
  const control = /** @type {HTMLTextAreaElement} */ (el("textarea", { rows: 3, class: "code", placeholder: "JSON" }));
  control.addEventListener("input", () => {
    control.setCustomValidity(control.value === "" || parse(control.value) !== undefined ? "" : "This is not JSON.");
  });
  return { control, read: parse, write: (value) => JSON.stringify(value, null, 2) };
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

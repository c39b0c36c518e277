// The page's wording, and how values get into it.
// Knows no kind: every word is declared in a kind's `strings` and comes with the document.

/** @type {Record<string, string>} */
const STRINGS = JSON.parse(document.getElementById("strings")?.textContent || "{}");

// The words are English, so their plurals are too, whatever the host's locale.
const PLURAL_RULES = new Intl.PluralRules("en");

/**
 * The declared text of a key, its `{placeholders}` filled. The key is always a literal: the build holds
 * the keys used against the keys declared.
 * @param {string} key
 * @param {Record<string, string>} [values]
 */
function text(key, values) {
  const template = STRINGS[key] ?? key;
  if (!values) return template;
  return template.replace(/\{(\w+)\}/g, (whole, name) => own(values, name) ?? whole);
}

/**
 * Chooses between two wordings by a count and fills `{count}` as the host's locale writes numbers.
 * @param {number} count
 * @param {string} one
 * @param {string} other
 */
function plural(count, one, other) {
  const template = PLURAL_RULES.select(count) === "one" ? one : other;
  return template.replace("{count}", formatNumber(count));
}

/**
 * A table's own entry, since the words that look things up here may be anybody's.
 * @template T
 * @param {Record<string, T>} table
 * @param {string} name
 * @returns {T | undefined}
 */
function own(table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Text that others wrote, with what could reorder or hide it made visible: control characters, the marks
 * that override or embed a direction, what takes no room, and the characters that spell tags no font
 * draws. Marks and joiners that scripts and emoji need stay as they are.
 * @param {unknown} value
 */
function visible(value) {
  return String(value ?? "").replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
    spelled,
  );
}

/**
 * A character as its number.
 * @param {string} mark
 */
function spelled(mark) {
  return `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}

// The pieces that views are made of. They draw what they are given and ask for nothing.

/**
 * @typedef {object} Pictures finds a user's picture by name
 * @property {(name: string) => string | undefined} find
 */

/**
 * @param {Avatar[]} avatars
 * @returns {Pictures}
 */
function picturesOf(avatars) {
  const images = new Map();
  for (const avatar of Array.isArray(avatars) ? avatars : []) {
    if (isRaster(avatar?.image)) images.set(avatar.name, avatar.image);
  }
  return { find: (name) => images.get(name) };
}

/**
 * A person's picture, or initials where there is none. A badge says the verdict.
 * @param {Person} person
 * @param {Pictures} pictures
 * @param {Node} [badge]
 */
function avatar(person, pictures, badge) {
  const holder = el("span", { class: "avatar", "aria-hidden": "true" });
  const image = pictures.find(person.name);
  if (image) {
    const showInitials = () => holder.replaceChildren(initials(person), ...(badge ? [badge] : []));
    holder.append(el("img", { src: image, alt: "", onerror: showInitials }));
  } else holder.append(initials(person));
  if (badge) holder.append(badge);
  return holder;
}

/** @param {Person} person */
function personName(person) {
  return person.display_name || person.name;
}

/** @param {Person} person */
function initials(person) {
  const words = visible(personName(person)).trim().split(/\s+/);
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0]];
  const letters = picked.map((word) => [...word][0] ?? "").join("").toUpperCase();
  const element = el("span", { class: "initials", text: letters });
  element.style.setProperty("--bb-hue", String(hueOf(person.name)));
  return element;
}

/** @param {string} name */
function hueOf(name) {
  let hash = 0;
  for (const character of String(name)) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 3600;
  return hash % 360;
}

/**
 * A state in capitals on its colour.
 * @param {string} words
 * @param {string} tone
 */
function lozenge(words, tone) {
  return el("span", { class: `lozenge tone-${tone}`, text: words });
}

/**
 * Something that needs the person.
 * @param {string} tone
 * @param {string} iconName
 * @param {string} words
 * @param {string} [explanation]
 */
function attentionItem(tone, iconName, words, explanation) {
  return el("li", { class: `chip tone-${tone}`, title: explanation ?? words }, icon(iconName), el("span", { text: words }));
}

/**
 * @param {string | null} iconName
 * @param {string} words
 */
function quietItem(iconName, words) {
  return el("li", { class: "quiet-item" }, iconName ? icon(iconName) : null, el("span", { text: words }));
}

/**
 * @param {string} id keeps the focus on it when the view is drawn again
 * @param {string} words
 * @param {() => void} press
 * @param {Record<string, any>} [more]
 */
function button(id, words, press, more) {
  const { iconName, quiet, ...properties } = more ?? {};
  const className = quiet ? "button button-quiet" : "button";
  return el(
    "button",
    { id, class: className, onclick: press, ...properties },
    iconName ? icon(iconName) : null,
    el("span", { text: words }),
  );
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string} iconName
 * @param {() => void} press
 * @param {Record<string, any>} [more]
 */
function iconButton(id, label, iconName, press, more) {
  const properties = { id, class: "button button-icon", "aria-label": label, title: label, onclick: press, ...more };
  return el("button", properties, icon(iconName));
}

/**
 * @param {string} heading
 * @param {number | null} count
 * @param {...(Node | null)} children
 */
function group(heading, count, ...children) {
  const title = el("h2", { class: "group-title" }, heading);
  if (count !== null) title.append(" ", el("span", { class: "group-count", text: formatNumber(count) }));
  return el("section", { class: "group" }, title, ...children);
}

/**
 * The first of a list, a button for the next step, and a note where the whole is longer than what is listed.
 * @param {object} list
 * @param {string} list.id
 * @param {HTMLElement[]} list.rows
 * @param {number} list.total
 * @param {number} list.visibleCount
 * @param {() => void} list.grow
 */
function steppedList({ id, rows, total, visibleCount, grow }) {
  const hidden = rows.length - visibleCount;
  const parts = [el("ul", { class: "rows" }, ...rows.slice(0, visibleCount))];
  if (hidden > 0) {
    const words = text("more", { count: formatNumber(Math.min(hidden, GROWTH_STEP)) });
    parts.push(button(id, words, grow, { quiet: true }));
  }
  if (total > rows.length) {
    const values = { listed: formatNumber(rows.length), total: formatNumber(total) };
    parts.push(el("p", { class: "note", text: text("listed_of", values) }));
  }
  return parts;
}

// How many rows a press adds.
const GROWTH_STEP = 25;

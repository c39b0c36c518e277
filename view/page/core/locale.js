// Numbers and dates as the host's locale and time zone write them.
// Phrases of time ("2 minutes ago") stay in the language of the page's words, since they stand inside a sentence.

/** @type {{ locale: string | undefined, timeZone: string | undefined }} */
const place = { locale: undefined, timeZone: undefined };

/** @type {{ number: Intl.NumberFormat, dateTime: Intl.DateTimeFormat, relative: Intl.RelativeTimeFormat }} */
let formats = makeFormats();

/**
 * Takes what the host says of locale and time zone; what it does not say, or says wrongly, is left to the browser.
 * @param {{ locale?: unknown, timeZone?: unknown }} context
 */
function setPlace(context) {
  place.locale = accepted(context.locale, (locale) => new Intl.NumberFormat(locale));
  place.timeZone = accepted(context.timeZone, (timeZone) => new Intl.DateTimeFormat("en", { timeZone }));
  formats = makeFormats();
}

/**
 * @param {unknown} value
 * @param {(value: string) => unknown} probe
 */
function accepted(value, probe) {
  if (typeof value !== "string" || value === "") return undefined;
  try {
    probe(value);
    return value;
  } catch {
    return undefined;
  }
}

function makeFormats() {
  const { locale, timeZone } = place;
  return {
    number: new Intl.NumberFormat(locale),
    dateTime: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }),
    relative: new Intl.RelativeTimeFormat(locale?.startsWith("en") ? locale : "en", { numeric: "auto" }),
  };
}

/** @param {number} value */
function formatNumber(value) {
  return formats.number.format(value);
}

/** @param {string} instant */
function formatInstant(instant) {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? visible(instant) : formats.dateTime.format(time);
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/**
 * How long ago something was. A clock that is behind the server's reads as "just now", never as the future.
 * @param {number} time in milliseconds
 */
function formatAgo(time) {
  const seconds = Math.max(0, (Date.now() - time) / 1000);
  for (const [unit, length] of UNITS) {
    if (seconds >= length) return formats.relative.format(-Math.floor(seconds / length), unit);
  }
  return text("just_now");
}

/**
 * An instant as an element: the phrase, with the exact time for those who ask.
 * @param {string} instant
 */
function timeElement(instant) {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return el("span", { text: instant });
  return el("time", { datetime: instant, title: formatInstant(instant), text: formatAgo(time) });
}

/**
 * Moves the phrases of a drawing along with the time, without a new drawing.
 * @param {HTMLElement} drawing
 */
function updateTimes(drawing) {
  for (const element of drawing.querySelectorAll("time")) {
    const phrase = formatAgo(Date.parse(element.dateTime));
    if (element.textContent !== phrase) element.textContent = phrase;
  }
}

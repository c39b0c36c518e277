// What the host says of itself and of the place the view stands in, and how the page follows it.

// Host variables are taken in whole sets: a host's text on our own background may not be readable.
const COLOURS = {
  "--bb-background": "--color-background-primary",
  "--bb-background-raised": "--color-background-secondary",
  "--bb-text": "--color-text-primary",
  "--bb-text-quiet": "--color-text-secondary",
  "--bb-border": "--color-border-secondary",
  "--bb-border-strong": "--color-border-primary",
  "--bb-info-text": "--color-text-info",
  "--bb-info-background": "--color-background-info",
  "--bb-success-text": "--color-text-success",
  "--bb-success-background": "--color-background-success",
  "--bb-danger-text": "--color-text-danger",
  "--bb-danger-background": "--color-background-danger",
  "--bb-warning-text": "--color-text-warning",
  "--bb-warning-background": "--color-background-warning",
  "--bb-ring": "--color-ring-primary",
};

const VARIABLE_SETS = [
  COLOURS,
  { "--bb-font": "--font-sans" },
  { "--bb-font-mono": "--font-mono" },
  {
    "--bb-weight-normal": "--font-weight-normal",
    "--bb-weight-medium": "--font-weight-medium",
    "--bb-weight-semibold": "--font-weight-semibold",
  },
  {
    "--bb-size-small": "--font-text-xs-size",
    "--bb-size-text": "--font-text-sm-size",
    "--bb-size-title": "--font-heading-md-size",
  },
  { "--bb-radius-small": "--border-radius-sm", "--bb-radius": "--border-radius-md" },
];

/** @type {Record<string, any>} */
let capabilities = {};

/** @type {Record<string, any>} */
let hostContext = {};

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

/** @param {unknown} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Merges what the host sent into what it said before, and applies the whole.
 * @param {unknown} changes
 */
function applyHostContext(changes) {
  if (isObject(changes)) hostContext = { ...hostContext, .../** @type {object} */ (changes) };
  applyTheme();
  applyVariables();
  applyInsets();
  setPlace(hostContext);
  document.documentElement.dataset.mode = displayMode();
}

// With a theme the host's word wins; without one the browser's preference does, live.
function applyTheme() {
  const said = hostContext.theme;
  const theme = said === "dark" || said === "light" ? said : prefersDark.matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  document.documentElement.style.colorScheme = theme;
}

function applyVariables() {
  const given = isObject(hostContext.styles?.variables) ? hostContext.styles.variables : {};
  const { style } = document.documentElement;
  for (const set of VARIABLE_SETS) {
    const names = Object.entries(set);
    const whole = names.every(([, theirs]) => typeof given[theirs] === "string" && given[theirs].trim() !== "");
    for (const [ours, theirs] of names) {
      if (whole) style.setProperty(ours, given[theirs]);
      else style.removeProperty(ours);
    }
  }
}

function applyInsets() {
  const insets = isObject(hostContext.safeAreaInsets) ? hostContext.safeAreaInsets : {};
  const { style } = document.documentElement;
  for (const side of ["top", "right", "bottom", "left"]) {
    const inset = Number(insets[side]);
    if (inset > 0) style.setProperty(`--bb-inset-${side}`, `${inset}px`);
    else style.removeProperty(`--bb-inset-${side}`);
  }
}

/** @returns {"inline" | "fullscreen"} */
function displayMode() {
  return hostContext.displayMode === "fullscreen" ? "fullscreen" : "inline";
}

/** @param {string} mode */
function offersDisplayMode(mode) {
  return Array.isArray(hostContext.availableDisplayModes) && hostContext.availableDisplayModes.includes(mode);
}

/** @param {string} name */
function hostCan(name) {
  return isObject(capabilities[name]);
}

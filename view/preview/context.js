// What this host says of itself to the view: `hostCapabilities` and `hostContext`.

export const HOST_INFO = { name: "bb-preview", title: "bb preview", version: "1" };
export const PROTOCOL_VERSION = "2026-01-26";
export const TALLEST = 6000;
export const DISPLAY_MODES = ["inline", "fullscreen"];

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

/** @param {Set<string>} flavours */
export function hostCapabilities(flavours) {
  if (flavours.has("no-capabilities")) return {};
  const text = { text: {} };
  return { openLinks: {}, serverTools: {}, updateModelContext: text, message: text, logging: {} };
}

/**
 * @param {object} place
 * @param {import("./state.js").State} place.state
 * @param {import("./server.js").Tool} place.tool
 * @param {object} place.dimensions
 */
export function hostContext({ state, tool, dimensions }) {
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    toolInfo: { id: "preview", tool },
    theme: resolvedTheme(state.theme),
    ...(state.flavours.has("no-styles") ? {} : { styles: { variables: styleVariables() } }),
    displayMode: state.mode,
    availableDisplayModes: DISPLAY_MODES,
    containerDimensions: dimensions,
    locale: navigator.language || locale,
    timeZone,
    platform: "web",
    userAgent: `${HOST_INFO.name}/${HOST_INFO.version}`,
    deviceCapabilities: {
      touch: window.matchMedia("(any-pointer: coarse)").matches,
      hover: window.matchMedia("(any-hover: hover)").matches,
    },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
}

/** @param {string} theme */
export function resolvedTheme(theme) {
  if (theme === "light" || theme === "dark") return theme;
  return prefersDark.matches ? "dark" : "light";
}

/** @param {() => void} changed */
export function watchSystemTheme(changed) {
  prefersDark.addEventListener("change", changed);
}

/** The variables of theme.css. Their values hold both themes, as in hosts that use `light-dark()`. */
function styleVariables() {
  /** @type {Record<string, string>} */
  const variables = {};
  for (const sheet of document.styleSheets) {
    if (!sheet.href?.endsWith("/theme.css")) continue;
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule)) continue;
      for (const name of rule.style) {
        if (name.startsWith("--")) variables[name] = rule.style.getPropertyValue(name).trim();
      }
    }
  }
  return variables;
}

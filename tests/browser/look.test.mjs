// How the card looks and is handled: both themes, every width, full screen, the keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calm, merged, rich } from "./fixtures.mjs";
import { until } from "./host/view.mjs";
import { read } from "./sources.mjs";
import { layoutOf, withHost } from "./suite.mjs";

const host = withHost();

const styleOf = (view, selector, property) =>
  view.innerFrame().evaluate(([of, name]) => getComputedStyle(document.querySelector(of))[name], [selector, property]);

for (const theme of ["light", "dark"]) {
  for (const width of [280, 640, 900]) {
    test(`at ${width} pixels in ${theme} a full card neither scrolls nor outgrows a screen`, async () => {
      const view = await host.shown(rich(), { context: { theme }, width });
      const { sideways, height, inner } = await layoutOf(view);
      assert.deepEqual({ sideways, inner }, { sideways: 0, inner: 0 });
      assert.ok(height <= 900, `${height}`);
      await view.screenshot(`full-${theme}-${width}`);
      await view.frame.getByRole("button", { name: "Show details" }).click();
      assert.equal((await layoutOf(view)).sideways, 0);
      await view.screenshot(`full-${theme}-${width}-details`);
    });
  }

  test(`a quiet card and a merged one are drawn in ${theme}`, async () => {
    const quiet = await host.shown(calm(), { context: { theme } });
    await quiet.screenshot(`quiet-${theme}`);
    const closed = await host.shown(merged(), { context: { theme } });
    await closed.screenshot(`merged-${theme}`);
  });
}

test("the theme follows the host live, and the browser's preference where the host says none", async () => {
  const view = await host.shown(rich(), { colorScheme: "dark" });
  assert.equal(await styleOf(view, "html", "backgroundColor"), "rgb(29, 33, 37)");
  await view.change({ theme: "light" });
  assert.equal(await styleOf(view, "html", "backgroundColor"), "rgb(255, 255, 255)");
  await view.change({ theme: "dark" });
  assert.equal(await styleOf(view, "html", "backgroundColor"), "rgb(29, 33, 37)");
});

test("every text is readable on its ground in both themes", () => {
  const [light, dark] = read("style/tokens.css")
    .split('[data-theme="dark"]')
    .map((block) =>
      Object.fromEntries([...block.matchAll(/--bb-([\w-]+): (#\w{6})/g)].map(([, name, colour]) => [name, colour])),
    );
  assert.deepEqual(Object.keys(dark), Object.keys(light));
  for (const theme of [light, dark]) {
    const tones = ["info", "success", "danger", "warning"].map((tone) => [`${tone}-text`, `${tone}-background`]);
    const onGround = ["text", "text-quiet", "danger-text", "warning-text", "success-text", "info-text"];
    const raised = [["text", "background-raised"], ["text-quiet", "background-raised"]];
    for (const [ink, ground] of [...tones, ...onGround.map((name) => [name, "background"]), ...raised]) {
      const ratio = contrast(theme[ink], theme[ground]);
      assert.ok(ratio >= 4.5, `${ink} on ${ground}: ${ratio.toFixed(2)}`);
    }
  }
});

function contrast(...colours) {
  const [darker, lighter] = colours.map(luminance).sort((one, other) => one - other);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour) {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("host colours are taken as a whole set or not at all", async () => {
  const variables = { "--color-text-primary": "#ffffff" };
  const view = await host.shown(rich(), { context: { theme: "light", styles: { variables } } });
  assert.equal(await styleOf(view, "html", "color"), "rgb(23, 43, 77)");
});

test("insets become padding and go when they return to nothing", async () => {
  const view = await host.shown(rich(), { context: { safeAreaInsets: { top: 113, right: 0, bottom: 40, left: 0 } } });
  assert.equal(await styleOf(view, "#view", "paddingTop"), "127px");
  await view.change({ safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 } });
  assert.equal(await styleOf(view, "#view", "paddingTop"), "14px");
});

test("full screen is offered where the host offers it, shows everything, and is left again", async () => {
  const modes = ["inline", "fullscreen"];
  const view = await host.shown(rich(), { context: { displayMode: "inline", availableDisplayModes: modes } });
  await view.frame.getByRole("button", { name: "Full screen" }).click();
  await view.frame.getByRole("button", { name: "Exit full screen" }).waitFor();
  assert.match(await view.text(), /Dependency scan/);
  await view.screenshot("fullscreen-light", { whole: true });
  await view.frame.getByRole("button", { name: "Exit full screen" }).click();
  await view.frame.getByRole("button", { name: "Full screen", exact: true }).waitFor();
  const other = await host.shown(rich(), { context: { displayMode: "inline", availableDisplayModes: ["inline"] } });
  assert.equal(await other.frame.getByRole("button", { name: "Full screen" }).count(), 0);
});

test("everything can be reached and pressed by the keyboard, with the focus visible and kept", async () => {
  const view = await host.shown(rich());
  const focused = () => view.innerFrame().evaluate(() => document.activeElement.id);
  await view.frame.locator("#open").focus();
  await view.page.keyboard.press("Tab");
  assert.equal(await focused(), "details");
  assert.equal(await styleOf(view, ":focus", "outlineStyle"), "solid");
  await view.page.keyboard.press("Enter");
  await view.frame.getByRole("button", { name: "Hide details" }).waitFor();
  assert.equal(await focused(), "details");
  await view.page.keyboard.press("Tab");
  assert.equal(await focused(), "refresh");
  await view.page.keyboard.press("Space");
  await until(() => view.sent("tools/call").length === 1);
  await view.settled();
  assert.equal(await focused(), "refresh");
});

test("every button has a name", async () => {
  const view = await host.shown(rich(), { context: { displayMode: "inline", availableDisplayModes: ["fullscreen"] } });
  await view.frame.locator("#details").click();
  const names = await view.frame.getByRole("button").evaluateAll((all) =>
    all.map((each) => each.getAttribute("aria-label") || each.textContent.trim()),
  );
  assert.ok(names.length >= 11, `${names}`);
  assert.deepEqual(names.filter((name) => name === ""), []);
});

test("forced colours keep the badges' edges", async () => {
  const view = await host.shown(rich());
  await view.page.emulateMedia({ forcedColors: "active" });
  assert.equal(await styleOf(view, ".lozenge", "borderTopWidth"), "1px");
  await view.screenshot("forced-colours");
});

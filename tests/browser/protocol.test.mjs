// The bridge: handshake, sizes, links, unknown messages, teardown, and the document's own policy.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rich } from "./fixtures.mjs";
import { until } from "./host/view.mjs";
import { resultOf, unchanged } from "./results.mjs";
import { withHost } from "./suite.mjs";

const host = withHost();

test("the handshake comes first and names what the view can do", async () => {
  const view = await host.shown(rich());
  const [initialize] = view.sent("ui/initialize");
  assert.deepEqual(initialize.appCapabilities, { availableDisplayModes: ["inline", "fullscreen"] });
  assert.equal(initialize.protocolVersion, "2026-01-26");
  assert.equal(initialize.appInfo.name, "bb");
  assert.equal(view.sent("ui/notifications/initialized").length, 1);
});

test("sizes are heights alone, few, and those of the content", async () => {
  const view = await host.shown(rich());
  await view.sized();
  const sizes = view.sent("ui/notifications/size-changed");
  assert.ok(sizes.length >= 1 && sizes.length <= 4, `${sizes.length}`);
  for (const size of sizes) assert.deepEqual(Object.keys(size), ["height"]);
  const { height } = sizes.at(-1);
  const box = await view.page.locator("iframe").boundingBox();
  assert.equal(box.height, height);
  assert.ok(height > 100 && height <= 900);
});

test("a host that makes the frame higher than asked starts no loop", async () => {
  const view = await host.shown(rich(), { quirks: { growsBy: 20 } });
  const height = () => view.page.locator("iframe").boundingBox().then((box) => box.height);
  await until(async () => (await height()) === view.sent("ui/notifications/size-changed").at(-1).height + 20);
  // As many frames as a loop would need to be seen.
  await view.innerFrame().evaluate(async () => {
    for (let frames = 0; frames < 40; frames += 1) await new Promise(requestAnimationFrame);
  });
  await view.settled();
  assert.ok(view.sent("ui/notifications/size-changed").length <= 4);
});

test("a ping is answered, an unknown request refused, noise passed over", async () => {
  const view = await host.shown(rich());
  assert.deepEqual(await view.raw({ jsonrpc: "2.0", id: "p", method: "ping" }), [{ jsonrpc: "2.0", id: "p", result: {} }]);
  const [unknown] = await view.raw({ jsonrpc: "2.0", id: 9, method: "ui/become-a-teapot" });
  assert.equal(unknown.error.code, -32601);
  for (const noise of [null, 7, "x", {}, { jsonrpc: "2.0" }, { jsonrpc: "2.0", id: 99, result: {} }, { jsonrpc: "2.0", method: "constructor" }]) {
    assert.deepEqual(await view.raw(noise), []);
  }
});

test("teardown is answered, also a second time, and nothing follows it", async () => {
  const view = await host.shown(rich(), { clock: true, answer: async () => unchanged() });
  await view.teardown();
  const reports = view.sent("ui/notifications/size-changed").length;
  await view.pass(3_600_000);
  await view.frame.locator("#details").click();
  await view.resize(300);
  await view.pass(1000);
  assert.equal(view.sent("tools/call").length, 0);
  assert.equal(view.sent("ui/notifications/size-changed").length, reports);
  const [again] = await view.raw({ jsonrpc: "2.0", id: "t", method: "ui/resource-teardown", params: {} });
  assert.deepEqual(again, { jsonrpc: "2.0", id: "t", result: {} });
});

test("links go through the host; a refusal shows the address", async () => {
  const view = await host.shown(rich(), { quirks: { deniesLinks: true } });
  await view.frame.getByRole("button", { name: "Open in Bitbucket" }).click();
  await view.frame.getByText("does not open links").waitFor();
  assert.match(await view.text(), /https:\/\/bitbucket\.example\.com\/projects\/PAY/);
  await view.screenshot("link-refused");
  await view.frame.getByRole("button", { name: "Dismiss" }).click();
  assert.doesNotMatch(await view.text(), /does not open links/);
});

test("a host that opens no links gets no button, and the address among the details", async () => {
  const view = await host.shown(rich(), { capabilities: {} });
  assert.equal(await view.frame.getByRole("button", { name: "Open in Bitbucket" }).count(), 0);
  await view.frame.getByRole("button", { name: "Show details" }).click();
  assert.match(await view.text(), /https:\/\/bitbucket\.example\.com/);
});

test("a handshake that nobody answers is given up, announced, and data drawn all the same", async () => {
  const view = await host.mount({ clock: true, quirks: { mute: true } });
  await view.pass(4900);
  assert.equal(view.sent("ui/notifications/initialized").length, 0);
  await view.pass(200);
  assert.equal(view.sent("ui/notifications/initialized").length, 1);
  await view.pass(4000);
  await view.frame.locator(".notice").waitFor();
  await view.raw({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: resultOf(rich()) });
  await view.frame.locator(".card").waitFor();
  await view.pass(60_000);
  assert.equal(view.sent("ui/initialize").length, 1);
  assert.equal(view.sent("ui/notifications/initialized").length, 1);
  assert.equal(view.sent("tools/call").length, 0);
});

// How data reaches the view, or how the view says that none did.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calm, MINUTE, rich } from "./fixtures.mjs";
import { NEVER, TARGET } from "./host/view.mjs";
import { EMPTY, failure, resultOf, unchanged } from "./results.mjs";
import { withHost } from "./suite.mjs";

const host = withHost();

const drawn = (view) => view.frame.locator(".card").waitFor();
const noticed = (view) => view.frame.locator(".notice").waitFor();

test("a result that lost its key is made good by one call with the arguments of show", async () => {
  const view = await host.mount();
  await view.input();
  await view.result(EMPTY);
  await drawn(view);
  assert.deepEqual(view.sent("tools/call"), [{ name: "refresh_view", arguments: TARGET }]);
  await view.screenshot("recovered");
});

test("another's _meta is no data of ours", async () => {
  const view = await host.mount();
  await view.input();
  await view.result({ ...EMPTY, _meta: { "openai/outputTemplate": "x", "bb/view": null } });
  await drawn(view);
  assert.equal(view.sent("tools/call").length, 1);
});

test("an input without a result is made good after a short wait", async () => {
  const view = await host.mount({ clock: true });
  await view.input();
  await view.pass(1500);
  assert.equal(view.sent("tools/call").length, 0);
  await view.pass(1000);
  await drawn(view);
});

test("a result in time asks for nothing", async () => {
  const view = await host.mount({ clock: true });
  await view.input();
  await view.result(resultOf(calm()));
  await drawn(view);
  await view.pass(9000);
  assert.equal(view.sent("tools/call").length, 0);
});

test("the skeleton names what is coming", async () => {
  const view = await host.mount();
  await view.partial({ kind: "pull_request", project: "PAY" });
  await view.partial({ kind: "pull_request", project: "PAY", repo: "ledger", id: 1 });
  await view.frame.getByText("Reading PAY/ledger #1").waitFor();
  await view.screenshot("loading");
});

test("silence for ten seconds is said in words, with a way to try again", async () => {
  const view = await host.mount({ clock: true });
  await view.pass(9500);
  await noticed(view);
  assert.match(await view.text(), /No data has reached this view\./);
  await view.screenshot("silence");
  await view.frame.getByRole("button", { name: "Retry" }).click();
  await view.frame.locator(".loading").waitFor();
  await view.pass(9500);
  await noticed(view);
  await view.input();
  await view.result(resultOf(rich()));
  await drawn(view);
});

test("a host that strips every answer is told of in words, and the model too", async () => {
  const view = await host.mount({ answer: async () => EMPTY });
  await view.input();
  await view.result(EMPTY);
  await noticed(view);
  assert.match(await view.text(), /No data has reached this view of PAY\/ledger #1/);
  const [{ content }] = view.sent("ui/update-model-context");
  assert.match(content[0].text, /may need an answer in words/);
  view.answer = async () => resultOf(rich());
  await view.frame.getByRole("button", { name: "Retry" }).click();
  await drawn(view);
});

test("without calls and without data it says so at once", async () => {
  const view = await host.mount({ capabilities: {} });
  await view.input();
  await view.result(EMPTY);
  await noticed(view);
  assert.equal(view.sent("tools/call").length, 0);
});

test("a call that never comes back does not hold up the words", async () => {
  const view = await host.mount({ clock: true, answer: async () => NEVER });
  await view.input();
  await view.result(EMPTY);
  await view.pass(9500);
  await noticed(view);
});

test("a stored conversation is drawn from its result while every call fails", async () => {
  const generated_at = new Date(Date.now() - 5 * 24 * 60 * MINUTE).toISOString();
  const view = await host.mount({
    answer: async () => {
      throw new Error("no server");
    },
  });
  await view.input();
  await view.result(resultOf({ ...rich(), generated_at }));
  await drawn(view);
  await view.frame.getByText("5 days ago").first().waitFor();
  assert.match(await view.text(), /PAY\/ledger/);
  await view.screenshot("stored");
});

test("data of another version is said in words and nothing is drawn half", async () => {
  const view = await host.mount();
  await view.input();
  await view.result(resultOf(rich(), { version: 2 }));
  await noticed(view);
  assert.match(await view.text(), /made by another version of bb/);
  assert.equal(await view.frame.locator(".card").count(), 0);
  await view.screenshot("other-version");
});

test("a kind this page does not know is said in words", async () => {
  const view = await host.mount();
  await view.input();
  await view.result(resultOf(rich(), { kind: "constructor" }));
  await noticed(view);
  assert.match(await view.text(), /no view of this kind/);
});

test("a later empty delivery overwrites nothing", async () => {
  const view = await host.mount();
  await view.input();
  await view.result(resultOf(rich()));
  await drawn(view);
  for (const late of [EMPTY, { content: [{ type: "text", text: "{}" }], structuredContent: {} }, failure("late")]) {
    await view.result(late);
  }
  await view.cancel("late");
  await view.settled();
  assert.match(await view.text(), /PAY\/ledger/);
  assert.equal(view.sent("tools/call").length, 0);
});

test("a stored result that is delivered again does not undo a refresh", async () => {
  const stored = resultOf({ ...rich(), generated_at: new Date(Date.now() - MINUTE).toISOString() });
  const view = await host.mount({ answer: async () => resultOf({ ...rich(), title: "The newer title" }) });
  await view.input();
  await view.result(stored);
  await view.frame.getByText("The newer title").waitFor();
  await view.result(stored);
  await view.settled();
  assert.match(await view.text(), /The newer title/);
});

test("a failed show says why", async () => {
  const view = await host.mount();
  await view.input();
  await view.result(failure("show failed: Bitbucket has no pull request PAY/ledger #404."));
  await noticed(view);
  assert.match(await view.text(), /could not be shown[\s\S]*#404/);
  await view.screenshot("failed");
});

test("a failed recovery says why", async () => {
  const view = await host.mount();
  await view.input({ ...TARGET, id: 404 });
  await view.result(EMPTY);
  await noticed(view);
  assert.match(await view.text(), /could not be shown/);
});

test("a cancelled call says so", async () => {
  const view = await host.mount();
  await view.input();
  await view.cancel("The person changed their mind.");
  await noticed(view);
  assert.match(await view.text(), /cancelled: The person changed their mind\./);
});

test("an unchanged answer to the first question is not data", async () => {
  const view = await host.mount({ answer: async () => unchanged() });
  await view.input();
  await view.result(EMPTY);
  await noticed(view);
});

// How the view keeps itself current, and when it leaves Bitbucket alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calm, merged, MINUTE, rich } from "./fixtures.mjs";
import { NEVER, TARGET, until } from "./host/view.mjs";
import { EMPTY, failure, resultOf, unchanged } from "./results.mjs";
import { withHost } from "./suite.mjs";

const host = withHost();

/** Time stands still in these views but for `pass`. */
const shown = (payload, options) => host.shown(payload, { clock: true, ...options });

const calls = (view) => view.sent("tools/call").length;

const stamp = (view) => view.frame.locator(".stamp-words").innerText();

test("a running build is asked after every fifteen seconds", async () => {
  const view = await shown(rich(), { answer: async () => unchanged() });
  await view.pass(10_000);
  assert.equal(calls(view), 0);
  await view.pass(5500);
  assert.equal(calls(view), 1);
  await view.pass(15_500);
  assert.equal(calls(view), 2);
});

test("phrases of time move on while nothing is drawn anew", async () => {
  const view = await shown(rich(), { answer: async () => unchanged() });
  await view.frame.locator("#details").click();
  await view.frame.locator(".title").evaluate((title) => title.setAttribute("data-mine", ""));
  assert.match(await view.text(), /Last updated\s+47 minutes ago/);
  await view.pass(3 * MINUTE);
  assert.match(await view.text(), /Last updated\s+50 minutes ago/);
  assert.equal(await view.frame.locator("[data-mine]").count(), 1);
});

test("auto-merge is something in motion", async () => {
  const view = await shown({ ...calm(), auto_merge: true }, { answer: async () => unchanged() });
  await view.pass(15_500);
  assert.equal(calls(view), 1);
});

test("what is quiet is asked less and less often, up to ten minutes", async () => {
  const view = await shown(calm(), { answer: async () => unchanged() });
  let expected = 0;
  for (const minutes of [2, 4, 8, 10, 10]) {
    await view.pass(minutes * MINUTE - 3000);
    assert.equal(calls(view), expected, `before ${minutes}`);
    await view.pass(4000);
    expected += 1;
    assert.equal(calls(view), expected, `after ${minutes}`);
  }
});

test("an old conversation asks at once, and takes what is new in place", async () => {
  const generated_at = new Date(Date.now() - 60 * MINUTE).toISOString();
  const view = await shown({ ...calm(), generated_at }, { answer: async () => resultOf({ ...calm(), title: "The newer title" }) });
  await view.pass(100);
  await view.frame.getByText("The newer title").waitFor();
  const [{ content }] = view.sent("ui/update-model-context");
  assert.match(content[0].text, /^---\nkind: pull_request\ntarget: PAY\/ledger#2\nstate: open\nread_at: /);
  assert.match(content[0].text, /has changed since it was shown/);
  assert.match(content[0].text, /```text\ntitle: The newer title\n/);
});

test("a change keeps what the person opened", async () => {
  const view = await shown(rich(), { answer: async () => resultOf({ ...rich(), title: "The newer title" }) });
  await view.frame.locator("#details").click();
  await view.pass(15_500);
  await view.frame.getByText("The newer title").waitFor();
  assert.equal(await view.frame.getByRole("button", { name: "Hide details" }).count(), 1);
});

test("a closed and still pull request is not asked after, but can be by hand", async () => {
  const view = await shown(merged(), { answer: async () => unchanged() });
  await view.pass(60 * MINUTE);
  assert.equal(calls(view), 0);
  assert.match(await stamp(view), /may be out of date/);
  await view.frame.locator("#refresh").click();
  await view.settled();
  assert.equal(calls(view), 1);
});

// Observers are told in the order of their making, so what this one has seen the view has been told.
const sightIs = (view, wanted) =>
  view.innerFrame().evaluate(
    (inSight) =>
      new Promise((resolve) => {
        const observer = new IntersectionObserver((entries) => {
          if (entries.at(-1).isIntersecting !== inSight) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document.getElementById("view"));
      }),
    wanted,
  );

test("off screen nothing is asked, and back on screen it is made up for", async () => {
  const view = await shown(rich(), { answer: async () => unchanged() });
  const pushDown = (height) => view.page.evaluate((x) => (document.getElementById("above").style.height = x), height);
  await sightIs(view, true);
  await pushDown("4000px");
  await sightIs(view, false);
  await view.pass(5 * MINUTE);
  assert.equal(calls(view), 0);
  await pushDown("0");
  await sightIs(view, true);
  await view.pass(100);
  assert.equal(calls(view), 1);
});

test("a hidden document asks nothing", async () => {
  const view = await shown(rich(), { answer: async () => unchanged() });
  const become = (state) =>
    view.innerFrame().evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await become("hidden");
  await view.pass(5 * MINUTE);
  assert.equal(calls(view), 0);
  await become("visible");
  await view.pass(100);
  assert.equal(calls(view), 1);
});

test("a failed refresh leaves the drawing and is said in the stamp", async () => {
  const view = await shown(rich(), { answer: async () => failure("refresh failed: Bitbucket answered 503.") });
  await view.frame.locator("#refresh").click();
  await view.frame.locator(".stamp-failed").waitFor();
  assert.match(await view.text(), /PAY\/ledger[\s\S]*could not refresh[\s\S]*refresh failed: Bitbucket answered 503\./);
  await view.screenshot("refresh-failed");
  view.answer = async () => unchanged();
  await view.frame.locator("#refresh").click();
  await view.settled();
  assert.doesNotMatch(await view.text(), /could not refresh/i);
});

test("a host that refuses calls ends the asking and loses the button", async () => {
  const view = await shown(rich(), {
    answer: async () => {
      throw new Error("Tool call denied");
    },
  });
  await view.pass(15_500);
  assert.equal(calls(view), 1);
  await view.pass(5 * MINUTE);
  assert.equal(calls(view), 2);
  await view.pass(60 * MINUTE);
  assert.equal(calls(view), 2);
  assert.equal(await view.frame.locator("#refresh").isVisible(), false);
  assert.match(await view.text(), /PAY\/ledger/);
  await view.screenshot("refused");
});

test("without the capability, or with refresh_view withheld, there is no button and no call", async () => {
  const view = await shown(rich(), { capabilities: { openLinks: {} } });
  assert.equal(await view.frame.locator("#refresh").isVisible(), false);
  await view.pass(60 * MINUTE);
  assert.equal(calls(view), 0);

  const other = await host.mount({ clock: true });
  await other.result(resultOf(rich(), { offers: { kinds: [], actions: [], refresh: false } }));
  await other.frame.locator(".card").waitFor();
  assert.equal(await other.frame.locator("#refresh").isVisible(), false);
  await other.pass(60 * MINUTE);
  assert.equal(calls(other), 0);
});

test("without the arguments of show the payload's own are used", async () => {
  const view = await host.mount({ clock: true, answer: async () => unchanged() });
  await view.result(resultOf(rich(), { fingerprint: "held" }));
  await view.frame.locator(".card").waitFor();
  await view.pass(15_500);
  assert.deepEqual(view.sent("tools/call")[0].arguments, { ...TARGET, since: "held" });
});

test("a server of another version ends the asking and leaves the drawing", async () => {
  const view = await shown(rich(), { answer: async () => resultOf(calm(), { version: 2 }) });
  await view.pass(15_500);
  await view.pass(60 * MINUTE);
  assert.equal(calls(view), 1);
  assert.match(await view.text(), /#1/);
});

test("answers stripped of their data end the asking", async () => {
  const view = await shown(rich(), { answer: async () => EMPTY });
  await view.pass(15_500);
  await view.pass(5 * MINUTE);
  await view.pass(60 * MINUTE);
  assert.equal(calls(view), 2);
  assert.match(await view.text(), /PAY\/ledger/);
});

test("an answer that takes too long is a failure", async () => {
  const view = await shown(rich(), { answer: async () => NEVER });
  await view.pass(15_500);
  await view.pass(30_500);
  assert.match(await stamp(view), /could not refresh/);
});

test("a refused context update changes nothing", async () => {
  const view = await shown(rich(), { quirks: { refusesContext: true }, answer: async () => resultOf({ ...rich(), title: "The newer title" }) });
  await view.pass(15_500);
  await view.frame.getByText("The newer title").waitFor();
});

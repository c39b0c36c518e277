// The card's words: what stands on it for each shape of a pull request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calm, counts, merged, rich } from "./fixtures.mjs";
import { withHost } from "./suite.mjs";

const host = withHost();

const rowsOf = (view, heading) => view.frame.locator(".group", { hasText: heading }).locator("li");

test("the first lines say which pull request it is, whose, and from where to where", async () => {
  const view = await host.shown(rich());
  const words = await view.text();
  for (const part of ["PAY/ledger", "#1", "OPEN", rich().title, "Mira Okafor", rich().source.name, "main"]) {
    assert.ok(words.includes(part), part);
  }
  assert.equal(await view.frame.getByRole("group", { name: `${rich().source.name} into main` }).count(), 1);
});

test("what needs the person is there without a press", async () => {
  const view = await host.shown(rich());
  assert.deepEqual(await view.frame.locator(".attention li").allInnerTexts(), [
    "Jonas Lindqvist requested changes",
    "Conflict",
    "1 build failed",
    "1 build in progress",
    "2 open tasks",
    "2 merge checks failed",
  ]);
});

test("the quiet line counts the whole", async () => {
  const view = await host.shown(rich());
  assert.deepEqual(await view.frame.locator(".quiet li").allInnerTexts(), [
    "2 of 4 approved",
    "6 of 8 builds passed",
    "7 comments",
  ]);
  assert.equal(await view.frame.getByRole("img", { name: "Jonas Lindqvist: Changes requested" }).count(), 1);
});

test("a quiet pull request has no attention line", async () => {
  const view = await host.shown(calm());
  assert.equal(await view.frame.locator(".attention").count(), 0);
});

for (const [state, draft, words] of [
  ["merged", false, "MERGED"],
  ["declined", false, "DECLINED"],
  ["open", true, "DRAFT"],
  ["merged", true, "MERGED"],
  ["superseded", false, "SUPERSEDED"],
]) {
  test(`the badge of ${draft ? "a draft that is " : ""}${state} says ${words}`, async () => {
    const view = await host.shown({ ...merged(), state, draft });
    assert.equal(await view.frame.locator(".lozenge").innerText(), words);
  });
}

test("what is not this server's to show is left out, and absent builds are said", async () => {
  const none = counts([]);
  const view = await host.shown({ ...rich(), discussion_known: false, builds_known: false, builds: [], build_counts: none });
  const words = await view.text();
  assert.doesNotMatch(words, /comment|task/);
  assert.match(words, /Bitbucket did not report builds/);
});

test("a list grows by a press, and a shorter list says how many the whole has", async () => {
  const builds = Array.from({ length: 50 }, (_, at) => ({ key: `job-${at}`, state: "successful" }));
  const build_counts = { ...counts(builds), total: 1234, successful: 1230, failed: 4 };
  const view = await host.shown({ ...rich(), builds, build_counts });
  assert.match(await view.text(), /1,230 of 1,234 builds passed/);
  const press = (name) => view.frame.getByRole("button", { name }).click();
  await press("Show details");
  assert.equal(await rowsOf(view, "Builds").count(), 6);
  await press("Show 25 more");
  assert.equal(await rowsOf(view, "Builds").count(), 31);
  await press("Show 19 more");
  assert.match(await view.text(), /50 of 1,234 listed here/);
});

test("builds that are counted but not listed have a group that says so", async () => {
  const view = await host.shown({ ...rich(), builds: [], build_counts: { ...counts([]), total: 12, successful: 12 } });
  assert.match(await view.text(), /12 builds passed/);
  await view.frame.getByRole("button", { name: "Show details" }).click();
  assert.match(await view.text(), /0 of 12 listed here/);
});

test("many who asked for changes are counted, not only named", async () => {
  const reviewers = Array.from({ length: 5 }, (_, at) => ({
    name: `person-${at}`,
    display_name: `Person ${at}`,
    verdict: "needs_work",
  }));
  const view = await host.shown({ ...rich(), reviewers, reviewer_counts: { total: 60, approved: 0, needs_work: 31 } });
  assert.match(await view.text(), /Person 0, Person 1 and 29 others requested changes/);
  assert.match(await view.text(), /\+55/);
});

test("a person without a display name is called by the user name", async () => {
  const view = await host.shown({ ...rich(), author: { name: "mira" } });
  assert.equal(await view.frame.locator(".author-name").innerText(), "mira");
});

test("numbers follow the host's locale, and a locale that is none is passed over", async () => {
  const payload = { ...rich(), comment_count: 12345 };
  const german = await host.shown(payload, { context: { locale: "de-DE", timeZone: "Europe/Berlin" } });
  assert.match(await german.text(), /12\.345 comments/);
  const nowhere = await host.shown(payload, { context: { locale: "not a locale", timeZone: "Nowhere/Land" } });
  assert.match(await nowhere.text(), /12,345 comments/);
});

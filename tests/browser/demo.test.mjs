// From the real binary's demo to the picture, with nothing made up between: `show`, its result, the page it ships.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TARGET, until } from "./host/view.mjs";
import { foreignElements, layoutOf, withHost } from "./suite.mjs";

const host = withHost();

const withoutMeta = ({ _meta, ...rest }) => rest;
const attention = (view) => view.frame.locator(".attention li").allInnerTexts();
const badge = (view) => view.frame.locator(".lozenge").innerText();

for (const theme of ["light", "dark"]) {
  for (const width of [280, 640]) {
    test(`the card of PAY/ledger #1 is drawn inline at ${width} pixels in ${theme}`, async () => {
      const view = await host.shownOf(1, { context: { theme, displayMode: "inline" }, width });
      const words = await view.text();
      for (const part of ["PAY/ledger", "#1", "OPEN", "Retry postings safely", "Jonas Lindqvist", "main"]) {
        assert.ok(words.includes(part), part);
      }
      const { sideways, inner, height } = await layoutOf(view);
      assert.deepEqual({ sideways, inner }, { sideways: 0, inner: 0 });
      assert.ok(height > 100 && height <= 900, `${height}`);
      // However long the source is, where it goes is read whole.
      const room = await view.frame.locator(".branch-target .branch-name").evaluate((name) => {
        const words = document.createRange();
        words.selectNodeContents(name);
        return name.getBoundingClientRect().width - words.getBoundingClientRect().width;
      });
      // Less than a hundredth is arithmetic, and nothing is cut by it.
      assert.ok(room > -0.01, `${room}`);
      await view.screenshot(`card-${theme}-${width}`);
      await view.frame.getByRole("button", { name: "Show details" }).click();
      assert.equal((await layoutOf(view)).sideways, 0);
      assert.match(await view.text(), /Integration tests/);
      await view.screenshot(`card-${theme}-${width}-details`);
    });
  }

  test(`a host that drops _meta sees the same card in ${theme}, by one call more`, async () => {
    const whole = await host.shownOf(1, { context: { theme } });
    const stripped = await host.shownOf(1, { context: { theme }, leave: withoutMeta });
    assert.deepEqual(stripped.sent("tools/call"), [{ name: "refresh_view", arguments: TARGET }]);
    assert.equal(whole.sent("tools/call").length, 0);
    const steady = async (view) => (await view.text()).replace(/^Read .*$/m, "");
    assert.equal(await steady(stripped), await steady(whole));
    await stripped.screenshot(`recovered-${theme}`);
  });
}

test("what needs the person in PAY/ledger #1 is there without a press", async () => {
  const view = await host.shownOf(1);
  assert.deepEqual(await attention(view), [
    "Priya Raman requested changes",
    "1 build failed",
    "1 build in progress",
    "1 build was canceled",
    "2 open tasks",
    "3 merge checks failed",
  ]);
  assert.match(await view.text(), /1 of 3 approved\s+2 of 5 builds passed\s+13 comments/);
});

test("the people of PAY/ledger #1 have pictures or initials, and none is broken", async () => {
  const view = await host.shownOf(1);
  const pictures = await view.frame.locator(".avatar").evaluateAll((all) =>
    all.map((each) => (each.querySelector("img") ? each.querySelector("img").naturalWidth > 0 : each.textContent !== "")),
  );
  assert.equal(pictures.length, 4);
  assert.deepEqual(pictures.filter((fine) => !fine), []);
  assert.ok((await view.frame.locator(".avatar img").count()) >= 1);
});

test("the hostile pull request #7 stays text in every part of it", async () => {
  const view = await host.shownOf(7, { width: 280 });
  await view.frame.locator("#details").click();
  assert.equal(await foreignElements(view), 0);
  const seen = await view.innerFrame().evaluate(() => ({
    title: document.title,
    handlers: [...document.querySelectorAll("*")].filter((each) => each.getAttributeNames().some((name) => name.startsWith("on"))).length,
    pictures: [...document.querySelectorAll("img")].filter((each) => !each.src.startsWith("data:image/")).length,
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  assert.deepEqual(seen, { title: "Bitbucket", handlers: 0, pictures: 0, sideways: 0 });
  const words = await view.text();
  for (const part of ["<img src=x onerror=alert('title')>", "Mallory </script><img src=x onerror=alert(1)>", "x/<b>bold</b>&\"'`;$(id)"]) {
    assert.ok(words.includes(part), `${part} in ${words}`);
  }
  // What could reorder or colour the text around it is shown for what it is.
  assert.match(words, /\\u202e.*\\u001b\[31m/);
  assert.doesNotMatch(words, /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b]/);
  await view.screenshot("hostile-280");
  const wide = await host.shownOf(7, { context: { theme: "dark" } });
  await wide.frame.locator("#details").click();
  await wide.screenshot("hostile-dark-640");
});

test("what the model is told of the hostile pull request stays inside its fence", async () => {
  const older = (result) => {
    const envelope = result._meta["bb/view"];
    return { ...result, _meta: { "bb/view": { ...envelope, fingerprint: "an older state" } } };
  };
  const view = await host.shownOf(7, { leave: older });
  await view.frame.locator("#refresh").click();
  await until(() => view.sent("ui/update-model-context").length === 1);
  const [{ content }] = view.sent("ui/update-model-context");
  const lines = content[0].text.split("\n");
  assert.equal(lines.filter((line) => line === "---").length, 2);
  const opening = lines.findIndex((line) => /^`{3,}text$/.test(line));
  const closing = lines.lastIndexOf(lines[opening].replace("text", ""));
  const outside = [...lines.slice(0, opening), ...lines.slice(closing)].join("\n");
  assert.ok(opening > 0 && closing > opening);
  assert.doesNotMatch(outside, /onerror|Mallory|<b>/);
});

test("an unchanged refresh moves the stamp, draws nothing anew and tells the model nothing", async () => {
  const answers = [];
  const answer = async (call, ask) => {
    const result = await ask(call);
    answers.push(result);
    return result;
  };
  const view = await host.shownOf(3, { answer });
  await view.frame.locator(".title").evaluate((title) => title.setAttribute("data-mine", ""));
  await view.frame.locator("#refresh").click();
  await until(() => answers.length === 1);
  await view.settled();
  const [{ since, ...rest }] = view.sent("tools/call").map((call) => call.arguments);
  assert.deepEqual(rest, { ...TARGET, id: 3 });
  assert.match(since, /^[0-9a-f]{32}$/);
  const [{ _meta }] = answers;
  assert.deepEqual(Object.keys(_meta["bb/view"]).sort(), ["fingerprint", "read_at", "unchanged", "version"]);
  assert.ok(JSON.stringify(answers[0]).length < 400, JSON.stringify(answers[0]));
  assert.equal(view.sent("ui/update-model-context").length, 0);
  assert.equal(await view.frame.locator("[data-mine]").count(), 1);
  assert.match(await view.text(), /Read just now/);
});

test("the conflicted #2 says so in words", async () => {
  const view = await host.shownOf(2);
  assert.deepEqual(await attention(view), ["Conflict"]);
  await view.screenshot("conflicted");
});

test("the draft #3 is a draft, and its build of unknown state is said", async () => {
  const view = await host.shownOf(3);
  assert.equal(await badge(view), "DRAFT");
  assert.ok((await attention(view)).includes("1 build has unknown state"));
  await view.screenshot("draft");
});

test("the merged #4 needs nobody and is not asked after", async () => {
  const view = await host.shownOf(4, { clock: true });
  assert.equal(await badge(view), "MERGED");
  assert.equal(await view.frame.locator(".attention").count(), 0);
  await view.pass(3_600_000);
  assert.equal(view.sent("tools/call").length, 0);
  const still = await host.shownOf(4);
  await still.screenshot("merged");
});

test("the declined #5 names nothing that is no longer anyone's to do", async () => {
  const view = await host.shownOf(5);
  assert.equal(await badge(view), "DECLINED");
  assert.equal(await view.frame.locator(".attention").count(), 0);
  await view.screenshot("declined");
});

test("the fork #6 is named with its project, and its auto-merge is said and asked after", async () => {
  const view = await host.shownOf(6, { clock: true });
  const words = await view.text();
  assert.ok(words.includes("~YUSUF.DEMIR/ledger:"), words);
  assert.match(words, /Auto-merge on/);
  await view.pass(15_500);
  assert.equal(view.sent("tools/call").length, 1);
  const still = await host.shownOf(6);
  await still.screenshot("fork");
});

test("teardown is answered, and nothing of the real card follows it", async () => {
  const view = await host.shownOf(1, { clock: true });
  await view.teardown();
  await view.pass(3_600_000);
  assert.equal(view.sent("tools/call").length, 0);
});

test("the size of the real card is reported as its height, a few times", async () => {
  const view = await host.shownOf(1);
  await view.sized();
  const sizes = view.sent("ui/notifications/size-changed");
  assert.ok(sizes.length >= 1 && sizes.length <= 4, `${sizes.length}`);
  for (const size of sizes) assert.deepEqual(Object.keys(size), ["height"]);
  assert.ok(sizes.at(-1).height <= 900);
});

test("the real card is read and pressed by the keyboard alone", async () => {
  const view = await host.shownOf(1);
  await view.frame.locator("#open").focus();
  await view.page.keyboard.press("Enter");
  await until(() => view.sent("ui/open-link").length === 1);
  assert.match(view.sent("ui/open-link")[0].url, /\/projects\/PAY\/repos\/ledger\/pull-requests\/1/);
  await view.page.keyboard.press("Tab");
  await view.page.keyboard.press("Enter");
  await view.frame.getByRole("button", { name: "Hide details" }).waitFor();
  await view.page.keyboard.press("Tab");
  assert.match(await view.innerFrame().evaluate(() => document.activeElement.id), /^build-\d+$|^refresh$/);
});

test("a pull request that is not there is said in the server's words", async () => {
  const view = await host.mount();
  const target = { ...TARGET, id: 404 };
  await view.input(target);
  await view.result(await host.call("show", target));
  await view.frame.locator(".notice").waitFor();
  assert.match(await view.text(), /could not be shown[\s\S]*404/);
  await view.screenshot("not-found");
});

test("every result of show stays within its budget and is addressed to the page", async () => {
  for (const id of [1, 2, 3, 4, 5, 6, 7]) {
    const result = await host.call("show", { ...TARGET, id });
    assert.ok(JSON.stringify(result).length <= 100_000, `#${id}`);
    assert.equal(result.structuredContent, undefined);
    assert.equal(result._meta.ui.resourceUri, "ui://bb/view");
    assert.match(result.content[0].text, /answer in words/);
  }
});

test("show is the model's and the page's, refresh_view the page's alone", async () => {
  const tools = Object.fromEntries((await host.tools()).map((tool) => [tool.name, tool]));
  assert.equal(tools.show._meta.ui.resourceUri, "ui://bb/view");
  assert.deepEqual(tools.refresh_view._meta.ui.visibility, ["app"]);
});

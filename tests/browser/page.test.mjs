// The shipped page itself: that it is this source, closed by its own policy, and speaks only declared words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rich } from "./fixtures.mjs";
import { until } from "./host/view.mjs";
import { listed, read } from "./sources.mjs";
import { withHost } from "./suite.mjs";

const host = withHost();

test("the binary ships the page of this source, whole", () => {
  for (const path of [...listed("modules.txt"), ...listed("styles.txt")]) {
    assert.ok(host.html.includes(read(path)), `${path} differs from what the binary ships: build it anew`);
  }
});

test("the page is small, plain ASCII, and holds nothing of Bitbucket's", () => {
  const bytes = Buffer.byteLength(host.html);
  assert.ok(bytes > 10_000 && bytes < 150_000, `${bytes}`);
  assert.doesNotMatch(host.html, /[^\x00-\x7f]/);
  assert.doesNotMatch(host.html, /ledger|PAY\//);
});

test("each word used is declared, each declared is used, and none is made up at run time", () => {
  const [, embedded] = /<script type="application\/json" id="strings">(.*?)<\/script>/s.exec(host.html);
  const declared = Object.keys(JSON.parse(embedded));
  const scripts = listed("modules.txt").map(read).join("\n");
  const used = new Set([...scripts.matchAll(/\btext\("(\w+)"/g)].map(([, key]) => key));
  assert.ok(declared.length > 50);
  assert.deepEqual([...used].filter((key) => !declared.includes(key)), []);
  assert.deepEqual(declared.filter((key) => !used.has(key)), []);
  assert.equal([...scripts.matchAll(/(?<!function )\btext\((?!")/g)].length, 0);
});

test("the document's policy lets nothing in", async () => {
  const view = await host.shown(rich());
  const policy = await view.innerFrame().evaluate(() => document.querySelector("meta[http-equiv]").content);
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/);
  const refused = await view.innerFrame().evaluate(async () => {
    const tries = {
      markup: () => (document.body.innerHTML = "<b>x</b>"),
      insert: () => document.body.insertAdjacentHTML("beforeend", "<b>x</b>"),
      code: () => setTimeout("document.title = 'x'"),
      policy: () => window.trustedTypes.createPolicy("x", { createHTML: (x) => x }),
    };
    const failed = {};
    for (const [name, attempt] of Object.entries(tries)) {
      try {
        attempt();
        failed[name] = false;
      } catch {
        failed[name] = true;
      }
    }
    failed.network = await fetch("https://example.com/").then(
      () => false,
      () => true,
    );
    return failed;
  });
  assert.deepEqual(refused, { markup: true, insert: true, code: true, policy: true, network: true });
  // Each of them is told of in the console, and none became a request.
  assert.ok(view.problems.length >= 4);
  assert.deepEqual(view.problems.splice(0).filter((problem) => !/Content Security Policy|\bTrusted(?:HTML|Script|TypePolicy)\b/i.test(problem)), []);
});

for (const [what, from] of [["script", '"use strict";'], ["style", "box-sizing"]]) {
  test(`a page whose ${what} is not the one its policy names is refused by the browser`, async () => {
    const html = host.html.replace(from, `/**/${from}`);
    assert.notEqual(html, host.html);
    const view = await host.mount({ html, quirks: { staysSilent: true } });
    await until(() => view.problems.some((problem) => /Content Security Policy/.test(problem)));
    view.problems.length = 0;
  });
}

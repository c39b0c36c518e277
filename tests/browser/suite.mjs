// What the tests of every file start from: one server and one browser for the file, views closed after each test.
import assert from "node:assert/strict";
import { after, afterEach, before } from "node:test";
import { startHost } from "./host/host.mjs";
import { TARGET } from "./host/view.mjs";
import { resultOf } from "./results.mjs";

/** A host for the tests of a file. No test may leave a problem in a view's console or network. */
export function withHost() {
  const host = {
    /** Mounts a view and delivers a made payload to it. */
    async shown(payload, options) {
      return deliver(await host.mount(options), TARGET, resultOf(payload));
    },
    /** Mounts a view and delivers what the server itself answers to `show`, through `leave` where a host changes it. */
    async shownOf(id, { leave = (result) => result, ...options } = {}) {
      const target = { ...TARGET, id };
      return deliver(await host.mount(options), target, leave(await host.call("show", target)));
    },
  };
  before(async () => Object.assign(host, await startHost()));
  after(() => host.close?.());
  afterEach(async () => assert.deepEqual(await host.clear(), []));
  return host;
}

async function deliver(view, target, result) {
  await view.input(target);
  await view.result(result);
  await view.frame.locator(".card").waitFor();
  return view;
}

/** What a view's layout must never do: scroll sideways, scroll inside, or outgrow a screen. */
export const layoutOf = (view) =>
  view.innerFrame().evaluate(() => ({
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    height: document.body.getBoundingClientRect().height,
    inner: [...document.querySelectorAll("*")].filter((each) => /auto|scroll/.test(getComputedStyle(each).overflowY)).length,
  }));

/** How many elements a view holds that this page never makes for a text. */
export const foreignElements = (view) =>
  view.innerFrame().evaluate(
    () => document.querySelectorAll("#view :is(b, form, input, script, style, a, iframe, object, embed, svg svg)").length,
  );

// One view in a browser page of its own: what the host does to it, and everything it does in return.
import { join } from "node:path";
import { OUT } from "../sources.mjs";

export const TARGET = { kind: "pull_request", project: "PAY", repo: "ledger", id: 1 };

/** An answer that never comes. */
export const NEVER = Symbol("never");

const EVERYTHING = { openLinks: {}, serverTools: {}, updateModelContext: { text: {} }, logging: {} };

// What a test waits for comes within milliseconds; this only bounds a wait that has failed.
const DEADLINE_MILLISECONDS = 20_000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * `answer` stands between the view and the server: it gets the view's call and a function that asks the server,
 * and returns a result, or `NEVER`, or throws to refuse.
 */
export async function mountView({ browser, server, addresses }, options = {}) {
  const { context = {}, width = 640, capabilities = EVERYTHING, clock = false, colorScheme = "light" } = options;
  const browserContext = await browser.newContext({
    viewport: { width: 1000, height: 1600 },
    colorScheme,
    reducedMotion: "reduce",
    deviceScaleFactor: 2,
  });
  browserContext.setDefaultTimeout(DEADLINE_MILLISECONDS);
  const page = await browserContext.newPage();
  const problems = watchProblems(page, addresses);
  /** @type {any[]} what the view sent, in its order */
  const messages = [];
  let calling = 0;
  const view = { answer: options.answer ?? ((call, ask) => ask(call)) };
  const ask = (call) => server.call(call.name, call.arguments);

  await page.exposeFunction("hostRecord", (message) => void messages.push(message));
  await page.exposeFunction("hostAsk", async (call) => {
    calling += 1;
    try {
      const answer = await view.answer(call, ask);
      if (answer !== NEVER) return answer;
    } finally {
      calling -= 1;
    }
    return new Promise(() => {});
  });
  const innerFrame = () => page.frames().find((each) => each.parentFrame()?.parentFrame());
  // The view's document may only be loaded once the test's clock has reached its frame.
  await page.exposeFunction("hostReady", () =>
    until(async () => innerFrame()?.evaluate((wanted) => !wanted || "__pwClock" in window, clock)),
  );
  // With a clock of the test's own, time stands still but for `pass`.
  if (clock) {
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1000);
  }
  await page.goto(addresses.host);
  const beginning = page.evaluate((parameters) => window.mountView(parameters), {
    html: options.html ?? server.html,
    sandbox: addresses.sandbox,
    capabilities,
    context,
    width,
    quirks: options.quirks ?? {},
  });
  await inTime(beginning, () => `the view did not begin: ${problems.join(" ")}`);

  const frame = page.frameLocator("iframe").frameLocator("iframe");
  const post = (message) => page.evaluate((x) => window.mounted.frame.contentWindow.postMessage(x, "*"), message);
  let pings = 0;

  // The view answers a ping after all it got before, so the answer says that those have had their effect.
  async function ping() {
    const id = `ping-${(pings += 1)}`;
    await post({ jsonrpc: "2.0", id, method: "ping" });
    await until(() => messages.some((message) => message.id === id));
  }

  /** Waits until the view has taken in all it was sent and every call of its own has been answered. */
  async function settled() {
    // Twice, since what the first silence let through may itself set something off.
    for (let quiet = 0; quiet < 2; ) {
      await until(() => calling === 0);
      const seen = messages.length;
      await ping();
      quiet = calling === 0 && messages.length === seen + 1 ? quiet + 1 : 0;
    }
  }

  const tell = (method, params) => page.evaluate(([name, x]) => window.mounted.bridge[name](x), [method, params]);

  return Object.assign(view, {
    page,
    frame,
    problems,
    innerFrame,
    settled,
    sent: (method) => messages.filter((message) => message.method === method).map(({ params }) => params),
    text: () => frame.locator("#view").innerText(),
    input: (given = TARGET) => tell("sendToolInput", { arguments: given }),
    partial: (given) => tell("sendToolInputPartial", { arguments: given }),
    result: (result) => tell("sendToolResult", result),
    cancel: (reason) => tell("sendToolCancelled", { reason }),
    teardown: () => tell("teardownResource", {}),
    async change(changes) {
      await page.evaluate((x) => window.changeContext(x), changes);
      await settled();
    },
    resize: (pixels) => page.evaluate((x) => window.resizeView(x), pixels),
    /** Sends what no bridge would send, and gives back what the view answered to it. */
    async raw(message) {
      const before = messages.length;
      await post(message);
      await ping();
      const ours = ({ id, method }) => method === undefined && !String(id).startsWith("ping-");
      return messages.slice(before).filter(ours);
    },
    /** Lets time pass, then waits for what that set off. */
    async pass(milliseconds) {
      await page.clock.fastForward(milliseconds);
      await settled();
    },
    /** Waits until the frame is as high as what is in it. */
    async sized() {
      const height = () => innerFrame().evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
      await until(async () => (await page.locator("iframe").boundingBox()).height === (await height()));
    },
    async screenshot(name, { whole = false } = {}) {
      // With a clock of the test's own the height is reported only when time passes.
      if (clock) await view.pass(200);
      if (!whole) await view.sized();
      await page.locator("iframe").screenshot({ path: join(OUT, `${name}.png`) });
    },
    close: () => browserContext.close(),
  });
}

/** Polls: a wait ends as soon as what it is for has come, and fails by its deadline alone. */
export async function until(condition) {
  const deadline = Date.now() + DEADLINE_MILLISECONDS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not come to be: ${condition}`);
    await pause(10);
  }
}

async function inTime(promise, words) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(words())), DEADLINE_MILLISECONDS);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// Whatever a closed page would not do: an error, a violation of its policy, a request, a window, a dialog.
function watchProblems(page, addresses) {
  const problems = [];
  const own = [addresses.host, addresses.sandbox];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("popup", () => problems.push("a window was opened"));
  page.on("download", () => problems.push("a download was begun"));
  page.on("dialog", (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const address = request.url();
    if (!/^(?:data|about):/.test(address) && !own.some((each) => address.startsWith(each))) {
      problems.push(`a request of ${address}`);
    }
  });
  return problems;
}

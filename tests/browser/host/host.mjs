// An MCP Apps host for tests: the real server over stdio, the official AppBridge in Chromium, two sandboxes deep.
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { HERE, OUT } from "../sources.mjs";
import { startServer } from "./server.mjs";
import { mountView } from "./view.mjs";

const HOST_PAGE = `<!doctype html><meta charset="utf-8"><title>host</title>
<style>
  body { margin: 0; background: #fff; }
  iframe { display: block; border: 0; }
  iframe.fullscreen { position: fixed; inset: 0; width: 100% !important; height: 100% !important; }
  #above { height: 0; }
</style><div id="above"></div><script src="/page.js"></script>`;

const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function startHost() {
  mkdirSync(OUT, { recursive: true });
  const server = await startServer();
  const bundle = await build({ entryPoints: [join(HERE, "host/page.mjs")], bundle: true, minify: true, write: false, format: "iife" });
  const script = bundle.outputFiles[0].text;
  const host = await serve((path) => (path === "/page.js" ? ["text/javascript", script] : ["text/html", HOST_PAGE]));
  const sandboxHtml = readFileSync(join(HERE, "host/frame.html"), "utf8");
  const sandbox = await serve(() => ["text/html", sandboxHtml]);
  // Two names of one machine, so that the sandbox is on another origin than the host.
  const addresses = { host: `http://127.0.0.1:${host.port}/`, sandbox: `http://localhost:${sandbox.port}/` };
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: CHROMIUM_ARGUMENTS,
  });
  const mounted = [];

  return {
    ...server,
    async mount(options) {
      const view = await mountView({ browser, server, addresses }, options);
      mounted.push(view);
      return view;
    },
    /** Closes the views of a test and gives back what went wrong in any of them. */
    async clear() {
      const views = mounted.splice(0);
      await Promise.all(views.map((view) => view.close()));
      return views.flatMap(({ problems }) => problems);
    },
    async close() {
      await browser.close();
      host.close();
      sandbox.close();
      await server.close();
    },
  };
}

function serve(answer) {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      const [type, body] = answer(request.url ?? "/");
      response.setHeader("content-type", `${type}; charset=utf-8`);
      response.end(body);
    });
    server.listen(0, "127.0.0.1", () => resolve({ port: server.address().port, close: () => server.close() }));
  });
}

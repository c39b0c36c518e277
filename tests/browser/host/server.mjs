// The server under test, which is the real binary with its demo, over the official client.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ROOT } from "../sources.mjs";

const BINARY = resolve(process.env.BB ?? `${ROOT}/target/debug/bb`);
const RESOURCE = "ui://bb/view";
const MIME = "text/html;profile=mcp-app";

/** What the demo lets the server in with; whatever the server says is searched for it. */
const TOKEN = "demo-token";

function withoutSecret(text) {
  if (text.includes(TOKEN)) throw new Error(`the server told its token: ${text.slice(0, 200)}`);
}

export async function startServer() {
  if (!existsSync(BINARY)) throw new Error(`no binary at ${BINARY}: cargo build -p bb makes it, BB names another`);
  const args = ["ai", "mcp", "serve", "--demo"];
  const transport = new StdioClientTransport({ command: BINARY, args, env: getDefaultEnvironment(), stderr: "pipe" });
  transport.stderr.on("data", (piece) => withoutSecret(String(piece)));
  const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: [MIME] } };
  const client = new Client({ name: "test-host", version: "1" }, { capabilities: { extensions } });
  await client.connect(transport);
  const { contents } = await client.readResource({ uri: RESOURCE });
  const [page] = contents;
  if (contents.length !== 1 || page.mimeType !== MIME) throw new Error(`not a view: ${page?.mimeType}`);
  return {
    /** The page as it is shipped: its bytes, with its own policy and hashes. */
    html: page.text,
    call: async (name, given) => {
      const result = await client.callTool({ name, arguments: given });
      withoutSecret(JSON.stringify(result));
      return result;
    },
    tools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
}

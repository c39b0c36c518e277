// One view in its frame, from the handshake to the teardown, as a host keeps it.

import { connectBridge, INVALID_PARAMS, METHOD_NOT_FOUND, Refusal } from "./bridge.js";
import { DISPLAY_MODES, HOST_INFO, hostCapabilities, hostContext, PROTOCOL_VERSION } from "./context.js";
import { visibleTo } from "./server.js";

const TEARDOWN_MILLISECONDS = 500;
const SILENCE_MILLISECONDS = 10_000;
const REFUSED = -32000;

/**
 * @typedef {object} Surroundings what a mount needs of the page
 * @property {import("./state.js").State} state
 * @property {import("./server.js").Tool[]} tools
 * @property {HTMLElement} place
 * @property {() => object} dimensions
 * @property {(height: number) => void} sized
 * @property {(mode: string) => void} modeAsked
 * @property {(address: string) => Promise<boolean>} openLink
 * @property {(told: { content?: any[], structuredContent?: any }) => void} told
 * @property {(message: any) => void} spoken
 * @property {(name: string, callArguments: any) => Promise<import("./server.js").Outcome>} call
 * @property {(traffic: import("./bridge.js").Traffic) => void} record
 * @property {(words: string) => void} trouble
 */

/**
 * @param {import("./server.js").Tool} tool
 * @param {Record<string, any>} callArguments
 * @param {Surroundings} around
 */
export function mountView(tool, callArguments, around) {
  // The switches as they stood when the view was mounted: a host does not change its nature under a view.
  const flavours = new Set(around.state.flavours);
  const capabilities = hostCapabilities(flavours);
  let closed = false;
  /** @type {() => void} */
  let markReady = () => undefined;
  /** @type {Promise<void>} */
  const ready = new Promise((resolve) => (markReady = resolve));

  const frame = document.createElement("iframe");
  frame.title = `View of ${tool.name}`;
  frame.referrerPolicy = "no-referrer";
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = "view";

  const bridge = connectBridge({
    frame,
    record: around.record,
    requests: {
      "ui/initialize": () => ({
        protocolVersion: PROTOCOL_VERSION,
        hostInfo: HOST_INFO,
        hostCapabilities: capabilities,
        hostContext: hostContext({ state: around.state, tool, dimensions: around.dimensions() }),
      }),
      "ui/request-display-mode": ({ mode }) => {
        if (DISPLAY_MODES.includes(mode)) around.modeAsked(mode);
        return { mode: around.state.mode };
      },
      "ui/open-link": async ({ url }) => {
        need("openLinks");
        const address = webAddress(url);
        return address && (await around.openLink(address)) ? {} : { isError: true };
      },
      "ui/update-model-context": ({ content, structuredContent }) => {
        need("updateModelContext");
        around.told({ content, structuredContent });
        return {};
      },
      "ui/message": (message) => {
        need("message");
        around.spoken(message);
        return {};
      },
      "tools/call": ({ name, arguments: given }) => callForView(name, given),
      ping: () => ({}),
    },
    notifications: {
      "ui/notifications/initialized": () => markReady(),
      "ui/notifications/size-changed": ({ height }) => {
        if (typeof height === "number" && height > 0) around.sized(height);
      },
    },
  });

  /** @param {string} capability */
  function need(capability) {
    if (!Object.hasOwn(capabilities, capability)) throw new Refusal(METHOD_NOT_FOUND, `this host has no ${capability}`);
  }

  /**
   * @param {unknown} name
   * @param {unknown} given
   */
  async function callForView(name, given) {
    need("serverTools");
    const called = around.tools.find((each) => each.name === name);
    if (!called) throw new Refusal(INVALID_PARAMS, `there is no tool ${name}`);
    if (!visibleTo(called, "app")) throw new Refusal(INVALID_PARAMS, `${name} is not for views`);
    if (flavours.has("refuse-calls")) throw new Refusal(REFUSED, "the preview is set to refuse the view's calls");
    const { result, error } = await around.call(called.name, given ?? {});
    if (error) throw new Refusal(error.code, error.message);
    return result;
  }

  const silence = setTimeout(() => {
    around.trouble("The view has not said that it is ready: its page may not have loaded.");
  }, SILENCE_MILLISECONDS);
  ready.then(() => {
    clearTimeout(silence);
    bridge.notify("ui/notifications/tool-input", { arguments: callArguments });
  });
  around.place.replaceChildren(frame);

  return {
    /** @param {import("./server.js").Outcome} outcome */
    async deliver({ result, error, aborted }) {
      await ready;
      if (closed) return;
      if (result && !flavours.has("cancel")) bridge.notify("ui/notifications/tool-result", delivered(result, flavours));
      else {
        const reason = error ? error.message : aborted ? "cancelled by the person" : "cancelled by the preview";
        bridge.notify("ui/notifications/tool-cancelled", { reason });
      }
    },
    /** @param {object} changes */
    async changeContext(changes) {
      await ready;
      if (!closed) bridge.notify("ui/notifications/host-context-changed", changes);
    },
    /** Gives the view its chance to stop, then takes the frame away whether or not it answered. */
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(silence);
      await bridge.request("ui/resource-teardown", {}, TEARDOWN_MILLISECONDS);
      bridge.close();
      frame.remove();
    },
  };
}

/** @typedef {ReturnType<typeof mountView>} Mount */

/**
 * @param {any} result
 * @param {Set<string>} flavours
 */
function delivered(result, flavours) {
  if (!flavours.has("lose-meta")) return result;
  const { _meta: lost, ...rest } = result;
  return rest;
}

/** @param {unknown} url */
function webAddress(url) {
  try {
    const { protocol, href } = new URL(String(url));
    return protocol === "https:" || protocol === "http:" ? href : null;
  } catch {
    return null;
  }
}

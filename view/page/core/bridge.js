// JSON-RPC with the host by messages. Knows the protocol's envelope and its handshake, nothing of what is drawn.

const PROTOCOL_VERSION = "2026-01-26";
const INITIALIZE_MILLISECONDS = 10_000;
// Some hosts keep the frame hidden until `initialized`, and some never answer the request before it.
const INITIALIZE_PATIENCE_MILLISECONDS = 5000;
const REQUEST_MILLISECONDS = 15_000;
const REFRESH_MILLISECONDS = 30_000;

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

/** A request that came to nothing: `refused` by the host, or without an answer in time. */
class BridgeError extends Error {
  /**
   * @param {string} message
   * @param {{ code?: number, timedOut?: boolean }} how
   */
  constructor(message, how) {
    super(message);
    this.code = how.code;
    this.timedOut = how.timedOut === true;
  }
}

/**
 * @typedef {object} Handlers
 * @property {(params: any) => void} toolInput
 * @property {(params: any) => void} toolInputPartial
 * @property {(params: any) => void} toolResult
 * @property {(params: any) => void} toolCancelled
 * @property {(params: any) => void} hostContextChanged
 * @property {() => void} teardown
 */

/** @param {Handlers} handlers */
function connectBridge(handlers) {
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: BridgeError) => void, timer: number }>} */
  const pending = new Map();
  let nextId = 1;
  let closed = false;
  let announced = false;

  /** @type {Record<string, (params: any) => void>} */
  const notifications = {
    "ui/notifications/tool-input": handlers.toolInput,
    "ui/notifications/tool-input-partial": handlers.toolInputPartial,
    "ui/notifications/tool-result": handlers.toolResult,
    "ui/notifications/tool-cancelled": handlers.toolCancelled,
    "ui/notifications/host-context-changed": handlers.hostContextChanged,
  };

  // Some hosts replace `window.parent` and listeners alike, so both are looked up at the time of use.
  window.addEventListener("message", (event) => {
    if (event.source !== window.parent) return;
    const message = event.data;
    if (!isObject(message) || message.jsonrpc !== "2.0") return;
    if (typeof message.method === "string") {
      if (message.id === undefined || message.id === null) receive(message.method, message.params);
      else answer(message.id, message.method);
    } else settle(message);
  });

  /** @param {object} message */
  function post(message) {
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }

  /**
   * @param {string} method
   * @param {any} params
   */
  function receive(method, params) {
    if (closed || !Object.hasOwn(notifications, method)) return;
    notifications[method](isObject(params) ? params : {});
  }

  /**
   * @param {string | number} id
   * @param {string} method
   */
  function answer(id, method) {
    if (method === "ping") post({ id, result: {} });
    else if (method === "ui/resource-teardown") {
      post({ id, result: {} });
      close();
    } else if (!closed) post({ id, error: { code: METHOD_NOT_FOUND, message: `unknown method ${method}` } });
  }

  /** @param {any} message */
  function settle(message) {
    const waiting = pending.get(message.id);
    if (!waiting) return;
    pending.delete(message.id);
    clearTimeout(waiting.timer);
    if (isObject(message.error)) {
      waiting.reject(new BridgeError(String(message.error.message ?? ""), { code: message.error.code }));
    } else waiting.resolve(message.result ?? {});
  }

  /**
   * @param {string} method
   * @param {object} params
   * @param {number} [milliseconds]
   * @returns {Promise<any>}
   */
  function request(method, params, milliseconds = REQUEST_MILLISECONDS) {
    if (closed) return Promise.reject(new BridgeError("closed", {}));
    const id = nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new BridgeError(text("refresh_timed_out"), { timedOut: true }));
      }, milliseconds);
      pending.set(id, { resolve, reject, timer });
      post({ id, method, params });
    });
  }

  /**
   * @param {string} method
   * @param {object} params
   */
  function notify(method, params) {
    if (!closed) post({ method, params });
  }

  // After teardown nothing is sent; what still waits never settles, since nobody is there to see it.
  function close() {
    if (closed) return;
    closed = true;
    for (const waiting of pending.values()) clearTimeout(waiting.timer);
    pending.clear();
    handlers.teardown();
  }

  function announce() {
    if (announced) return;
    announced = true;
    notify("ui/notifications/initialized", {});
  }

  /** Resolves once the view may speak. An answer that comes late is still taken. */
  async function initialize() {
    const params = {
      protocolVersion: PROTOCOL_VERSION,
      appInfo: { name: "bb", version: "1" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    };
    const answered = request("ui/initialize", params, INITIALIZE_MILLISECONDS).then(
      (result) => {
        if (isObject(result.hostCapabilities)) capabilities = result.hostCapabilities;
        handlers.hostContextChanged(isObject(result.hostContext) ? result.hostContext : {});
      },
      () => undefined,
    );
    const patience = new Promise((resolve) => setTimeout(resolve, INITIALIZE_PATIENCE_MILLISECONDS));
    await Promise.race([answered, patience]);
    announce();
  }

  return { initialize, request, notify };
}

/** @typedef {ReturnType<typeof connectBridge>} Bridge */

// JSON-RPC with one frame by messages. Knows the envelope, not what is said in it.

import { isObject } from "./dom.js";

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** An answer that says no, thrown by whoever handles a request. */
export class Refusal extends Error {
  /**
   * @param {number} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * @typedef {object} Traffic one message, as the log gets it
 * @property {"host" | "view"} from
 * @property {string} method its own, or the one it answers
 * @property {boolean} answer
 * @property {number} [milliseconds] how long the answer took
 * @property {any} message
 */

/**
 * @param {object} parts
 * @param {HTMLIFrameElement} parts.frame
 * @param {Record<string, (params: any) => any>} parts.requests by method; returns or throws the answer
 * @param {Record<string, (params: any) => void>} parts.notifications
 * @param {(traffic: Traffic) => void} parts.record
 */
export function connectBridge({ frame, requests, notifications, record }) {
  /** @type {Map<string, { method: string, began: number, resolve: (result: any) => void }>} */
  const pending = new Map();
  let nextId = 1;
  let closed = false;

  window.addEventListener("message", take);

  /** @param {MessageEvent} event */
  function take(event) {
    if (closed || event.source === null || event.source !== frame.contentWindow) return;
    const message = event.data;
    if (!isObject(message) || message.jsonrpc !== "2.0") return;
    if (typeof message.method !== "string") settle(message);
    else {
      record({ from: "view", method: message.method, answer: false, message });
      const params = isObject(message.params) ? message.params : {};
      if (message.id === undefined || message.id === null) handlerOf(notifications, message.method)?.(params);
      else answer(message.id, message.method, params);
    }
  }

  /**
   * @param {string | number} id
   * @param {string} method
   * @param {any} params
   */
  async function answer(id, method, params) {
    const began = performance.now();
    let outcome;
    try {
      const handler = handlerOf(requests, method);
      if (!handler) throw new Refusal(METHOD_NOT_FOUND, `this host does not know ${method}`);
      outcome = { result: await handler(params) };
    } catch (error) {
      const code = error instanceof Refusal ? error.code : INTERNAL_ERROR;
      outcome = { error: { code, message: error instanceof Error ? error.message : String(error) } };
    }
    post({ id, ...outcome }, { method, answer: true, milliseconds: performance.now() - began });
  }

  /** @param {any} message */
  function settle(message) {
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    const milliseconds = waiting && performance.now() - waiting.began;
    record({ from: "view", method: waiting?.method ?? "nothing that was asked", answer: true, milliseconds, message });
    waiting?.resolve(message.result);
  }

  /**
   * @param {object} body
   * @param {{ method: string, answer: boolean, milliseconds?: number }} about
   */
  function post(body, about) {
    if (closed || !frame.contentWindow) return;
    const message = { jsonrpc: "2.0", ...body };
    record({ from: "host", ...about, message });
    // The sandboxed frame has an opaque origin, which no target but the wildcard names.
    frame.contentWindow.postMessage(message, "*");
  }

  return {
    /**
     * @param {string} method
     * @param {object} params
     */
    notify: (method, params) => post({ method, params }, { method, answer: false }),
    /**
     * Resolves to nothing when no answer comes in time.
     * @param {string} method
     * @param {object} params
     * @param {number} patience in milliseconds
     */
    request(method, params, patience) {
      const id = `host-${nextId++}`;
      return new Promise((resolve) => {
        pending.set(id, { method, began: performance.now(), resolve });
        setTimeout(() => resolve(undefined), patience);
        post({ id, method, params }, { method, answer: false });
      });
    },
    close() {
      closed = true;
      window.removeEventListener("message", take);
    },
  };
}

/**
 * A method's name comes from the view, and must not find what every object has.
 * @param {Record<string, (params: any) => any>} table
 * @param {string} method
 */
function handlerOf(table, method) {
  return Object.hasOwn(table, method) ? table[method] : undefined;
}

// The browser half of the host: one official AppBridge and the frame it speaks to.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

/** Mounts a view. `hostRecord`, `hostAsk` and `hostReady` are bindings into the test process. */
window.mountView = async ({ html, sandbox, capabilities, context, width, quirks }) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
  frame.style.width = `${width}px`;
  frame.style.height = "150px";
  document.body.append(frame);

  const bridge = new AppBridge(null, { name: "test-host", version: "1" }, capabilities, { hostContext: context });
  window.mounted = { bridge, frame, context };
  const initialized = new Promise((resolve) => (bridge.oninitialized = resolve));
  bridge.onsandboxready = async () => {
    await window.hostReady();
    await bridge.sendSandboxResourceReady({ html, sandbox: "allow-scripts" });
  };
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height + (quirks.growsBy ?? 0)}px`;
  };
  if (capabilities.serverTools) bridge.oncalltool = (params) => window.hostAsk(params);
  if (capabilities.openLinks) bridge.onopenlink = async () => (quirks.deniesLinks ? { isError: true } : {});
  if (capabilities.updateModelContext && !quirks.refusesContext) bridge.onupdatemodelcontext = async () => ({});
  bridge.onrequestdisplaymode = async ({ mode }) => {
    const offered = window.mounted.context.availableDisplayModes ?? [];
    const granted = offered.includes(mode) ? mode : "inline";
    setTimeout(() => window.changeContext({ displayMode: granted }), 0);
    return { mode: granted };
  };

  window.addEventListener("message", (event) => {
    if (event.source === frame.contentWindow) window.hostRecord(event.data);
  });
  frame.src = sandbox;
  if (quirks.mute) return loadOnly(frame, html);
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  if (!quirks.staysSilent) await initialized;
};

// A host that loads the view and then never says a word of its own.
function loadOnly(frame, html) {
  return new Promise((resolve) => {
    window.addEventListener("message", async ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      if (data.method === "ui/initialize") resolve();
      if (data.method !== "ui/notifications/sandbox-proxy-ready") return;
      await window.hostReady();
      const ready = { jsonrpc: "2.0", method: "ui/notifications/sandbox-resource-ready", params: { html } };
      frame.contentWindow.postMessage(ready, "*");
    });
  });
}

window.changeContext = (changes) => {
  const { bridge, frame, context } = window.mounted;
  window.mounted.context = { ...context, ...changes };
  if (changes.displayMode) frame.classList.toggle("fullscreen", changes.displayMode === "fullscreen");
  bridge.setHostContext(window.mounted.context);
};

window.resizeView = (width) => {
  window.mounted.frame.style.width = `${width}px`;
};

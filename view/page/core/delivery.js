// How the first data reaches the view: in the result under our own key, else by asking for it, else not at all.
// Hosts leave out, empty or repeat any of what is delivered, so each piece is judged by what it holds.

const ENVELOPE_KEY = "bb/view";
const ENVELOPE_VERSION = 1;
const PATIENCE_MILLISECONDS = 2000;
// The person is told within ten seconds of the mounting, however long the handshake takes of them.
const SILENCE_MILLISECONDS = 9000;

/**
 * What a result carries under our key. Another `_meta` proves nothing: hosts put their own there.
 * @param {any} result
 * @returns {any}
 */
function envelopeOf(result) {
  const envelope = isObject(result?._meta) ? result._meta[ENVELOPE_KEY] : null;
  return isObject(envelope) ? envelope : null;
}

/** @param {any} envelope */
function isDrawable(envelope) {
  return isObject(envelope.payload) && typeof envelope.kind === "string";
}

/** @param {any} result */
function answerText(result) {
  const blocks = Array.isArray(result?.content) ? result.content : [];
  const texts = blocks.filter((/** @type {any} */ block) => typeof block?.text === "string");
  return texts.map((/** @type {any} */ block) => block.text).join("\n");
}

/**
 * @param {object} parts
 * @param {Bridge} parts.bridge
 * @param {(envelope: ViewEnvelope) => boolean} parts.draw whether it could
 * @param {() => Shown | null} parts.shown
 * @param {(callArguments: Record<string, any>) => void} parts.showLoading
 * @param {(notice: Notice) => void} parts.say
 */
function createDelivery({ bridge, draw, shown, showLoading, say }) {
  /** @type {Record<string, any> | null} */
  let callArguments = null;
  let ready = false;
  let asking = false;
  let cameEmpty = false;
  let stopped = false;
  /** @type {number | undefined} */
  let patience;
  /** @type {number | undefined} */
  let silence;

  function beginSilence() {
    clearTimeout(silence);
    silence = setTimeout(sayNothingCame, SILENCE_MILLISECONDS);
  }

  function stopWaiting() {
    clearTimeout(patience);
    clearTimeout(silence);
  }

  /** @param {any} envelope */
  function take(envelope) {
    const current = shown();
    if (current) {
      // A host that repeats a stored result must not undo what a refresh has brought.
      const newer = isDrawable(envelope) && Date.parse(envelope.payload.generated_at) > current.readAt;
      if (envelope.version === ENVELOPE_VERSION && newer) draw(envelope);
      return;
    }
    stopWaiting();
    if (envelope.version !== ENVELOPE_VERSION) say({ title: text("other_version"), unable: true });
    else if (!isDrawable(envelope) || !Object.hasOwn(KINDS, envelope.kind)) {
      say({ title: text("unknown_kind"), unable: true });
    } else if (!draw(envelope)) say({ title: text("drawing_failed"), unable: true });
  }

  function canAsk() {
    return callArguments !== null && hostCan("serverTools");
  }

  async function recover() {
    if (stopped || shown() || asking || !ready) return;
    if (!canAsk()) {
      if (cameEmpty && !hostCan("serverTools")) sayNothingCame();
      return;
    }
    asking = true;
    let answer = null;
    try {
      const call = { name: "refresh_view", arguments: { ...callArguments } };
      answer = await bridge.request("tools/call", call, REFRESH_MILLISECONDS);
    } catch {
      // Refused or silent: to the person both mean that nothing came.
    }
    asking = false;
    if (stopped || shown()) return;
    const envelope = envelopeOf(answer);
    if (answer?.isError === true) sayFailure(answer);
    else if (envelope) take(envelope);
    else sayNothingCame();
  }

  function sayNothingCame() {
    if (stopped || shown()) return;
    const target = nameOf(callArguments);
    const title = target ? text("no_data_asked", { target }) : text("no_data");
    say({ title, help: text("no_data_help"), retry, unable: true });
  }

  /** @param {any} result */
  function sayFailure(result) {
    stopWaiting();
    say({ title: text("failed_to_show"), help: answerText(result), retry: canAsk() ? retry : undefined, failed: true });
  }

  function retry() {
    showLoading(callArguments ?? {});
    beginSilence();
    recover();
  }

  return {
    begin: beginSilence,
    handshakeDone() {
      ready = true;
      if (shown()) return;
      patience = setTimeout(recover, PATIENCE_MILLISECONDS);
      if (cameEmpty) recover();
    },
    /** @param {any} params */
    input(params) {
      if (isObject(params.arguments)) callArguments = params.arguments;
      if (shown() || !callArguments) return;
      if (!asking) showLoading(callArguments);
      if (cameEmpty) recover();
    },
    /** @param {any} params */
    partialInput(params) {
      if (!shown() && !callArguments && isObject(params.arguments)) showLoading(params.arguments);
    },
    /** @param {any} result */
    result(result) {
      const envelope = envelopeOf(result);
      if (envelope) take(envelope);
      else if (shown()) return;
      else if (result.isError === true) sayFailure(result);
      else {
        cameEmpty = true;
        recover();
      }
    },
    /** @param {any} params */
    cancelled(params) {
      if (shown()) return;
      stopWaiting();
      const reason = typeof params.reason === "string" ? params.reason : "";
      say({ title: reason ? text("cancelled_because", { reason }) : text("cancelled") });
    },
    /** The arguments of the call this view answers, if the host told them. */
    callArguments: () => callArguments,
    stop() {
      stopped = true;
      stopWaiting();
    },
  };
}

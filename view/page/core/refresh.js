// When the view asks for itself again, and what it makes of the answer.
// Knows no kind: whether something is in motion or settled is asked of the one that is shown.

const MOTION_MILLISECONDS = 15_000;
const IDLE_MILLISECONDS = 120_000;
const LONGEST_IDLE_MILLISECONDS = 600_000;
// One failed call may be a connection; a second in a row is a host that does not let views call.
const MOST_REFUSALS = 2;

/**
 * @typedef {object} Shown
 * @property {ViewEnvelope} envelope
 * @property {Kind} kind
 * @property {number} readAt in milliseconds
 */

/**
 * @typedef {object} RefreshState
 * @property {boolean} possible
 * @property {boolean} busy
 * @property {string | null} failure
 * @property {boolean} asked whether the person asked for the attempt that failed
 */

/**
 * @param {object} parts
 * @param {Bridge} parts.bridge
 * @param {() => boolean} parts.seen
 * @param {() => Shown | null} parts.shown
 * @param {() => Record<string, unknown>} parts.callArguments
 * @param {(envelope: ViewEnvelope) => void} parts.replace
 * @param {(instant: string) => void} parts.stillCurrent
 * @param {() => void} parts.stateChanged
 */
function createRefresh({ bridge, seen, shown, callArguments, replace, stillCurrent, stateChanged }) {
  let idle = IDLE_MILLISECONDS;
  let lastAttempt = 0;
  let refusals = 0;
  let stopped = false;
  let busy = false;
  let asked = false;
  /** @type {string | null} */
  let failure = null;
  /** @type {number | undefined} */
  let timer;

  function possible() {
    const current = shown();
    return !stopped && refusals < MOST_REFUSALS && hostCan("serverTools") && current?.envelope.offers?.refresh === true;
  }

  function schedule() {
    clearTimeout(timer);
    const current = shown();
    if (!current || busy || !possible() || !seen()) return;
    const { payload } = current.envelope;
    const moving = current.kind.inMotion(payload);
    if (current.kind.settled(payload) && !moving) return;
    const interval = moving && failure === null ? MOTION_MILLISECONDS : idle;
    const now = Date.now();
    // The server's clock may be ahead of this one, which must not put the next time off.
    const due = Math.min(Math.max(current.readAt, lastAttempt), now) + interval;
    timer = setTimeout(() => attempt(false), Math.max(0, due - now));
  }

  /** @param {boolean} byPerson */
  async function attempt(byPerson) {
    const before = shown();
    if (!before || busy || !possible()) return;
    busy = true;
    asked = byPerson;
    clearTimeout(timer);
    stateChanged();
    const outcome = await ask(before.envelope.fingerprint);
    if (stopped) return;
    busy = false;
    lastAttempt = Date.now();
    failure = outcome.failure ?? null;
    if (outcome.envelope) {
      idle = IDLE_MILLISECONDS;
      replace(outcome.envelope);
    } else {
      if (!byPerson) idle = Math.min(idle * 2, LONGEST_IDLE_MILLISECONDS);
      if (outcome.readAt) stillCurrent(outcome.readAt);
    }
    stateChanged();
    schedule();
  }

  /**
   * @param {string} since
   * @returns {Promise<{ envelope?: ViewEnvelope, readAt?: string, failure?: string }>}
   */
  async function ask(since) {
    let answer;
    try {
      const call = { name: "refresh_view", arguments: { ...callArguments(), since } };
      answer = await bridge.request("tools/call", call, REFRESH_MILLISECONDS);
    } catch (error) {
      return { failure: refused(/** @type {BridgeError} */ (error)) };
    }
    if (answer.isError === true) {
      refusals = 0;
      return { failure: answerText(answer) || text("refresh_unusable") };
    }
    const envelope = envelopeOf(answer);
    if (!envelope) {
      refusals += 1;
      return { failure: text("refresh_unusable") };
    }
    refusals = 0;
    if (envelope.version !== ENVELOPE_VERSION) {
      refusals = MOST_REFUSALS;
      return { failure: text("refresh_other_version") };
    }
    if (envelope.unchanged === true) return { readAt: envelope.read_at };
    if (!isDrawable(envelope) || envelope.kind !== shown()?.envelope.kind) return { failure: text("refresh_unusable") };
    return { envelope };
  }

  /** @param {BridgeError} error */
  function refused(error) {
    if (error.timedOut) return error.message;
    const final = error.code === METHOD_NOT_FOUND || error.code === INVALID_PARAMS;
    refusals = final ? MOST_REFUSALS : refusals + 1;
    return error.message || text("refresh_unusable");
  }

  return {
    schedule,
    byPerson: () => attempt(true),
    /** @returns {RefreshState} */
    state: () => ({ possible: possible(), busy, failure, asked }),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** @typedef {ReturnType<typeof createRefresh>} Refresh */

// Tells the host how high the view is. Never how wide: hosts that apply a reported width pin the frame to it.

const SETTLE_MILLISECONDS = 120;
const MOST_REPORTS = 30;
const REPORT_WINDOW_MILLISECONDS = 2000;

/** @param {(height: number) => void} report */
function watchSize(report) {
  let last = 0;
  let stopped = false;
  /** @type {number[]} */
  let recent = [];
  let waiting = false;

  function measure() {
    waiting = false;
    if (stopped || displayMode() !== "inline") return;
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    // A difference of one unit is rounding; following it makes some hosts shrink the frame forever.
    if (height === 0 || Math.abs(height - last) <= 1) return;
    const now = Date.now();
    recent = recent.filter((time) => now - time < REPORT_WINDOW_MILLISECONDS);
    if (recent.length >= MOST_REPORTS) return;
    recent.push(now);
    last = height;
    report(height);
  }

  // A frame that is off screen gets no animation frames, but the host still has to learn its height.
  function schedule() {
    if (waiting || stopped) return;
    waiting = true;
    const once = () => {
      if (waiting) measure();
    };
    requestAnimationFrame(once);
    setTimeout(once, SETTLE_MILLISECONDS);
  }

  const observer = typeof ResizeObserver === "function" ? new ResizeObserver(schedule) : null;
  observer?.observe(document.body);
  schedule();

  return {
    // After a change of mode the host may have forgotten the height it was told.
    forget() {
      last = 0;
      schedule();
    },
    stop() {
      stopped = true;
      observer?.disconnect();
    },
  };
}

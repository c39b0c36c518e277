// The place a view stands in: how wide and high it is, inline or over the whole window.

import { byId } from "./dom.js";
import { TALLEST } from "./context.js";
import { NARROWEST } from "./state.js";

const STEP = 10;
const BIG_STEP = 50;
const FIRST_HEIGHT = 150;
const SETTLE_MILLISECONDS = 80;

/**
 * @param {object} parts
 * @param {(width: string) => void} parts.widthChosen
 * @param {() => void} parts.resized the view has another place than before
 */
export function createStage({ widthChosen, resized }) {
  const stage = byId("stage");
  const canvas = byId("canvas");
  const mount = byId("mount");
  const place = byId("frame-place");
  const handle = byId("handle");
  const sizeWords = byId("frame-size");
  // Everything that full screen covers must be out of reach of the keyboard too.
  const covered = ["top", "panel", "toolbar", "below"].map(byId);
  let fullscreen = false;
  let known = "";
  /** @type {number | undefined} */
  let settling;

  new ResizeObserver(() => {
    const { width, height } = measure();
    sizeWords.textContent = `${width} × ${height}`;
    handle.setAttribute("aria-valuenow", String(width));
    clearTimeout(settling);
    settling = setTimeout(tellIfResized, SETTLE_MILLISECONDS);
  }).observe(place);

  function tellIfResized() {
    const current = toldSize();
    if (current === known || measure().width === 0) return;
    known = current;
    resized();
  }

  // A height that the view itself asked for is no news to it.
  function toldSize() {
    const { width, height } = measure();
    return fullscreen ? `${width} × ${height}` : String(width);
  }

  function measure() {
    return { width: Math.round(place.clientWidth), height: Math.round(place.clientHeight) };
  }

  function roomForWidth() {
    const { paddingLeft, paddingRight } = getComputedStyle(canvas);
    return Math.floor(canvas.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
  }

  /** @param {number} width */
  function choose(width) {
    // A view may be wider than there is room for, but is not made so.
    const widest = Math.max(NARROWEST, roomForWidth(), measure().width);
    widthChosen(String(Math.round(Math.min(Math.max(width, NARROWEST), widest))));
  }

  handle.setAttribute("aria-valuemin", String(NARROWEST));
  handle.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const step = event.shiftKey ? BIG_STEP : STEP;
    const { width } = measure();
    if (event.key === "ArrowLeft") choose(width - step);
    else if (event.key === "ArrowRight") choose(width + step);
    else if (event.key === "Home") choose(NARROWEST);
    else if (event.key === "End") choose(roomForWidth());
    else return;
    event.preventDefault();
  });
  handle.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    const from = event.clientX;
    const { width } = measure();
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    // The frame would take the pointer for itself as soon as it is over it.
    stage.classList.add("dragging");
    // The view stands in the middle, so each side moves by half of what the width changes.
    const move = (/** @type {PointerEvent} */ { clientX }) => choose(width + 2 * (clientX - from));
    const end = () => {
      stage.classList.remove("dragging");
      handle.removeEventListener("pointermove", move);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", end, { once: true });
  });

  return {
    place,
    /** @param {boolean} visible */
    show(visible) {
      stage.hidden = !visible;
    },
    begin() {
      place.style.height = `${FIRST_HEIGHT}px`;
      // A view that is mounted learns its place in the handshake.
      known = toldSize();
    },
    /** @param {number} height */
    setHeight(height) {
      place.style.height = `${Math.min(Math.ceil(height), TALLEST)}px`;
    },
    /** @param {string} width */
    setWidth(width) {
      mount.style.width = width === "fluid" ? "100%" : `${width}px`;
    },
    /** @param {boolean} on */
    setFullscreen(on) {
      if (on === fullscreen) return;
      fullscreen = on;
      stage.classList.toggle("fullscreen", on);
      document.body.classList.toggle("covered", on);
      for (const element of covered) element.inert = on;
      if (on) byId("leave").focus();
    },
    dimensions() {
      const { width, height } = measure();
      return fullscreen ? { width, height } : { width, maxHeight: TALLEST };
    },
  };
}

// Whether anyone can see the view: on screen, and in a document that is not hidden.

/**
 * @param {Element} element
 * @param {() => void} changed
 */
function watchSight(element, changed) {
  let onScreen = true;

  const observer =
    typeof IntersectionObserver === "function"
      ? new IntersectionObserver((entries) => {
          onScreen = entries[entries.length - 1].isIntersecting;
          changed();
        })
      : null;
  observer?.observe(element);
  document.addEventListener("visibilitychange", changed);

  return {
    seen: () => onScreen && document.visibilityState !== "hidden",
    stop() {
      observer?.disconnect();
      document.removeEventListener("visibilitychange", changed);
    },
  };
}

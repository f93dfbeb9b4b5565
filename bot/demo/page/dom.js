/**
 * Make an element with attributes, listeners (functions under the event's name) and children.
 * An attribute that is null or false and a child that is null are left out.
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value !== null && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Put `element` in the place of `old`; the keyboard focus stays where it was. */
export function replace(old, element) {
  const key = focusedKey(old);
  old.replaceWith(element);
  focusKey(element, key);
}

/** Put `children` into `element` anew; the keyboard focus stays where it was. */
export function refill(element, children) {
  const key = focusedKey(element);
  element.replaceChildren(...children);
  focusKey(element, key);
}

/** The data-key of what has the focus within an element: it finds the same thing drawn anew. */
function focusedKey(element) {
  const focused = document.activeElement;
  return element.contains(focused) ? focused.dataset.key : undefined;
}

function focusKey(element, key) {
  if (key !== undefined) {
    element.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
  }
}

/** The hour and minute, or also the second, of a Unix time, as the browser writes them. */
export function clockTime(unixTime, exactly = false) {
  const moment = new Date(unixTime * 1000);
  const second = exactly ? { second: "2-digit" } : {};
  const time = moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", ...second });
  return make("time", { datetime: moment.toISOString() }, time);
}

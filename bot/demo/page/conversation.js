import { replace } from "./dom.js";
import { renderMessage } from "./messages.js";
import { showTimeLeft } from "./polls.js";

const TICK_MILLISECONDS = 200;
const NEAR_THE_END_PIXELS = 80;

/**
 * The messages of the open chat in `log`. Each is drawn anew in its place when it changes, and the
 * newest stays in sight where it is. `view` is what the drawing of a message may ask and do.
 */
export function conversationLog(log, view) {
  let messages = new Map();
  let isAtEnd = true;

  /** Show a chat's messages: a map by their ids, which whoever opens it keeps up to date. */
  function open(told) {
    messages = told;
    log.replaceChildren(...[...messages.keys()].map(draw));
    scrollToEnd();
  }

  /** Show a message that is new or has changed. */
  function show(id) {
    const wasAtEnd = isAtEnd;
    const old = bubble(id);
    if (old) {
      change(id, old);
    } else {
      log.append(draw(id));
    }
    if (wasAtEnd || (!old && messages.get(id).from?.id === view.learner)) {
      scrollToEnd();
    }
  }

  /** Whoever has just voted wrong sees why without asking. */
  function change(id, old) {
    const changed = draw(id);
    const wasOpen = old.querySelector('[data-poll="open"]') !== null;
    if (wasOpen && changed.querySelector('[data-mark="wrong"]')) {
      view.explain(messages.get(id), true);
    } else {
      replace(old, changed);
    }
  }

  /** Draw a message anew, if it is here, since what the view says of it has changed. */
  function redraw(id) {
    const old = bubble(id);
    if (old) {
      replace(old, draw(id));
    }
  }

  function remove(id) {
    bubble(id)?.remove();
  }

  function reveal(id) {
    bubble(id)?.scrollIntoView({ block: "center" });
  }

  function draw(id) {
    return renderMessage(messages.get(id), view);
  }

  function bubble(id) {
    return log.querySelector(`[data-message-id="${id}"]`);
  }

  function scrollToEnd() {
    isAtEnd = true;
    log.scrollTop = log.scrollHeight;
  }

  function noteWhereItIs() {
    const { scrollHeight, scrollTop, clientHeight } = log;
    isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_THE_END_PIXELS;
  }

  log.addEventListener("scroll", noteWhereItIs);
  // What appears above or beside the conversation does not push its newest message out of sight.
  new ResizeObserver(() => isAtEnd && scrollToEnd()).observe(log);
  setInterval(() => {
    for (const timer of log.querySelectorAll("[data-closes]")) {
      showTimeLeft(timer, view.now());
    }
  }, TICK_MILLISECONDS);
  return { open, show, redraw, remove, reveal };
}

import { make, refill } from "./dom.js";

const BEGUN_COMMAND = /^\/\w*$/;

/**
 * The menu of commands above the text field: its button shows all of them, typing `/` those that
 * begin as typed. It opens with what `ask()` brings to `fill(commands)`, since the bot may have
 * changed its commands; a chosen one goes to `choose(command)`.
 */
export function commandMenu({ button, list, field }, ask, choose) {
  let commands = [];
  let wanted = false;
  /** What was typed of a command; null where the button opened the menu. */
  let typed = null;

  function fill(told) {
    commands = told;
    if (wanted) {
      wanted = false;
      open();
    } else if (!list.hidden) {
      show();
    }
  }

  function open() {
    list.hidden = false;
    button.setAttribute("aria-expanded", "true");
    show();
    if (typed === null) {
      list.querySelector("button")?.focus();
    }
  }

  function show() {
    const matching = commands.filter(({ command }) => `/${command}`.startsWith(typed ?? "/"));
    if (matching.length > 0) {
      refill(list, matching.map(item));
    } else if (typed === null) {
      refill(list, [make("li", { role: "none" }, "The bot has set no commands.")]);
    } else {
      close();
    }
  }

  function item({ command, description }) {
    const pick = () => {
      if (typed !== null) {
        field.value = "";
      }
      close();
      choose(`/${command}`);
    };
    const entry = make(
      "button",
      { type: "button", role: "menuitem", "data-key": command, click: pick },
      make("span", { class: "command" }, `/${command}`),
      " ",
      make("span", { class: "line", dir: "auto" }, description),
    );
    return make("li", { role: "none" }, entry);
  }

  function close() {
    wanted = false;
    list.hidden = true;
    button.setAttribute("aria-expanded", "false");
  }

  function toggle() {
    if (list.hidden) {
      typed = null;
      wanted = true;
      ask();
    } else {
      close();
    }
  }

  function offer() {
    if (BEGUN_COMMAND.test(field.value)) {
      typed = field.value.toLowerCase();
      wanted = true;
      ask();
    } else {
      close();
    }
  }

  function move(event) {
    const entries = [...list.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (list.hidden || event.isComposing) {
      return;
    }
    if (event.key === "Escape") {
      close();
      (typed === null ? button : field).focus();
    } else if (event.key === "Tab" && event.target === field && typed !== null && !event.shiftKey) {
      event.preventDefault();
      field.value = `/${entries[0].dataset.key} `;
      close();
    } else if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      const at = entries.indexOf(document.activeElement);
      const next = at < 0 && step < 0 ? entries.length - 1 : at + step;
      entries[(next + entries.length) % entries.length].focus();
    }
  }

  function leave(event) {
    const parts = typed === null ? [button, list] : [button, list, field];
    if (!parts.some((part) => part.contains(event.relatedTarget))) {
      close();
    }
  }

  button.addEventListener("click", toggle);
  field.addEventListener("input", offer);
  for (const part of [button, list, field]) {
    part.addEventListener("keydown", move);
    part.addEventListener("focusout", leave);
  }
  return { fill, close };
}

import { make } from "./dom.js";

/**
 * The menu of commands above the text field. It opens with what `ask()` brings to `fill(commands)`,
 * since the bot may have changed its commands; a chosen one goes to `choose(command)`.
 */
export function commandMenu(button, list, ask, choose) {
  let wanted = false;

  function fill(commands) {
    list.replaceChildren(...commands.map(item));
    if (wanted) {
      wanted = false;
      open();
    }
  }

  function item({ command, description }) {
    const pick = () => {
      close();
      choose(`/${command}`);
    };
    const entry = make(
      "button",
      { type: "button", role: "menuitem", click: pick },
      make("span", { class: "command" }, `/${command}`),
      " ",
      make("span", { class: "line", dir: "auto" }, description),
    );
    return make("li", { role: "none" }, entry);
  }

  function open() {
    if (list.children.length === 0) {
      list.replaceChildren(make("li", { role: "none" }, "The bot has set no commands."));
    }
    list.hidden = false;
    button.setAttribute("aria-expanded", "true");
    list.querySelector("button")?.focus();
  }

  function close() {
    wanted = false;
    list.hidden = true;
    button.setAttribute("aria-expanded", "false");
  }

  function toggle() {
    if (list.hidden) {
      wanted = true;
      ask();
    } else {
      close();
    }
  }

  function move(event) {
    const entries = [...list.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      close();
      button.focus();
    } else if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      const next = entries.indexOf(document.activeElement) + step;
      entries[(next + entries.length) % entries.length].focus();
    }
  }

  function leave(event) {
    if (![button, list].some((part) => part.contains(event.relatedTarget))) {
      close();
    }
  }

  button.addEventListener("click", toggle);
  for (const part of [button, list]) {
    part.addEventListener("keydown", move);
    part.addEventListener("focusout", leave);
  }
  return { fill, close };
}

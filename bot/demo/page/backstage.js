import { clockTime, make } from "./dom.js";

const MOST_CALLS = 60;
const STATES = { starting: "is starting", running: "is running", off: "is off" };

/**
 * The panel behind the chats: trouble for the bot's calls, its restarts, and what it asks of
 * Telegram. What is done there goes to `act(action)`.
 */
export function backstagePanel(page, act) {
  let state = null;

  function take(told) {
    state = told;
    page["backstage-button"].hidden = false;
    page["bot-state"].textContent = `The bot ${STATES[state.state]}.`;
    page.restart.textContent = state.state === "off" ? "Start" : "Restart";
    page.kill.disabled = state.state === "off";
    showMethods(state.methods);
    page.pending.replaceChildren(...state.trouble.map((text) => make("li", {}, text)));
    page.calm.hidden = state.trouble.length === 0;
  }

  function showMethods(methods) {
    if (page["trouble-method"].options.length === 1) {
      page["trouble-method"].append(...methods.map((name) => make("option", { value: name }, name)));
    }
  }

  function takeCalls(calls) {
    page.calls.replaceChildren(...calls.map(renderCall));
    showEnd();
  }

  function takeCall(call) {
    page.calls.append(renderCall(call));
    if (page.calls.children.length > MOST_CALLS) {
      page.calls.firstElementChild.remove();
    }
    showEnd();
  }

  function showEnd() {
    page.calls.scrollTop = page.calls.scrollHeight;
  }

  function open() {
    page.backstage.hidden = false;
    page["backstage-button"].setAttribute("aria-expanded", "true");
    page["backstage-title"].focus();
    showEnd();
  }

  function close() {
    page.backstage.hidden = true;
    page["backstage-button"].setAttribute("aria-expanded", "false");
    page["backstage-button"].focus();
  }

  function cause(event) {
    event.preventDefault();
    act({
      do: "trouble",
      kind: page["trouble-kind"].value,
      method: page["trouble-method"].value,
      every: page["trouble-every"].value === "every",
    });
  }

  page["backstage-button"].addEventListener("click", () => (page.backstage.hidden ? open : close)());
  page["backstage-close"].addEventListener("click", close);
  page.backstage.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      close();
    }
  });
  page.trouble.addEventListener("submit", cause);
  page.calm.addEventListener("click", () => {
    act({ do: "calm" });
    page["trouble-kind"].focus();
  });
  page.restart.addEventListener("click", () => act({ do: "restart" }));
  page.kill.addEventListener("click", () => act({ do: "kill" }));
  return { take, takeCalls, takeCall, get isOff() { return state?.state === "off"; } };
}

function renderCall({ at, method, chat, outcome, detail }) {
  return make(
    "li",
    { "data-outcome": outcome },
    clockTime(at, true),
    " ",
    make("b", {}, method),
    " ",
    chat ? make("bdi", {}, chat) : null,
    " ",
    make("span", { class: "outcome" }, detail),
  );
}

import { clockTime, make } from "./dom.js";
import { lineOf } from "./messages.js";
import { avatar, colourOf } from "./people.js";

export function learnerButton(learner, { current, unread, click }) {
  return make(
    "button",
    attributes(learner.id, current, unread, click),
    avatar(learner.name, colourOf(learner.id)),
    make("span", { class: "name", dir: "auto" }, learner.name),
    make("span", { class: "language" }, learner.language ?? "–"),
    unread ? make("span", { class: "unseen" }, "new messages") : null,
  );
}

export function chatButton(chat, title, { current, unread, click }) {
  const last = [...chat.messages.values()].at(-1);
  return make(
    "button",
    attributes(chat.id, current, unread, click),
    avatar(title),
    make("span", { class: "name", dir: "auto" }, title),
    make("span", { class: "line", dir: "auto" }, last ? lineOf(last) : "No messages yet"),
    last ? clockTime(last.date) : null,
  );
}

/** The languages of clients, each in its own words, and that of a client that tells none. */
export function languageOptions(codes) {
  const options = codes.map((code) => {
    const name = new Intl.DisplayNames([code], { type: "language" }).of(code);
    return make("option", { value: code, lang: code }, name);
  });
  return [...options, make("option", { value: "" }, "Not told")];
}

function attributes(id, current, unread, click) {
  return {
    type: "button",
    "aria-current": current ? "true" : null,
    "data-key": id,
    "data-unread": unread,
    click,
  };
}

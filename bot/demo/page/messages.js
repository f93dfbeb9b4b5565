import { clockTime, make } from "./dom.js";
import { formattedText, link } from "./entities.js";
import { renderPoll } from "./polls.js";

/** Each kind of message: what it holds, how it is drawn, and what stands for it in one line. */
const KINDS = [
  { field: "poll", draw: renderPoll, line: (message) => `Poll: ${message.poll.question}` },
  { field: "text", draw: renderText, line: (message) => message.text },
];

function kindOf(message) {
  return KINDS.find(({ field }) => message[field] !== undefined);
}

/** One message as a bubble, the learner's own on the right. */
export function renderMessage(message, view) {
  const own = message.from?.id === view.learner;
  const sender = nameOf(message.from);
  return make(
    "article",
    {
      class: own ? "message own" : "message",
      "data-message-id": message.message_id,
      "aria-label": own ? "You" : sender,
    },
    make(
      "div",
      { class: "bubble" },
      view.isGroup && !own ? make("p", { class: "sender", dir: "auto" }, sender) : null,
      message.reply_to_message ? quote(message.reply_to_message, view) : null,
      (kindOf(message)?.draw ?? renderUnknown)(message, view),
      make(
        "p",
        { class: "meta" },
        message.edit_date ? "edited " : null,
        clockTime(message.date),
      ),
    ),
    message.reply_markup?.inline_keyboard ? keyboard(message, view) : null,
  );
}

/** A message in one line, for previews and quotes. */
export function lineOf(message) {
  return kindOf(message)?.line(message) ?? "Message";
}

export function nameOf(person) {
  return [person?.first_name, person?.last_name].filter(Boolean).join(" ");
}

function renderText(message, view) {
  const text = formattedText(message.text, message.entities, view);
  return make("div", { class: "text", dir: "auto" }, text);
}

function renderUnknown() {
  return make("p", { class: "text" }, "This kind of message is not shown here.");
}

function quote(original, view) {
  return make(
    "button",
    {
      type: "button",
      class: "quote",
      "aria-label": `In reply to: ${lineOf(original)}`,
      "data-key": "quote",
      click: () => view.show(original.message_id),
    },
    make("span", { class: "sender", dir: "auto" }, nameOf(original.from)),
    make("span", { class: "line", dir: "auto" }, lineOf(original)),
  );
}

function keyboard(message, view) {
  const rows = message.reply_markup.inline_keyboard.map((row, y) => {
    const buttons = row.map((button, x) => keyboardButton(message, button, `${y}-${x}`, view));
    return make("div", { class: "row" }, ...buttons);
  });
  return make("div", { class: "keyboard", role: "group", "aria-label": "Buttons" }, ...rows);
}

function keyboardButton(message, button, place, view) {
  const attributes = {
    class: "key",
    dir: "auto",
    "data-key": `key-${place}`,
    "data-style": button.style ?? null,
  };
  if (button.url !== undefined) {
    return link(button.url, button.text, view, attributes);
  }
  const tapped = { message: message.message_id, data: button.callback_data };
  return make(
    "button",
    {
      ...attributes,
      type: "button",
      disabled: button.callback_data === undefined,
      "aria-busy": String(view.waitsFor(tapped)),
      click: () => view.tap(tapped),
    },
    button.text,
  );
}

import { clockTime, make } from "./dom.js";
import { formattedText, link } from "./entities.js";
import { renderDocument, renderPhoto } from "./files.js";
import { colourOf, nameOf } from "./people.js";
import { renderPoll } from "./polls.js";
import { renderService, serviceText } from "./services.js";

/** Each kind of message: what it holds, how it is drawn, and what stands for it in one line. */
const KINDS = [
  { field: "poll", draw: renderPoll, line: (message) => `Poll: ${message.poll.question}` },
  { field: "photo", draw: renderPhoto, line: ({ caption }) => `🖼 ${caption ?? "Photo"}` },
  {
    field: "document",
    draw: renderDocument,
    line: ({ caption, document: { file_name: name } }) => `📄 ${caption ?? name}`,
  },
  { field: "text", draw: renderText, line: (message) => message.text },
];

function kindOf(message) {
  return KINDS.find(({ field }) => message[field] !== undefined);
}

/** One message as a bubble, the learner's own on the right; a service message as a line. */
export function renderMessage(message, view) {
  return serviceText(message) === undefined ? renderBubble(message, view) : renderService(message);
}

function renderBubble(message, view) {
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
      view.isGroup && !own ? senderLine(message.from) : null,
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
  return serviceText(message) ?? kindOf(message)?.line(message) ?? "Message";
}

function senderLine(person) {
  const attributes = { class: "sender", "data-colour": personColour(person), dir: "auto" };
  return make("p", attributes, nameOf(person));
}

/** The bot has the accent's colour, everybody else one of their own. */
function personColour(person) {
  return person.is_bot ? null : colourOf(person.id);
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
      "data-colour": view.isGroup ? personColour(original.from) : null,
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

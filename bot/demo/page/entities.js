import { make } from "./dom.js";
import { highlighted } from "./highlight.js";

const TAGS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
  code: "code",
  blockquote: "blockquote",
  expandable_blockquote: "blockquote",
};
const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);

/**
 * A text with its entities as nodes. Offsets and lengths count UTF-16 units, as strings here do.
 * `view.openLink(event, url)` and `view.sendText(text)` are called for links and commands.
 */
export function formattedText(text, entities, view) {
  const outermostFirst = [...(entities ?? [])].sort(
    (a, b) => a.offset - b.offset || b.length - a.length,
  );
  return formatted(text, outermostFirst, 0, text.length, view);
}

function formatted(text, entities, start, end, view) {
  const nodes = document.createDocumentFragment();
  let at = start;
  while (entities.length > 0) {
    const entity = entities.shift();
    const from = Math.max(entity.offset, at);
    const to = Math.min(entity.offset + entity.length, end);
    if (from >= to) {
      continue;
    }
    const within = [];
    while (entities.length > 0 && entities[0].offset < to) {
      within.push(entities.shift());
    }
    const block = BLOCKS.has(entity.type);
    // A block begins and ends its own line: the line feeds around it would show as empty lines.
    nodes.append(text.slice(at, block && text[from - 1] === "\n" ? Math.max(at, from - 1) : from));
    // Code that holds entities of its own keeps those instead of being coloured.
    const content =
      entity.type === "pre" && entity.language && within.length === 0
        ? highlighted(text.slice(from, to), entity.language)
        : formatted(text, within, from, to, view);
    nodes.append(wrapped(entity, text.slice(from, to), content, view));
    at = block && text[to] === "\n" ? Math.min(to + 1, end) : to;
  }
  nodes.append(text.slice(at, end));
  return nodes;
}

function wrapped(entity, text, content, view) {
  switch (entity.type) {
    case "pre":
      return codeBlock(entity.language, content);
    case "spoiler":
      return spoiler(content);
    case "text_link":
      return link(entity.url, content, view);
    case "url":
      return link(/^[a-z]+:/i.test(text) ? text : `http://${text}`, content, view);
    case "email":
      return link(`mailto:${text}`, content, view);
    case "bot_command":
      return command(text, content, view);
    default:
      return make(TAGS[entity.type] ?? "span", {}, content);
  }
}

function command(text, content, view) {
  const attributes = { type: "button", class: "link", click: () => view.sendText(text) };
  return make("button", attributes, content);
}

function codeBlock(language, content) {
  const label = language ? make("figcaption", {}, language) : null;
  const code = make("code", language ? { class: `language-${language}` } : {}, content);
  // Code runs from left to right in every language, and long lines must be reachable by keyboard.
  const block = make("pre", { tabindex: "0" }, code);
  return make("figure", { class: "code", dir: "ltr" }, label, block);
}

function spoiler(content) {
  const reveal = (event) => {
    event.currentTarget.dataset.shown = "yes";
    event.currentTarget.removeAttribute("aria-label");
  };
  const attributes = { type: "button", class: "spoiler", "aria-label": "Spoiler", click: reveal };
  return make("button", attributes, make("span", {}, content));
}

/** A link where the address is one that a browser can open safely, else the bare text. */
export function link(url, content, view, attributes = {}) {
  if (!/^(https?|mailto|tg):/i.test(url)) {
    return make("span", attributes, content);
  }
  const target = { href: url, target: "_blank", rel: "noopener noreferrer" };
  const click = (event) => view.openLink(event, url);
  return make("a", { ...attributes, ...target, click }, content);
}

import { make } from "./dom.js";
import { formattedText } from "./entities.js";

const UNITS = ["byte", "kilobyte", "megabyte"];

/** A photo with its caption. A click shows it larger, a click with Ctrl opens it in a tab. */
export function renderPhoto(message, view) {
  const { file_id: id, width, height } = largest(message.photo);
  const src = addressOf(id);
  const alt = altOf(message);
  const image = make("img", { src, alt, width, height });
  const enlarge = (event) => {
    if (!event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      view.enlarge(src, alt);
    }
  };
  const link = make(
    "a",
    { href: src, target: "_blank", rel: "noopener", "data-key": "photo", click: enlarge },
    image,
  );
  const figure = make("figure", { class: "photo" }, link, caption(message, view));
  figure.style.setProperty("--ratio", width / height);
  return figure;
}

/** A document as a link that saves it, with its caption. */
export function renderDocument(message, view) {
  const { file_id: id, file_name: name, file_size: size } = message.document;
  const link = make(
    "a",
    { class: "document", href: addressOf(id), download: name, "data-key": "document" },
    make("span", { class: "name", dir: "auto" }, name),
    " ",
    make("span", { class: "size" }, sizeInWords(size)),
  );
  return make("div", {}, link, caption(message, view));
}

function caption(message, view) {
  if (!message.caption) {
    return null;
  }
  const text = formattedText(message.caption, message.caption_entities, view);
  return make("div", { class: "text", dir: "auto" }, text);
}

/** What a photo shows, as far as its message tells. */
function altOf({ caption: text, from }) {
  return text ? `Photo: ${text.split("\n")[0]}` : `Photo from ${from.first_name}`;
}

function largest(sizes) {
  return sizes.reduce((most, size) => (size.width > most.width ? size : most));
}

function addressOf(fileId) {
  return `/page/files/${encodeURIComponent(fileId)}`;
}

function sizeInWords(bytes) {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const unit = { style: "unit", unit: UNITS[step], maximumFractionDigits: 1 };
  return new Intl.NumberFormat([], unit).format(bytes / 1000 ** step);
}

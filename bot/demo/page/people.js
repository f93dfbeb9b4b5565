import { make } from "./dom.js";

const COLOURS = 7;

/** A person's name as apps show it. */
export function nameOf(person) {
  return [person?.first_name, person?.last_name].filter(Boolean).join(" ");
}

/** Which of the page's colours a person has wherever they are shown, from 0. */
export function colourOf(personId) {
  return personId % COLOURS;
}

/** The first letter of a name in a circle; the accent's colour where none is named. */
export function avatar(name, colour = null) {
  const [first] = new Intl.Segmenter().segment(name);
  const attributes = { class: "avatar", "aria-hidden": "true", "data-colour": colour };
  return make("span", attributes, first?.segment ?? "");
}

import { make } from "./dom.js";
import { nameOf } from "./people.js";

/** Each kind of service message: the field that it has, and what it says. */
const KINDS = [
  ["supergroup_chat_created", ({ from, chat }) => `${nameOf(from)} created “${chat.title}”`],
  ["new_chat_members", joined],
  ["left_chat_member", left],
  ["migrate_from_chat_id", () => "The group became a supergroup"],
  ["migrate_to_chat_id", () => "The group moved on as a supergroup"],
];

/** What a service message says; undefined for all other messages. */
export function serviceText(message) {
  const kind = KINDS.find(([field]) => message[field] !== undefined);
  return kind?.[1](message);
}

/** A service message as a line in the middle. */
export function renderService(message) {
  return make(
    "p",
    { class: "service", "data-message-id": message.message_id, dir: "auto" },
    serviceText(message),
  );
}

function joined({ from, new_chat_members: people }) {
  const came = people.length === 1 && people[0].id === from.id;
  return came
    ? `${nameOf(from)} joined the group`
    : `${nameOf(from)} added ${people.map(nameOf).join(", ")}`;
}

function left({ from, left_chat_member: person }) {
  return person.id === from.id
    ? `${nameOf(from)} left the group`
    : `${nameOf(from)} removed ${nameOf(person)}`;
}

import { make } from "./dom.js";
import { formattedText } from "./entities.js";

const ENDING_SECONDS = 5;
const VOTE = { type: "button", class: "vote", "data-key": "vote" };

/** A poll as a learner sees it: open to their vote, or its results after that or the end. */
export function renderPoll(message, view) {
  const { poll } = message;
  const votes = message.votes[view.learner] ?? [];
  const settled = votes.length > 0 || poll.is_closed;
  const canRetract = votes.length > 0 && poll.allows_revoting && !poll.is_closed;
  const id = `poll-${message.message_id}`;
  const question = formattedText(poll.question, poll.question_entities, view);
  const options = poll.options.map((option, position) =>
    renderOption({ message, option, position, votes, settled, view }),
  );
  return make(
    "div",
    { class: "poll", "data-poll": settled ? "results" : "open" },
    make("p", { class: "question", id, dir: "auto" }, question),
    make(
      "p",
      { class: "kind" },
      make("span", {}, kindOf(poll)),
      poll.is_closed || !poll.close_date ? null : countdown(poll, view),
      settled && poll.explanation ? lamp(message, view) : null,
    ),
    make(
      "div",
      {
        class: "options",
        role: poll.allows_multiple_answers ? "group" : "radiogroup",
        "aria-labelledby": id,
        keydown: moveAmongOptions,
      },
      ...options,
    ),
    settled && poll.explanation ? explanation(message, view) : null,
    poll.allows_multiple_answers && !settled ? voteButton(message, view) : null,
    canRetract ? retractButton(message, view) : null,
    make("p", { class: "voters" }, votersOf(poll)),
  );
}

function renderOption({ message, option, position, votes, settled, view }) {
  const { poll } = message;
  const chosen = settled ? votes.includes(position) : view.picks(message).has(position);
  const id = `option-${message.message_id}-${position}`;
  const choose = () => {
    if (settled) {
      return;
    }
    if (poll.allows_multiple_answers) {
      view.pick(message, position);
    } else {
      view.act({ do: "vote", message: message.message_id, options: [position] });
    }
  };
  const mark = settled ? markOf(poll, position, chosen) : null;
  const text = formattedText(option.text, option.text_entities, view);
  const button = make(
    "button",
    {
      type: "button",
      class: "option",
      role: poll.allows_multiple_answers ? "checkbox" : "radio",
      "aria-checked": String(chosen),
      "aria-disabled": settled ? "true" : null,
      "aria-labelledby": id,
      "aria-describedby": settled ? `${id}-result` : null,
      "data-key": `option-${position}`,
      "data-mark": mark,
      click: choose,
    },
    make("span", { class: "tick", "aria-hidden": "true" }),
    make("span", { class: "text", id, dir: "auto" }, text),
    settled ? resultOf(poll, option, mark, `${id}-result`) : null,
  );
  button.style.setProperty("--share", settled ? shareOf(poll, option) : 0);
  return button;
}

/** How a settled option is marked: "right", "wrong" where chosen; "chosen" where no quiz. */
function markOf(poll, position, chosen) {
  if (poll.type !== "quiz") {
    return chosen ? "chosen" : null;
  }
  if (rightOptions(poll).includes(position)) {
    return "right";
  }
  return chosen ? "wrong" : null;
}

function rightOptions(poll) {
  return poll.correct_option_ids ?? [poll.correct_option_id];
}

function shareOf(poll, option) {
  return poll.total_voter_count === 0
    ? 0
    : Math.round((100 * option.voter_count) / poll.total_voter_count);
}

function resultOf(poll, option, mark, id) {
  const spoken = mark ? make("span", { class: "unseen" }, `, ${mark}`) : null;
  return make("span", { class: "share", id }, `${shareOf(poll, option)}%`, spoken);
}

function kindOf(poll) {
  if (poll.is_closed) {
    return "Final results";
  }
  const kind = poll.type === "quiz" ? "quiz" : "poll";
  return poll.is_anonymous ? `Anonymous ${kind}` : kind[0].toUpperCase() + kind.slice(1);
}

function votersOf(poll) {
  const verb = poll.type === "quiz" ? "answered" : "voted";
  return poll.total_voter_count === 0 ? "No votes yet" : `${poll.total_voter_count} ${verb}`;
}

function countdown({ close_date: closes, open_period: period }, view) {
  const timer = make("span", { role: "timer", "data-closes": closes, "data-period": period });
  showTimeLeft(timer, view.now());
  return timer;
}

/** Write into a poll's timer how long the poll stays open; `now` in Unix seconds. */
export function showTimeLeft(timer, now) {
  const exactly = Math.max(0, Number(timer.dataset.closes) - now);
  const left = Math.ceil(exactly);
  timer.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  timer.toggleAttribute("data-ending", left <= ENDING_SECONDS);
  timer.style.setProperty("--left", exactly / Number(timer.dataset.period));
}

function lamp(message, view) {
  return make("button", {
    type: "button",
    class: "lamp",
    "aria-label": "Explanation",
    "aria-expanded": String(view.isExplained(message)),
    "aria-controls": `explanation-${message.message_id}`,
    "data-key": "lamp",
    click: () => view.explain(message, !view.isExplained(message)),
  });
}

function explanation(message, view) {
  const { explanation: text, explanation_entities: entities } = message.poll;
  return make(
    "div",
    {
      class: "explanation",
      id: `explanation-${message.message_id}`,
      dir: "auto",
      hidden: !view.isExplained(message),
    },
    formattedText(text, entities, view),
  );
}

function voteButton(message, view) {
  const picked = [...view.picks(message)].sort((a, b) => a - b);
  const vote = () => view.act({ do: "vote", message: message.message_id, options: picked });
  return make("button", { ...VOTE, disabled: picked.length === 0, click: vote }, "Vote");
}

function retractButton(message, view) {
  const retract = () => view.act({ do: "retract", message: message.message_id });
  return make("button", { ...VOTE, click: retract }, "Retract vote");
}

/** Arrow keys move among the options without choosing: in a quiz the first choice is final. */
function moveAmongOptions(event) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step === undefined) {
    return;
  }
  event.preventDefault();
  const options = [...event.currentTarget.children];
  const next = options.indexOf(document.activeElement) + step;
  options[(next + options.length) % options.length].focus();
}

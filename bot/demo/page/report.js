import { clockTime, make } from "./dom.js";

/** Show what became of an author's quizzes when they were read last; nothing new, nothing said. */
export function showReport(section, report) {
  const written = JSON.stringify(report);
  if (report !== null && section.dataset.shown !== written) {
    section.dataset.shown = written;
    section.dataset.kind = report.kind;
    section.hidden = false;
    section.replaceChildren(...parts(report));
  }
}

function parts({ kind, at, path, quizzes, faults }) {
  const broken = faults.filter(({ severity }) => severity === "fault");
  const warnings = faults.filter(({ severity }) => severity === "warning");
  return [
    make("p", { class: "headline" }, ...headline(kind, at, path, quizzes, broken.length)),
    broken.length > 0 ? make("ul", {}, ...broken.map(renderFault)) : null,
    warnings.length > 0 ? renderWarnings(warnings) : null,
  ].filter(Boolean);
}

function headline(kind, at, path, quizzes, broken) {
  switch (kind) {
    case "opened":
      return [`Playing ${counted(quizzes, "quiz", "quizzes")} of `, make("bdi", {}, path), "."];
    case "reloaded":
      return ["Reloaded ", clockTime(at, true), "."];
    case "broken": {
      const found = counted(broken, "fault", "faults");
      return [clockTime(at, true), `: ${found}. The last sound version is still played.`];
    }
  }
}

function renderFault({ place, message }) {
  return make("li", {}, make("code", { dir: "auto" }, place), " ", message);
}

function renderWarnings(warnings) {
  const summary = make("summary", {}, counted(warnings.length, "warning", "warnings"));
  return make("details", {}, summary, make("ul", {}, ...warnings.map(renderFault)));
}

function counted(number, one, many) {
  return `${number} ${number === 1 ? one : many}`;
}

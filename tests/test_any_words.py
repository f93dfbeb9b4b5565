"""Whatever people and quiz authors write is shown as it was written, and Telegram takes it."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import buttons
from bot.commands import ALL_GROUP_COMMANDS, COMMANDS
from quizzes.catalog import Catalog, load
from quizzes.quiz import Question
from quizzes.wording import clean, is_blank
from tests.conversation import Learner, Talk, talking
from tests.test_access import COPIED

FAMILY = "👩‍👩‍👧"
ODD_NAMES = [
    "<b>",
    "</b>&amp;&#0;",
    "a_b*[c](d)`e`",
    "\u202eelbon",
    "\u200b",
    "\u2060\u2063",
    "\u3164",
    "\u2800",
    "\u00ad",
    "אדא",
    "علي",
    FAMILY * 64,
    "e" + "\u0301" * 64,
    "🇺🇦" * 32,
    "\0",
    "two\nlines",
    "{ $name }",
    "/quiz",
    "@ada",
    "Z̸̭̓̅a̶͙͑l̴̘̕g̵o̷",
]

characters = st.characters(exclude_categories=["Cs"])
MARKUP = ["<", ">", "&", "&lt;", "<pre>", "</code>", '"', "{", "}", "\\", "*", "_", "`"]
ODD = ["\n", "\t", " ", "\0", "\u202e", "\u200b", "\u200f", "\ufeff", "א", "ї", "e\u0301", "😀"]
pieces = st.sampled_from([*MARKUP, *ODD, FAMILY, "a", "word"])
words = st.text(characters, min_size=1, max_size=64) | st.lists(
    pieces, min_size=1, max_size=40
).map("".join)


def drawn(strategy: st.SearchStrategy[Any], number: int) -> list[Any]:
    """So many examples, the same in each run."""
    found: list[Any] = []
    always = settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    always(given(strategy)(lambda one: found.append(one)))()
    return found


def refused(talk: Talk) -> list[tuple[str, Any]]:
    """What Telegram would not take."""
    return [
        (request.method, request.response)
        for request in talk.telegram.requests
        if request.response and not request.response["ok"]
    ]


# People


async def test_the_greeting_shows_any_name_as_it_is_written(talk: Talk) -> None:
    greeting = talk.texts.words("en")
    for name in [*ODD_NAMES, *drawn(words, 100)]:
        learner = talk.learner(name)
        await learner.sends("/start")
        assert learner.hears == [clean(greeting("greeting", name=name))]
    assert refused(talk) == []


async def test_anything_that_is_written_in_private_gets_an_answer_that_telegram_takes(
    ada: Learner, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    commands = st.sampled_from([*COMMANDS, "nonsense"])
    for text in drawn(words | st.builds("/{} {}".format, commands, words), 200):
        if is_blank(text):
            continue  # nobody can send that
        await ada.sends(text)
        assert ada.news != [], text
    assert refused(talk) == []
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


async def test_anything_that_is_written_in_a_group_leaves_the_bot_well(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    teacher = talk.learner("Teacher")
    chat = talk.telegram.add_group("<b>&\u202e", [teacher.person], supergroup=True)
    member = teacher.within(chat)
    commands = st.sampled_from([*ALL_GROUP_COMMANDS])
    for text in drawn(st.builds("/{} {}".format, commands, words), 120):
        await member.sends(text)
    assert refused(talk) == []
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


async def test_any_callback_data_is_answered_and_telegram_takes_what_follows(
    ada: Learner, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    group = talk.telegram.add_group("Class", [ada.person], supergroup=True)
    kinds = [buttons.write(press).partition(":")[0] for press in COPIED]
    numbers = st.integers(-1, 3).map(str) | st.sampled_from(["9" * 18, "9" * 19, "capitals", "uk"])
    forged = st.builds(
        lambda kind, values: ":".join([kind, *values]),
        st.sampled_from(kinds),
        st.lists(numbers | words, max_size=2),
    )
    await ada.sends("/quiz capitals")
    await ada.within(group).sends("/quiz capitals")
    queries = [
        talk.telegram.tap(ada.person, chat_id, talk.telegram.chat(chat_id).messages[-1].id, data)
        for data in drawn(words | forged, 150)
        for chat_id in (ada.id, group.id)
    ]
    await talk.settles()
    assert [query.data for query in queries if query.answer is None] == []
    assert refused(talk) == []
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


async def test_any_names_stand_in_a_lobby_and_in_the_tables(talk: Talk) -> None:
    names = [*ODD_NAMES, *drawn(words, 25)]
    people = [talk.learner(name, last_name=name[::-1]) for name in names]
    chat = talk.telegram.add_group("Names", [one.person for one in people], supergroup=True)
    members = [one.within(chat) for one in people]
    await members[0].sends("/quiz capitals")
    for member in members[1:]:
        await member.taps("Join")
    await members[0].taps("Start")
    for member in members:
        await member.votes("Paris")
    await members[0].sends("/stop")
    await members[0].taps(f"All {len(names)} places")
    await members[0].sends("/top")
    full = members[0].messages[-2].text.split("\n")
    assert len(full) == len(names)
    shown = [line.partition(" ")[2].rpartition(" – ")[0] for line in full]
    assert [name for name in shown if is_blank(name)] == []
    assert refused(talk) == []


# Quizzes


lines = st.lists(
    st.sampled_from(["x = 1", "    return a < b", "if (a && b) {", "}", "# <b>ні</b>", "", FAMILY])
    | words,
    min_size=1,
    max_size=8,
).map("\n".join)
long_words = words | st.lists(words, min_size=8, max_size=40).map(" ".join)


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    """A question as a file holds it; it may have faults."""
    number = draw(st.integers(2, 6))
    choices: list[dict[str, Any]] = []
    for i in range(number):
        text = f"{i}{draw(long_words if draw(st.integers(0, 4)) == 0 else words)}"
        choices.append({"text": text, "correct": "true"} if i == 0 else {"text": text})
        if i and draw(st.booleans()):
            choices[-1]["why"] = draw(long_words)
    question: dict[str, Any] = {"ask": draw(long_words), "choices": choices, "shuffle": "false"}
    if draw(st.booleans()):
        question["code"] = draw(lines)
    if draw(st.booleans()):
        question["explain"] = draw(long_words)
    if draw(st.booleans()):
        question["snippet"] = {"language": "python", "code": draw(lines), "prints": draw(lines)}
    if draw(st.booleans()):
        question["source"] = draw(words)
    return question


quizzes = st.fixed_dictionaries(
    {
        "title": words,
        "description": long_words,
        "questions": st.lists(questions(), min_size=1, max_size=2),
    }
)


def written(folder: Path, quiz: dict[str, Any]) -> None:
    folder.mkdir(parents=True)
    for position, question in enumerate(quiz["questions"]):
        question["id"] = f"q{position}"
    content = yaml.safe_dump({"language": "en"} | quiz, allow_unicode=True, sort_keys=False)
    for name, value in (("correct", "true"), ("shuffle", "false")):
        content = content.replace(f"{name}: '{value}'", f"{name}: {value}")
    (folder / "quiz.yaml").write_text(content, "utf-8")


def without_faults(banks: list[Path]) -> bool:
    _, faults = load(banks)
    return [fault for fault in faults if fault.severity == "fault"] == []


def bank_of(folder: Path, number: int) -> Catalog:
    """Those of so many quizzes that `check` lets pass."""
    banks = []
    for position, quiz in enumerate(drawn(quizzes, number)):
        bank = folder / str(position)
        written(bank / f"quiz-{position}", quiz)
        if without_faults([bank]):
            banks.append(bank)
    catalog, _ = load(banks)
    return catalog


def texts_of(question: Question, wrong: int) -> list[str]:
    """What a learner must have read, word for word, after a wrong vote."""
    picked = question.choices[wrong]
    snippet = question.snippet
    parts = [picked.why, question.explain, snippet and snippet.code, snippet and snippet.prints]
    return [part for part in parts if part]


async def test_a_quiz_of_any_words_is_shown_as_it_is_written(tmp_path: Path) -> None:
    catalog = bank_of(tmp_path / "bank", 40)
    assert len(catalog.quizzes) > 10
    async with talking(tmp_path, catalog=catalog) as talk:
        ada = talk.learner("Ada")
        for quiz_id in catalog.quizzes:
            quiz = catalog.quiz(quiz_id, "en", "en")
            assert quiz is not None
            await ada.sends(f"/quiz {quiz_id}")
            for question in quiz.questions:
                whole = "\n".join(ada.hears)
                assert question.ask in whole
                assert question.code is None or question.code in whole
                for choice in question.choices:
                    assert choice.text in whole or choice.text in ada.options
                await ada.votes_wrong()
                read = "\n".join(ada.hears)
                for text in texts_of(question, 1) if len(ada.hears) == 1 else []:
                    assert text in read
                await ada.taps_first()
    assert refused(talk) == []

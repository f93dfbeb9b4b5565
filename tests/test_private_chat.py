"""A learner alone with the bot.

Ada: /quiz capitals
Bot: Capitals · 3 questions …
Bot: [quiz poll] What is the capital of France?
Ada: (votes Lyon)
Bot: ❌ Not quite. Lyon is the second city … Right: Paris …   [Next 2/3]
Ada: (taps Next 2/3)
…
Bot: Results: Capitals. Right answers: 2 of 3 …   [Practise what I missed (1)]
"""

from pathlib import Path

import pytest

from bot.commands import COMMANDS
from bot.texts import own_name
from tests.conversation import Learner, Talk, talking

GREETING = (
    "Hello, Ada! I ask questions as polls and explain every answer. Which quiz would you like?"
)
BANK_BUTTONS = [
    "Capitals · easy · 3 questions",
    "Odd forms · 4 questions",
]
OLD_BUTTON = "This button is from an earlier question. Send /quiz to go on."
FRANCE = "What is the capital of France?"
AUSTRALIA = "What is the capital of Australia?"
BRAZIL = "What is the capital of Brazil?"
INTRODUCTION = (
    "Capitals · 3 questions\n\nThree cities that you know.\n\n"
    "Read more: https://example.org/capitals"
)


async def plays_to_the_last_answer(ada: Learner) -> None:
    """Capitals, with the second question wrong."""
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    await ada.taps("Next 2/3")
    await ada.votes("Sydney")
    await ada.taps("Next 3/3")
    await ada.votes("Brasília")


# Beginning


async def test_start_greets_and_offers_the_quizzes(ada: Learner) -> None:
    await ada.sends("/start")
    assert ada.hears == [GREETING]
    assert ada.buttons == BANK_BUTTONS


async def test_start_with_a_quiz_id_begins_that_quiz(ada: Learner) -> None:
    await ada.sends("/start capitals")
    assert ada.hears == [INTRODUCTION, FRANCE]


async def test_quiz_lists_the_quizzes_and_a_button_begins_one(ada: Learner) -> None:
    await ada.sends("/quiz")
    assert ada.hears == ["Which quiz would you like?"]
    await ada.taps(BANK_BUTTONS[0])
    assert ada.hears == [INTRODUCTION, FRANCE]


@pytest.mark.parametrize("text", ["/quiz no-such", "/start no-such", "/start m_12", "/quiz <b>&"])
async def test_an_unknown_quiz_gets_one_line_and_the_list(ada: Learner, text: str) -> None:
    await ada.sends(text)
    assert ada.hears == ["There is no such quiz."]
    assert ada.buttons == BANK_BUTTONS


async def test_a_command_may_name_this_bot_in_any_case(ada: Learner) -> None:
    await ada.sends("/Quiz@QUIZ_tutor_bot capitals")
    assert ada.hears == [INTRODUCTION, FRANCE]


# Questions


async def test_a_question_is_one_quiz_poll_that_shows_its_voters(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz capitals")
    sent = talk.telegram.calls("sendPoll")[-1].parameters
    assert sent["type"] == "quiz"
    assert sent["is_anonymous"] is False
    assert sent["allows_multiple_answers"] is False
    assert sorted(option["text"] for option in sent["options"]) == ["Lyon", "Nice", "Paris"]
    right = [sent["options"][i]["text"] for i in sent["correct_option_ids"]]
    assert right == ["Paris"]
    assert sent["explanation"] == "Paris has been the capital, with pauses, since the year 987."


async def test_code_goes_in_one_message_just_before_its_poll(ada: Learner) -> None:
    await ada.sends("/quiz odd-forms")
    _, before, poll = ada.news
    code = 'for i in range(2):\n    print(i < 1 and "&lt;b&gt;")'
    assert before.text == f"What does this print?\n\n{code}"
    assert [entity["type"] for entity in before.entities] == ["bold", "pre"]
    assert poll.json["poll"]["question"] == "What does this print?"
    assert ada.options == ["&lt;b&gt; and False", "<b> and </b>"]


async def test_a_choice_over_100_characters_makes_letters_of_all(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz odd-forms")
    await ada.votes_right()
    await ada.taps("Next 2/4")
    before, _ = ada.news
    long = (
        "This sentence has so many words in it that it goes well beyond the one hundred "
        "characters of an option."
    )
    asked, listed = before.text.split("\n\n")
    assert asked == "Which sentence is longer than a hundred characters?"
    letters = dict(line.split(". ", 1) for line in listed.split("\n"))
    assert sorted(letters.values()) == sorted([long, "This one."])
    assert ada.hears[1] == "Your answer? (2/4)"
    assert ada.options == ["A", "B"]
    await ada.votes(next(letter for letter, text in letters.items() if text == long))
    assert ada.hears[0].startswith("✅ Right")


async def test_a_question_over_300_characters_stands_before_its_poll(ada: Learner) -> None:
    await ada.sends("/quiz odd-forms")
    await ada.votes_right()
    await ada.taps("Next 2/4")
    await ada.votes_right()
    await ada.taps("Next 3/4")
    before, poll = ada.hears
    assert before.startswith("This question goes on and on")
    assert before.endswith("is it too long?")
    assert poll == "Your answer? (3/4)"
    assert sorted(ada.options) == ["No", "Yes"]


@pytest.mark.parametrize(
    ("picked", "headline"),
    [(("2", "4"), "✅ Right"), (("2",), "❌ Not quite"), (("2", "3", "4"), "❌ Not quite")],
)
async def test_of_several_right_answers_exactly_all_must_be_picked(
    ada: Learner, talk: Talk, picked: tuple[str, ...], headline: str
) -> None:
    await ada.sends("/quiz odd-forms")
    for place in ("2/4", "3/4", "4/4"):
        await ada.votes_right()
        await ada.taps(f"Next {place}")
    assert talk.telegram.calls("sendPoll")[-1].parameters["allows_multiple_answers"] is True
    await ada.votes(*picked)
    assert ada.hears[0].split("\n\n")[0] == headline


# The answer to a vote


async def test_a_right_vote_is_explained_in_a_reply_with_snippet_and_source(ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    (explanation,) = ada.news
    assert explanation.text == (
        "✅ Right\n\n"
        "Paris has been the capital, with pauses, since the year 987.\n\n"
        'print("Paris"[::-1])\n\nIt prints:\n\nsiraP\n\n'
        "Source: Encyclopaedia, article France"
    )
    code = next(entity for entity in explanation.entities if entity["type"] == "pre")
    assert code["language"] == "python"
    assert explanation.reply_to is ada.poll_message
    assert explanation.buttons == ["Next 2/3", "Report a mistake"]


async def test_a_wrong_vote_says_what_the_mistake_confuses_and_what_is_right(ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Lyon")
    assert ada.hears[0].split("\n\n")[:4] == [
        "❌ Not quite",
        "Lyon is the second city by its economy.",
        "Right: Paris",
        "Paris has been the capital, with pauses, since the year 987.",
    ]


async def test_the_first_button_goes_on_and_after_the_last_question_to_the_results(
    ada: Learner,
) -> None:
    await plays_to_the_last_answer(ada)
    assert ada.buttons[0] == "Results"
    await ada.taps_first()
    assert ada.hears == [
        "Results: Capitals\n\n"
        "Right answers: 2 of 3\n\n"
        f"Worth another look:\n• {AUSTRALIA}\n\n"
        "Share this quiz: https://t.me/quiz_tutor_bot?start=capitals"
    ]
    assert ada.buttons == ["Practise what I missed (1)", "Once more", "Other quizzes"]


async def test_results_without_a_mistake_offer_no_practice(ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    for city in ("Paris", "Canberra", "Brasília"):
        await ada.votes(city)
        await ada.taps_first()
    assert "Everything right. Well done!" in ada.hears[0]
    assert ada.buttons == ["Once more", "Other quizzes"]


async def test_practice_asks_what_was_missed_and_only_that(ada: Learner) -> None:
    await plays_to_the_last_answer(ada)
    await ada.taps("Results")
    await ada.taps("Practise what I missed (1)")
    assert ada.hears == ["Practice: 1 question from “Capitals”", AUSTRALIA]
    await ada.votes("Canberra")
    await ada.taps("Results")
    assert "Right answers: 1 of 1" in ada.hears[0]


# Odd votes


async def test_a_second_vote_in_another_poll_of_the_same_question_is_ignored(
    ada: Learner, talk: Talk
) -> None:
    await ada.sends("/quiz capitals")
    first = ada.poll_message
    await ada.sends("/quiz capitals")
    await ada.taps("Go on 1/3")
    assert ada.hears == [FRANCE]
    await ada.votes("Paris", poll=first)
    assert ada.hears[0].startswith("✅ Right")
    assert ada.poll.is_closed  # the copy that was not answered
    await ada.sends("/stats")
    assert "Answers: 1" in ada.hears[0]


async def test_a_vote_in_an_ended_attempt_gets_one_line_and_does_not_count(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.faults.refuse("stopPoll", 400, "Bad Request: message with poll to stop not found")
    await ada.sends("/quiz capitals")
    await ada.sends("/stop")
    await ada.votes("Paris")
    assert ada.hears == ["This quiz was already over, so the vote does not count."]
    await ada.sends("/stats")
    assert ada.hears == ["You have not answered a question yet. Choose a quiz:"]


async def test_an_emptied_vote_is_ignored(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz capitals")
    for option_ids in ([], [7], [-1]):
        talk.telegram.give(
            {
                "poll_answer": {
                    "poll_id": ada.poll.id,
                    "user": ada.person.json,
                    "option_ids": option_ids,
                    "option_persistent_ids": [],
                }
            }
        )
    await ada.votes("Paris")
    assert [text.split("\n")[0] for text in ada.hears] == ["✅ Right"]


async def test_a_strangers_vote_in_a_forwarded_poll_is_ignored(ada: Learner, talk: Talk) -> None:
    bob = talk.learner("Bob")
    await ada.sends("/quiz capitals")
    talk.telegram.forward_poll(ada.person, ada.id, ada.poll_message.id, bob.id)
    shown = talk.telegram.chat(bob.id).messages[-1]
    talk.telegram.vote(bob.person, bob.id, shown.id, [0])
    await talk.settles()
    assert bob.messages == []
    await ada.votes("Paris")
    assert ada.hears[0].startswith("✅ Right")


async def test_a_vote_that_is_delivered_three_times_counts_once(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    assert len(ada.news) == 1
    for _ in range(2):
        talk.telegram.repeat_last_update()
        await talk.settles()
    assert len(ada.news) == 1


# Old and forged buttons


async def test_a_button_pressed_twice_asks_the_next_question_once(ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    explanation = ada.news[0]
    assert (await ada.taps("Next 2/3")).answer is not None
    query = await ada.taps("Next 2/3", on=explanation)
    assert (query.answer.text, query.answer.show_alert) == (OLD_BUTTON, True)  # type: ignore[union-attr]
    assert ada.hears == []


async def test_a_button_of_an_earlier_question_has_no_effect(ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    explanation = ada.news[0]
    await ada.taps("Next 2/3")
    await ada.votes("Canberra")
    query = await ada.taps("Next 2/3", on=explanation)
    assert query.answer is not None
    assert query.answer.text == OLD_BUTTON
    assert ada.hears == []


@pytest.mark.parametrize(
    "data",
    ["", "next:1", "next:99", "resume:1:0", "anew:1:capitals", "practise:1", "x:y:z", "next:١"],
)
async def test_a_forged_button_cannot_act_for_another_learner(
    ada: Learner, talk: Talk, data: str
) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Lyon")
    eve = talk.learner("Eve")
    await eve.sends("/help")
    query = talk.telegram.tap(eve.person, eve.id, eve.messages[-1].id, data)
    await talk.settles()
    assert query.answer is not None
    assert (query.answer.text, query.answer.show_alert) == (OLD_BUTTON, True)
    assert len(eve.messages) == 1
    await ada.taps("Next 2/3")
    assert ada.hears == [AUSTRALIA]


async def test_every_pressed_button_is_answered(ada: Learner, talk: Talk) -> None:
    await plays_to_the_last_answer(ada)
    await ada.taps("Results")
    assert all(query.answer is not None for query in talk.telegram.callbacks.values())


# Stopping, beginning anew


async def test_stop_ends_with_the_results_and_closes_the_open_poll(ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Nice")
    await ada.taps("Next 2/3")
    await ada.sends("/stop")
    assert ada.hears[0].startswith("Results: Capitals\n\nRight answers: 0 of 3")
    assert ada.poll.is_closed
    await ada.sends("/stop")
    assert ada.hears == ["No quiz is running. Choose one:"]


@pytest.mark.parametrize("text", ["/quiz odd-forms", "/start odd-forms", "/quiz"])
async def test_a_quiz_over_an_open_attempt_asks_first(ada: Learner, text: str) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    await ada.sends(text)
    assert ada.hears == ["You are in the middle of “Capitals”, question 2/3."]
    await ada.taps_first()
    assert ada.hears == [AUSTRALIA]


async def test_the_second_button_begins_anew(ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    first = ada.poll
    await ada.sends("/quiz odd-forms")
    assert ada.buttons == ["Go on 1/3", "Begin anew: Odd forms"]
    await ada.taps(ada.buttons[1])
    assert ada.hears[0] == "Odd forms · 4 questions"
    assert first.is_closed


async def test_an_attempt_with_all_answered_is_not_in_the_way_of_a_new_one(ada: Learner) -> None:
    await plays_to_the_last_answer(ada)
    await ada.sends("/quiz capitals")
    assert ada.hears == [INTRODUCTION, FRANCE]


# Language, help, statistics, anything else


async def test_language_offers_the_languages_by_their_own_names(ada: Learner, talk: Talk) -> None:
    await ada.sends("/language")
    assert ada.buttons == [own_name(language) for language in talk.texts.languages]
    assert {"English", "Română", "Русский", "Українська"} <= set(ada.buttons)


async def test_a_chosen_language_wins_outlives_a_restart_and_sets_the_menu(
    ada: Learner, talk: Talk
) -> None:
    await ada.sends("/language uk")
    menu = talk.telegram.commands(ada.person, ada.id)
    words = talk.texts.words("uk")
    assert [command["description"] for command in menu][:2] == [
        words("command-quiz"),
        words("command-stop"),
    ]
    await talk.stop()
    await talk.start()
    talk.telegram.set_language(ada.person, "ro")
    await ada.sends("/quiz capitals")
    assert ada.hears[1] == "Яке місто є столицею Франції?"
    assert "Париж" in ada.options


async def test_an_unknown_language_gets_one_line_and_the_list(ada: Learner, talk: Talk) -> None:
    await ada.sends("/language xx")
    assert ada.hears == ["I don’t speak that language yet. These I do:"]
    assert len(ada.buttons) == len(talk.texts.languages)


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        (None, FRANCE),
        ("", FRANCE),
        ("en_US", FRANCE),
        ("uk", "Яке місто є столицею Франції?"),
        ("uk-UA", "Яке місто є столицею Франції?"),
        ("UK", "Яке місто є столицею Франції?"),
        ("ru", FRANCE),
        ("pt-br", FRANCE),
        ("zh-hans", FRANCE),
        ("sr-latn", FRANCE),
        ("xx", FRANCE),
    ],
)
async def test_any_client_language_gets_a_question(
    talk: Talk, code: str | None, asked: str
) -> None:
    learner = talk.learner("Ada", code)
    await learner.sends("/quiz capitals")
    assert learner.hears[-1] == asked


async def test_the_explanation_comes_in_the_language_chosen_meanwhile(ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    await ada.sends("/language uk")
    await ada.votes("Lyon")
    assert "Ліон є другим містом за економікою." in ada.hears[0]


async def test_help_names_every_command(ada: Learner) -> None:
    await ada.sends("/help")
    for name in COMMANDS:
        assert f"/{name} – " in ada.hears[0]


@pytest.mark.parametrize(
    "text", ["hello", "/nonsense", "/", "/quiz@other_bot", "<b>&amp;", "💣" * 50]
)
async def test_any_other_text_gets_a_hint(ada: Learner, text: str) -> None:
    await ada.sends(text)
    assert ada.hears == [
        "Vote in a poll, or send /quiz to choose a quiz. /help shows what I can do."
    ]


async def test_an_edited_message_is_ignored(ada: Learner, talk: Talk) -> None:
    await ada.sends("/help")
    written = talk.telegram.chat(ada.id).messages[0]
    ada.look()
    talk.telegram.edit(ada.person, ada.id, written.id, "/quiz capitals")
    await talk.settles()
    assert ada.hears == []


async def test_a_forwarded_poll_gets_one_polite_answer(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz capitals")
    ada.look()
    talk.telegram.forward_poll(ada.person, ada.id, ada.poll_message.id, ada.id)
    await talk.settles()
    assert len(ada.hears) == 1
    assert ada.hears[0].startswith("I can’t see the right answer of a forwarded poll")


async def test_the_list_shows_ten_quizzes_a_page(tmp_path: Path) -> None:
    bank = tmp_path / "bank"
    for number in range(12):
        folder = bank / f"quiz-{number:02}"
        folder.mkdir(parents=True)
        (folder / "quiz.yaml").write_text(
            f"language: en\ntitle: A{number:02}\nquestions:\n"
            "  - {id: q, ask: 'Which?', choices: [{text: x, correct: true}, {text: y}]}\n"
        )
    async with talking(tmp_path, bank=bank) as talk:
        ada = talk.learner()
        await ada.sends("/quiz")
        assert len(ada.buttons) == 11
        assert ada.buttons[-1] == "More →"
        await ada.taps("More →")
        assert ada.buttons[-1] == "← Back"
        assert ada.buttons == ["A10 · 1 question", "A11 · 1 question", "← Back"]


async def test_a_name_with_markup_is_shown_as_written(talk: Talk) -> None:
    learner = talk.learner("<b>A&B</b> 👩‍👩‍👧")
    await learner.sends("/start")
    assert learner.hears[0].startswith("Hello, <b>A&B</b> 👩‍👩‍👧!")


async def test_other_chats_than_the_allowed_ones_get_one_polite_line(tmp_path: Path) -> None:
    async with talking(tmp_path, allowed_chats=frozenset({1001})) as talk:
        allowed, other = talk.learner("Ada"), talk.learner("Bob")
        assert allowed.id == 1001
        await other.sends("/quiz capitals")
        assert other.hears == ["I am reserved for certain chats. Please ask the one who runs me."]
        await allowed.sends("/quiz capitals")
        assert allowed.hears == [INTRODUCTION, FRANCE]


async def test_an_update_that_names_no_language_does_not_change_it(talk: Talk) -> None:
    olena = talk.learner("Олена", "uk")
    await olena.sends("/quiz capitals")
    talk.telegram.set_language(olena.person, None)
    await olena.votes("Ліон")
    assert "Ліон є другим містом за економікою." in olena.hears[0]

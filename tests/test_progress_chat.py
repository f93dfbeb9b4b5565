"""A learner's progress in the private chat: numbers, picture, review, reminders, their data.

Ada: /review
Bot: Nothing is due now. The next question comes on 2 March, 09:10. …
(ten minutes later)
Ada: /review
Bot: Review · 1 question
Bot: [quiz poll] What is the capital of Australia?
"""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.progress_messages import bar
from tests.conversation import Learner, Talk, talking

FRANCE = "What is the capital of France?"
AUSTRALIA = "What is the capital of Australia?"


async def answers_capitals(ada: Learner, *picks: str) -> None:
    """The quiz of capitals, with these answers, to its results."""
    await ada.sends("/quiz capitals")
    for pick in picks:
        await ada.votes(pick)
        await ada.taps_first()


@pytest.fixture
async def practised(ada: Learner) -> Learner:
    """Ada, who has answered the three capitals, Australia's wrong."""
    await answers_capitals(ada, "Paris", "Sydney", "Brasília")
    return ada


# In two languages

FIRST_WORDS = {
    "/stats": ("stats-none", {}),
    "/review": ("review-new", {}),
    "/remind": ("remind-choose", {}),
    "/remind off": ("remind-off", {}),
    "/forget": ("forget-ask", {}),
    "/timezone nowhere": ("timezone-unknown", {}),
    "/timezone UTC": ("timezone-chosen", {"zone": "UTC", "time": "09:00"}),
    "/remind 7:30": ("remind-on", {"time": "07:30", "zone": "UTC"}),
}


@pytest.mark.parametrize("language", ["en", "uk"])
@pytest.mark.parametrize("command", FIRST_WORDS)
async def test_each_command_answers_in_the_learners_language(
    talk: Talk, language: str, command: str
) -> None:
    learner = talk.learner("Ada", language)
    await learner.sends("/timezone UTC")
    await learner.sends(command)
    name, values = FIRST_WORDS[command]
    assert learner.hears == [talk.texts.words(language)(name, **values)]


async def test_mydata_comes_with_a_caption_in_ukrainian(talk: Talk) -> None:
    olena = talk.learner("Олена", "uk")
    await olena.sends("/mydata")
    assert olena.hears == [talk.texts.words("uk")("mydata-caption")]


# Numbers


async def test_stats_shows_week_and_all_time_streak_mastery_and_what_is_due(
    practised: Learner,
) -> None:
    await practised.sends("/stats")
    assert practised.hears == [
        "Your progress\n\n"
        "This week\nAnswers: 3\nRight answers: 2\nAccuracy: 67%\n\n"
        "All time\nAnswers: 3\nRight answers: 2\nAccuracy: 67%\n"
        "Attempts: 1\nQuizzes finished: 1\n\n"
        "Streak: 1 day\n\n"
        "Mastery\n\n░░░░░░░░ 0% Capitals\n\n"
        "Nothing is due now."
    ]
    assert practised.buttons == ["As a picture"]


async def test_stats_in_ukrainian(talk: Talk) -> None:
    olena = talk.learner("Олена", "uk")
    await olena.sends("/quiz capitals")
    await olena.votes_right()
    await olena.sends("/stats")
    words = talk.texts.words("uk")
    assert words("stats-answers", number=1) in olena.hears[0]
    assert words("stats-streak", days=1) in olena.hears[0]


async def test_a_week_later_only_all_time_has_the_answers(talk: Talk, practised: Learner) -> None:
    await talk.skips(days=8)
    await practised.sends("/stats")
    week, ever = practised.hears[0].split("\n\n")[1:3]
    assert week == "This week\nAnswers: 0\nRight answers: 0"
    assert "Answers: 3" in ever
    assert "Streak: 0 days\nBest streak: 1 day" in practised.hears[0]


async def test_the_picture_is_a_photo_that_telegram_takes(practised: Learner) -> None:
    await practised.sends("/stats")
    await practised.taps("As a picture")
    (message,) = practised.news
    assert message.file is not None
    assert message.file.content.startswith(b"\x89PNG")
    assert message.file.width == 1080


# Review


async def test_a_new_learners_review_says_what_will_come_and_when(ada: Learner) -> None:
    await ada.sends("/review")
    assert ada.hears[0].startswith("Every question that you answer comes back here")
    assert ada.buttons == ["Other quizzes"]


async def test_review_asks_what_was_answered_wrong_after_ten_minutes(
    talk: Talk, practised: Learner
) -> None:
    await practised.sends("/review")
    assert practised.hears[0].startswith(
        "Nothing is due now. The next question comes on 2 March, 09:10."
    )
    await talk.clock.advance(601)
    await practised.sends("/review")
    assert practised.hears == ["Review · 1 question", AUSTRALIA]
    await practised.votes("Canberra")
    assert practised.hears[0].startswith("✅ Right")
    await practised.taps("Results")
    assert practised.hears[0].startswith("Results: Review\n\nRight answers: 1 of 1")
    await practised.sends("/review")
    assert practised.hears[0].startswith("Nothing is due now.")


async def test_review_asks_from_all_quizzes_most_overdue_first(
    talk: Talk, practised: Learner
) -> None:
    await practised.sends("/quiz odd-forms")
    await practised.votes_wrong()
    await practised.sends("/stop")
    await talk.skips(days=30)
    await practised.sends("/review")
    assert practised.hears[0] == "Review · 4 questions"
    asked = []
    for _ in range(4):
        asked.append(practised.poll_message.json["poll"]["question"])
        await practised.votes_right()
        await practised.taps_first()
    assert sorted(asked[:2]) == sorted([AUSTRALIA, "What does this print?"])
    assert practised.hears[0].startswith("Results: Review\n\nRight answers: 4 of 4")


async def test_a_review_over_an_open_attempt_asks_first(talk: Talk, practised: Learner) -> None:
    await talk.clock.advance(601)
    await practised.sends("/quiz odd-forms")
    await practised.sends("/review")
    assert practised.hears == ["You are in the middle of “Odd forms”, question 1/4."]
    assert practised.buttons == ["Go on 1/4", "Begin anew: Review"]
    await practised.taps("Begin anew: Review")
    assert practised.hears == ["Review · 1 question", AUSTRALIA]


# Time zone


async def test_timezone_offers_likely_zones_and_sets_one(ada: Learner) -> None:
    await ada.sends("/timezone")
    assert ada.hears[0].startswith("Your days are counted in UTC;")
    assert 6 <= len(ada.buttons) <= 10
    await ada.sends("/timezone Europe/Kyiv")
    assert ada.hears == ["From now on your days are counted in Europe/Kyiv. It is 11:00 there."]
    await ada.sends("/timezone kyiv")
    assert ada.hears == ["There is no such time zone. Perhaps one of these?"]
    await ada.taps("Europe/Kyiv")
    assert ada.hears[0].startswith("From now on")


# Reminders


async def test_a_reminder_comes_once_a_day_when_something_is_due(
    talk: Talk, practised: Learner
) -> None:
    await practised.sends("/remind 19:00")
    assert practised.hears == [
        "I will remind you at 19:00 (UTC), when something is due or your streak is at risk."
    ]
    await talk.skips(hours=9.9)
    await talk.clock.advance(600)
    assert len(practised.news) == 1  # practised today already
    await talk.skips(hours=23.8)
    await talk.clock.advance(600)
    assert practised.hears[1:] == ["1 question is due. A few minutes now keep them in memory."]
    await practised.taps("Review what is due")
    assert practised.hears[-1] == AUSTRALIA


async def test_a_streak_at_risk_is_a_reason_to_remind(talk: Talk, ada: Learner) -> None:
    await answers_capitals(ada, "Paris", "Canberra", "Brasília")
    await ada.sends("/remind 19:00")
    await talk.skips(hours=34.1)
    assert ada.hears[1:] == ["Your streak of 1 day ends unless you answer a question today."]


async def test_nothing_due_and_no_streak_means_no_reminder(talk: Talk, ada: Learner) -> None:
    await ada.sends("/remind 19:00")
    for _ in range(5):
        await talk.skips(days=1)
    assert len(ada.news) == 1


@pytest.mark.parametrize("how", ["/remind off", "button"])
async def test_reminders_are_turned_off(talk: Talk, practised: Learner, how: str) -> None:
    await practised.sends("/remind 19:00")
    await practised.sends("/remind")
    if how == "button":
        await practised.taps("No reminders")
    else:
        await practised.sends(how)
    assert practised.hears == ["No more reminders."]
    for _ in range(3):
        await talk.skips(days=1)
    assert len(practised.news) == 1


async def test_a_time_that_is_none_gets_the_choice(ada: Learner) -> None:
    await ada.sends("/remind 25:00")
    assert ada.hears[0].startswith("I did not understand the time.")
    assert ada.buttons == ["08:00", "12:00", "19:00", "21:00", "No reminders"]


async def test_who_blocked_the_bot_is_not_reminded_until_they_come_back(
    talk: Talk, practised: Learner
) -> None:
    bob = talk.learner("Bob")
    await answers_capitals(bob, "Lyon", "Sydney", "Brasília")
    for learner in (practised, bob):
        await learner.sends("/remind 19:00")
    talk.telegram.block(practised.person)
    await talk.settles()
    await talk.skips(hours=34.1)
    assert len(practised.news) == 1
    assert len(bob.news) == 2
    await practised.sends("/start")
    await talk.skips(days=1)
    assert practised.hears[1].startswith("3 questions are due.")


async def test_reminders_keep_to_their_minute_over_thirty_days(talk: Talk, ada: Learner) -> None:
    await answers_capitals(ada, "Lyon", "Sydney", "Rio de Janeiro")
    await ada.sends("/remind 19:00")
    ada.look()
    await talk.skips(hours=9.98)
    await talk.clock.advance(144)
    for _ in range(29):
        await talk.skips(hours=23.96)
        await talk.clock.advance(144)
    minutes = [datetime.fromtimestamp(m.sent_at, UTC).strftime("%H:%M") for m in ada.news]
    assert minutes == ["19:00"] * 29


# Their data


async def test_mydata_sends_all_that_is_stored_as_a_file(practised: Learner) -> None:
    await practised.sends("/mydata")
    (message,) = practised.news
    assert message.file is not None
    stored = json.loads(message.file.content)
    assert stored["learners"][0]["name"] == "Ada"
    assert len(stored["answers"]) == 3
    assert len(stored["memories"]) == 3
    assert message.file.name == "quiz-tutor-data.json"


async def test_forget_asks_and_its_first_button_deletes_everything(practised: Learner) -> None:
    await practised.sends("/forget")
    assert practised.buttons == ["Delete everything", "Keep it"]
    await practised.taps_first()
    assert practised.hears == ["Everything is deleted. When you write to me again, we begin anew."]
    await practised.sends("/stats")
    assert practised.hears == ["You have not answered a question yet. Choose a quiz:"]


async def test_forget_in_the_middle_of_a_quiz_leaves_nothing_stuck(ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    await ada.sends("/forget")
    await ada.taps_first()
    await ada.votes("Paris")
    assert ada.hears == []
    await ada.sends("/quiz capitals")
    assert ada.hears[-1] == FRANCE


# Reports


async def test_a_report_is_kept_and_the_operators_are_told_once(tmp_path: Path) -> None:
    async with talking(tmp_path, operator_ids=(1001,)) as talk:
        operator, ada = talk.learner("Op"), talk.learner("Ada")
        await operator.sends("/help")
        await ada.sends("/quiz capitals")
        await ada.votes("Paris")
        for _ in range(2):
            query = await ada.taps("Report a mistake")
            assert query.answer is not None
            assert query.answer.text.startswith("Thank you!")
        assert operator.hears[1:] == [
            "A learner reports the question capitals/france (en). "
            "`quiz-tutor reports` lists all reports."
        ]


# In a group


@pytest.mark.parametrize("command", ["/review", "/remind", "/timezone", "/mydata", "/forget"])
async def test_in_a_group_ones_own_business_gets_a_link(talk: Talk, command: str) -> None:
    ada = talk.learner("Ada")
    group = talk.telegram.add_group("Class", [ada.person], supergroup=True)
    member = ada.within(group)
    await member.sends(command)
    assert member.hears == ["That is between the two of us: let us talk in private."]
    assert member.buttons == ["Open the private chat"]


async def test_the_link_of_group_stats_shows_ones_own(practised: Learner) -> None:
    await practised.sends("/start stats_")
    assert practised.hears[0].startswith("Your progress")


# Bars


@pytest.mark.parametrize(
    ("share", "width", "expected"),
    [
        (0, 8, "░░░░░░░░"),
        (0.001, 8, "█░░░░░░░"),
        (0.5, 8, "████░░░░"),
        (0.999, 8, "███████░"),
        (1, 8, "████████"),
        (0.5, 2, "█░"),
    ],
)
def test_a_bar_is_full_for_all_and_empty_for_nothing_alone(
    share: float, width: int, expected: str
) -> None:
    assert bar(share, width) == expected


@pytest.mark.parametrize(("share", "width"), [(-0.1, 8), (1.1, 8), (float("nan"), 8), (0.5, 1)])
def test_a_bar_of_what_is_no_share_is_refused(share: float, width: int) -> None:
    with pytest.raises(ValueError, match="No bar of"):
        bar(share, width)

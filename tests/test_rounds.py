"""A round in a group, from the lobby to the results.

Ada: /quiz capitals
Bot: A round of “Capitals” … In (1): Ada      [Join] [10 s … 60 s] [Start]
Bob: (taps Join)
Ada: (taps Start)
Bot: [quiz poll, 30 s] What is the capital of France?
Ada, Bob: (vote)
Bot: Right: Paris. 1 of 2 right. Fastest: Ada (3.0 s). …      [In my language]
…
Bot: Results of “Capitals” 🥇 Ada – 3 of 3 …                  [Rematch]
"""

from pathlib import Path

import pytest

from bot.demo.flood import FloodLimits
from quizzes.catalog import SHIPPED_BANK
from tests.classroom import AUSTRALIA, BRAZIL, FRANCE, Class, first_line, gathered, shown
from tests.conversation import Learner, Talk, talking

NOT_YOURS = "Only who opened the round and admins can do that."
OLD = "This button is out of date. /quiz opens a round."


@pytest.fixture
async def group(talk: Talk) -> Class:
    return await gathered(talk)


# The lobby


async def test_the_lobby_shows_the_quiz_who_is_in_and_its_buttons(group: Class) -> None:
    await group.ada.sends("/quiz capitals")
    assert group.ada.hears == [
        "A round of “Capitals”\n\neasy · 3 questions · 30 s each\n\n"
        "Three cities that you know.\n\nIn (1): Ada"
    ]
    assert group.ada.buttons == ["Join", "10 s", "20 s", "● 30 s", "60 s", "Start"]


async def test_a_startgroup_link_opens_the_lobby(group: Class) -> None:
    await group.ada.sends("/start@quiz_tutor_bot capitals")
    assert first_line(group.ada.hears[0]) == "A round of “Capitals”"


async def test_quiz_in_a_group_offers_the_quizzes_and_a_button_opens_a_lobby(group: Class) -> None:
    await group.bob.sends("/quiz")
    await group.bob.taps(group.bob.buttons[0])
    assert group.talk.texts.words("uk")("lobby-title", quiz="Столиці") in group.bob.hears[0]


async def test_who_joins_is_shown_and_told(group: Class) -> None:
    await group.ada.sends("/quiz capitals")
    query = await group.bob.taps("Join")
    assert query.answer is not None
    assert query.answer.show_alert is False
    assert "In (2): Ada, Bob" in group.ada.messages[0].text
    await group.bob.taps("Join")
    assert "In (2): Ada, Bob" in group.ada.messages[0].text


async def test_the_opener_chooses_the_time_and_the_number_of_questions(tmp_path: Path) -> None:
    async with talking(tmp_path, bank=SHIPPED_BANK) as talk:
        group = await gathered(talk)
        await group.ada.sends("/quiz gradient-clipping")
        await group.ada.taps("10 s")
        await group.ada.taps("5 questions")
        assert "medium · 5 questions · 10 s each" in group.ada.messages[0].text
        await group.ada.taps("Start")
        poll = talk.telegram.calls("sendPoll")[-1].parameters
        assert poll["open_period"] == 10


async def test_others_choose_and_start_nothing_but_admins_do(group: Class) -> None:
    await group.ada.sends("/quiz capitals")
    for button in ("10 s", "Start"):
        query = await group.bob.taps(button)
        assert query.answer is not None
        assert (query.answer.text, query.answer.show_alert) == (group.not_bobs, True)
    await group.teacher.taps("Start")
    assert group.said[-1] == FRANCE


async def test_an_idle_lobby_closes_after_a_quarter_of_an_hour(group: Class) -> None:
    await group.ada.sends("/quiz capitals")
    await group.passes(14 * 60)
    await group.bob.taps("Join")
    await group.passes(14 * 60)
    assert group.ada.buttons != []
    await group.passes(61)
    assert group.said == [
        "A round of “Capitals”\n\neasy · 3 questions · 30 s each\n\n"
        "Three cities that you know.\n\nClosed: nobody started it."
    ]
    await group.ada.sends("/quiz capitals")
    assert first_line(group.ada.hears[0]) == "A round of “Capitals”"


async def test_a_second_quiz_is_answered_with_a_reply_to_the_round_that_runs(group: Class) -> None:
    await group.ada.sends("/quiz capitals")
    await group.bob.sends("/quiz odd-forms")
    (reply,) = group.bob.news
    assert reply.reply_to is group.ada.messages[0]
    await group.ada.taps("Start")
    await group.bob.sends("/quiz odd-forms")
    (reply,) = group.bob.news
    assert reply.reply_to is group.ada.poll_message


async def test_two_quizzes_at_the_same_instant_make_one_round(group: Class) -> None:
    for learner in (group.ada, group.bob):
        group.talk.telegram.send(learner.person, group.group.id, "/quiz capitals")
    await group.talk.settles()
    assert [first_line(text) for text in group.said] == [
        "A round of “Capitals”",
        group.talk.texts.words("uk")("round-running"),
    ]


# Who may open a round


async def test_admins_say_who_may_open_a_round(group: Class) -> None:
    await group.bob.sends("/settings")
    assert group.bob.hears == [group.talk.texts.words("uk")("group-admins-only")]
    await group.teacher.sends("/settings")
    await group.teacher.taps("Only admins")
    await group.ada.sends("/quiz capitals")
    assert group.ada.hears == ["In this group only admins open a round."]
    await group.teacher.sends("/quiz capitals")
    assert first_line(group.teacher.hears[0]) == "A round of “Capitals”"


# Questions


async def test_a_question_closes_early_when_all_who_joined_have_voted(group: Class) -> None:
    await group.begins()
    await group.passes(3)
    await group.ada.votes("Paris")
    assert group.said[-1] == FRANCE
    await group.bob.votes("Lyon")
    assert group.ada.poll.is_closed
    assert group.said[-1].startswith("Right: Paris\n\n1 of 2 right. Fastest: Ada (3.0 s).\n\n")


async def test_a_question_closes_by_the_bots_own_clock(group: Class) -> None:
    await group.begins()
    await group.ada.votes("Paris")
    await group.passes(29.9)
    assert group.said[-1] == FRANCE
    await group.passes(3)
    assert group.said[-1].startswith("Right: Paris\n\n1 of 1 right.")


async def test_the_reveal_is_one_message_with_explanation_and_snippet(group: Class) -> None:
    await group.begins()
    await group.ada.votes("Paris")
    await group.bob.votes("Paris")
    assert len(group.bob.news) == 1
    reveal = group.bob.news[0]
    assert reveal.text == (
        "Right: Paris\n\n2 of 2 right. Fastest: Ada (0.0 s).\n\n"
        "Paris has been the capital, with pauses, since the year 987.\n\n"
        'print("Paris"[::-1])\n\nIt prints:\n\nsiraP\n\n'
        "Source: Encyclopaedia, article France"
    )
    assert reveal.reply_to is group.ada.poll_message
    assert reveal.buttons == ["In my language", "Report a mistake"]


async def test_any_voter_reads_the_explanation_in_their_own_language(group: Class) -> None:
    await group.begins()
    await group.ada.votes("Paris")
    await group.bob.votes("Lyon")
    query = await group.bob.taps("In my language")
    assert query.answer is not None
    assert query.answer.url == "https://t.me/quiz_tutor_bot?start=e_1"
    bob = Learner(group.talk, group.bob.person)
    await bob.sends("/start e_1")
    assert "Ліон є другим містом за економікою." in bob.hears[0]
    assert "Париж із перервами є столицею з 987 року." in bob.hears[0]


async def test_the_explanation_is_not_given_away_before_the_reveal(group: Class) -> None:
    await group.begins()
    bob = Learner(group.talk, group.bob.person)
    await bob.sends("/start e_1")
    assert "Париж" not in bob.hears[0]


async def test_the_group_speaks_the_language_that_an_admin_chose(group: Class) -> None:
    await group.teacher.sends("/language uk")
    await group.ada.sends("/quiz capitals")
    await group.ada.taps_last()
    assert group.said[-1] == "Яке місто є столицею Франції?"


async def test_at_first_the_group_speaks_the_openers_language(group: Class) -> None:
    await group.bob.sends("/quiz capitals")
    await group.bob.taps_last()
    assert group.said[-1] == "Яке місто є столицею Франції?"


async def test_the_next_question_comes_after_a_pause(group: Class) -> None:
    await group.begins()
    await group.ada.votes("Paris")
    await group.bob.votes("Paris")
    await group.passes(4.9)
    assert first_line(group.said[-1]) == "Right: Paris"
    await group.passes(2)
    assert group.said[-1] == AUSTRALIA


# Votes


async def test_everybodys_first_vote_counts_joined_or_not(group: Class) -> None:
    await group.begins()
    await group.teacher.votes("Nice")
    await group.ada.votes("Paris")
    await group.bob.votes("Paris")
    assert "2 of 3 right." in group.said[-1]


async def test_a_vote_after_the_reveal_is_ignored(group: Class) -> None:
    await group.ada.sends("/quiz capitals")
    await group.ada.taps("Start")
    first = group.ada.poll_message
    group.talk.telegram.faults.refuse("stopPoll", 500, "Internal Server Error", times=None)
    await group.ada.votes("Paris")
    await group.passes(4)
    assert first_line(group.said[-1]) == "Right: Paris"
    await group.bob.votes("Paris", poll=first)
    await group.ada.sends("/top")
    assert "Bob" not in group.ada.hears[0]


async def test_doubled_and_emptied_votes_count_once(group: Class) -> None:
    await group.begins()
    await group.ada.votes("Paris")
    for option_ids in ([0], [], [0, 1, 2], [11]):
        group.talk.telegram.give(
            {
                "poll_answer": {
                    "poll_id": group.ada.poll.id,
                    "user": group.ada.person.json,
                    "option_ids": option_ids,
                    "option_persistent_ids": [],
                }
            }
        )
    await group.bob.votes("Paris")
    assert "2 of 2 right." in group.said[-1]


async def test_two_groups_play_at_once_without_mixing(talk: Talk) -> None:
    one, other = await gathered(talk), await gathered(talk)
    await one.begins()
    await other.begins("odd-forms")
    await one.ada.votes("Paris")
    await other.ada.votes("&lt;b&gt; and False")
    await one.bob.votes("Lyon")
    assert first_line(one.said[-1]) == "Right: Paris"
    assert other.said[-1] == "What does this print?"


async def test_fifty_votes_at_the_same_instant_all_count(talk: Talk) -> None:
    crowd = [talk.learner(f"L{number}") for number in range(50)]
    group = talk.telegram.add_group("Crowd", [one.person for one in crowd], supergroup=True)
    members = [one.within(group) for one in crowd]
    await members[0].sends("/quiz capitals")
    await members[0].taps("Start")
    message = members[0].poll_message
    for number, member in enumerate(members[1:], 1):
        talk.telegram.vote(member.person, group.id, message.id, [number % 3])
    await talk.settles()
    await members[0].votes("Paris")
    right = members[0].options.index("Paris")
    expected = 1 + sum(number % 3 == right for number in range(1, 50))
    assert f"{expected} of 50 right." in shown(members[0].messages[-1])


# Pausing, skipping, stopping


async def test_two_silent_questions_pause_the_round_until_somebody_resumes(group: Class) -> None:
    await group.begins()
    await group.passes(33)
    await group.passes(10)
    assert group.said[-1] == AUSTRALIA
    await group.passes(33)
    assert group.said[-1] == "Nobody has voted for a while, so the round is paused."
    await group.passes(600)
    assert len([text for text in group.said if text == BRAZIL]) == 0
    await group.bob.taps("Go on 3/3")
    assert group.said[-1] == BRAZIL


async def test_a_stranger_to_the_round_does_not_resume_it(group: Class) -> None:
    await group.begins()
    eve = group.talk.learner("Eve").within(group.group)
    group.group.statuses[eve.id] = "member"
    await group.ada.sends("/pause")
    await group.passes(33)
    query = await eve.taps("Go on 2/3")
    assert query.answer is not None
    assert query.answer.text == NOT_YOURS


async def test_a_paused_round_ends_after_a_day(group: Class) -> None:
    await group.begins()
    await group.ada.votes("Paris")
    await group.ada.sends("/pause")
    assert group.ada.hears == ["I will pause after this question."]
    await group.bob.votes("Paris")
    assert group.said[-1] == "The round is paused."
    await group.passes(24 * 3600 + 1)
    assert first_line(group.said[-1]) == "Results of “Capitals”"


async def test_skip_reveals_at_once(group: Class) -> None:
    await group.begins()
    await group.ada.sends("/skip")
    assert first_line(group.said[-1]) == "Right: Paris"
    await group.ada.sends("/skip")
    assert group.said[-1] == AUSTRALIA


@pytest.mark.parametrize("command", ["/stop", "/skip", "/pause"])
async def test_only_the_opener_and_admins_steer(group: Class, command: str) -> None:
    await group.begins()
    await group.bob.sends(command)
    assert group.bob.hears == [group.not_bobs]
    await group.teacher.sends(command)
    assert group.teacher.hears[-1] != NOT_YOURS


async def test_stop_ends_with_the_results_so_far(group: Class) -> None:
    await group.begins()
    await group.ada.votes("Paris")
    await group.ada.sends("/stop")
    assert group.said[-1].startswith("Results of “Capitals”\n\n🥇 Ada – 1 of")
    assert group.ada.poll.is_closed
    await group.passes(120)
    assert first_line(group.said[-1]) == "Results of “Capitals”"
    await group.ada.sends("/quiz capitals")
    assert first_line(group.ada.hears[0]) == "A round of “Capitals”"


async def test_stop_in_the_pause_between_questions_leaves_no_orphan(group: Class) -> None:
    await group.begins()
    await group.ada.votes("Paris")
    await group.bob.votes("Paris")
    await group.ada.sends("/stop")
    await group.passes(300)
    assert first_line(group.said[-1]) == "Results of “Capitals”"
    assert AUSTRALIA not in group.said


# Results


async def plays_all(group: Class) -> None:
    """Ada answers all right after a second, Bob only the first, and later."""
    await group.begins()
    for number, city in enumerate(("Paris", "Canberra", "Brasília")):
        await group.passes(1)
        await group.ada.votes(city)
        await group.passes(1)
        if number == 0:
            await group.bob.votes_right()
        else:
            await group.bob.votes_wrong()
        await group.passes(5)


async def test_the_results_rank_by_right_answers_and_time(group: Class) -> None:
    await plays_all(group)
    assert group.said[-1] == (
        "Results of “Capitals”\n\n🥇 Ada – 3 of 3, 3.0 s\n🥈 Bob – 1 of 3, 2.0 s\n\n"
        f"Hardest: {AUSTRALIA}"
    )
    assert group.ada.buttons == ["Rematch"]


async def test_a_rematch_opens_a_lobby_for_the_same_quiz(group: Class) -> None:
    await plays_all(group)
    await group.bob.taps("Rematch")
    assert group.talk.texts.words("uk")("lobby-title", quiz="Столиці") in group.bob.hears[0]


async def test_top_shows_this_week_and_all_time(group: Class) -> None:
    await group.ada.sends("/top")
    assert group.ada.hears == ["Nobody has played a round here yet. /quiz opens one."]
    await plays_all(group)
    await group.ada.sends("/top")
    table = "1. Ada – 3 right of 3\n2. Bob – 1 right of 3"
    assert group.ada.hears == [f"This week\n\n{table}\n\nAll time\n\n{table}"]
    await group.talk.skips(days=8)
    await group.ada.sends("/top")
    assert group.ada.hears == [f"All time\n\n{table}"]


async def test_answers_in_a_group_count_in_ones_own_progress(group: Class) -> None:
    await plays_all(group)
    ada = Learner(group.talk, group.ada.person)
    await ada.sends("/stats")
    assert "Answers: 3\nRight answers: 3" in ada.hears[0]


async def test_names_are_shown_as_written_and_break_nothing(talk: Talk) -> None:
    names = ["<b>", "a_b*[c", " ", "אדא", "👩‍👩‍👧" * 64, "x\u202ey\nz", "&amp;"]
    people = [talk.learner(name) for name in names]
    group = talk.telegram.add_group("Names", [one.person for one in people], supergroup=True)
    members = [one.within(group) for one in people]
    await members[0].sends("/quiz capitals")
    for member in members[1:]:
        await member.taps("Join")
    await members[0].taps("Start")
    for member in members:
        await member.votes("Paris")
    await members[0].sends("/stop")
    table = shown(members[0].messages[-1])
    assert "🥇 <b> – 1 of 1" in table
    assert "a_b*[c" in table
    assert "(no name)" in table
    assert "\u2068אדא\u2069" in table
    assert "👩‍👩‍👧" * 23 + "…" in table
    assert "x y z" in table
    assert "&amp;" in table
    refused = [r for r in talk.telegram.requests if r.response and not r.response["ok"]]
    assert refused == []


async def test_a_long_table_has_a_button_for_everybodys_place(talk: Talk) -> None:
    crowd = [talk.learner(f"L{number}") for number in range(12)]
    group = talk.telegram.add_group("Crowd", [one.person for one in crowd], supergroup=True)
    members = [one.within(group) for one in crowd]
    await members[0].sends("/quiz capitals")
    await members[0].taps("Start")
    for member in members[1:]:
        await member.votes("Paris")
    await members[0].sends("/stop")
    assert len(shown(members[0].messages[-1]).split("\n\n")[1].split("\n")) == 10
    await members[0].taps("All 11 places")
    assert len(members[0].hears[0].split("\n")) == 11
    query = await members[1].taps("All 11 places")
    assert query.answer is not None
    assert query.answer.text == OLD


# Topics


async def test_each_topic_of_a_forum_is_a_chat_of_its_own(talk: Talk) -> None:
    ada = talk.learner("Ada")
    forum = talk.telegram.add_group("Forum", [ada.person], forum=True)
    first, second, general = ada.within(forum, 7), ada.within(forum, 8), ada.within(forum)
    await first.sends("/quiz capitals")
    await second.sends("/quiz odd-forms")
    await general.sends("/quiz capitals")
    await first.taps("Start")
    await general.taps("Start")
    assert shown(first.messages[-1]) == FRANCE
    assert first_line(shown(second.messages[-1])).startswith("A round of “Odd forms”")
    assert shown(general.messages[-1]) == FRANCE
    await first.votes("Paris")
    assert first_line(shown(first.messages[-1])) == "Right: Paris"
    assert shown(general.messages[-1]) == FRANCE


# Plain talk


@pytest.mark.parametrize("text", ["hello", "/nonsense", "/quiz@another_bot", "//", "quiz"])
async def test_plain_talk_and_unknown_commands_get_no_reply(tmp_path: Path, text: str) -> None:
    async with talking(tmp_path) as talk:
        group = await gathered(talk, hears_everything=True)
        for _ in range(20):
            await group.ada.sends(text)
        assert group.said == []


async def test_stats_in_a_group_answers_there_and_links_to_the_private_chat(group: Class) -> None:
    await plays_all(group)
    await group.ada.sends("/stats")
    assert group.ada.hears == ["In this group’s rounds: 2 members, 6 answers, 4 right."]
    (button,) = group.ada.news[0].keyboard[0]  # type: ignore[index]
    assert button["url"] == "https://t.me/quiz_tutor_bot?start=stats_"


# Pace


async def test_a_fast_round_never_needs_more_than_telegram_takes(tmp_path: Path) -> None:
    async with talking(
        tmp_path, bank=SHIPPED_BANK, flood=FloodLimits(), messages_per_second=30
    ) as talk:
        group = await gathered(talk)
        await group.ada.sends("/quiz gradient-clipping")
        await group.ada.taps("Start")
        for _ in range(8):
            await group.ada.votes_right()
            await group.passes(8)
        await group.passes(30)
        assert first_line(group.said[-1]) == "Results of “Gradient clipping”"
        assert {r.response["ok"] for r in talk.telegram.requests if r.response} == {True}


# Crashes


async def test_a_round_goes_on_after_a_crash_at_any_stage(group: Class) -> None:
    await group.ada.sends("/quiz capitals")
    for step in range(3):
        await group.talk.crashes()
        await group.talk.start()
        if step == 0:
            await group.ada.taps("Start")
        await group.ada.votes_right()
        await group.talk.crashes()
        await group.passes(3)
        await group.talk.start()
        await group.passes(12)
    assert first_line(group.said[-1]) == "Results of “Capitals”"
    assert "🥇 Ada – 3 of 3" in group.said[-1]


async def test_a_deadline_that_passed_while_the_bot_was_down_is_met_at_the_start(
    group: Class,
) -> None:
    await group.begins()
    await group.talk.crashes()
    await group.passes(45)
    await group.talk.start()
    await group.passes(3)
    assert first_line(group.said[-1]) == "Right: Paris"


async def test_a_doubtful_question_without_votes_is_asked_once_more(group: Class) -> None:
    group.talk.telegram.faults.cut("sendPoll")
    await group.begins()
    assert FRANCE not in group.said
    await group.passes(31)
    assert group.said[-1] == FRANCE
    await group.ada.votes("Paris")
    await group.bob.votes("Paris")
    await group.passes(1)
    assert first_line(group.said[-1]) == "Right: Paris"


async def test_votes_in_the_first_of_two_sends_count_until_the_reveal(group: Class) -> None:
    await group.ada.sends("/quiz capitals")
    await group.bob.taps("Join")
    group.talk.telegram.faults.drop("sendPoll")
    group.hears_nothing_for_31_seconds()
    await group.ada.taps("Start")
    await group.bob.votes("Paris")
    await group.passes(30.5)
    assert group.said[-2:] == [FRANCE, FRANCE]
    await group.ada.votes("Lyon")
    await group.passes(2)
    assert "1 of 2 right. Fastest: Bob" in group.said[-1]


async def test_a_vote_in_a_doubtful_question_may_still_come_when_its_time_is_over(
    group: Class,
) -> None:
    group.talk.telegram.faults.drop("sendPoll", times=2)
    await group.begins()
    await group.passes(29.5)
    group.hears_nothing_for_31_seconds()
    await group.teacher.sends("/help")
    await group.passes(1)
    assert group.said[-1] == FRANCE
    await group.bob.votes("Lyon")
    await group.passes(32)
    assert "0 of 1 right." in group.said[-1]


async def test_a_doubtful_question_proved_by_votes_goes_its_way(group: Class) -> None:
    group.talk.telegram.faults.drop("sendPoll")
    await group.begins()
    await group.ada.votes("Paris")
    await group.bob.votes("Lyon")
    await group.passes(2.1)
    assert "1 of 2 right." in group.said[-1]
    assert group.said.count(FRANCE) == 1

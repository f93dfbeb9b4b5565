"""Groups: what they chose, who their admins are, their table, and becoming a supergroup."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from quizzes.attempt import QuestionRef
from storage.groups import ADMINS_TRUSTED, Group, Score, week_of
from storage.outbox import Letter
from storage.store import Store
from tests.clock import START

ADA, BOB, CLEO = 1, 2, 3
GROUP, SUPERGROUP = -100, -1001234567890
MOMENT = timedelta(milliseconds=1)
WEEK = timedelta(weeks=1)
TABLES = ("groups", "admins", "scores", "rounds", "polls", "outbox", "named_messages")


@pytest.fixture(autouse=True)
def _learners(store: Store) -> None:
    for learner_id, name in ((ADA, "Ada"), (BOB, "Bob"), (CLEO, "Cleo")):
        store.learners.meet(learner_id, name, "en", START)


def count(
    store: Store,
    learner_id: int,
    milliseconds: int,
    *,
    right: bool = True,
    chat_id: int = GROUP,
    now: datetime = START,
) -> None:
    store.groups.count_answer(chat_id, learner_id, right, milliseconds, now)


def left_at(store: Store, chat_id: int) -> list[str]:
    """The tables that still have rows of a chat."""
    return [
        table
        for table in TABLES
        if store._raw.execute(f"SELECT 1 FROM {table} WHERE chat_id = ?", (chat_id,)).fetchone()
    ]


def test_a_group_that_has_chosen_nothing_has_the_usual_choices(store: Store) -> None:
    assert store.groups.get(GROUP) == Group(GROUP, language=None, openers="all")


def test_a_groups_choices_are_independent_and_the_last_one_holds(store: Store) -> None:
    store.groups.choose_language(GROUP, "uk")
    assert store.groups.get(GROUP) == Group(GROUP, "uk", "all")
    store.groups.choose_openers(GROUP, "admins")
    store.groups.choose_language(GROUP, "pt-BR")
    assert store.groups.get(GROUP) == Group(GROUP, "pt-BR", "admins")
    store.groups.choose_openers(GROUP, "all")
    assert store.groups.get(GROUP) == Group(GROUP, "pt-BR", "all")
    assert store.groups.get(SUPERGROUP) == Group(SUPERGROUP)


def test_openers_can_be_chosen_before_a_language(store: Store) -> None:
    store.groups.choose_openers(GROUP, "admins")
    assert store.groups.get(GROUP) == Group(GROUP, None, "admins")


def test_admins_are_trusted_for_a_minute(store: Store) -> None:
    assert store.groups.admins(GROUP, START) is None
    store.groups.keep_admins(GROUP, [ADA, 2**52 - 1], START)
    assert timedelta(seconds=60) == ADMINS_TRUSTED
    assert store.groups.admins(GROUP, START + ADMINS_TRUSTED) == frozenset({ADA, 2**52 - 1})
    assert store.groups.admins(GROUP, START + ADMINS_TRUSTED + MOMENT) is None
    assert store.groups.admins(SUPERGROUP, START) is None


def test_a_new_list_of_admins_replaces_the_old_one(store: Store) -> None:
    store.groups.keep_admins(GROUP, [ADA], START)
    store.groups.keep_admins(GROUP, [BOB], START + ADMINS_TRUSTED)
    assert store.groups.admins(GROUP, START + ADMINS_TRUSTED + MOMENT) == frozenset({BOB})


def test_a_chat_without_admins_is_known_to_have_none(store: Store) -> None:
    store.groups.keep_admins(GROUP, [], START)
    assert store.groups.admins(GROUP, START) == frozenset()


@pytest.mark.parametrize(
    ("moment", "week"),
    [
        (datetime(2026, 3, 2, 0, 0, tzinfo=UTC), "2026-03-02"),
        (datetime(2026, 3, 8, 23, 59, 59, 999999, tzinfo=UTC), "2026-03-02"),
        (datetime(2026, 3, 9, 0, 0, tzinfo=UTC), "2026-03-09"),
        # A year's first days belong to the week that began in the old one.
        (datetime(2026, 12, 31, 12, 0, tzinfo=UTC), "2026-12-28"),
        (datetime(2027, 1, 1, 12, 0, tzinfo=UTC), "2026-12-28"),
        (datetime(2027, 1, 3, 12, 0, tzinfo=UTC), "2026-12-28"),
        (datetime(2027, 1, 4, 12, 0, tzinfo=UTC), "2027-01-04"),
        # 2024 began on a Monday.
        (datetime(2023, 12, 31, 23, 59, tzinfo=UTC), "2023-12-25"),
        (datetime(2024, 1, 1, 0, 0, tzinfo=UTC), "2024-01-01"),
        # Monday in Kyiv, still Sunday in UTC.
        (datetime(2026, 3, 9, 1, 0, tzinfo=timezone(timedelta(hours=2))), "2026-03-02"),
    ],
)
def test_a_week_is_named_by_its_monday_in_utc(moment: datetime, week: str) -> None:
    assert week_of(moment) == week


def test_a_member_who_never_answered_in_a_round_is_not_in_the_table(store: Store) -> None:
    assert store.groups.scores(GROUP, 10) == []
    assert store.groups.totals(GROUP) == (0, 0, 0)


def test_answers_add_up_and_only_right_ones_take_time(store: Store) -> None:
    count(store, ADA, 1500)
    count(store, ADA, 9000, right=False)
    count(store, ADA, 250)
    assert store.groups.scores(GROUP, 10) == [Score(ADA, answers=3, right=2, right_seconds=1.75)]


def test_a_table_is_by_right_answers_then_by_time_then_by_learner(store: Store) -> None:
    for learner_id in (CLEO, BOB, ADA):
        count(store, learner_id, 1000)
    count(store, CLEO, 60_000)
    count(store, BOB, 1, right=False)
    count(store, ADA, 0, right=False)
    assert store.groups.scores(GROUP, 10) == [
        Score(CLEO, 2, 2, 61.0),
        Score(ADA, 2, 1, 1.0),
        Score(BOB, 2, 1, 1.0),
    ]
    count(store, BOB, 1)
    count(store, ADA, 2)
    assert [score.learner_id for score in store.groups.scores(GROUP, 2)] == [BOB, ADA]


def test_a_week_has_a_table_of_its_own_and_all_weeks_have_one_together(store: Store) -> None:
    silvester, new_year = datetime(2026, 12, 31, 23, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    count(store, ADA, 1000, now=silvester)
    count(store, ADA, 1000, now=new_year)
    count(store, BOB, 500, now=new_year)
    count(store, BOB, 500, now=new_year + WEEK)
    assert store.groups.scores(GROUP, 10, week_of(new_year)) == [
        Score(ADA, 2, 2, 2.0),
        Score(BOB, 1, 1, 0.5),
    ]
    assert store.groups.scores(GROUP, 10, week_of(new_year + WEEK)) == [Score(BOB, 1, 1, 0.5)]
    assert store.groups.scores(GROUP, 10, week_of(new_year - WEEK)) == []
    assert store.groups.scores(GROUP, 10) == [Score(BOB, 2, 2, 1.0), Score(ADA, 2, 2, 2.0)]


def test_totals_count_each_member_once_and_every_answer(store: Store) -> None:
    count(store, ADA, 1000)
    count(store, ADA, 1000, right=False, now=START + WEEK)
    count(store, BOB, 1000)
    assert store.groups.totals(GROUP) == (2, 3, 2)


def test_groups_have_tables_of_their_own(store: Store) -> None:
    count(store, ADA, 1000)
    count(store, BOB, 2000, chat_id=SUPERGROUP)
    assert store.groups.scores(GROUP, 10) == [Score(ADA, 1, 1, 1.0)]
    assert store.groups.scores(SUPERGROUP, 10) == [Score(BOB, 1, 1, 2.0)]
    assert store.groups.totals(SUPERGROUP) == (1, 1, 1)


def test_a_forgotten_learner_is_in_no_table(store: Store) -> None:
    count(store, ADA, 1000)
    count(store, BOB, 1000)
    store._raw.execute("DELETE FROM learners WHERE id = ?", (ADA,))
    assert store.groups.totals(GROUP) == (1, 1, 1)


def test_choices_and_table_of_a_group_move_with_it(store: Store) -> None:
    store.groups.choose_language(GROUP, "uk")
    store.groups.choose_openers(GROUP, "admins")
    store.groups.choose_language(-200, "ro")
    count(store, ADA, 1000)
    count(store, BOB, 2000, chat_id=-200)
    store.groups.move_chat(GROUP, SUPERGROUP)
    assert store.groups.get(SUPERGROUP) == Group(SUPERGROUP, "uk", "admins")
    assert store.groups.scores(SUPERGROUP, 10) == [Score(ADA, 1, 1, 1.0)]
    assert store.groups.get(-200) == Group(-200, "ro")
    assert store.groups.totals(-200) == (1, 1, 1)
    assert left_at(store, GROUP) == []


def test_the_admins_of_a_group_that_moves_are_asked_for_anew(store: Store) -> None:
    store.groups.keep_admins(GROUP, [ADA], START)
    store.groups.move_chat(GROUP, SUPERGROUP)
    assert store.groups.admins(SUPERGROUP, START) is None
    assert left_at(store, GROUP) == []


def test_the_admins_known_at_the_new_id_stay_known(store: Store) -> None:
    store.groups.keep_admins(GROUP, [ADA], START)
    store.groups.keep_admins(SUPERGROUP, [BOB], START)
    store.groups.move_chat(GROUP, SUPERGROUP)
    assert store.groups.admins(SUPERGROUP, START) == frozenset({BOB})


def test_what_was_chosen_at_the_new_id_already_wins(store: Store) -> None:
    store.groups.choose_language(GROUP, "uk")
    store.groups.choose_openers(GROUP, "admins")
    store.groups.choose_language(SUPERGROUP, "ro")
    store.groups.move_chat(GROUP, SUPERGROUP)
    assert store.groups.get(SUPERGROUP) == Group(SUPERGROUP, "ro", "all")
    assert left_at(store, GROUP) == []


def test_a_language_that_was_chosen_only_at_the_old_id_is_still_spoken(store: Store) -> None:
    store.groups.choose_language(GROUP, "uk")
    store.groups.choose_openers(SUPERGROUP, "admins")
    store.groups.move_chat(GROUP, SUPERGROUP)
    assert store.groups.get(SUPERGROUP) == Group(SUPERGROUP, "uk", "admins")


def test_the_tables_of_both_ids_add_up_week_by_week(store: Store) -> None:
    count(store, ADA, 1000)
    count(store, ADA, 1000, right=False)
    count(store, ADA, 400, now=START + WEEK)
    count(store, BOB, 700)
    count(store, ADA, 500, chat_id=SUPERGROUP)
    count(store, CLEO, 300, chat_id=SUPERGROUP, right=False)
    store.groups.move_chat(GROUP, SUPERGROUP)
    assert store.groups.scores(SUPERGROUP, 10, week_of(START)) == [
        Score(ADA, 3, 2, 1.5),
        Score(BOB, 1, 1, 0.7),
        Score(CLEO, 1, 0, 0.0),
    ]
    assert store.groups.scores(SUPERGROUP, 10, week_of(START + WEEK)) == [Score(ADA, 1, 1, 0.4)]
    assert store.groups.totals(SUPERGROUP) == (3, 6, 4)
    assert left_at(store, GROUP) == []


def running_group(store: Store) -> int:
    """A group in the middle of a question, with all that can be stored of it; the round's id."""
    france, spain = QuestionRef("capitals", "france"), QuestionRef("capitals", "spain")
    store.groups.choose_language(GROUP, "uk")
    store.groups.keep_admins(GROUP, [ADA], START)
    current = store.rounds.open(GROUP, None, "capitals", "uk", ADA, 30, [france, spain], START)
    store.rounds.join(current.id, ADA, START)
    store.named_messages.put("lobby 1", GROUP, 31)
    polls = [
        store.polls.add(
            GROUP, question, "uk", "p", [0, 1], [0], START, round_id=current.id, open_seconds=30
        )
        for question in (france, spain)
    ]
    store.polls.asked(polls[0], "5001", 32, START)
    store.answers.add(polls[0], ADA, [0], True, START + timedelta(seconds=2))
    count(store, ADA, 2000)
    store.rounds.count_revealed(current.id, 1)
    store.rounds.set_status(current.id, "asking")
    params = {"chat_id": GROUP, "question": "Spain?", "options": [{"text": "a"}, {"text": "b"}]}
    store.outbox.add(GROUP, "sendPoll", params, poll_id=polls[1])
    change = {"chat_id": GROUP, "text": "Begun"}
    store.outbox.add(GROUP, "editMessageText", change, message_name="lobby 1")
    return current.id


def letters(store: Store) -> list[tuple[str, int, int, int | None]]:
    def shown(letter: Letter) -> tuple[str, int, int, int | None]:
        return letter.method, letter.chat_id, letter.params["chat_id"], letter.poll_id

    return [shown(letter) for letter in (*store.outbox.in_flight(), *store.outbox.waiting())]


@pytest.mark.parametrize("times", [1, 2])  # by the message that says so and by a refused send
def test_a_group_that_becomes_a_supergroup_goes_on_with_its_round(store: Store, times: int) -> None:
    round_id = running_group(store)
    store.outbox.claim([1], START)
    for _ in range(times):
        store.move_chat(GROUP, SUPERGROUP)
    current = store.rounds.running(SUPERGROUP, None)
    assert current is not None
    assert (current.id, current.status, current.place) == (round_id, "asking", "2/2")
    assert store.rounds.joined(round_id) == [ADA]
    assert [(vote.learner_id, vote.seconds) for vote in store.rounds.votes(round_id)] == [
        (ADA, 2.0)
    ]
    polls = store.polls.of_round(round_id)
    assert [(poll.chat_id, poll.message_id) for poll in polls] == [(SUPERGROUP, None)] * 2
    assert letters(store) == [
        ("sendPoll", SUPERGROUP, SUPERGROUP, polls[1].id),
        ("editMessageText", SUPERGROUP, SUPERGROUP, None),
    ]
    assert [send.chat_id for send in store.polls.unknown_sends()] == [SUPERGROUP]
    assert store.groups.get(SUPERGROUP) == Group(SUPERGROUP, "uk")
    assert store.groups.scores(SUPERGROUP, 10) == [Score(ADA, 1, 1, 2.0)]
    assert store.named_messages.message_id("lobby 1") is None
    assert left_at(store, GROUP) == []


def test_a_vote_still_finds_its_poll_when_its_group_has_moved(store: Store) -> None:
    running_group(store)
    store.move_chat(GROUP, SUPERGROUP)
    poll = store.polls.by_telegram_id("5001")
    assert poll is not None
    assert (poll.chat_id, poll.asked_at) == (SUPERGROUP, START)


def test_every_table_that_names_a_chat_moves_with_it(store: Store) -> None:
    rows = store._raw.execute(
        "SELECT t.name FROM pragma_table_list t, pragma_table_info(t.name) c"
        " WHERE t.schema = 'main' AND c.name = 'chat_id'"
    )
    assert {name for (name,) in rows} == set(TABLES)

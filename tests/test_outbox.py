"""The outbox: what was decided to be said, until Telegram has it."""

from datetime import timedelta

from quizzes.attempt import QuestionRef
from storage.outbox import Letter, Priority
from storage.store import Store
from tests.clock import START

ADA, BOB, GROUP, SUPERGROUP = 1, 2, -100, -1001234567890


def say(store: Store, chat_id: int, text: str, poll_id: int | None = None) -> int:
    """Decide to say something; the letter's id."""
    params = {"chat_id": chat_id, "text": text}
    store.outbox.add(chat_id, "sendMessage", params, poll_id=poll_id)
    return store.outbox.added[-1].id


def texts(letters: list[Letter]) -> list[str]:
    return [letter.params["text"] for letter in letters]


def a_poll(store: Store) -> int:
    store.learners.meet(ADA, "Ada", "en", START)
    question = QuestionRef("capitals", "france")
    attempt = store.attempts.running(ADA) or store.attempts.start(
        ADA, "quiz", "capitals", [question], START
    )
    return store.polls.add(ADA, question, "en", "print", [0, 1], [0], START, attempt_id=attempt.id)


def test_a_letter_comes_out_as_it_went_in(store: Store) -> None:
    poll_id = a_poll(store)
    params = {"chat_id": SUPERGROUP, "text": 'Ж 🧠 "quoted" \n', "options": [{"text": "\x00"}]}
    store.outbox.add(
        SUPERGROUP,
        "sendPoll",
        params,
        priority=Priority.REMINDER,
        poll_id=poll_id,
        message_name="lobby 1",
    )
    letter = Letter(1, SUPERGROUP, Priority.REMINDER, "sendPoll", params, poll_id, "lobby 1")
    assert store.outbox.waiting() == [letter]
    assert store.outbox.added == [letter]


def test_letters_wait_in_the_order_in_which_they_were_decided(store: Store) -> None:
    for chat_id, text in ((ADA, "1"), (BOB, "2"), (ADA, "3")):
        say(store, chat_id, text)
    assert texts(store.outbox.waiting()) == ["1", "2", "3"]


def test_a_claimed_letter_waits_no_more_and_is_in_flight_after_a_crash(store: Store) -> None:
    first, _ = say(store, ADA, "1"), say(store, ADA, "2")
    assert store.outbox.claim([first], START) == {first}
    assert texts(store.outbox.waiting()) == ["2"]
    assert texts(store.outbox.in_flight()) == ["1"]


def test_what_was_taken_back_or_claimed_already_can_not_be_claimed(store: Store) -> None:
    gone, taken, free = (say(store, ADA, text) for text in "123")
    store.outbox.remove(gone)
    store.outbox.claim([taken], START)
    assert store.outbox.claim([gone, taken, free], START) == {free}


def test_a_letter_that_telegram_has_is_gone(store: Store) -> None:
    letter_id = say(store, ADA, "1")
    store.outbox.claim([letter_id], START)
    store.outbox.remove(letter_id)
    assert (store.outbox.waiting(), store.outbox.in_flight()) == ([], [])


def test_a_letter_of_unknown_fate_neither_waits_nor_flies(store: Store) -> None:
    letter_id = say(store, ADA, "1")
    store.outbox.claim([letter_id], START)
    store.outbox.doubt(letter_id)
    assert (store.outbox.waiting(), store.outbox.in_flight()) == ([], [])


def test_a_letter_that_is_put_back_keeps_its_place_and_counts_its_doubts(store: Store) -> None:
    first, _ = say(store, ADA, "1"), say(store, ADA, "2")
    later = START + timedelta(seconds=3)
    store.outbox.claim([first], START)
    store.outbox.put_back(first, doubted=True)
    store.outbox.claim([first], START)
    store.outbox.put_back(first, not_before=later)
    letters = [
        (letter.params["text"], letter.doubts, letter.not_before)
        for letter in store.outbox.waiting()
    ]
    always = store.outbox.added[1].not_before
    assert letters == [("1", 1, later), ("2", 0, always)]


def test_a_chat_that_moves_takes_all_its_letters_along(store: Store) -> None:
    for chat_id, text in ((GROUP, "Привіт 🧠"), (ADA, "hers"), (GROUP, "in flight")):
        say(store, chat_id, text)
    store.outbox.claim([3], START)
    store.move_chat(GROUP, SUPERGROUP)
    letters = [*store.outbox.waiting(), *store.outbox.in_flight()]
    assert [(letter.chat_id, letter.params) for letter in letters] == [
        (SUPERGROUP, {"chat_id": SUPERGROUP, "text": "Привіт 🧠"}),
        (ADA, {"chat_id": ADA, "text": "hers"}),
        (SUPERGROUP, {"chat_id": SUPERGROUP, "text": "in flight"}),
    ]


def test_a_letter_goes_to_another_address_with_the_same_words() -> None:
    letter = Letter(1, GROUP, Priority.REPLY, "sendMessage", {"chat_id": GROUP, "text": "Hi"})
    assert letter.readdressed(SUPERGROUP) == Letter(
        1, SUPERGROUP, Priority.REPLY, "sendMessage", {"chat_id": SUPERGROUP, "text": "Hi"}
    )


def test_a_reply_that_moves_replies_to_nothing_as_that_message_has_another_id_there(
    store: Store,
) -> None:
    reply = {"message_id": 7, "allow_sending_without_reply": True}
    store.outbox.add(GROUP, "sendMessage", {"chat_id": GROUP, "reply_parameters": reply})
    (letter,) = store.outbox.waiting()
    store.outbox.move_chat(GROUP, SUPERGROUP)
    assert store.outbox.waiting() == [letter.readdressed(SUPERGROUP)]
    assert letter.readdressed(SUPERGROUP).params == {"chat_id": SUPERGROUP}


def test_a_lost_chats_letters_are_taken_back_but_for_what_may_have_been_sent(store: Store) -> None:
    flying, doubtful, _ = (say(store, ADA, text) for text in "123")
    say(store, BOB, "his")
    store.outbox.claim([flying, doubtful], START)
    store.outbox.doubt(doubtful)
    store.outbox.remove_chat(ADA)
    assert texts(store.outbox.in_flight()) == ["1"]
    assert texts(store.outbox.waiting()) == ["his"]
    store.outbox.put_back(doubtful)
    assert texts(store.outbox.waiting()) == ["2", "his"]


def test_of_a_polls_letters_what_waits_is_taken_back_and_what_is_in_doubt_given_up(
    store: Store,
) -> None:
    poll_id, other_id = a_poll(store), a_poll(store)
    flying, doubtful = say(store, ADA, "1", poll_id), say(store, ADA, "2", poll_id)
    say(store, ADA, "3", poll_id)
    say(store, ADA, "another poll's", other_id)
    say(store, ADA, "no poll's")
    store.outbox.claim([flying, doubtful], START)
    store.outbox.doubt(doubtful)
    store.outbox.take_back(poll_id)
    assert texts(store.outbox.waiting()) == ["another poll's", "no poll's"]
    store.outbox.give_up(poll_id)
    store.outbox.put_back(flying)
    store.outbox.put_back(doubtful)
    assert texts(store.outbox.waiting()) == ["1", "another poll's", "no poll's"]


def test_what_is_asked_once_is_not_asked_again_while_it_is_under_way(store: Store) -> None:
    def ask(chat_id: int, about: int = GROUP, method: str = "getChatAdministrators") -> None:
        store.outbox.add_once(chat_id, method, {"chat_id": about})

    def waiting() -> list[tuple[int, str, int]]:
        letters = store.outbox.waiting()
        return [(letter.chat_id, letter.method, letter.params["chat_id"]) for letter in letters]

    for _ in range(2):
        ask(0)
        ask(0, about=SUPERGROUP)
        ask(0, method="getChat")
        ask(GROUP)
    assert waiting() == [
        (0, "getChatAdministrators", GROUP),
        (0, "getChatAdministrators", SUPERGROUP),
        (0, "getChat", GROUP),
        (GROUP, "getChatAdministrators", GROUP),
    ]
    store.outbox.claim([1, 2, 3, 4], START)
    ask(0)
    assert waiting() == []
    store.outbox.remove(1)
    ask(0)
    assert waiting() == [(0, "getChatAdministrators", GROUP)]


def test_only_changes_of_the_same_message_that_still_wait_give_way_to_a_later_one(
    store: Store,
) -> None:
    def change(text: str, name: str | None = "lobby 1", method: str = "editMessageText") -> int:
        store.outbox.add(GROUP, method, {"text": text}, message_name=name)
        return store.outbox.added[-1].id

    change("the message itself", method="sendMessage")
    flying = change("flying")
    change("given way")
    change("given way too")
    change("another's", name="lobby 2")
    change("nobody's", name=None)
    store.outbox.claim([flying], START)
    store.outbox.remove_edits("lobby 1")
    assert texts(store.outbox.waiting()) == ["the message itself", "another's", "nobody's"]
    assert texts(store.outbox.in_flight()) == ["flying"]


def test_a_letters_id_is_never_given_twice(store: Store) -> None:
    first = say(store, ADA, "1")
    store.outbox.remove(first)
    assert say(store, ADA, "2") > first

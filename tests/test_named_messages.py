"""Messages with a name of ours, to be edited or replied to later."""

from storage.store import Store

GROUP, SUPERGROUP = -100, -1001234567890


def test_a_message_is_known_by_its_name_once_telegram_has_it(store: Store) -> None:
    assert store.named_messages.message_id("lobby 1") is None
    store.named_messages.put("lobby 1", GROUP, 33)
    store.named_messages.put("lobby 2", GROUP, 34)
    assert store.named_messages.message_id("lobby 1") == 33


def test_a_name_stands_for_the_message_that_bore_it_last(store: Store) -> None:
    store.named_messages.put("lobby 1", GROUP, 33)
    store.named_messages.put("lobby 1", SUPERGROUP, 2)
    assert store.named_messages.message_id("lobby 1") == 2


def test_a_forgotten_name_stands_for_nothing(store: Store) -> None:
    for round_id in (1, 2):
        store.named_messages.put(f"lobby {round_id}", GROUP, 32 + round_id)
    store.named_messages.forget("lobby 1")
    store.named_messages.forget("lobby 3")
    known = [store.named_messages.message_id(f"lobby {round_id}") for round_id in (1, 2)]
    assert known == [None, 34]


def test_a_chat_is_forgotten_with_all_its_messages_and_no_others(store: Store) -> None:
    store.named_messages.put("lobby 1", GROUP, 33)
    store.named_messages.put("lobby 2", GROUP, 34)
    store.named_messages.put("lobby 3", SUPERGROUP, 33)
    store.named_messages.forget_chat(GROUP)
    known = [store.named_messages.message_id(f"lobby {round_id}") for round_id in (1, 2, 3)]
    assert known == [None, None, 33]

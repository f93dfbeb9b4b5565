"""What a button carries comes back as it was, and nothing that comes back does harm."""

from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import buttons
from bot.buttons import BeginAnew, Press, read, write
from quizzes.format import ID_LENGTH

MOST_ROWS = 9_999_999_999
"""More attempts than a bot will ever see."""

BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    "quiz_id": st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=ID_LENGTH),
    "language": st.sampled_from(["en", "uk", "pt-BR", "zh-Hans", "sr-Latn-RS", "es-419"]),
    "zone": st.sampled_from(["UTC", "Europe/Kyiv", "America/Argentina/ComodRivadavia"]),
    "hour": st.integers(0, 23),
    "minute": st.integers(0, 59),
}
BY_TYPE: dict[type, st.SearchStrategy[Any]] = {int: st.integers(0, MOST_ROWS)}


def filled(kind: type[Press]) -> st.SearchStrategy[Press]:
    """Buttons of one kind."""
    fields = get_type_hints(kind).items()
    return st.builds(kind, **{name: BY_NAME.get(name, BY_TYPE.get(of, ...)) for name, of in fields})


presses = st.one_of(*map(filled, get_args(Press)))


@settings(deadline=None)
@given(presses)
def test_every_button_reads_back_as_written_and_fits(press: Press) -> None:
    data = write(press)
    assert read(data) == press
    assert len(data.encode()) <= buttons.DATA_BYTES


def test_the_longest_quiz_id_fits_a_button() -> None:
    data = write(BeginAnew(MOST_ROWS, "q" * ID_LENGTH))
    assert len(data.encode()) == buttons.DATA_BYTES


@pytest.mark.parametrize(
    "data",
    [
        "",
        ":",
        "list",
        "list:",
        "list:-1",
        "list:1.5",
        "list:½",
        "list:٣",
        "list:²",
        "list: 1",
        "list:1:2",
        f"next:{2**63}",
        f"next:{'9' * 5000}",
        "resume:1",
        "anew:x:sums",
        "begin:sums:now",
        "unknown:1",
    ],
)
def test_what_no_button_of_ours_carries_means_nothing(data: str) -> None:
    assert read(data) is None


words = st.sampled_from(["list", "begin", "next", "resume", "anew", "practise", "language"])


@settings(deadline=None)
@given(st.text() | st.builds(lambda word, rest: f"{word}:{rest}", words, st.text()))
def test_no_data_makes_reading_raise(data: str) -> None:
    press = read(data)
    assert press is None or read(write(press)) == press

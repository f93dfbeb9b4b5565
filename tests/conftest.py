"""Fixtures that are named for what a test gets."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from storage.store import Store
from tests.conversation import Learner, Talk, talking
from tests.stores import blank_store


@pytest.fixture
def store() -> Iterator[Store]:
    """The tables of a new database."""
    with blank_store() as store:
        yield store


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    """A started bot that nobody has spoken to."""
    async with talking(tmp_path) as started:
        yield started


@pytest.fixture
def ada(talk: Talk) -> Learner:
    """A learner whose client is in English."""
    return talk.learner("Ada", "en")

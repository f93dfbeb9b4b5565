"""Fixtures that are named for what a test gets."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.conversation import Learner, Talk, talking


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    """A started bot that nobody has spoken to."""
    async with talking(tmp_path) as started:
        yield started


@pytest.fixture
def ada(talk: Talk) -> Learner:
    """A learner whose client is in English."""
    return talk.learner("Ada", "en")

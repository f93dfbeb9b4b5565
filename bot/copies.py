"""What `quiz-tutor backup` and `quiz-tutor restore` say when they are done."""

from datetime import timedelta
from pathlib import Path

from storage.copies import Copy, Restored


def backed_up(copy: Copy, target: Path, took: timedelta) -> str:
    """The line after a backup."""
    return f"{target}: {_content(copy)}. Copied and checked in {took.total_seconds():.1f} s."


def restored(done: Restored, source: Path, path: Path) -> str:
    """The lines after a restore."""
    lines = [f"{path} is a copy of {source} now: {_content(done.copy)}."]
    if done.kept:
        lines.append(f"What was there before is kept as {done.kept}.")
    return "\n".join(lines)


def _content(copy: Copy) -> str:
    return f"{copy.size / 1e6:.1f} MB, answers: {copy.answers:,}, learners: {copy.learners:,}"

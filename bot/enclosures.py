"""Files that go with a letter: plain values in the outbox, made when the letter is sent."""

import asyncio
from datetime import date
from typing import Any

from telegram import InputFile

from bot.picture import Chart, Labels, Period, QuizMastery, draw


async def enclose(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters with what they describe as a file.

    `drawing` becomes the photo of one's progress, drawn in a thread of its own; `written`
    becomes a document.
    """
    match params:
        case {"drawing": drawing, **rest}:
            picture = await asyncio.to_thread(_draw, drawing)
            return rest | {"photo": InputFile(picture, "progress.png")}
        case {"written": {"file_name": str(name), "text": str(text)}, **rest}:
            return rest | {"document": InputFile(text.encode(), name)}
    return params


def _draw(drawing: dict[str, Any]) -> bytes:
    chart = Chart(
        today=date.fromisoformat(drawing["today"]),
        accuracy=[
            Period(date.fromisoformat(begins), answers, right)
            for begins, answers, right in drawing["accuracy"]
        ],
        days={date.fromisoformat(day): answers for day, answers in drawing["days"].items()},
        mastery=[QuizMastery(*one) for one in drawing["mastery"]],
    )
    return draw(chart, Labels(**drawing["labels"]))

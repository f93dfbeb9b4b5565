"""A poll: what was asked, who has voted, and when it is over."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.clock import Clock
from bot.demo.entities import EMPTY, Text


class VoteRefusedError(Exception):
    """A vote that a client refuses, with the sentence that it shows."""


@dataclass(frozen=True, slots=True)
class PollOption:
    """One option; its id stays the same wherever it is shown."""

    persistent_id: str
    text: Text

    def json(self, voters: int) -> dict[str, Any]:
        """The option as the Bot API writes it."""
        written: dict[str, Any] = {"persistent_id": self.persistent_id, "text": self.text.plain}
        if self.text.entities:
            written["text_entities"] = list(self.text.entities)
        return written | {"voter_count": voters}


@dataclass(slots=True, eq=False)
class Poll:
    """A poll and its votes. Forwarded copies share it."""

    clock: Clock
    id: str
    question: Text
    options: tuple[PollOption, ...]
    is_quiz: bool = False
    correct_option_ids: tuple[int, ...] = ()
    is_anonymous: bool = True
    allows_multiple_answers: bool = False
    allows_revoting: bool = True
    explanation: Text = EMPTY
    description: Text = EMPTY
    open_period: int = 0
    close_date: datetime | None = None
    is_stopped: bool = False
    votes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The options that each voter has picked, by the voter's id."""

    @property
    def is_closed(self) -> bool:
        """Whether votes are over: stopped, or out of time."""
        out_of_time = self.close_date is not None and self.clock.now() >= self.close_date
        return self.is_stopped or out_of_time

    def vote(self, voter_id: int, picks: Sequence[int]) -> None:
        """Take a vote, or raise VoteRefusedError. No picks withdraw the vote."""
        chosen = tuple(sorted(set(picks)))
        if self.is_closed:
            raise VoteRefusedError("Can't answer closed poll")
        if any(not 0 <= pick < len(self.options) for pick in chosen):
            raise VoteRefusedError("Invalid option ID specified")
        if len(chosen) > 1 and not self.allows_multiple_answers:
            raise VoteRefusedError("Can't choose more than 1 option in the poll")
        if not self.allows_revoting and not chosen:
            raise VoteRefusedError("Can't retract vote in the poll")
        if not self.allows_revoting and voter_id in self.votes:
            raise VoteRefusedError("Can't revote in a quiz")
        if chosen:
            self.votes[voter_id] = chosen
        else:
            self.votes.pop(voter_id, None)

    def voters(self, option: int) -> int:
        """How many have picked this option."""
        return sum(option in picks for picks in self.votes.values())

    @property
    def json(self) -> dict[str, Any]:
        """The poll as `poll` updates carry it."""
        written: dict[str, Any] = {"id": self.id, "question": self.question.plain}
        if self.question.entities:
            written["question_entities"] = list(self.question.entities)
        written |= {
            "options": [
                option.json(self.voters(position)) for position, option in enumerate(self.options)
            ],
            "total_voter_count": len(self.votes),
        }
        if self.close_date is not None and not self.is_closed:
            written["open_period"] = self.open_period
            written["close_date"] = int(self.close_date.timestamp())
        written |= {
            "is_closed": self.is_closed,
            "is_anonymous": self.is_anonymous,
            "allows_multiple_answers": self.allows_multiple_answers,
            "allows_revoting": self.allows_revoting,
            "members_only": False,
            "type": "quiz" if self.is_quiz else "regular",
        }
        if len(self.correct_option_ids) == 1:
            written["correct_option_id"] = self.correct_option_ids[0]
        if self.correct_option_ids:
            written["correct_option_ids"] = list(self.correct_option_ids)
        if self.explanation.plain:
            written["explanation"] = self.explanation.plain
            written["explanation_entities"] = list(self.explanation.entities)
        return written

    @property
    def full_json(self) -> dict[str, Any]:
        """The poll as messages and stopPoll carry it: with its description."""
        written = self.json
        if self.description.plain:
            written["description"] = self.description.plain
            written["description_entities"] = list(self.description.entities)
        return written

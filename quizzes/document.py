"""A file as data in which every value knows its line."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Location = tuple[str | int, ...]
"""Keys and positions that lead from the top of a file to a value."""


class Quoted(str):
    """A scalar that stands in quotes or in a block."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands; lines count from 1."""

    line: int
    """The line of its key, or of the item."""
    begins: int
    """The line where the value itself begins."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps a line from being read as its author meant it."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file as dicts, lists and strings; no data where it could not be read to its end."""

    data: object = None
    places: dict[Location, Place] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    misread: frozenset[Location] = frozenset()
    """Values that a problem already speaks of."""

    def at(self, location: Location) -> object:
        """The value at a location, or None."""
        value = self.data
        for step in location:
            if isinstance(value, dict):
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                value = value[step]
            else:
                return None
        return value

    def line(self, location: Location) -> int:
        """The line of a value's key or item."""
        place = self.places.get(location)
        return place.line if place else 1

    def begins(self, location: Location) -> int:
        """The line where a value begins."""
        place = self.places.get(location)
        return place.begins if place else 1

    def respelt(self, meant: Mapping[Location, str]) -> "Document":
        """The same with other names for some keys, given by where these stand."""

        def moved(location: Location) -> Location:
            return tuple(meant.get(location[: n + 1], step) for n, step in enumerate(location))

        return replace(
            self,
            data=_respelt(self.data, (), meant),
            places={moved(location): place for location, place in self.places.items()},
            misread=frozenset(map(moved, self.misread)),
        )


def _respelt(value: object, location: Location, meant: Mapping[Location, str]) -> object:
    if isinstance(value, dict):
        return {
            meant.get((*location, key), key): _respelt(part, (*location, key), meant)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [_respelt(part, (*location, n), meant) for n, part in enumerate(value)]
    return value

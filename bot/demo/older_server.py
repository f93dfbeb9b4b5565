"""What an older Bot API server says: the same, without the fields that it does not know."""

from typing import Any


def without(value: Any, left_out: frozenset[str]) -> Any:
    """The value without these fields, at any depth."""
    if not left_out:
        return value
    if isinstance(value, dict):
        return {
            name: without(field, left_out) for name, field in value.items() if name not in left_out
        }
    if isinstance(value, list):
        return [without(item, left_out) for item in value]
    return value

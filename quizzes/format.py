"""The two files of a quiz, quiz.yaml and a translation: their keys, their values, their schema."""

from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    WithJsonSchema,
)
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from quizzes.document import Quoted
from quizzes.fault import shown
from quizzes.language import fault_of_tag
from quizzes.quiz import Level
from quizzes.wording import FEWEST_CHOICES, MOST_CHOICES, clean, clean_code, is_blank

ID_LENGTH = 48
_ID_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def fault_of_id(name: str) -> str | None:
    """What is wrong with the id of a quiz or a question, as the end of a sentence."""
    if name and len(name) <= ID_LENGTH and _ID_LETTERS.issuperset(name):
        return None
    return f"is no id: use a-z, 0-9 and -, at most {ID_LENGTH} of them"


def _text(value: str) -> str:
    cleaned = clean(value)
    if is_blank(cleaned):
        raise ValueError("is empty: write a text, or leave the key out where it is optional")
    return cleaned


def _code(value: str) -> str:
    cleaned = clean_code(value)
    if is_blank(cleaned):
        raise ValueError("is empty: write some code, or leave the key out")
    return cleaned


def _id(value: str) -> str:
    fault = fault_of_id(value)
    if fault is not None:
        raise ValueError(f"`{shown(value)}` {fault}")
    return value


def _tag(value: str) -> str:
    fault = fault_of_tag(value)
    if fault is not None:
        raise ValueError(f"`{shown(value)}` {fault}")
    return value


def _address(value: str) -> str:
    try:
        parts = urlsplit(value)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or not value.isprintable():
        raise ValueError(f"`{shown(value)}` is no address of a page: begin it with https://")
    if " " in value:
        raise ValueError(f"`{shown(value)}` holds a space: write %20")
    return value


def _flag(value: object) -> bool:
    match value:
        case Quoted("true" | "false"):
            raise ValueError(f"is a text in quotes: write {value} without them")
        case "true":
            return True
        case "false":
            return False
        case str():
            raise ValueError(f"is `{shown(value)}`: write true or false")
        case _:
            raise ValueError("is a list or a mapping: write true or false")


# An editor takes `010` or `no` for a number or a boolean; here all of them are text.
_ANY_SCALAR: dict[str, Any] = {"type": ["string", "number", "boolean"]}
_ID_SCHEMA = {
    "type": ["string", "integer"],
    "pattern": "^[a-z0-9-]+$",
    "minLength": 1,
    "maxLength": ID_LENGTH,
}

Text = Annotated[str, AfterValidator(_text), WithJsonSchema(_ANY_SCALAR)]
Code = Annotated[str, AfterValidator(_code), WithJsonSchema(_ANY_SCALAR)]
Id = Annotated[str, AfterValidator(_id), WithJsonSchema(_ID_SCHEMA)]
Tag = Annotated[
    str,
    AfterValidator(_tag),
    WithJsonSchema({"type": ["string", "boolean"], "pattern": "^[A-Za-z0-9-]+$"}),
]
Address = Annotated[
    str,
    AfterValidator(_address),
    WithJsonSchema({"type": "string", "format": "uri", "pattern": "^https?://"}),
]
Flag = Annotated[bool, BeforeValidator(_flag), WithJsonSchema({"type": "boolean"})]
_choice_count = Field(json_schema_extra={"minItems": FEWEST_CHOICES, "maxItems": MOST_CHOICES})


class Part(BaseModel):
    """A mapping of a file: the keys that it takes, and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ChoiceEntry(Part):
    """One answer that a learner can pick."""

    text: Text = Field(
        description="What the learner reads; over 100 characters the poll shows letters instead."
    )
    correct: Flag = Field(
        False,
        description=(
            "true for a right choice. At least one is right; of several, a learner must pick all."
        ),
    )
    why: Text | None = Field(None, description="For a wrong choice: what this mistake confuses.")


class SnippetEntry(Part):
    """A short program that shows what the explanation says."""

    language: Text = Field(
        description="The programming language, such as python: it colours the code."
    )
    code: Code = Field(
        description="At most 12 lines of at most 46 characters read well on a phone."
    )
    prints: Code | None = Field(None, description="What the program writes to its standard output.")


class QuestionEntry(Part):
    """A question, its choices and what is said after the answer."""

    id: Id = Field(
        description=(
            "Unique within the quiz and the same for ever: a learner's progress hangs on it."
        )
    )
    ask: Text = Field(
        description="The question; over 300 characters it goes in a message before the poll."
    )
    code: Code | None = Field(None, description="Code that the question is about.")
    choices: Annotated[tuple[ChoiceEntry, ...], _choice_count] = Field(
        description="2 to 12 choices."
    )
    shuffle: Flag = Field(True, description="false keeps the choices in this order.")
    explain: Text | None = Field(None, description="Why the right choice is right.")
    snippet: SnippetEntry | None = Field(
        None, description="The program that goes with the explanation."
    )
    source: Text | None = Field(
        None, description="Where this can be read: a paper, a page, a chapter."
    )


class QuizFile(Part):
    """quiz.yaml: a quiz, whole, in its own language."""

    language: Tag = Field(
        description="The language that the quiz is written in, such as en or pt-BR."
    )
    title: Text = Field(description="The name of the quiz.")
    description: Text | None = Field(None, description="One or two sentences about the quiz.")
    level: Level | None = Field(None, description="How hard the quiz is.")
    guide: Address | None = Field(None, description="A page to read before or after the quiz.")
    questions: tuple[QuestionEntry, ...] = Field(
        description="The questions, in the order in which they are asked."
    )


class TranslatedChoice(Part):
    """A choice, in the place that it has in quiz.yaml."""

    text: Text = Field(description="The choice.")
    why: Text | None = Field(
        None, description="Where quiz.yaml has one: what this mistake confuses."
    )


class TranslatedQuestion(Part):
    """The texts of one question."""

    id: Id = Field(description="The question's id in quiz.yaml.")
    ask: Text = Field(description="The question.")
    choices: Annotated[tuple[TranslatedChoice, ...], _choice_count] = Field(
        description="All choices, in the order of quiz.yaml."
    )
    explain: Text | None = Field(
        None, description="Where quiz.yaml has one: why the right choice is right."
    )


class TranslationFile(Part):
    """<language>.yaml beside quiz.yaml: its texts in another language, all of them."""

    title: Text = Field(description="The name of the quiz.")
    description: Text | None = Field(
        None, description="Where quiz.yaml has one: one or two sentences about the quiz."
    )
    questions: tuple[TranslatedQuestion, ...] = Field(description="The questions, in any order.")


PROSE = frozenset(
    ("title", "description", "ask", "code", "text", "why", "explain", "prints", "source")
)
"""Keys of texts that learners see."""
STRUCTURE = frozenset(("questions", "choices", "snippet"))
"""Keys of lists and mappings."""


class _Schema(GenerateJsonSchema):
    """Says of an optional key that it may be left out, not that it may be null."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def schema() -> dict[str, Any]:
    """One JSON Schema (2020-12) for both files, for editors to complete and check by."""
    files: TypeAdapter[Any] = TypeAdapter(QuizFile | TranslationFile)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A quiz (quiz.yaml) or its translation (<language>.yaml)",
        **files.json_schema(schema_generator=_Schema),
    }

"""What the catalog makes of banks, folders and files on disk, and which language it gives."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from quizzes.catalog import SHIPPED_BANK, Catalog, Extent, Fault, load
from quizzes.quiz import Choice, Question, Quiz, Snippet

ODD = Path(__file__).parent / "banks" / "odd"
QUIZ = """\
language: en
title: Sums
questions:
  - id: one-and-one
    ask: What is 1 + 1?
    choices: [{text: 2, correct: true}, {text: 3}]
    explain: One more than one.
    snippet: {language: python, code: print(1 + 1)}
"""
TRANSLATION = """\
title: TITLE
questions:
  - {id: one-and-one, ask: The sum, choices: [{text: 2}, {text: 3}], explain: 1 + 1 = 2}
"""


def write(folder: Path, **files: str) -> Path:
    """A quiz's folder with files by name, `_` standing for `-`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.yaml").write_text(text, encoding="utf-8")
    return folder


def found(*paths: Path | str) -> list[str]:
    return [str(fault) for fault in load(paths)[1]]


@pytest.fixture(scope="module")
def odd() -> Catalog:
    return load([ODD])[0]


def test_a_fault_reads_as_file_line_and_message() -> None:
    assert str(Fault("a/quiz.yaml", 3, "is odd")) == "a/quiz.yaml:3: is odd"
    assert str(Fault("a", 3, "is odd", "warning")) == "a:3: warning: is odd"


def test_faults_sort_by_path_then_line() -> None:
    faults = [Fault("b", 1, "x"), Fault("a", 10, "x"), Fault("a", 9, "z"), Fault("a", 9, "y")]
    assert [str(fault) for fault in sorted(faults)] == ["a:9: y", "a:9: z", "a:10: x", "b:1: x"]


def test_the_odd_bank_is_sound(odd: Catalog) -> None:
    _, faults = load([ODD])
    assert [str(fault) for fault in faults if fault.severity == "fault"] == []
    assert odd.quizzes == ("as-written", "long-form", "markup-and-marks", "several-right")
    assert odd.extent == Extent(quizzes=4, files=8, questions=9)
    assert odd.languages("several-right") == ("uk", "ar", "he")


def test_two_loads_give_equal_catalogs(odd: Catalog) -> None:
    assert load([ODD])[0] == odd


def test_a_quiz_comes_with_all_that_its_file_says(tmp_path: Path) -> None:
    text = """\
language: en
title: Sums
description: Adding.
level: easy
guide: https://example.org/sums
questions:
  - id: one-and-one
    ask: What is 1 + 1?
    code: |

      x = 1 + 1   \n\
      x
    choices:
      - text: '2 '
        correct: true
      - text: 3
        why: Counted once too often.
    shuffle: false
    explain: >
      One more
      than one.
    snippet:
      language: python
      code: |
        print(1 + 1)
      prints: |
        2
    source: A book
"""
    catalog, faults = load([write(tmp_path / "sums", quiz=text)])
    assert faults == []
    assert catalog.quiz("sums", "en", "en") == Quiz(
        id="sums",
        language="en",
        title="Sums",
        description="Adding.",
        level="easy",
        guide="https://example.org/sums",
        questions=(
            Question(
                id="one-and-one",
                ask="What is 1 + 1?",
                code="x = 1 + 1\nx",
                choices=(
                    Choice("2", correct=True),
                    Choice("3", why="Counted once too often."),
                ),
                explain="One more than one.",
                snippet=Snippet("python", "print(1 + 1)", "2"),
                source="A book",
                shuffle=False,
            ),
        ),
    )


def test_a_translation_takes_texts_from_itself_and_the_rest_from_quiz_yaml(odd: Catalog) -> None:
    own = odd.quiz("as-written", "en", "en")
    translated = odd.quiz("as-written", "pt-BR", "en")
    assert own
    assert translated
    assert translated.language == "pt-BR"
    assert [question.id for question in translated.questions] == ["booleans", "numbers"]
    assert translated.questions[0].ask == "Qual palavra é uma negação?"
    assert translated.questions[0].choices[0] == Choice("não", correct=True)
    assert translated.questions[0].snippet == own.questions[0].snippet
    assert translated.questions[1].shuffle is False
    assert [q.correct for q in translated.questions] == [q.correct for q in own.questions]


TYPED = """
no yes on off true True null ~ 010 08 0x1F 0b11 1_000 12:30 1:2:3 3.10 1e3 .5 .inf .nan
2024-01-01 2024-01-01T00:00:00Z = << +1 -0 1.0
"""


@pytest.mark.parametrize("written", TYPED.split())
def test_an_unquoted_value_is_read_as_it_is_written(tmp_path: Path, written: str) -> None:
    text = QUIZ.replace("{text: 3}", f"{{text: {written}}}").replace("Sums", written)
    catalog, faults = load([write(tmp_path / "sums", quiz=text)])
    quiz = catalog.quiz("sums", None, None)
    assert faults == []
    assert quiz
    assert quiz.title == written
    assert quiz.questions[0].choices[1].text == written


@pytest.mark.parametrize(
    ("language", "default", "expected"),
    [
        ("uk", "en", "uk"),
        ("UK", "en", "uk"),
        ("uk-UA", "en", "uk"),
        ("pt-br", "en", "pt-BR"),
        ("pt_BR", "en", "pt-BR"),
        ("pt-PT", "en", "pt"),
        ("zh-hans", "uk", "zh-Hans"),
        ("zh-Hans-CN", "uk", "zh-Hans"),
        ("zh", "uk", "uk"),
        ("sr-latn", "uk", "uk"),
        ("de-at", "de", "en"),
        ("en_US", "uk", "en"),
        ("xx", "pt-BR", "pt-BR"),
        ("xx", "uk-UA", "uk"),
        ("xx", "xx", "en"),
        ("", "uk", "uk"),
        (None, "uk", "uk"),
        (None, None, "en"),
        ("-_-", "", "en"),
        (" RU\n", "uk", "ru"),
        ("ru-" * 1000, "uk", "ru"),
    ],
)
def test_a_learner_gets_their_language_or_its_base_or_the_default_or_the_quizs_own(
    tmp_path: Path, language: str | None, default: str | None, expected: str
) -> None:
    folder = write(
        tmp_path / "sums",
        quiz=QUIZ,
        **{tag: TRANSLATION for tag in ("uk", "ru", "pt", "pt_BR", "zh_Hans")},
    )
    catalog, faults = load([folder])
    assert faults == []
    quiz = catalog.quiz("sums", language, default)
    assert quiz
    assert quiz.language == expected


def test_an_unknown_quiz_is_none(odd: Catalog) -> None:
    assert odd.quiz("unknown", "en", "en") is None
    assert odd.languages("unknown") == ()


def test_a_faulty_translation_is_left_out_and_its_quiz_stays(tmp_path: Path) -> None:
    write(tmp_path / "sums", quiz=QUIZ, uk=TRANSLATION, ru="title: x\n")
    catalog, faults = load([tmp_path])
    assert [str(fault) for fault in faults] == [
        f"{tmp_path}/sums/ru.yaml:1: `questions` is missing: the file needs it"
    ]
    assert catalog.languages("sums") == ("en", "uk")


def test_a_faulty_quiz_is_left_out_and_the_others_stay(tmp_path: Path) -> None:
    write(tmp_path / "sums", quiz=QUIZ)
    write(tmp_path / "odd", quiz="title: x\n", uk=TRANSLATION)
    catalog, _ = load([tmp_path])
    assert catalog.quizzes == ("sums",)
    assert catalog.extent == Extent(quizzes=2, files=3, questions=1)


def test_paths_are_told_as_they_were_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "bank" / "sums", quiz=QUIZ.replace("title: Sums\n", ""))
    monkeypatch.chdir(tmp_path)
    message = "1: `title` is missing: the file needs it"
    assert found("./bank") == [f"./bank/sums/quiz.yaml:{message}"]
    assert found("bank/") == [f"bank/sums/quiz.yaml:{message}"]
    assert found("bank/sums") == [f"bank/sums/quiz.yaml:{message}"]
    assert found("bank/../bank/sums/quiz.yaml") == [f"bank/../bank/sums/quiz.yaml:{message}"]
    monkeypatch.chdir(tmp_path / "bank" / "sums")
    assert found("quiz.yaml") == [f"quiz.yaml:{message}"]
    assert found(".") == [f"./quiz.yaml:{message}"]


def test_a_single_file_is_checked_without_its_neighbours(tmp_path: Path) -> None:
    folder = write(tmp_path / "sums", quiz=QUIZ, uk="title: x\n", ru="title: y\n")
    message = "1: `questions` is missing: the file needs it"
    assert found(folder / "quiz.yaml") == []
    assert found(folder / "uk.yaml") == [f"{folder}/uk.yaml:{message}"]
    assert len(found(folder)) == 2


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    folder = write(tmp_path / "sums", quiz=QUIZ, uk="title: x\n")
    catalog, faults = load([tmp_path, folder, folder / "uk.yaml", tmp_path])
    assert catalog.extent == Extent(quizzes=1, files=2, questions=1)
    assert len(faults) == 1


def test_one_quiz_id_in_two_banks_is_a_fault(tmp_path: Path) -> None:
    first = write(tmp_path / "one" / "sums", quiz=QUIZ)
    second = write(tmp_path / "two" / "sums", quiz=QUIZ)
    assert found(tmp_path / "one", tmp_path / "two") == [
        f"{second}/quiz.yaml:1: quiz `sums` is there already, in {first}: rename a folder"
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("UA.yaml", "the file's name `UA` is no known language:"
                    " the language of that country is uk"),
        ("UK.yaml", "the file's name `UK` is written uk"),
        ("pt-br.yaml", "the file's name `pt-br` is written pt-BR"),
        ("zh_Hans.yaml", "the file's name `zh_Hans` is no language tag:"
                         " write one such as uk or pt-BR"),
        ("xx.yaml", "the file's name `xx` is no known language"),
        ("en-QQQQ.yaml", "the file's name `en-QQQQ` has the unknown script QQQQ"),
        ("en-QX.yaml", "the file's name `en-QX` has the unknown region QX"),
        ("uk.yml", "is no file of a quiz: name it quiz.yaml or <language>.yaml"),
        ("en.yaml", "quiz.yaml is in `en` already: delete or rename this file"),
    ],
)  # fmt: skip
def test_a_translation_is_named_after_its_language(
    tmp_path: Path, name: str, expected: str
) -> None:
    folder = write(tmp_path / "sums", quiz=QUIZ)
    (folder / name).write_text(TRANSLATION)
    assert found(tmp_path) == [f"{folder / name}:1: {expected}"]


def test_other_files_and_folders_are_ignored(tmp_path: Path) -> None:
    folder = write(tmp_path / "sums", quiz=QUIZ)
    for name in ("README.md", "uk.yaml~", ".uk.yaml.swp", "#uk.yaml#", ".#uk.yaml", "uk.yaml.bak"):
        (folder / name).write_text("{")
    (tmp_path / "README.md").write_text("{")
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "x.png").write_bytes(b"\x89PNG")
    write(tmp_path / ".git", quiz="{")
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Sums", "the folder's name `Sums` is no id: use a-z, 0-9 and -, at most 48 of them"),
        ("a_b", "the folder's name `a_b` is no id: use a-z, 0-9 and -, at most 48 of them"),
        ("сума", "the folder's name `сума` is no id: use a-z, 0-9 and -, at most 48 of them"),
        ("a" * 48, None),
    ],
)
def test_the_folder_of_a_quiz_is_named_by_its_id(
    tmp_path: Path, name: str, expected: str | None
) -> None:
    folder = write(tmp_path / name, quiz=QUIZ)
    assert found(tmp_path) == ([f"{folder}/quiz.yaml:1: {expected}"] if expected else [])


def test_a_bank_without_quizzes_is_a_fault(tmp_path: Path) -> None:
    assert found(tmp_path) == [f"{tmp_path}:1: holds no quiz: a quiz is a folder with a quiz.yaml"]


def test_a_misnamed_quiz_yaml_is_a_fault(tmp_path: Path) -> None:
    (write(tmp_path / "sums") / "quiz.yml").write_text(QUIZ)
    assert found(tmp_path) == [f"{tmp_path}/sums/quiz.yml:1: name the file quiz.yaml"]


def test_a_path_that_does_not_exist_is_a_fault(tmp_path: Path) -> None:
    assert found(tmp_path / "none") == [f"{tmp_path}/none:1: does not exist"]


def _loop(file: Path) -> None:
    file.symlink_to(file)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (_loop, "cannot be read: Too many levels of symbolic links"),
        (lambda file: file.symlink_to("nowhere"), "cannot be read: No such file or directory"),
        (lambda file: file.mkdir(), "cannot be read: it is no file"),
        (os.mkfifo, "cannot be read: it is no file"),
    ],
    ids=["loop", "nowhere", "folder", "pipe"],
)
def test_a_file_that_cannot_be_read_is_a_fault(
    tmp_path: Path, make: Callable[[Path], object], expected: str
) -> None:
    folder = write(tmp_path / "sums")
    make(folder / "quiz.yaml")
    assert found(tmp_path) == [f"{folder}/quiz.yaml:1: {expected}"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_a_fault(tmp_path: Path) -> None:
    folder = write(tmp_path / "sums", quiz=QUIZ)
    (folder / "quiz.yaml").chmod(0)
    assert found(tmp_path) == [f"{folder}/quiz.yaml:1: cannot be read: Permission denied"]


def test_folders_that_lead_back_to_their_bank_are_ignored(tmp_path: Path) -> None:
    write(tmp_path / "sums", quiz=QUIZ)
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    _loop(tmp_path / "round")
    assert found(tmp_path) == []


def test_a_translation_without_its_quiz_yaml_is_checked_as_far_as_it_goes(tmp_path: Path) -> None:
    folder = write(tmp_path / "sums", uk="titel: x\nquestions: []\n")
    assert found(folder / "uk.yaml") == [
        f"{folder}/quiz.yaml:1: cannot be read: No such file or directory",
        f"{folder}/uk.yaml:1: unknown key `titel`: did you mean `title`?",
    ]


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_loading_does_not_depend_on_the_locale(odd: Catalog, locale: str) -> None:
    program = (
        "import sys; from quizzes.catalog import load; catalog, _ = load(sys.argv[1:]);"
        "print(ascii(catalog.shelves))"
    )
    environment = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", program, str(ODD)],
        env=environment,
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.strip() == ascii(odd.shelves)


def test_the_shipped_bank_stands_beside_the_package() -> None:
    assert SHIPPED_BANK.is_dir()

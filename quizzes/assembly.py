"""A quiz as it is played, put together from what its files hold."""

from dataclasses import replace

from quizzes.format import QuestionEntry, QuizFile, TranslationFile
from quizzes.quiz import Choice, Question, Quiz, Snippet


def assembled(quiz_id: str, entry: QuizFile) -> Quiz:
    """A quiz in its own language."""
    return Quiz(
        id=quiz_id,
        language=entry.language,
        title=entry.title,
        description=entry.description,
        level=entry.level,
        guide=entry.guide,
        questions=tuple(_question(question) for question in entry.questions),
    )


def translated(quiz: Quiz, language: str, translation: TranslationFile) -> Quiz:
    """The same quiz with the texts of a translation, which has all of them."""
    texts = {question.id: question for question in translation.questions}
    return replace(
        quiz,
        language=language,
        title=translation.title,
        description=translation.description,
        questions=tuple(
            replace(
                question,
                ask=texts[question.id].ask,
                explain=texts[question.id].explain,
                choices=tuple(
                    replace(choice, text=text.text, why=text.why)
                    for choice, text in zip(
                        question.choices, texts[question.id].choices, strict=True
                    )
                ),
            )
            for question in quiz.questions
        ),
    )


def _question(entry: QuestionEntry) -> Question:
    snippet = entry.snippet
    return Question(
        id=entry.id,
        ask=entry.ask,
        code=entry.code,
        choices=tuple(Choice(choice.text, choice.correct, choice.why) for choice in entry.choices),
        explain=entry.explain,
        snippet=Snippet(snippet.language, snippet.code, snippet.prints) if snippet else None,
        source=entry.source,
        shuffle=entry.shuffle,
    )

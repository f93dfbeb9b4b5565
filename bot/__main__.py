"""The command line."""

import asyncio
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from bot.printing import Format, writable

if TYPE_CHECKING:
    from bot.settings import Settings

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="A Telegram bot that tutors by quizzes, in the learner's own language.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"quiz-tutor {metadata.version('quiz-tutor-bot')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command()
def run() -> None:
    """Run the bot against the Bot API until SIGINT or SIGTERM.

    Settings come from the environment and from a .env file in the working directory.
    """
    _leave_when_told()
    gc.disable()  # until all is loaded: looking for garbage takes a fifth of a start
    settings = _settings()

    from bot import app as bot_app
    from bot import logs
    from bot.clock import SystemClock
    from storage.trouble import DatabaseError

    logs.set_up(settings.log_level, settings.log_format, settings.bot_token)

    async def work(stopping: asyncio.Event) -> None:
        await bot_app.run(settings, SystemClock(), stopping)

    try:
        until_stopped(work)
    except (bot_app.StartError, DatabaseError) as error:
        _refuse(str(error))


@app.command()
def demo(
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="Where the page is served; 0 picks a free port."),
    ] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    quiz: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Play a bank, a quiz's folder or a file, and read it again whenever it is saved.",
        ),
    ] = None,
) -> None:
    """Try the bot in a browser: no token, no network, nothing is kept."""
    _leave_when_told()
    from bot import logs
    from bot.app import StartError
    from bot.clock import SystemClock
    from bot.demo.show import BrokenQuizError, DemoError, show

    names = ("LOG_LEVEL",) if quiz is not None else ("LOG_LEVEL", "QUIZZES_PATH")
    settings = _settings(*names)
    logs.set_up(settings.log_level, settings.log_format, None)

    def ready(url: str, contents: str | None) -> None:
        typer.echo(f"The demo is at {url} (Ctrl+C ends it).")
        if contents:
            _say(contents)
        if browser:
            typer.launch(url)

    async def work(stopping: asyncio.Event) -> None:
        await show(settings, SystemClock(), port, stopping, ready, quiz)

    try:
        until_stopped(work)
    except BrokenQuizError as error:
        for line in error.lines:
            _say(line)
        _refuse(str(error))
    except (StartError, DemoError) as error:
        _refuse(str(error))


@app.command()
def check(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="A bank, a quiz's folder or a file. Default: all quizzes."),
    ] = None,
    report_format: Annotated[
        Format, typer.Option("--format", help="How faults are written.")
    ] = "text",
    missing: Annotated[
        bool, typer.Option("--missing", help="List the translations that are missing.")
    ] = False,
    snippets: Annotated[
        bool, typer.Option("--snippets", help="Run the snippets of Python: trust their authors.")
    ] = False,
    seconds: Annotated[
        float, typer.Option("--snippet-seconds", min=0.1, help="The most that a snippet may take.")
    ] = 60.0,
    require_all: Annotated[
        bool,
        typer.Option("--require-all", help="Let snippets that cannot run here count as faults."),
    ] = False,
) -> None:
    """Check quizzes: every fault with its file, line and advice."""
    gc.disable()  # all that is read stays until the end
    from bot.check import SnippetRun, run_check
    from quizzes.catalog import SHIPPED_BANK

    if not paths:
        own_bank = _settings("QUIZZES_PATH").quizzes_path
        banks = [SHIPPED_BANK] + ([own_bank] if own_bank else [])
        paths = [str(bank) for bank in banks]
    how = SnippetRun(seconds, require_all) if snippets or require_all else None
    sys.exit(run_check(paths, report_format, sys.stdout, sys.stderr, missing=missing, snippets=how))


@app.command()
def schema() -> None:
    """Print the JSON Schema of quiz files, for editors that check while an author types."""
    from quizzes.format import schema as quiz_schema

    typer.echo(json.dumps(quiz_schema(), indent=2, ensure_ascii=False))


@app.command()
def reports(
    report_format: Annotated[
        Format, typer.Option("--format", help="How reports are written.")
    ] = "text",
) -> None:
    """List what learners reported, oldest first, also while the bot runs.

    A line holds the time (UTC), the question, its language, the hash of its texts as they were
    asked, and whether they are unchanged, changed or gone by now.
    """
    from bot.app import StartError, load_catalog
    from bot.reports import write_reports
    from storage.beside import read
    from storage.trouble import DatabaseError

    settings = _settings("DATABASE_PATH", "QUIZZES_PATH")
    try:
        stored = read(settings.database_path, lambda store: list(store.reports.all()))
        catalog = load_catalog(settings.quizzes_path)
    except (DatabaseError, StartError) as error:
        _refuse(str(error))
    write_reports(stored, catalog, report_format, sys.stdout, sys.stderr)


@app.command()
def failures(
    retry: Annotated[bool, typer.Option("--retry", help="Let the bot try them again.")] = False,
    report_format: Annotated[
        Format, typer.Option("--format", help="How failures are written.")
    ] = "text",
) -> None:
    """List updates that could not be handled and were set aside, also while the bot runs.

    A line holds the time (UTC), the update, its chat and learner, how often it was tried, and the
    error. What was set aside is also tried again whenever the bot starts.
    """
    from bot.failures import queued_again, write_failures
    from storage.beside import change, read
    from storage.inbox import Failure
    from storage.store import Store
    from storage.trouble import DatabaseError

    def take(store: Store) -> list[Failure]:
        found = store.inbox.failed()
        if retry:
            store.inbox.retry_failed()
        return found

    path = _database_path()
    try:
        found = change(path, take) if retry else read(path, take)
    except DatabaseError as error:
        _refuse(str(error))
    write_failures(found, report_format, sys.stdout, sys.stderr)
    if retry and found:
        typer.echo(queued_again(len(found)), err=True)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The copy to make; a file that does not exist.")],
) -> None:
    """Copy the database to a file and check the copy, also while the bot runs."""
    _end_when_told()
    from bot.clock import SystemClock
    from bot.copies import backed_up
    from storage.copies import back_up
    from storage.trouble import DatabaseError

    clock = SystemClock()
    began = clock.now()
    try:
        copy = back_up(_database_path(), file)
    except DatabaseError as error:
        _refuse(str(error))
    _say(backed_up(copy, file, clock.now() - began))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `quiz-tutor backup` has made.")],
) -> None:
    """Put a copy in the database's place, while the bot does not run. What was there is kept.

    What happened after the copy was made is forgotten. What waited to be sent at that moment may
    have been sent since: no question is sent twice for it, texts may be.
    """
    _end_when_told()
    from bot.clock import SystemClock
    from bot.copies import restored
    from storage import copies
    from storage.trouble import DatabaseError

    path = _database_path()
    try:
        done = copies.restore(path, file, SystemClock().now())
    except DatabaseError as error:
        _refuse(str(error))
    _say(restored(done, file, path))


def _settings(*names: str) -> "Settings":
    """The settings; where some are named, those alone, without need for others to be sound."""
    from bot.settings import SettingError, from_environment

    try:
        return from_environment(os.environ, Path.cwd(), names or None)
    except SettingError as error:
        _refuse(str(error))


def _database_path() -> Path:
    return _settings("DATABASE_PATH").database_path


def _refuse(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    sys.exit(2)


def _say(text: str) -> None:
    """Write to stdout, also on a terminal that can't show all of it."""
    typer.echo(writable(sys.stdout, text))


def until_stopped(work: Callable[[asyncio.Event], Coroutine[Any, Any, None]]) -> NoReturn:
    """Run `work` with an event that SIGINT and SIGTERM set, then end the process with code 0.

    What `work` raises is passed on.
    """

    async def main() -> NoReturn:
        loop = asyncio.get_running_loop()
        stopping = asyncio.Event()
        # Not the loop's own handlers: those end with it, and then a second signal would kill us.
        _on_stop_signals(lambda *_: loop.call_soon_threadsafe(stopping.set))
        try:
            await work(stopping)
        except BaseException:
            _on_stop_signals(signal.SIG_DFL)
            raise
        # At once: a thread that asks a silent name server would hold the process for long.
        os._exit(0)

    asyncio.run(main())


def _leave_when_told() -> None:
    """End with code 0 at SIGINT or SIGTERM, also while there is nothing yet to be ended."""
    # Not by an exception: one that is raised in the import machinery's own callbacks is lost.
    _on_stop_signals(lambda *_: os._exit(0))


def _end_when_told() -> None:
    """End at SIGINT or SIGTERM as a shell expects, but clean up before."""
    _on_stop_signals(lambda number, _: sys.exit(128 + number))


def _on_stop_signals(handler: Callable[[int, FrameType | None], Any] | signal.Handlers) -> None:
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, handler)


def main() -> None:
    """The entry point of `quiz-tutor`."""
    app()


if __name__ == "__main__":
    main()

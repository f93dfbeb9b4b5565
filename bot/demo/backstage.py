"""What people see and do behind the chats: calls, trouble, restarts, an author's faults."""

from collections.abc import Callable
from typing import Any

from bot.demo.authoring import Edition, printable
from bot.demo.call_log import Call, CallLog
from bot.demo.restarts import RestartableBot
from bot.demo.telegram import LocalTelegram
from bot.demo.trouble import METHODS, Trouble
from quizzes.catalog import Fault

Listener = Callable[[dict[str, Any]], None]


class Backstage:
    """The machinery as the page shows it; each listener gets what has changed, as JSON."""

    def __init__(self, telegram: LocalTelegram) -> None:
        self.log = CallLog(telegram, self._tell_call)
        self._telegram = telegram
        self._trouble = Trouble(telegram.faults)
        self._bot: RestartableBot | None = None
        self._report: dict[str, Any] | None = None
        self._listeners: list[Listener] = []

    def on_change(self, listener: Listener) -> None:
        """Call the listener with each change from now on."""
        self._listeners.append(listener)

    def take(self, bot: RestartableBot) -> None:
        """Have this bot restarted and killed."""
        self._bot = bot

    def open_quizzes(self, path: str, edition: Edition) -> None:
        """Report on an author's quizzes, which are played from the start."""
        self._set_report(path, edition, "opened")

    def take_edition(self, path: str, edition: Edition) -> None:
        """Play an author's new edition, unless it is broken: then the last sound one goes on."""
        self._set_report(path, edition, "broken" if edition.broken else "reloaded")
        if self._bot is not None and not edition.broken:
            self._bot.play(edition.catalog)

    def do(self, asked: dict[str, Any]) -> None:
        """Do what somebody at the page asks for; raises KeyError where there is no such thing."""
        match asked:
            case {"do": "trouble", "kind": str(kind), "method": str(method), "every": bool(every)}:
                self._trouble.cause(kind, method, every=every)
            case {"do": "calm"}:
                self._trouble.calm()
            case {"do": "restart"} if self._bot is not None:
                self._bot.restart()
            case {"do": "kill"} if self._bot is not None:
                self._bot.kill()
            case _:
                raise KeyError(asked["do"])
        self.tell_state()

    def tell_state(self) -> None:
        """Tell all listeners how things stand."""
        self._tell({"kind": "backstage", **self.state})

    @property
    def state(self) -> dict[str, Any]:
        """How things stand, but for the calls."""
        return {
            "state": self._bot.state if self._bot is not None else "starting",
            "methods": list(METHODS),
            "trouble": self._trouble.pending,
            "report": self._report,
        }

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The latest calls, oldest first."""
        return [call.json for call in self.log.calls]

    def _tell_call(self, call: Call) -> None:
        self._tell({"kind": "call", "call": call.json})
        if call.outcome != "done":
            self.tell_state()  # what has struck is no longer to come

    def _set_report(self, path: str, edition: Edition, kind: str) -> None:
        self._report = {
            "kind": kind,
            "at": self._telegram.clock.now().timestamp(),
            "path": printable(path),
            "quizzes": len(edition.catalog.quizzes),
            "faults": [_shown(fault) for fault in edition.faults],
        }
        self.tell_state()

    def _tell(self, told: dict[str, Any]) -> None:
        for listener in self._listeners:
            listener(told)


def _shown(fault: Fault) -> dict[str, Any]:
    place = printable(f"{fault.path}:{fault.line}")
    return {"place": place, "message": printable(fault.message), "severity": fault.severity}

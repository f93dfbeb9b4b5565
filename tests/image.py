"""The image without a container engine: built as the Dockerfile says, run, asked how it is, ended.

A virtual environment stands for the base image and a folder for its file system. Prints what it
does. Must be root, to become the image's user.

Usage: python -m tests.image FOLDER
"""

import asyncio
import os
import random
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

from bot.clock import SystemClock
from bot.demo.server import serve
from bot.demo.telegram import LocalTelegram
from tests.dockerfile import Image, ignored, is_ignored, read
from tests.posting import free_address

ROOT = Path(__file__).parent.parent
TOKEN = "4242:local-token-of-the-image"

OWN_FOLDERS = ("app", "data", "tmp")
"""The top folders of the image that its steps may name."""

SECONDS_TO_BE_WELL = 30.0
SECONDS_TO_END = 5.0


class ImageError(Exception):
    """The image does not do what it should; the message says what."""


class Machine:
    """What stands for the image's file system, and for its user."""

    def __init__(self, image: Image, folder: Path) -> None:
        self._image = image
        self._root = folder / "root"
        self._python = folder / "python"
        self._context = folder / "context"
        user, _, group = image.user.partition(":")
        self.uid, self.gid = int(user), int(group)
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ImageError(f"{folder} is not empty: name a folder that does not exist.")
        folder.chmod(0o755)  # so that this user gets through
        for name in OWN_FOLDERS:
            (self._root / name).mkdir(parents=True)
        (self._root / "tmp").chmod(0o1777)

    def build(self) -> None:
        """Do the Dockerfile's steps."""
        self._make_context()
        self._make_python()
        folder = Path("/")
        environment = dict(os.environ) | self._environment()
        for word, said in self._image.steps:
            _say(f"{word} {said}")
            if word == "WORKDIR":
                folder = self.place(said)
                folder.mkdir(parents=True, exist_ok=True)
            elif word == "COPY":
                *sources, target = shlex.split(said)
                for source in sources:
                    _copy(self._context / source, folder / target)
            else:
                said = self._moved(said)
                subprocess.run(said, shell=True, check=True, cwd=folder, env=environment)

    def place(self, path: str) -> Path:
        """Where a path of the image is here."""
        return Path(self._moved(path))

    async def start(
        self, command: Sequence[str], settings: Mapping[str, str], stderr: int | None = None
    ) -> asyncio.subprocess.Process:
        """Run a command as the image's user in its working directory."""
        return await asyncio.create_subprocess_exec(
            *(str(self._python / "bin" / command[0]), *command[1:]),
            cwd=self.place(self._image.folder),
            env=self._environment() | dict(settings),
            stderr=stderr,
            user=self.uid,
            group=self.gid,
            extra_groups=[],
        )

    def _environment(self) -> dict[str, str]:
        said = {name: self._moved(value) for name, value in self._image.environment.items()}
        return said | {"PATH": f"{self._python}/bin:{os.defpath}"}

    def _moved(self, text: str) -> str:
        """A text in which the image's own folders are where they are here."""
        return re.sub(rf"(?<![\w./-])/(?=({'|'.join(OWN_FOLDERS)})\b)", f"{self._root}/", text)

    def _make_context(self) -> None:
        patterns = ignored((ROOT / ".dockerignore").read_text())

        def left_out(folder: str, names: list[str]) -> list[str]:
            inside = Path(folder).relative_to(ROOT)
            return [name for name in names if is_ignored(inside / name, patterns)]

        shutil.copytree(ROOT, self._context, ignore=left_out)
        _say(f"The context: {', '.join(sorted(path.name for path in self._context.iterdir()))}")

    def _make_python(self) -> None:
        version = self._image.base.removeprefix("python:").removesuffix("-slim")
        for candidate in (f"/usr/bin/python{version}", sys.executable):
            if self._can_run(candidate, version):
                _say(f"{candidate} stands for {self._image.base}")
                subprocess.run([candidate, "-m", "venv", self._python], check=True)
                return
        raise ImageError(f"There is no Python {version} here that the image's user may run.")

    def _can_run(self, candidate: str, version: str) -> bool:
        question = "import ensurepip, sys; print('%d.%d' % sys.version_info[:2])"
        try:
            answer = subprocess.run(
                [candidate, "-c", question],
                capture_output=True,
                text=True,
                user=self.uid,
                group=self.gid,
                extra_groups=[],
            )
        except OSError:
            return False
        return answer.stdout.strip() == version


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copy(source, target)


async def check(image: Image, machine: Machine) -> None:
    """Run the image until it is well, look at what it stored, and end it as an engine would."""
    async with _running(image, machine) as (bot, settings):
        began = monotonic()
        while not await _is_well(image, machine, settings):
            if bot.returncode is not None or monotonic() - began > SECONDS_TO_BE_WELL:
                raise ImageError("The health check does not find the bot well.")
            await asyncio.sleep(0.2)
        _say(f"Well after {monotonic() - began:.1f} s.")
        _check_database(machine, machine.place(image.environment["DATABASE_PATH"]))
        began = monotonic()
        bot.send_signal(signal.SIGTERM)
        code = await _exit_code(bot)
        seconds = monotonic() - began
        if code != 0 or seconds > SECONDS_TO_END:
            raise ImageError(f"After SIGTERM the bot ended with code {code} in {seconds:.1f} s.")
        _say(f"Ended with code 0 in {seconds:.1f} s.")
        if await _is_well(image, machine, settings):
            raise ImageError("The health check finds a bot well that has ended.")


@asynccontextmanager
async def _running(
    image: Image, machine: Machine
) -> AsyncIterator[tuple[asyncio.subprocess.Process, Mapping[str, str]]]:
    telegram = LocalTelegram(SystemClock(), token=TOKEN, random=random.Random(7))
    async with serve(telegram) as server:
        settings = {
            "BOT_TOKEN": TOKEN,
            "BOT_API_URL": server.url,
            "LISTEN": str(free_address()),  # the image's own may be taken here
        }
        _say(" ".join(image.command))
        bot = await machine.start(image.command, settings)
        try:
            yield bot, settings
        finally:
            if bot.returncode is None:
                bot.kill()
                await bot.wait()


async def _is_well(image: Image, machine: Machine, settings: Mapping[str, str]) -> bool:
    return not await _exit_code(
        await machine.start(image.health, settings, stderr=asyncio.subprocess.DEVNULL)
    )


async def _exit_code(process: asyncio.subprocess.Process) -> int:
    async with asyncio.timeout(SECONDS_TO_BE_WELL):
        return await process.wait()


def _check_database(machine: Machine, path: Path) -> None:
    found = path.stat()
    mode = stat.S_IMODE(found.st_mode)
    if mode != 0o600:
        raise ImageError(f"The database has mode {mode:04o} instead of 0600.")
    if (found.st_uid, found.st_gid) != (machine.uid, machine.gid):
        raise ImageError(f"The database belongs to {found.st_uid}:{found.st_gid}.")
    _say(f"The database has mode 0600 and belongs to {found.st_uid}:{found.st_gid}.")


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def main(arguments: Sequence[str]) -> None:
    if len(arguments) != 1:
        sys.exit("Usage: python -m tests.image FOLDER")
    if os.geteuid() != 0:
        sys.exit("Only root can try the image: it must become the image's user.")
    image = read((ROOT / "Dockerfile").read_text())
    try:
        machine = Machine(image, Path(arguments[0]).absolute())
        machine.build()
        asyncio.run(check(image, machine))
    except ImageError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])

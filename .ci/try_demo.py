"""Start a `quiz-tutor demo` in a folder, ask for its page, and stop it as an operator would.

Usage: python3 try_demo.py FOLDER COMMAND
"""

import re
import subprocess
import sys
import urllib.request

SECONDS = 30
SECONDS_TO_END = 5


def main(folder: str, command: str) -> None:
    demo = subprocess.Popen(
        [command, "demo", "--no-browser", "--port", "0"],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert demo.stdout is not None
        line = demo.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if address is None:
            sys.exit(f"The demo printed {line!r} instead of its address.")
        with urllib.request.urlopen(address[0], timeout=SECONDS) as response:
            page = response.read().decode()
        if "<html" not in page:
            sys.exit(f"{address[0]} is no page: {page[:200]!r}")
        demo.terminate()
        code = demo.wait(SECONDS_TO_END)
        if code != 0:
            sys.exit(f"The demo ended with code {code}.")
    finally:
        demo.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])

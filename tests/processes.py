"""Commands of the project as processes of their own on the test database, to be killed at will."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

Process = subprocess.Popen[str]


def database_url() -> str:
    """The test database, for another process."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    who = f"{given['USER']}:{given['PASSWORD']}@" if given["PASSWORD"] else f"{given['USER']}@"
    return f"postgres://{who}{given['HOST']}:{given['PORT']}/{given['NAME']}"


def start(var: Path, *arguments: Any) -> Process:
    """`manage.py` with these arguments; whoever starts it ends it."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=settings.BASE_DIR,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DEBUG": "1",
            "DATABASE_URL": database_url(),
            "VAR_DIR": str(var),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process: Process) -> None:
    """Kill it where it still lives, and read what it left."""
    if process.poll() is None:
        process.kill()
    process.communicate()


def kill_with_children(process: Process) -> None:
    """Kill it and the processes it started at once, so that none of them gives anything back."""
    children = [pid for pid, _ in children_of(process.pid)]
    for pid in children:
        os.kill(pid, signal.SIGSTOP)
    process.kill()
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    process.communicate()


def until(stub: Any, calls: int, process: Process) -> None:
    """Wait until the stub has seen so many calls, or the process has ended."""
    pause = threading.Event()
    while stub.calls < calls and process.poll() is None:
        pause.wait(0.005)


def children_of(parent: int) -> list[tuple[int, str]]:
    """Process number and command line of each child of a process."""
    listed = subprocess.run(
        ["ps", "-ww", "--no-headers", "-o", "pid=,args=", "--ppid", str(parent)],
        capture_output=True,
        text=True,
    )
    rows = (line.strip().partition(" ") for line in listed.stdout.splitlines())
    return [(int(pid), line) for pid, _, line in rows]

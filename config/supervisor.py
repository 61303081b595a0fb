"""Child processes that are restarted after growing pauses when they exit."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import IO

LONGEST_PAUSE = 60.0  # seconds before a child that keeps exiting is restarted
HEALTHY_AFTER = 60.0  # seconds of running after which the pauses start from the shortest again
STOP_WITHIN = 10.0  # seconds children get to end by themselves

Process = subprocess.Popen[bytes]


class Child:
    """A process that should always run.

    The pauses before restarts are 1, 2, 4, … seconds, `LONGEST_PAUSE` at most.
    """

    def __init__(
        self,
        name: str,
        command: list[str],
        *,
        env: dict[str, str],
        output: IO[bytes] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._command = command
        self._env = env
        self._output = output
        self._now = now
        self._exits = 0  # in a row
        self._start_at: float | None = None  # when the next process is due
        self.process = self._start()

    def restart_if_due(self) -> None:
        """Restart the process if it has exited and its pause is over."""
        status = self.process.poll()
        if status is None:
            return
        if self._start_at is None:
            lived = self._now() - self._started
            self._exits = 1 if lived >= HEALTHY_AFTER else self._exits + 1
            pause = min(2.0 ** (self._exits - 1), LONGEST_PAUSE)
            self._start_at = self._now() + pause
            self._say(f"The {self.name} ended (status {status}); it starts again in {pause:.0f} s.")
        elif self._now() >= self._start_at:
            self._start_at = None
            self.process = self._start()
            self._say(f"The {self.name} was started again.")

    def _start(self) -> Process:
        self._started = self._now()
        return subprocess.Popen(
            self._command, env=self._env, stdout=self._output, stderr=self._output
        )

    def _say(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)


def stop_all(processes: list[Process]) -> None:
    """Terminate processes; kill those that do not end within `STOP_WITHIN` seconds."""
    for process in processes:
        if process.poll() is None:
            process.terminate()
    deadline = time.monotonic() + STOP_WITHIN
    for process in processes:
        try:
            process.wait(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

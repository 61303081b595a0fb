"""Child processes that are started again when they die, with growing pauses."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import IO

LONGEST_PAUSE = 60.0  # seconds before a child that keeps dying is tried again
HEALTHY_AFTER = 60.0  # seconds a child must live for its next death to count as the first one
STOP_WITHIN = 10.0  # seconds children get to end by themselves

Process = subprocess.Popen[bytes]


class Child:
    """One process that should always run.

    The pauses before it is started again are 1, 2, 4, … seconds, `LONGEST_PAUSE` at most.
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
        self._deaths = 0  # in a row
        self._start_at: float | None = None  # when the next process is due
        self.process = self._start()

    def look_after(self) -> None:
        """Start the process again if it has died and its pause is over."""
        status = self.process.poll()
        if status is None:
            return
        if self._start_at is None:
            lived = self._now() - self._started
            self._deaths = 1 if lived >= HEALTHY_AFTER else self._deaths + 1
            pause = min(2.0 ** (self._deaths - 1), LONGEST_PAUSE)
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
    """End processes politely, then by force."""
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

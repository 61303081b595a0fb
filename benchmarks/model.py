"""The local model server as a process of its own, so that its work is not the judge's."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


class Model:
    """`python -m tests.llm_stub` on a free port; a context manager."""

    def __init__(
        self,
        *,
        latency_ms: float,
        spread: float = 0.0,
        faults: float = 0.0,
        kinds: str = "every",
        seed: int = 0,
        log: Path | None = None,
    ) -> None:
        self.command = [
            sys.executable, "-m", "tests.llm_stub", "--port", "0",
            "--latency-ms", str(latency_ms), "--spread", str(spread), "--faults", str(faults),
            "--kinds", kinds, "--seed", str(seed), "--log", str(log or ""),
        ]  # fmt: skip

    def __enter__(self) -> "Model":
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        addresses = dict(self.process.stdout.readline().strip().split("=", 1) for _ in range(2))
        self.env = {
            **addresses,
            "OPENAI_API_KEY": "sk-benchmark",
            "ANTHROPIC_API_KEY": "sk-benchmark",
        }
        self.url = addresses["ANTHROPIC_BASE_URL"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def stats(self) -> dict[str, Any]:
        """What the server counted so far."""
        with urllib.request.urlopen(f"{self.url}/stats", timeout=10) as reply:
            found: dict[str, Any] = json.load(reply)
        return found


def cpu_seconds(pid: int) -> float:
    """Processor time of a process, its threads and the children it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(value) for value in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def load_average() -> float:
    """Processes that wanted a core during the last minute, to judge a timing by."""
    return round(os.getloadavg()[0], 2)


def machine() -> str:
    """What the figures were measured on."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} cores" + (f", {model.group(1)}" if model else "")

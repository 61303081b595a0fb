"""The local model server in a process of its own, and facts about processes and the machine."""

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
    """Runs `python -m tests.llm_stub` on a free port, as a context manager."""

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
        """Return what the server has counted so far."""
        with urllib.request.urlopen(f"{self.url}/stats", timeout=10) as reply:
            found: dict[str, Any] = json.load(reply)
        return found


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, its threads and the children it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(value) for value in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def load_average() -> float:
    """Return the machine's load average of the last minute."""
    return round(os.getloadavg()[0], 2)


def machine() -> str:
    """Return the number and model of the processor cores."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} cores" + (f", {model.group(1)}" if model else "")

"""Files of JSON lines, and the commands that read them."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write lines (mappings, or raw text) to a file and return its path."""

    def go(*lines: Any, name: str = "file.jsonl") -> str:
        path = tmp_path / name
        path.write_text(
            "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines),
            encoding="utf-8",
        )
        return str(path)

    return go


@pytest.fixture
def run() -> Callable[..., str]:
    """Run a command and return what it printed."""

    def go(command: str, *args: str) -> str:
        out = io.StringIO()
        call_command(command, *args, stdout=out)
        return out.getvalue().strip()

    return go


@pytest.fixture
def refused(run: Any) -> Callable[..., list[str]]:
    """Run a command that must refuse; its lines, with the file's folder cut off."""

    def go(command: str, path: str, *args: str) -> list[str]:
        with pytest.raises(CommandError) as refusal:
            run(command, path, *args)
        folder = str(Path(path).parent) + "/"
        return str(refusal.value).replace(folder, "").splitlines()

    return go


def line(n: int = 1, **fields: Any) -> dict[str, Any]:
    """One line of a rubric."""
    return {
        "id": f"c{n}",
        "text": f"States fact {n} with its source.",
        "importance": "important",
        "weight": 5,
        "dimension": "accuracy",
    } | fields


def external(key: str = "x-1", **fields: Any) -> dict[str, Any]:
    """A task of another benchmark."""
    return {"id": key, "domain": "puzzles", "requirements": f"Solve {key}."} | fields


def own(key: str = "o-1", **fields: Any) -> dict[str, Any]:
    """A complete task of this programme."""
    return {
        "id": key,
        "domain": "finance",
        "scenario": "A board meets on Friday.",
        "materials": "The accounts of two years.",
        "requirements": "Write a memo of one page.",
        "reference_answer": "The covenant is broken in March.",
        "rubric": [line(n) for n in range(1, 16)],
    } | fields

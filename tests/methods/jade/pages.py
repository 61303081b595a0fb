"""A folder of documents for tests: one page for each fact."""

import json
from collections.abc import Iterable
from pathlib import Path


def folder_of(path: Path, facts: Iterable[str]) -> str:
    """Write a page for each fact; return the folder's name as a run takes it."""
    path.mkdir(parents=True)
    rows = []
    for n, fact in enumerate(facts):
        name = f"p{n}.txt"
        (path / name).write_text(f"{fact} That is what the register says.", "utf-8")
        rows.append(
            {"address": f"https://r.example.org/{n}", "file": name, "fetched": "2026-01-17"}
        )
    (path / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return f"local:{path}"

"""Loads the sample programme of `fixtures/sample/` by calling the real actions.

So every row is one that people or the machine could have written, and a newcomer sees states that
really occur. `dates` then moves the events into the past.
"""

import json
from pathlib import Path
from typing import Any

from django.conf import settings

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "sample"


def read_file(name: str) -> Any:
    """Read a JSON file of the sample programme."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def read_task(slug: str) -> dict[str, Any]:
    """Read a task with everything that happens to it."""
    return read_file(f"tasks/{slug}.json")

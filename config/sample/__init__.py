"""Loads the sample programme of `fixtures/sample/` by walking the real actions.

No row is written that a person or the machine could not have brought about, so a newcomer sees
states that really occur. `dates` then moves the story into the past.
"""

import json
from pathlib import Path
from typing import Any

from django.conf import settings

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "sample"


def read(name: str) -> Any:
    """One file of the sample programme."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def story(slug: str) -> dict[str, Any]:
    """One task with everything that happens to it."""
    return read(f"tasks/{slug}.json")

"""The sample's benchmark of products: recruiting and marketing, two languages, three periods.

It fills the pages that the sample programme alone leaves empty: work maps, tasks from business,
exact answers and their solvers, products over periods, collecting by hand, the index, market fit,
every method of judging, a release in two halves with an edition and a reader's report. Texts and
figures are examples; `fixtures/sample/products/` has them.
"""

import json
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from config.sample import FOLDER
from curation.joining.people import User

FILES = FOLDER / "products"
People = dict[str, User]


def read_file(name: str) -> Any:
    """Read a JSON file of this set."""
    return json.loads((FILES / name).read_text(encoding="utf-8"))


def read_tasks() -> dict[str, dict[str, Any]]:
    """Return slug -> task, in the order of their names."""
    return {path.stem: read_file(f"tasks/{path.name}") for path in sorted(FILES.glob("tasks/*"))}


def first_of_month(back: int = 0) -> date:
    """Return the first day of the month that lies so many months back (negative: ahead)."""
    today = timezone.localdate()
    months = today.year * 12 + today.month - 1 - back
    return date(months // 12, months % 12 + 1, 1)


def month(back: int) -> tuple[str, date, date]:
    """Return key, first and last day of the month that lies so many months back."""
    first = first_of_month(back)
    return f"{first:%Y-%m}", first, first_of_month(back - 1) - timedelta(days=1)

"""People and tasks from business, reached by the pages that staff use."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.business.actions import check_deidentified, confirm_deidentified, enter_task
from curation.tasks.business.models import CHECKED
from curation.tasks.task.models import Task
from tests.rubrics.walk import PARTS

TICKED = dict.fromkeys(CHECKED, True)
RECORD: dict[str, Any] = {
    "owner": "Harbour Recruiting",
    "permitted_by": "R. Lund, managing partner",
    "permitted_on": date(2026, 3, 2),
    "permission_scope": "Use in a closed benchmark, after removal of names.",
    "permission_text": "You may use the brief of 2 March once no names are left.",
    "permission_document": "",
    "collected_on": date(2026, 3, 3),
}


def collected(staff: Any, domain: Domain, **more: Any) -> Task:
    """A complete draft of a task from business."""
    fields = {**PARTS, "title": "Map the companies", "rate_band": "", **more}
    rate = fields.pop("hourly_rate", 90)
    return enter_task(actor=staff, domain=domain, record=RECORD, hourly_rate=rate, **fields)


def deidentified(task: Task, first: User, second: User) -> Task:
    """The same task, gone through by two people."""
    check = check_deidentified(actor=first, task=task, version=task.version, **TICKED)
    confirm_deidentified(actor=second, check=check)
    task.refresh_from_db()
    return task


def in_days(days: int) -> date:
    return timezone.localdate() + timedelta(days=days)


@pytest.fixture
def colleague(person: Any) -> User:
    """A second member of staff."""
    return person("colleague", is_staff=True)


@pytest.fixture
def enter(staff: User, finance: Domain) -> Callable[..., Task]:
    """Enter complete drafts: `enter(title="One")`."""
    return lambda **more: collected(staff, finance, **more)

"""The work in hand that judge knows: open sheets and graded sheets of scorers."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.staff.pipeline.deadline_in_hand import InHand, of_tasks
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet


def sheets(tasks: Iterable[int] | None) -> Iterator[InHand]:
    """Yield the open sheets of both kinds. Two queries."""
    yield from _open(Sheet, "sheet", _("Sheet"), tasks)
    yield from _open(GradedSheet, "graded-sheet", _("Graded sheet"), tasks)


def _open(model: Any, page: str, what: Any, tasks: Iterable[int] | None) -> Iterator[InHand]:
    rows = model.objects.filter(state=model.State.OPEN, user__isnull=False, user__is_active=True)
    found = of_tasks(rows, tasks, "response__task").values_list(
        *("pk", "user", "opened_at", "due_at"),
        *("response__task", "response__task__title", "response__task__key"),
    )
    for pk, user, opened_at, due_at, task, title, key in found:
        yield InHand(
            key=f"{page}-{pk}",
            what=what,
            task_id=task,
            title=title or key,
            person_id=user,
            page=page,
            page_id=pk,
            since=opened_at,
            due_at=due_at,
            extend=partial(_extend, model, pk, due_at) if due_at else None,
        )


def _extend(model: Any, pk: int, before: datetime, due_at: datetime) -> bool:
    rows = model.objects.filter(pk=pk, state=model.State.OPEN, due_at=before)
    return bool(rows.update(due_at=due_at))

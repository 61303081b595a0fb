"""Open sheets and checks as work in hand: by task for staff, by person for deadlines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.staff.pipeline.deadline_in_hand import InHand, of_tasks
from curation.tasks.task.holding import Held
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import COUNTED, Sheet

DUE_FIRST = 20  # open sheets below the draw


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """An open sheet with its holder."""

    pk: int
    kind: str  # "anchor" or "alignment", its purpose; "practice" or "known" for uncounted ones
    task: int
    title: str
    language: str
    what: str  # name of the candidate; shown to staff only
    who: str  # name or address of the holder
    due_at: datetime | None
    since: datetime


def open_sheets(
    *, task: int | None = None, reader: Any = None, most: int | None = None
) -> list[OpenSheet]:
    """Return the open sheets, of all tasks or of one, earliest due first. One query.

    Args:
        reader: is not told which of their own sheets are known.
        most: how many to return; None for all.
    """
    rows = Sheet.objects.filter(state=Sheet.State.OPEN, user__isnull=False)
    if task is not None:
        rows = rows.filter(response__task=task)
    return [
        OpenSheet(
            pk=sheet.pk,
            kind=_kind_for(reader, sheet),
            task=sheet.response.task_id,
            title=sheet.response.task.title or sheet.response.task.key,
            language=sheet.response.task.language,
            what=sheet.response.candidate.name,
            who=sheet.user.name_for_staff,  # type: ignore[union-attr]
            due_at=sheet.due_at,
            since=sheet.opened_at,
        )
        for sheet in rows.select_related("user", "response__candidate", "response__task").order_by(
            F("due_at").asc(nulls_last=True), "pk"
        )[:most]
    ]


def _kind_for(reader: Any, sheet: Sheet) -> str:
    own_known = reader and sheet.user_id == reader.pk and sheet.kind == Sheet.Kind.KNOWN
    return sheet.purpose if own_known or sheet.kind in COUNTED else sheet.kind


def held(task: Any) -> Iterator[Held]:
    """Yield the open sheets of both kinds, then the open check of the anchor. Three queries."""
    for sheet in open_sheets(task=task.pk):
        label = _("Anchor sheet of %(name)s") if sheet.kind == "anchor" else _("Sheet of %(name)s")
        yield Held(
            what=label % {"name": sheet.what},
            who=sheet.who,
            since=sheet.since,
            due_at=sheet.due_at,
            url=reverse("staff-sheet-release", args=[sheet.pk]),
        )
    graded = GradedSheet.objects.filter(
        response__task=task, state=GradedSheet.State.OPEN, user__isnull=False
    )
    for one in graded.select_related("user", "response__candidate").order_by("due_at", "pk"):
        assert one.user is not None
        yield Held(
            what=_("Graded sheet of %(name)s") % {"name": one.response.candidate.name},
            who=one.user.name_for_staff,
            since=one.opened_at,
            due_at=one.due_at,
            url=reverse("staff-graded-sheet-release", args=[one.pk]),
        )
    checks = MetaEvaluation.objects.filter(anchor__task=task, verdict="")
    for check in checks.select_related("senior"):
        yield Held(
            what=_("Check of the anchor"),
            who=check.senior.name_for_staff,
            since=check.opened_at,
            due_at=None,
            url=reverse("staff-check-release", args=[check.pk]),
        )


def sheets(tasks: Iterable[int] | None) -> Iterator[InHand]:
    """Yield the open sheets of both kinds. Two queries."""
    yield from _open(Sheet, "sheet", gettext_lazy("Sheet"), tasks)
    yield from _open(GradedSheet, "graded-sheet", gettext_lazy("Graded sheet"), tasks)


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

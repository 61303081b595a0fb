"""Graded sheets as their pages show them, and those that statistics count."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from curation.base.access.permissions import allows, authorize
from curation.base.text import storable
from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Domain
from judge.asking.candidates import steering_rules
from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.asking.candidates.models import Response
from judge.methods.graded.scale import LOWEST, scales_of
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets import rules
from rubrics.versions.task_text import TaskText, task_text


def access_graded_sheet(user: Any, pk: int, permission: str = "sheet.score") -> GradedSheet:
    """Load a person's own graded sheet, with attributes of its task. One query.

    The attributes are `task_id`, `task_key`, `domain_id` and `domain_external`.

    Raises:
        NotFound: the sheet does not exist or is somebody else's.
        Denied: the person's qualification is no longer active.
    """
    sheet = (
        GradedSheet.objects.annotate(  # type: ignore[no-redef]  # properties read them instead
            task_id=F("response__task_id"),
            task_key=F("response__task__key"),
            domain_id=F("response__task__domain_id"),
            domain_external=F("response__task__domain__external"),
        )
        .filter(pk=pk, user=user)
        .first()
    )
    if sheet is None or not allows(user, "sheet.view", sheet):
        raise NotFound()
    authorize(user, permission, sheet)
    return sheet


@dataclass(frozen=True)
class GradedSheetPage:
    """A response to grade, without the names of model, author and other scorers."""

    pk: int
    letter: str
    response: str
    task: TaskText
    key: str  # the task's
    open: bool
    grade: int | None
    analysis: str
    revision: int
    due_at: datetime | None
    saved_at: datetime | None
    submitted_at: datetime | None
    scale: tuple[tuple[int, str], ...]  # (grade, what it means), the best first

    @property
    def title(self) -> str:
        """Return the title of the task, or the key of an imported task without one."""
        return self.task.title or self.key

    @property
    def words(self) -> int:
        return storable.word_count(self.response)

    @property
    def shown(self) -> str:
        """Return the response with its invisible characters spelt out."""
        return steering_rules.visible(self.response)

    @property
    def meaning(self) -> str:
        """Return what the grade means; "" without one."""
        return "" if self.grade is None else dict(self.scale)[self.grade]


def graded_sheet_page(sheet: GradedSheet) -> GradedSheetPage:
    """Return what a scorer sees of a graded sheet. Five queries.

    Args:
        sheet: annotated with `task_id` and `task_key`.
    """
    task_id: int = sheet.task_id  # type: ignore[attr-defined]
    before = Response.objects.filter(task=task_id, pk__lt=sheet.response_id).count()
    response = Response.objects.filter(pk=sheet.response_id).values_list("text", flat=True).get()
    return GradedSheetPage(
        pk=sheet.pk,
        letter=rules.letter(task_id, before),
        response=response,
        task=task_text(task_id),
        key=sheet.task_key,  # type: ignore[attr-defined]
        open=sheet.state == GradedSheet.State.OPEN,
        grade=sheet.grade,
        analysis=sheet.analysis,
        revision=sheet.revision,
        due_at=sheet.due_at,
        saved_at=sheet.saved_at,
        submitted_at=sheet.submitted_at,
        scale=scale_of(task_id),
    )


def scale_of(task: int) -> tuple[tuple[int, str], ...]:
    """Return the grades of a task with what each means, the best first. Two queries.

    It is the scale that judges are shown; the built-in one is in the reader's language.
    """
    # "" cannot be translated: it stands for the catalogue's head.
    words = [gettext(sentence) if sentence else "" for sentence in scales_of([task])[task]]
    return tuple(reversed(list(enumerate(words, LOWEST))))


@dataclass(frozen=True)
class Row:
    """A graded sheet in a scorer's list."""

    pk: int
    title: str
    language: str
    domain: str
    letter: str
    due_at: datetime | None
    submitted_at: datetime | None
    grade: int | None


def own_graded_sheets(
    user: Any, state: str = GradedSheet.State.OPEN, *, limit: int | None = None
) -> list[Row]:
    """Return a scorer's graded sheets in one state, the next due or last submitted first.

    One query.
    """
    earlier = (
        Response.objects.filter(task=OuterRef("response__task"), pk__lt=OuterRef("response"))
        .order_by()
        .values("task")
        .annotate(n=Count("pk"))
    )
    rows = (
        GradedSheet.objects.filter(user=user, state=state)
        .annotate(
            task=F("response__task_id"),
            title=F("response__task__title"),
            key=F("response__task__key"),
            language=F("response__task__language"),
            name=F("response__task__domain__name"),
            name_zh=F("response__task__domain__name_zh"),
            rank=Coalesce(Subquery(earlier.values("n")), 0),
        )
        .order_by("-submitted_at" if state == GradedSheet.State.SUBMITTED else "due_at", "pk")
    )
    return [
        Row(
            pk=row.pk,
            title=row.title or row.key,
            language=row.language,
            domain=str(Domain(name=row.name, name_zh=row.name_zh)),
            letter=rules.letter(row.task, row.rank),
            due_at=row.due_at,
            submitted_at=row.submitted_at,
            grade=row.grade,
        )
        for row in rows[:limit]
    ]


def experts_graded_sheets() -> "QuerySet[GradedSheet]":
    """Return the submitted graded sheets of experts that rest on the present text of their task."""
    return GradedSheet.objects.filter(
        ~rests_on_earlier_text(),
        kind=GradedSheet.Kind.EXPERT,
        state=GradedSheet.State.SUBMITTED,
    ).order_by()

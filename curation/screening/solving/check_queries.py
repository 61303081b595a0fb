"""Queries for the checker's page: the reference answer is selected only after their own answer.

What is not selected cannot leak.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Category, Domain
from curation.screening.panels.models import PanelPlace, ReferenceCheck
from curation.tasks.task.models import Task

PROMPT = ("scenario", "materials", "requirements")


@dataclass(frozen=True)
class CheckPage:
    """The content of the checker's page.

    Attributes:
        step: "answer" (write your own), "compare" (the reference is shown), "done", or "ended"
            (the place went to a colleague, or the check is no longer needed).
        reference: the reference answer, from "compare" on and only during screening; else None.
        seconds: time from opening the task to handing in the own answer.
    """

    pk: int
    title: str
    domain: str
    category: str
    language: str
    minutes: int | None
    stage: str
    parts: tuple[tuple[str, str], ...]
    step: str
    due_at: datetime | None
    opened_at: datetime | None
    answer: str
    revision: int
    saved_at: datetime | None
    seconds: int | None
    verdict: str
    verdict_label: str
    remarks: str
    reference: str | None


def check_page(user: Any, task_id: int) -> CheckPage | None:
    """Return the page of a person's check; None if they never had one. Three or four queries."""
    row: Any = (
        Task.objects.filter(pk=task_id)
        .values(
            *("pk", "title", "language", "minutes", "stage", "screening_round", *PROMPT),
            *("domain__name", "domain__name_zh", "category__name", "category__name_zh"),
        )
        .first()
    )
    place = (
        PanelPlace.objects.filter(task_id=task_id, member=user, kind=PanelPlace.Kind.CHECK)
        .order_by("-round")
        .first()
    )
    if row is None or place is None:
        return None
    check = ReferenceCheck.objects.filter(task_id=task_id, round=place.round, checker=user).first()
    step = _step(row, place, check)
    shown = check if step != "ended" else None
    return CheckPage(
        pk=row["pk"],
        title=row["title"],
        domain=_name(Domain, row, "domain__"),
        category=_name(Category, row, "category__"),
        language=row["language"],
        minutes=row["minutes"],
        stage=row["stage"],
        parts=tuple((part, row[part]) for part in PROMPT),
        step=step,
        due_at=place.due_at if step in ("answer", "compare") else None,
        opened_at=shown.opened_at if shown else None,
        answer=shown.answer if shown else place.left_behind,
        revision=shown.revision if shown else 0,
        saved_at=shown.saved_at if shown else None,
        seconds=shown.seconds if shown else None,
        verdict=shown.verdict if shown else "",
        verdict_label=str(shown.get_verdict_display()) if shown and shown.verdict else "",
        remarks=shown.remarks if shown else "",
        reference=_reference(task_id) if _may_compare(step, row) else None,
    )


def _step(row: dict[str, Any], place: PanelPlace, check: ReferenceCheck | None) -> str:
    if check is not None and check.verdict:
        # A later submission may have another reference answer, which this person may not see.
        return "done" if place.round == row["screening_round"] else "ended"
    running = row["stage"] == Stage.SCREENING and place.round == row["screening_round"]
    if check is None or not running or place.state != PanelPlace.State.OPEN:
        return "ended"
    return "answer" if check.answered_at is None else "compare"


def _may_compare(step: str, row: dict[str, Any]) -> bool:
    """Return whether the checker may see the reference answer.

    Not after the screening, when the author may be changing the text.
    """
    return step in ("compare", "done") and row["stage"] == Stage.SCREENING


def _reference(task_id: int) -> str:
    return Task.objects.values_list("reference_answer", flat=True).get(pk=task_id)


def _name(model: type[Domain] | type[Category], row: dict[str, Any], prefix: str) -> str:
    return str(model(name=row[f"{prefix}name"] or "", name_zh=row[f"{prefix}name_zh"] or ""))

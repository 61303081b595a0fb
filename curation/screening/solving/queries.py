"""Queries for the solver's page: answer and steps are selected only after handing in.

What is not selected cannot leak.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Category, Domain
from curation.screening.panels.models import PanelPlace, Solve
from curation.screening.solving.actions import MARK
from curation.tasks.task.exact_models import SolutionStep
from curation.tasks.task.exact_queries import exact_of, exact_page
from curation.tasks.task.fields import label_of
from curation.tasks.task.models import Task

PROMPT = ("scenario", "materials", "requirements")


@dataclass(frozen=True)
class SolvePage:
    """The content of the solver's page.

    Attributes:
        step: "solve" (write your own answer), "compare" (answer and steps are shown), "done", or
            "ended" (the place went to a colleague, or the panel decided without it).
        cutoff: the cut-off date, which solvers may know: they look for pages before it.
        mark_at: from when on the solver may look at the steps.
        words, steps: the author's answer and steps, from "compare" on and only during screening.
    """

    pk: int
    title: str
    domain: str
    category: str
    language: str
    minutes: int | None
    stage: str
    parts: tuple[tuple[str, str], ...]
    cutoff: Any
    step: str
    due_at: datetime | None
    started_at: datetime | None
    mark_at: datetime | None
    answer: str
    agrees: bool | None
    unaided: bool
    seconds: int | None
    verdict: str
    verdict_label: str
    remarks: str
    words: str | None
    steps: tuple[SolutionStep, ...]


def solve_page(user: Any, task_id: int) -> SolvePage | None:
    """Return the page of a person's solve; None if they never had one. At most seven queries."""
    row: Any = (
        Task.objects.filter(pk=task_id)
        .values(
            *("pk", "title", "language", "minutes", "stage", "screening_round", "answer_form"),
            *("exact_answer__cutoff", *PROMPT),
            *("domain__name", "domain__name_zh", "category__name", "category__name_zh"),
        )
        .first()
    )
    place = (
        PanelPlace.objects.filter(task_id=task_id, member=user, kind=PanelPlace.Kind.SOLVE)
        .order_by("-round")
        .first()
    )
    if row is None or place is None:
        return None
    solve = Solve.objects.filter(task_id=task_id, round=place.round, solver=user).first()
    step = _step(row, place, solve)
    shown = solve if step != "ended" else None
    compared = _compared(task_id) if _may_compare(step, row) else None
    form = Task(answer_form=row["answer_form"])
    return SolvePage(
        pk=row["pk"],
        title=row["title"],
        domain=_name(Domain, row, "domain__"),
        category=_name(Category, row, "category__"),
        language=row["language"],
        minutes=row["minutes"],
        stage=row["stage"],
        parts=tuple((label_of(part, form), row[part]) for part in PROMPT if row[part].strip()),
        cutoff=row["exact_answer__cutoff"],
        step=step,
        due_at=place.due_at if step in ("solve", "compare") else None,
        started_at=shown.started_at if shown else None,
        mark_at=shown.started_at + MARK if shown and shown.started_at else None,
        answer=shown.answer if shown else place.left_behind,
        agrees=shown.agrees if shown else None,
        unaided=bool(shown and shown.unaided),
        seconds=shown.seconds if shown else None,
        verdict=shown.verdict if shown else "",
        verdict_label=str(shown.get_verdict_display()) if shown and shown.verdict else "",
        remarks=shown.remarks if shown else "",
        words=compared[0] if compared else None,
        steps=compared[1] if compared else (),
    )


def _step(row: dict[str, Any], place: PanelPlace, solve: Solve | None) -> str:
    if solve is not None and solve.verdict:
        # A later submission may have another answer, which this person may not see.
        return "done" if place.round == row["screening_round"] else "ended"
    running = row["stage"] == Stage.SCREENING and place.round == row["screening_round"]
    if solve is None or not running or place.state != PanelPlace.State.OPEN:
        return "ended"
    return "solve" if solve.ended_at is None else "compare"


def _may_compare(step: str, row: dict[str, Any]) -> bool:
    """Return whether the solver may see answer and steps.

    Not after the screening, when the author may be changing them.
    """
    return step in ("compare", "done") and row["stage"] == Stage.SCREENING


def _compared(task_id: int) -> tuple[str, tuple[SolutionStep, ...]] | None:
    task = Task.objects.get(pk=task_id)
    page = exact_page(task) if exact_of(task) else None
    return (page.words, page.steps) if page else None


def _name(model: type[Domain] | type[Category], row: dict[str, Any], prefix: str) -> str:
    return str(model(name=row[f"{prefix}name"] or "", name_zh=row[f"{prefix}name_zh"] or ""))

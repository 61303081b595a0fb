"""The sheets and checks that people have open or may take; no column names a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.base.process.roles import Role
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Seat
from judge.asking.candidates.models import Response
from judge.scoring.anchors.models import Anchor, AnchorEvent, MetaEvaluation
from judge.scoring.anchors.replace import REPLACED
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.scorers.readiness import ready_domains
from judge.scoring.sheets import rules
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion

SOON = timedelta(days=3)  # a date as near as this is highlighted


@dataclass(frozen=True)
class Row:
    """A sheet, anchor or check in a list."""

    pk: int
    title: str
    language: str
    domain: str
    letter: str = ""
    due_at: datetime | None = None
    since: datetime | None = None
    scored: int = 0
    lines: int = 0
    came_back: bool = False
    practice: bool = False
    stage: str = ""

    @property
    def left(self) -> int:
        return self.lines - self.scored

    @property
    def soon(self) -> bool:
        """Whether to highlight the due date."""
        return self.due_at is not None and self.due_at - timezone.now() <= SOON


_TASK = {
    "title": F("response__task__title"),
    "key": F("response__task__key"),
    "language": F("response__task__language"),
    "name": F("response__task__domain__name"),
    "name_zh": F("response__task__domain__name_zh"),
}


def _counted(rows: QuerySet[Any]) -> Coalesce:
    """Return the expression for the number of rows of a subquery."""
    counted = rows.order_by().annotate(one=Value(1)).values("one").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n"), output_field=IntegerField()), 0)


def _done(purpose: str) -> Q:
    """Return `judge.scoring.sheets.rules.is_done` as a condition on lines."""
    if purpose == rules.ANCHOR:
        return Q(met__isnull=False) & ~Q(rationale="")
    return Q(met=True) | (Q(met=False) & ~Q(rationale=""))


def own_sheets(user: Any, state: str = Sheet.State.OPEN, *, limit: int | None = None) -> list[Row]:
    """Return a scorer's sheets in one state, the next due or last submitted first. One query."""
    of_sheet = SheetLine.objects.filter(sheet=OuterRef("pk"))
    rows = (
        Sheet.objects.filter(user=user, state=state)
        .exclude(purpose=Sheet.Purpose.SETTLED)
        .annotate(
            **_TASK,
            task=F("response__task_id"),
            rank=_counted(
                Response.objects.filter(
                    task=OuterRef("response__task_id"), pk__lt=OuterRef("response_id")
                )
            ),
            asked=_counted(Criterion.objects.filter(version=OuterRef("version_id"))),
            done_anchor=_counted(of_sheet.filter(_done(rules.ANCHOR))),
            done_other=_counted(of_sheet.filter(_done(Sheet.Purpose.ALIGNMENT))),
            anchor_stage=F("response__anchor__stage"),
            came_back=Exists(
                MetaEvaluation.objects.filter(
                    Q(sheet=OuterRef("pk")) | Q(second=OuterRef("pk")), verdict="sent_back"
                )
            ),
            replaced=Exists(
                Sheet.objects.filter(
                    response=OuterRef("response_id"),
                    purpose=Sheet.Purpose.ANCHOR,
                    slot=OuterRef("slot"),
                    pk__gt=OuterRef("pk"),
                )
            ),
        )
        .order_by("-submitted_at" if state == Sheet.State.SUBMITTED else "due_at", "pk")
        .values(
            "pk", "purpose", "kind", "due_at", "submitted_at", "task", "rank", "asked",
            "done_anchor", "done_other", "anchor_stage", "came_back", "replaced", *_TASK,
        )
    )  # fmt: skip
    return [
        Row(
            pk=row["pk"],
            **_named(row),
            letter=rules.letter(row["task"], row["rank"]),
            due_at=row["due_at"],
            since=row["submitted_at"],
            scored=row["done_anchor" if row["purpose"] == rules.ANCHOR else "done_other"],
            lines=row["asked"],
            came_back=row["came_back"] and row["purpose"] == rules.ANCHOR,
            practice=row["kind"] == Sheet.Kind.PRACTICE,
            stage=_stage_of(row),
        )
        for row in rows[:limit]
    ]


def _stage_of(row: dict[str, Any]) -> str:
    """Return the stage of the sheet's anchor; "replaced" if there is a newer sheet in its slot."""
    if row["purpose"] != rules.ANCHOR:
        return "done"
    return "replaced" if row["replaced"] else row["anchor_stage"] or ""


def _named(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": row["title"] or row["key"],
        "language": row["language"],
        "domain": str(Domain(name=row["name"], name_zh=row["name_zh"])),
    }


def _free_anchors(user: Any, stage: str, domains: Any, *, again: bool = False) -> QuerySet[Anchor]:
    """Return the anchors at a stage, in some domains, on whose tasks the person holds no seat.

    Args:
        again: whether to add anchors whose former baseline the person scored, or was scoring
            when it was replaced.
    """
    seats = Seat.objects.filter(task=OuterRef("task_id"), user=user)
    if again:
        former = Sheet.objects.filter(
            user=user,
            purpose=Sheet.Purpose.ANCHOR,
            state=Sheet.State.SUBMITTED,
            response__task=OuterRef("task_id"),
            response__superseded_at__isnull=False,
        )
        interrupted = AnchorEvent.objects.filter(
            anchor__task=OuterRef("task_id"),
            data__event="handed_back",
            data__scorer=user.pk,
            reason=REPLACED,
        )
        seats = seats.exclude(Exists(former) | Exists(interrupted), role=Role.SCORER)
    return Anchor.objects.filter(
        stage=stage, task__stage=Stage.APPROVED, task__domain__in=domains
    ).exclude(Exists(seats))


def pool(user: Any) -> QuerySet[Anchor]:
    """Return the anchors that this person may take to score, the oldest first.

    None in a domain where they practise first, or are paused. Two or three queries before its own.
    """
    taken = Sheet.objects.filter(
        Q(
            state=Sheet.State.OPEN,
            user__is_active=True,
            user__qualifications__domain_id=OuterRef("task__domain_id"),
            user__qualifications__active=True,
        )
        # Submitted by the first of two scorers.
        | Q(state=Sheet.State.SUBMITTED, submitted_at__gte=OuterRef("stage_since")),
        response=OuterRef("response_id"),
        purpose=Sheet.Purpose.ANCHOR,
    )
    domains = ready_domains(user, user.qualified_domain_ids())
    free = _free_anchors(user, AnchorStage.SCORING, domains, again=True)
    # Count slots instead of rows: the join repeats a sheet for each qualification of its scorer.
    counted = taken.order_by().values("response").annotate(n=Count("slot", distinct=True))
    taken_slots = Coalesce(Subquery(counted.values("n"), output_field=IntegerField()), 0)
    return (
        free.annotate(taken_slots=taken_slots)
        .filter(taken_slots__lt=F("scorers"))
        .order_by("stage_since", "pk")
    )


def checks_to_take(user: Any) -> QuerySet[Anchor]:
    """Return the scored anchors whose check this senior may take, the oldest first."""
    taken = MetaEvaluation.objects.filter(
        anchor=OuterRef("pk"),
        verdict="",
        senior__is_active=True,
        senior__qualifications__domain_id=OuterRef("task__domain_id"),
        senior__qualifications__active=True,
        senior__qualifications__senior=True,
    )
    free = _free_anchors(user, AnchorStage.META_EVALUATION, user.senior_domain_ids())
    return free.exclude(Exists(taken)).order_by("stage_since", "pk")


@dataclass(frozen=True)
class WorkCounts:
    """The numbers of sheets and checks a person has open, and of those they may take."""

    sheets: int = 0
    graded: int = 0
    checks: int = 0
    to_score: int = 0
    to_check: int = 0


def count_work(user: Any) -> WorkCounts:
    """Count what a person has open and may take. One query, and those of `pool`."""
    rows = User.objects.filter(pk=user.pk).values_list(
        _counted(Sheet.objects.filter(user=user, state=Sheet.State.OPEN)),
        _counted(GradedSheet.objects.filter(user=user, state=GradedSheet.State.OPEN)),
        _counted(my_checks(user)),
        _counted(pool(user)),
        _counted(checks_to_take(user)),
    )
    return WorkCounts(*rows[0]) if rows else WorkCounts()


def my_checks(user: Any) -> QuerySet[Anchor]:
    """Return the anchors whose check this senior has open."""
    return Anchor.objects.filter(
        stage=AnchorStage.META_EVALUATION,
        evaluations__verdict="",
        evaluations__senior=user,
        task__domain__in=user.senior_domain_ids(),
    ).order_by("stage_since", "pk")


def anchor_rows(anchors: QuerySet[Anchor] | Sequence[Any]) -> list[Row]:
    """Return anchors as rows with only the title and domain of their tasks. One query."""
    names = {name: f"task__{path}" for name, path in {
        "title": "title", "key": "key", "language": "language",
        "name": "domain__name", "name_zh": "domain__name_zh",
    }.items()}  # fmt: skip
    rows = anchors.annotate(  # type: ignore[union-attr]
        **{name: F(path) for name, path in names.items()},
        last=Subquery(
            Sheet.objects.filter(response=OuterRef("response_id"), purpose=Sheet.Purpose.ANCHOR)
            .order_by("-pk")
            .values("pk")[:1]
        ),
        asked=_counted(SheetLine.objects.filter(sheet=OuterRef("last"))),
    ).values("pk", "stage_since", "asked", *names)
    return [
        Row(pk=row["pk"], **_named(row), since=row["stage_since"], lines=row["asked"])
        for row in rows
    ]

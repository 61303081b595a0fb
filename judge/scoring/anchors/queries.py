"""Anchors on the staff's page: their stages, and which of them are poor examples."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from curation.base.process.lifecycle import AnchorStage, Stage
from judge.asking.candidates.models import Response
from judge.scoring.anchors.models import Anchor
from judge.scoring.sheets.models import Sheet


@dataclass(frozen=True, slots=True)
class Former:
    """A baseline that was replaced by another one."""

    key: str
    candidate: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """An anchor; `met` and `unmet` count the lines of its sheet, None before it is submitted."""

    pk: int
    task: int
    title: str
    language: str
    domain: str
    stage: str
    stage_label: str
    since: datetime
    baseline: str
    scorers: int
    met: int | None
    unmet: int | None
    minutes: int | None  # of work on the sheets of this response; None before the first verdict
    former: tuple[Former, ...]
    replaceable: bool

    @property
    def one_sided(self) -> bool:
        """Whether every line has the same verdict, which makes a poor example."""
        return (self.met, self.unmet) != (None, None) and not (self.met and self.unmet)


def anchors(*, one_sided: bool = False) -> QuerySet[Any]:
    """Return the anchors, the latest change of stage first.

    Args:
        one_sided: whether to keep only those whose lines all have the same verdict.
    """
    submitted = Sheet.objects.filter(
        response=OuterRef("response_id"),
        purpose=Sheet.Purpose.ANCHOR,
        state=Sheet.State.SUBMITTED,
    ).order_by("-pk")
    rows = Anchor.objects.annotate(
        counted=Coalesce(F("sheet_id"), Subquery(submitted.values("pk")[:1]))
    ).order_by("-stage_since", "-pk")
    if one_sided:
        uniform = (
            Sheet.objects.filter(pk=OuterRef("counted"))
            .annotate(
                yes=Count("lines", filter=Q(lines__met=True)),
                no=Count("lines", filter=Q(lines__met=False)),
            )
            .filter(Q(yes=0) | Q(no=0))
        )
        rows = rows.filter(counted__in=Subquery(uniform.values("pk")))
    return rows.select_related("task__domain", "response__candidate")


def anchor_rows(rows: Iterable[Any]) -> list[AnchorRow]:
    """Return these anchors for the page. Runs three more queries."""
    found = list(rows)
    counted = {
        sheet.pk: (sheet.yes, sheet.no)
        for sheet in Sheet.objects.filter(pk__in=[row.counted for row in found]).annotate(
            yes=Count("lines", filter=Q(lines__met=True)),
            no=Count("lines", filter=Q(lines__met=False)),
        )
    }
    seconds = dict(
        Sheet.objects.filter(
            response__in=[row.response_id for row in found], purpose=Sheet.Purpose.ANCHOR
        )
        .order_by()
        .values_list("response")
        .annotate(n=Sum("worked_seconds"))
    )
    former: dict[int, list[Former]] = defaultdict(list)
    for task, key, name, at in (
        Response.objects.filter(
            task__in=[row.task_id for row in found], superseded_at__isnull=False
        )
        .order_by("superseded_at")
        .values_list("task_id", "key", "candidate__name", "superseded_at")
    ):
        former[task].append(Former(key, name, at))  # type: ignore[arg-type]  # filtered above
    return [
        AnchorRow(
            pk=row.pk,
            task=row.task_id,
            title=row.task.title or row.task.key,
            language=row.task.language,
            domain=str(row.task.domain),
            stage=row.stage,
            stage_label=str(row.process.stage_label(row.stage)),
            since=row.stage_since,
            baseline=row.response.candidate.name if row.response else "",
            scorers=row.scorers,
            met=counted.get(row.counted, (None, None))[0],
            unmet=counted.get(row.counted, (None, None))[1],
            minutes=round(worked / 60) if (worked := seconds.get(row.response_id, 0)) else None,
            former=tuple(former[row.task_id]),
            replaceable=row.stage != AnchorStage.ANSWERING and row.task.stage == Stage.APPROVED,
        )
        for row in found
    ]


def free_responses(task: int) -> QuerySet[Response]:
    """Return the responses that can become the baseline: not scored, and not judged by a run."""
    return (
        Response.objects.filter(task=task, baseline=False)
        .exclude(text="")
        .exclude(pk__in=Sheet.objects.filter(response__task=task).values("response"))
        .filter(run_items=None)
        .select_related("candidate")
        .defer("text")
        .order_by("candidate__name", "sample")
    )

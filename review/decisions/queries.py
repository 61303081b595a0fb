"""The data of a senior's page for deciding open lines, with roles instead of names."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from curation.tasks.task.models import Task
from review.decisions.models import LineDecision
from review.policy.actions import terms_of
from review.rounds import pace
from review.rounds.access import Content, differences
from review.rounds.assignment_models import LineReview, Review
from review.rounds.closing import judged_lines, rounds_over
from review.rounds.threads import proposal_of, reviewer_name
from review.spot_checks.queries import threads_of
from rubrics.lines.threads import Proposal, Remark
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.task_text import TaskText, task_text


@dataclass(frozen=True)
class OpenRequest:
    """One reviewer's open request with the suggestion, if any, and how it differs."""

    who: str
    aspect: str
    proposal: Proposal | None
    differs: str = ""


@dataclass(frozen=True)
class OpenLine:
    """A line to be decided.

    Attributes:
        n: its number, from 1.
        asks: the open requests.
        approved: how many reviewers approve it unchanged.
        decision: the senior's decision so far.
    """

    n: int
    content: Content
    asks: tuple[OpenRequest, ...]
    approved: int
    remarks: tuple[Remark, ...]
    decision: LineDecision | None

    @property
    def pk(self) -> int:
        return self.content.pk

    @property
    def proposals(self) -> list[OpenRequest]:
        return [ask for ask in self.asks if ask.proposal]


@dataclass(frozen=True)
class DecisionPage:
    """The open lines with both sides' remarks, and the settled lines as (number, content).

    Attributes:
        pace: a warning that lines were approved faster than they can be read; usually empty.
    """

    task: TaskText
    task_pk: int
    version: int
    rounds: int
    lines: tuple[OpenLine, ...]
    settled: tuple[tuple[int, Content], ...]
    pace: str = ""

    @property
    def decided(self) -> int:
        return sum(line.decision is not None for line in self.lines)

    @property
    def undecided(self) -> int:
        return len(self.lines) - self.decided

    @property
    def ticks(self) -> list[str]:
        return ["yes" if line.decision else "open" for line in self.lines]

    def line(self, pk: int | None) -> OpenLine | None:
        return next((line for line in self.lines if line.pk == pk), None)

    def first_open(self, after: int | None = None) -> OpenLine | None:
        """Return the next undecided line after the one with this id, starting again at the top."""
        ids = [line.pk for line in self.lines]
        at = ids.index(after) + 1 if after in ids else 0
        following = [*self.lines[at:], *self.lines[:at]]
        return next((line for line in following if line.decision is None), None)

    def beside(self, pk: int, step: int) -> OpenLine | None:
        """Return the neighbour of a line; `step` is -1 for the previous, 1 for the next one."""
        ids = [line.pk for line in self.lines]
        at = ids.index(pk) + step if pk in ids else -1
        return self.lines[at] if 0 <= at < len(ids) else None


def decision_page(task: Task, version: RubricVersion) -> DecisionPage:
    """Load everything a senior reads before deciding. A fixed number of queries."""
    quorum = terms_of(task).quorum
    remarks = threads_of(task)
    asks = _open_requests(task, version)
    lines: list[OpenLine] = []
    settled: list[tuple[int, Content]] = []
    rows: Any = judged_lines(task, version).select_related("decision")
    for n, line in enumerate(rows, start=1):
        content = _content(line)
        if not line.asked and line.approved >= quorum:
            settled.append((n, content))
            continue
        lines.append(
            OpenLine(
                n=n,
                content=content,
                asks=tuple(
                    OpenRequest(
                        who, aspect, proposal, differences(content, proposal) if proposal else ""
                    )
                    for who, aspect, proposal in asks[line.pk]
                ),
                approved=line.approved,
                remarks=tuple(remarks.get(line.key, ())),
                decision=getattr(line, "decision", None),
            )
        )
    return DecisionPage(
        task=task_text(task.pk),
        task_pk=task.pk,
        version=version.number,
        rounds=rounds_over(task),
        lines=tuple(lines),
        settled=tuple(settled),
        pace=pace.of_everybody(task),
    )


def _content(line: Criterion) -> Content:
    return Content(line.pk, line.key, line.text, line.importance, line.weight, line.dimension)


def _open_requests(task: Task, version: RubricVersion) -> dict[int, list[tuple[str, str, Any]]]:
    """Return line id -> (who, aspect, proposal) of each request on the version."""
    found: dict[int, list[tuple[str, str, Any]]] = defaultdict(list)
    rows = (
        LineReview.objects.filter(
            round__review__task=task.pk,
            round__version=version.pk,
            round__review__state=Review.State.ASSIGNED,
            round__finished_at__isnull=False,
            verdict=LineReview.Verdict.CHANGE,
        )
        .annotate(number=F("round__review__number"))
        .select_related("suggestion", "criterion")
        .order_by("number")
    )
    for row in rows:
        who = reviewer_name(row.number)
        found[row.criterion_id].append((who, row.get_aspect_display(), proposal_of(row, who)))
    return found

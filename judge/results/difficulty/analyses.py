"""The item analysis of a judge's verdicts, its proposals, and what staff decided on them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from curation.base.process.history import AppendOnly, reasoned
from curation.base.web.refusals import NotFound
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.base.figures.sentences import reason_text
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK, TaskSet
from judge.base.stats.item_analysis import (
    Concern,
    Limits,
    LineId,
    LineStatistics,
    TaskStatistics,
    analyse_lines,
    analyse_tasks,
    mean_score,
)
from judge.base.stats.numbers import TaskId
from judge.results.alignment.raters import Rater
from judge.results.difficulty.analysis_sources import AnalysedLine, AnalysedTask, gather
from judge.results.difficulty.analysis_words import concern_sentence
from rubrics.versions.models import Criterion, RubricVersion

CONCERNS = (
    (Concern.SATURATED.value, gettext_lazy("Nearly all points for every candidate")),
    (Concern.NO_POINTS.value, gettext_lazy("No point for any candidate")),
    (Concern.REVERSED.value, gettext_lazy("Candidates that do well in the rest do badly here")),
    (Concern.ALWAYS_MET.value, gettext_lazy("Always met")),
    (Concern.NEVER_MET.value, gettext_lazy("Never met")),
    (Concern.REDUNDANT.value, gettext_lazy("Same verdicts as another line")),
    (Concern.IDLE.value, gettext_lazy("Decides nothing")),
)


class ProposalOutcome(AppendOnly):
    """One decision on one proposal: about one line, or about a task as one version has it.

    It changes no score. The newest row of a line, or of a version, and a concern counts. A later
    rubric version has other lines, and its task is looked at again.
    """

    class Outcome(models.TextChoices):
        ASKED = "asked", gettext_lazy("The author was asked")
        KEPT = "kept", pgettext_lazy("decision", "Kept")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="proposal_outcomes")
    criterion = models.ForeignKey(
        Criterion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    version = models.ForeignKey(
        RubricVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )  # of a decision about the task
    concern = models.CharField(max_length=12, choices=CONCERNS)
    outcome = models.CharField(max_length=5, choices=Outcome.choices)
    reason = models.TextField()
    # The judge, the limits and the figures at the time, as
    # `judge.results.difficulty.analysis_tables` names them.
    evidence = models.JSONField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            reasoned("an_outcome_has_a_reason"),
            models.CheckConstraint(
                condition=Q(criterion__isnull=True, version__isnull=False)
                | Q(criterion__isnull=False, version__isnull=True),
                name="an_outcome_is_about_a_line_or_a_version",
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=("asked", "kept")), name="an_outcome_is_asked_or_kept"
            ),
        ]


OPEN, ANY, DECIDED = "", "any", "decided"
BY_URGENCY, HARDEST, EASIEST, WEAKEST = "", "hardest", "easiest", "weakest"

Key = tuple[int | None, int | None, str]  # version of a task or line, and concern


@dataclass(frozen=True, slots=True)
class Proposal:
    """A finding on which staff decide; `line` is None where it is about the task."""

    task: int
    line: AnalysedLine | None
    concern: Concern
    sentence: str
    outcome: ProposalOutcome | None

    @property
    def value(self) -> str:
        """The name of the proposal in forms."""
        return f"{self.line.pk if self.line else 'task'}:{self.concern.value}"


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line with its statistics and proposals."""

    line: AnalysedLine
    figures: LineStatistics
    twins: tuple[AnalysedLine, ...]
    proposals: tuple[Proposal, ...]

    @property
    def why_none(self) -> str:
        """Why no discrimination is shown."""
        return reason_text(self.figures.why.get("discrimination"))


@dataclass(frozen=True)
class TaskRow:
    """A task with its statistics, its lines and its proposals."""

    task: AnalysedTask
    figures: TaskStatistics
    lines: tuple[LineRow, ...]
    proposals: tuple[Proposal, ...]  # about the task itself

    @property
    def why_none(self) -> str:
        """Why no discrimination is shown."""
        return reason_text(self.figures.why.get("discrimination"))

    @cached_property
    def all_proposals(self) -> tuple[Proposal, ...]:
        return (*self.proposals, *(p for row in self.lines for p in row.proposals))

    @cached_property
    def open(self) -> tuple[Proposal, ...]:
        """The proposals on which nobody has decided."""
        return tuple(p for p in self.all_proposals if p.outcome is None)

    @property
    def urgency(self) -> tuple[int, int]:
        return sum(p.line is None for p in self.open), len(self.open)

    @cached_property
    def line_concerns(self) -> tuple[tuple[str, int], ...]:
        """(concern, number of lines) of the open proposals about lines, most frequent first."""
        counts = Counter(p.concern for p in self.open if p.line is not None)
        return tuple((concern_sentence(concern, lines=n), n) for concern, n in counts.most_common())


@dataclass(frozen=True)
class Analysis:
    """The whole analysis of one judge's verdicts."""

    judge: Rater
    limits: Limits
    tasks: TaskSet
    rows: tuple[TaskRow, ...]
    stale: int  # responses left out because of an earlier text

    @cached_property
    def candidates(self) -> int:
        return len({who for row in self.rows for who, _said in row.task.responses})

    @cached_property
    def lines(self) -> int:
        return sum(len(row.lines) for row in self.rows)

    @cached_property
    def measured(self) -> int:
        """The tasks that enough candidates have a score on."""
        return sum(row.figures.candidates >= self.limits.candidates for row in self.rows)

    @cached_property
    def other_version(self) -> int:
        return sum(row.task.other_version for row in self.rows)

    def count(self, concern: Concern) -> int:
        """Return how many tasks or lines have a concern, decided on or not."""
        return sum(p.concern is concern for row in self.rows for p in row.all_proposals)

    @cached_property
    def open(self) -> int:
        return sum(len(row.open) for row in self.rows)


def analyse(
    judge: Rater, limits: Limits, *, tasks: TaskSet = EVERY_OPEN_TASK, domain: str = ""
) -> Analysis:
    """Analyse tasks and lines over what a judge said of the candidates.

    Queries: six, however much there is.

    Raises:
        BadInput: the judge gave no verdicts on lines.
    """
    found, stale = gather(judge, tasks=tasks, domain=domain)
    scores: dict[TaskId, dict[str, Any]] = {task.pk: _scores(task) for task in found}
    figures = analyse_tasks(scores, limits)
    outcomes = _outcomes(task.pk for task in found)
    lines = analyse_lines({task.pk: (task.weights, task.responses) for task in found}, limits)
    rows = tuple(
        _row(task, figures[task.pk], lines[task.pk], limits, outcomes.get(task.pk, {}))
        for task in found
    )
    return Analysis(judge, limits, tasks, rows, stale)


def row_of(analysis: Analysis, task: int) -> TaskRow:
    """Return the row of a task. Raises NotFound where the judge read no response to it."""
    for row in analysis.rows:
        if row.task.pk == task:
            return row
    raise NotFound()


def _scores(task: AnalysedTask) -> dict[str, Any]:
    """Return candidate -> mean S of its complete responses."""
    weights = task.weights
    complete: dict[str, list[Any]] = {}
    for who, said in task.responses:
        if weights and all(said.get(line) is not None for line in weights):
            complete.setdefault(who, []).append({line: bool(said[line]) for line in weights})
    found = {who: mean_score(weights, rows) for who, rows in complete.items()}
    return {who: s for who, s in found.items() if s is not None}


def _outcomes(tasks: Iterable[int]) -> dict[int, dict[Key, ProposalOutcome]]:
    """Return the newest outcome of each proposal, by task."""
    found: dict[int, dict[Key, ProposalOutcome]] = {}
    rows = ProposalOutcome.objects.filter(task__in=list(tasks)).select_related("by")
    for outcome in rows.order_by("pk"):
        about = (outcome.version_id, None) if outcome.version_id else (None, outcome.criterion_id)
        found.setdefault(outcome.task_id, {})[*about, outcome.concern] = outcome
    return found


def _row(
    task: AnalysedTask,
    figures: TaskStatistics,
    of_lines: Mapping[LineId, LineStatistics],
    limits: Limits,
    outcomes: Mapping[Key, ProposalOutcome],
) -> TaskRow:
    by_pk = {line.pk: line for line in task.lines}
    lines = []
    for pk, found in of_lines.items():
        line = by_pk[pk]
        twins = tuple(by_pk[twin] for twin in found.twins)
        lines.append(
            LineRow(
                line,
                found,
                twins,
                tuple(
                    Proposal(
                        task.pk,
                        line,
                        concern,
                        concern_sentence(concern, line=found, twins=[t.number for t in twins]),
                        outcomes.get((None, line.pk, concern.value)),
                    )
                    for concern in found.concerns
                ),
            )
        )
    about_task = tuple(
        Proposal(
            task.pk,
            None,
            concern,
            concern_sentence(concern, task=figures, limits=limits),
            outcomes.get((task.version, None, concern.value)),
        )
        for concern in figures.concerns
    )
    return TaskRow(task, figures, tuple(lines), about_task)


# -- the list -------------------------------------------------------------------------------------


def listed(analysis: Analysis, *, show: str, order: str) -> list[TaskRow]:
    """Return the rows of the list: those with open proposals, with decided ones, or all."""
    rows: Sequence[TaskRow] = analysis.rows
    if show == OPEN:
        rows = [row for row in rows if row.open]
    elif show == DECIDED:
        rows = [row for row in rows if len(row.open) < len(row.all_proposals)]
    if order == BY_URGENCY:
        return sorted(rows, key=lambda row: (*(-n for n in row.urgency), row.task.key))
    return sorted(rows, key=lambda row: (*_in_order(row.figures, order), row.task.key))


def _in_order(figures: TaskStatistics, order: str) -> tuple[bool, float]:
    """Return a sort key; what is unknown comes last."""
    value = figures.discrimination if order == WEAKEST else figures.difficulty
    return value is None, 0.0 if value is None else -value if order == HARDEST else value


def headline(analysis: Analysis) -> str:
    """Return the first sentence of the page."""
    if not analysis.measured:
        return _(
            "No task has scores of %(n)s candidates yet, so nothing can be said of the tasks."
        ) % {"n": analysis.limits.candidates}
    with_open = sum(bool(row.open) for row in analysis.rows)
    if not analysis.open:
        return ngettext(
            "The %(all)s task that could be analysed has nothing left to decide on.",
            "The %(all)s tasks that could be analysed have nothing left to decide on.",
            analysis.measured,
        ) % {"all": f"{analysis.measured:,}"}
    return ngettext(
        "%(n)s of %(all)s tasks needs a look: itself, or lines of it, do not tell candidates "
        "apart as they should.",
        "%(n)s of %(all)s tasks need a look: they, or lines of theirs, do not tell candidates "
        "apart as they should.",
        with_open,
    ) % {"n": f"{with_open:,}", "all": f"{len(analysis.rows):,}"}


def task_headline(row: TaskRow) -> str:
    """Return the first sentence of a task's page."""
    lines = len({proposal.line.pk for proposal in row.open if proposal.line is not None})
    itself = any(proposal.line is None for proposal in row.open)
    values = {"n": lines, "all": len(row.lines)}
    if itself and lines:
        return _("The task itself and %(n)s of its %(all)s lines need a look.") % values
    if itself:
        return _("The task itself needs a look; its lines do not.")
    if lines:
        return (
            ngettext(
                "%(n)s of %(all)s lines needs a look.", "%(n)s of %(all)s lines need a look.", lines
            )
            % values
        )
    if row.all_proposals:
        return _("Everything that was found here is decided on.")
    return _("Nothing stands out on this task.")

"""The shares of models that are right, for tasks with an exact answer, over all and by period."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import wording
from curation.base.text.short_answers import Expected, one_spelling
from curation.base.web.refusals import NotFound
from curation.screening.solving.models import SecondLook
from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.models import AnswerForm, Task
from judge.asking.candidates.models import Response
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK, TaskSet
from judge.base.products import EvaluationPeriod
from judge.base.stats.model_shares import (
    Answer,
    Finding,
    Limits,
    TaskShare,
    histogram,
    mean_of,
    share_of,
)
from judge.methods.base import registry
from judge.results.alignment.raters import Rater, newest_judge
from judge.results.difficulty.extracted import extracted_answers
from judge.results.difficulty.models import FINDING_LABELS, ShareDecision, ShareRules
from judge.results.leaderboard.sources import responses_of
from judge.runs.engine.models import RunItem

AT_ONCE = 5_000  # ids per statement; SQLite accepts 32,766 values
BINS = 10
TO_DECIDE = (Finding.EASY, Finding.FEW_RIGHT, Finding.OTHER_ANSWER)
OPEN, ANY = "", "any"


def rules_in_force() -> tuple[Limits, int]:
    """Return the limits in force and their number; the defaults are number 0. One query."""
    row = ShareRules.objects.first()
    if row is None:
        return Limits(), 0
    return Limits(models=row.fewest, drop=row.drop, look=row.look, agree=row.agree), row.number


def default_judge() -> Rater | None:
    """Return the newest finished run that judged exact answers, else what other pages show.

    A run by a method that is made for them goes before others.
    """
    exact = RunItem.objects.filter(response__task__answer_form=AnswerForm.EXACT)
    return newest_judge(exact, methods=registry.only_for(AnswerForm.EXACT))


@dataclass(frozen=True)
class TaskRow:
    """A task with an exact answer, and what models made of it.

    Attributes:
        decision: the decision of staff to keep it in spite of its present finding, if there is one.
        look: the state or the outcome of its newest second look, in words; "" without one.
    """

    pk: int
    key: str
    title: str
    language: str
    domain: str
    stage: str
    version: int
    share: TaskShare
    decision: ShareDecision | None
    look: str
    look_open: bool

    @property
    def open(self) -> bool:
        """Whether staff have something to decide."""
        return (
            self.share.finding in TO_DECIDE
            and self.decision is None
            and not self.look_open
            and self.stage == "approved"
        )

    @property
    def finding(self) -> str:
        return str(FINDING_LABELS[self.share.finding.value])

    @property
    def percent(self) -> str:
        return "–" if self.share.right is None else percent(self.share.right)

    @property
    def other_percent(self) -> str:
        return percent(self.share.other_share)


@dataclass(frozen=True)
class PeriodRow:
    """The tasks as one evaluation period has them; `findings` counts those with a finding."""

    key: str
    tasks: int
    mean: Fraction
    findings: Mapping[Finding, int]

    @property
    def percent(self) -> str:
        return percent(self.mean)

    @property
    def easy(self) -> int:
        return self.findings.get(Finding.EASY, 0)

    @property
    def doubtful(self) -> int:
        return self.findings.get(Finding.FEW_RIGHT, 0) + self.findings.get(Finding.OTHER_ANSWER, 0)


@dataclass(frozen=True)
class Shares:
    """The shares of models that are right by what one judge said.

    Attributes:
        left_out: responses without a score, which count nowhere.
    """

    judge: Rater
    limits: Limits
    tasks: TaskSet
    rows: tuple[TaskRow, ...]
    periods: tuple[PeriodRow, ...]
    left_out: int

    @cached_property
    def counted(self) -> list[Fraction]:
        """The shares of the tasks that enough models have answered."""
        return [
            row.share.right
            for row in self.rows
            if row.share.right is not None and row.share.finding is not Finding.UNKNOWN
        ]

    @cached_property
    def bins(self) -> list[int]:
        return histogram(self.counted, BINS)

    @property
    def marked(self) -> list[bool]:
        """Which bins lie wholly beyond one of the limits."""
        width = 100 // BINS
        return [
            n * width >= self.limits.drop or (n + 1) * width <= self.limits.look
            for n in range(BINS)
        ]

    @cached_property
    def counts(self) -> list[tuple[str, int]]:
        found = Counter(row.share.finding for row in self.rows)
        return [(str(FINDING_LABELS[f.value]), found[f]) for f in Finding]

    @cached_property
    def open(self) -> int:
        return sum(row.open for row in self.rows)

    @cached_property
    def models(self) -> int:
        return max((row.share.models for row in self.rows), default=0)


def percent(share: Fraction) -> str:
    """Return a share in whole per cent: "67 %"; between 0 and 1 never a bare 0 or 100."""
    if 0 < share <= Fraction(1, 200):
        return f"<\u00a0{wording.percent(0.01)}"
    if Fraction(199, 200) <= share < 1:
        return f">\u00a0{wording.percent(0.99)}"
    return wording.percent(round(share * 100) / 100)


def shares(
    judge: Rater, *, tasks: TaskSet = EVERY_OPEN_TASK, domain: str = "", period: str = ""
) -> Shares:
    """Return the shares of models that are right on each task with an exact answer.

    A response is right if it has all of its points: the exact method gives 1 of 1, the one line
    of the rubric 10 of 10.

    Args:
        domain: key of the only domain; "" for all.
        period: key of the only evaluation period; "" for all answers.

    Queries: about ten, and one for each 500 responses whose last line is read.

    Raises:
        BadInput: the judge gave no verdicts on lines.
    """
    limits, _number = rules_in_force()
    judged = responses_of(judge, tasks)
    known = _exact_tasks({one.task_id for one in judged}, domain)
    scored = [one for one in judged if one.task_id in known and one.score is not None]
    left_out = sum(one.score is None for one in judged if one.task_id in known)
    periods = _periods([one.response for one in scored])
    if period:
        scored = [one for one in scored if periods.get(one.response) == period]
    wrong = [one.response for one in scored if one.score != 1]
    said = extracted_answers(judge, wrong)
    right = _right_answers(known)
    for one in scored:
        if said.get(one.response):
            expected = right.get(one.task_id, Expected(""))
            said[one.response] = one_spelling(said[one.response], expected)
    answers: dict[int, list[Answer]] = defaultdict(list)
    by_period: dict[str, dict[int, list[Answer]]] = defaultdict(lambda: defaultdict(list))
    for one in scored:
        answer = Answer(one.candidate, one.score == 1, said.get(one.response, ""))
        answers[one.task_id].append(answer)
        if key := periods.get(one.response):
            by_period[key][one.task_id].append(answer)
    decisions, looks = _decisions(answers), _looks(answers)
    rows = [
        _row(known[pk], share_of(answers[pk], limits), decisions, looks) for pk in sorted(answers)
    ]
    return Shares(
        judge,
        limits,
        tasks,
        tuple(sorted(rows, key=_urgency)),
        tuple(_by_period(by_period, limits)),
        left_out,
    )


def row_of(found: Shares, task: int) -> TaskRow:
    """Return the row of a task. Raises NotFound where the judge scored no response to it."""
    row = next((row for row in found.rows if row.pk == task), None)
    if row is None:
        raise NotFound()
    return row


def _urgency(row: TaskRow) -> tuple[bool, int, Fraction, str]:
    order = (
        Finding.OTHER_ANSWER,
        Finding.FEW_RIGHT,
        Finding.EASY,
        Finding.FAIR,
        Finding.UNKNOWN,
    )
    return not row.open, order.index(row.share.finding), row.share.right or Fraction(0), row.key


_COLUMNS = ("pk", "key", "title", "language", "domain__key", "stage", "version")


def _exact_tasks(pks: Iterable[int], domain: str) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for part in _parts(sorted(pks)):
        rows = Task.objects.filter(pk__in=part, answer_form=AnswerForm.EXACT)
        if domain:
            rows = rows.filter(domain__key=domain)
        found.update({row["pk"]: row for row in rows.values(*_COLUMNS)})
    return found


def _right_answers(tasks: Iterable[int]) -> dict[int, Expected]:
    found: dict[int, Expected] = {}
    for part in _parts(sorted(tasks)):
        rows = ExactAnswer.objects.filter(task__in=part)
        found.update({row.task_id: row.expected for row in rows})
    return found


def _periods(responses: Sequence[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for part in _parts(responses):
        rows = Response.objects.filter(pk__in=part, period__isnull=False).order_by()
        found.update(rows.values_list("pk", "period__key"))
    return found


def _parts(pks: Sequence[int]) -> Iterable[Sequence[int]]:
    return (pks[start : start + AT_ONCE] for start in range(0, len(pks), AT_ONCE))


def _decisions(tasks: Mapping[int, Any]) -> dict[tuple[int, str, int], ShareDecision]:
    rows = ShareDecision.objects.filter(task__in=list(tasks)).select_related("by")
    return {(row.task_id, row.finding, row.on_text): row for row in rows.order_by("pk")}


def _looks(tasks: Mapping[int, Any]) -> dict[int, SecondLook]:
    rows = SecondLook.objects.filter(task__in=list(tasks)).order_by("pk")
    return {row.task_id: row for row in rows}


def _row(
    task: Mapping[str, Any],
    share: TaskShare,
    decisions: Mapping[tuple[int, str, int], ShareDecision],
    looks: Mapping[int, SecondLook],
) -> TaskRow:
    look = looks.get(task["pk"])
    return TaskRow(
        pk=task["pk"],
        key=task["key"],
        title=task["title"] or task["key"],
        language=task["language"],
        domain=task["domain__key"],
        stage=task["stage"],
        version=task["version"],
        share=share,
        decision=decisions.get((task["pk"], share.finding.value, task["version"])),
        look="" if look is None else str(_("open") if look.open else look.get_outcome_display()),
        look_open=look is not None and look.open,
    )


def _by_period(
    answers: Mapping[str, Mapping[int, Sequence[Answer]]], limits: Limits
) -> Iterable[PeriodRow]:
    for key in EvaluationPeriod.objects.filter(key__in=list(answers)).values_list("key", flat=True):
        found = [share_of(own, limits) for own in answers[key].values()]
        mean = mean_of([share.right for share in found if share.right is not None])
        if mean is not None:
            yield PeriodRow(key, len(found), mean, Counter(share.finding for share in found))


def listed(found: Shares, *, show: str) -> list[TaskRow]:
    """Return the rows of the list: those with something to decide, or all."""
    return [row for row in found.rows if row.open or show == ANY]


def headline(found: Shares) -> str:
    """Return the first sentence of the page."""
    if not found.rows:
        return _("This judge has scored no answer to a task with an exact answer yet.")
    if not found.open:
        return _("No task needs a decision: none is too easy, and no answer looks doubtful.")
    return ngettext(
        "%(n)s of %(all)s task needs a decision.",
        "%(n)s of %(all)s tasks need a decision.",
        len(found.rows),
    ) % {"n": found.open, "all": len(found.rows)}

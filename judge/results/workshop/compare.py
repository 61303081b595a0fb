"""Measure two variants on what experts said of the same responses, and list what changed."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from judge.base.gold_sets.task_sets import closed
from judge.base.stats.bootstrap import RESAMPLES
from judge.base.stats.paired import PairedCell, compare_lines
from judge.base.stats.paired_figures import ChangeKind, PairedFigure, PairedLines, kind_of_change
from judge.base.stats.preference import difference, summarise
from judge.results.alignment.gather_experts import gather_experts
from judge.results.alignment.gather_judge import gather_judge
from judge.results.alignment.measuring import pairs_by_task
from judge.results.alignment.raters import Rater
from judge.results.alignment.rows import Experts, JudgeData
from judge.results.workshop.models import JudgeExperiment
from judge.runs.engine.models import JudgeRun

SEED = 0


@dataclass(frozen=True, slots=True)
class Change:
    """A line on which the two variants differ; a verdict is None where there is none.

    Attributes:
        line: the criterion of the version that the experts scored.
        expert: the verdict of most experts; None if they are divided.
    """

    response: int
    line: int
    expert: bool | None
    first: bool | None
    second: bool | None
    kind: ChangeKind


@dataclass(frozen=True)
class Comparison:
    """Two variants on the same responses; differences are second minus first.

    Attributes:
        responses: those that both were asked about and experts scored.
        hidden: responses left out because their task was held out after the experiment.
        lines: the lines of these responses that an expert gave a verdict on.
        changes: in the order of task, candidate and line.
    """

    experiment: JudgeExperiment
    truth: Experts
    responses: frozenset[int]
    hidden: int
    lines: int
    paired: PairedLines
    cdr: PairedFigure
    changes: tuple[Change, ...]

    @property
    def tasks(self) -> int:
        return len({self.truth.responses[response].task_id for response in self.responses})

    def figure(self, measure: str) -> PairedFigure:
        """Return the figure of a measure, one of `JudgeExperiment.Measure`."""
        if measure == JudgeExperiment.Measure.CDR:
            return self.cdr
        if measure == JudgeExperiment.Measure.J:
            return self.paired.j
        return self.paired.agreement

    def count(self, kind: ChangeKind) -> int:
        """Return how many changes are of a kind."""
        return sum(change.kind is kind for change in self.changes)

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        experiment = self.experiment
        return {
            "experiment": experiment.pk,
            "set": experiment.set_id,
            "first": {"variant": experiment.first.name, "run": experiment.first_run_id},
            "second": {"variant": experiment.second.name, "run": experiment.second_run_id},
            "measure": experiment.measure,
            "responses": len(self.responses),
            "tasks": self.tasks,
            "lines": self.lines,
            "figures": {
                str(measure.value): self.figure(measure).as_dict()
                for measure in JudgeExperiment.Measure
            },
            "changes": {kind.value: self.count(kind) for kind in ChangeKind},
            "bootstrap": RESAMPLES,
            "seed": SEED,
        }


def compare(experiment: JudgeExperiment) -> Comparison:
    """Compare both runs of an experiment as far as they have come.

    A response counts where both runs were asked about it, and its task is not in a held-out half
    that is closed now.
    """
    runs = [experiment.first_run, experiment.second_run]
    truth = gather_experts(_rater(runs[0]), None)
    first, second = (gather_judge(_rater(run), truth) for run in runs)
    both = (first.asked or frozenset()) & (second.asked or frozenset()) & truth.responses.keys()
    kept_out = set(closed().values_list("task", flat=True))
    inside = {pk for pk in both if truth.responses[pk].task_id not in kept_out}
    changes = _changes(truth, first, second, inside)
    return Comparison(
        experiment=experiment,
        truth=truth,
        responses=frozenset(inside),
        hidden=len(both) - len(inside),
        lines=len({(r, line) for _sheet, r, line, _met in truth.labels if r in inside}),
        paired=compare_lines(_cells(truth, first, second, inside), seed=SEED),
        cdr=_cdr(truth, first, second, inside),
        changes=tuple(changes),
    )


def _rater(run: JudgeRun) -> Rater:
    return Rater(str(run.pk), run)


def _cells(
    truth: Experts, first: JudgeData, second: JudgeData, inside: set[int]
) -> list[PairedCell]:
    return [
        PairedCell(
            truth.responses[response].task,
            met,
            first.verdicts.get((response, line)),
            second.verdicts.get((response, line)),
        )
        for _sheet, response, line, met in truth.labels
        if response in inside
    ]


def _cdr(truth: Experts, first: JudgeData, second: JudgeData, inside: set[int]) -> PairedFigure:
    reports = [
        summarise(pairs_by_task(judge, truth, inside), resamples=0) for judge in (first, second)
    ]
    gap = difference(reports[1], reports[0], seed=SEED)
    why = dict(gap.why)
    if "cdr_micro" in why:
        why["difference"] = why["first"] = why["second"] = why.pop("cdr_micro")
    return PairedFigure(
        first=reports[0].cdr_micro,
        second=reports[1].cdr_micro,
        difference=gap.cdr_micro,
        ci95=gap.ci95,
        tasks=gap.tasks,
        why=why,
    )


def _changes(truth: Experts, first: JudgeData, second: JudgeData, inside: set[int]) -> list[Change]:
    votes: dict[tuple[int, int], list[int]] = defaultdict(list)
    for _sheet, response, line, met in truth.labels:
        if response in inside:
            votes[response, line].append(met)
    found = []
    for (response, line), given in votes.items():
        one, two = (_said(judge.verdicts.get((response, line))) for judge in (first, second))
        if one != two:
            met = 2 * sum(given)
            expert = None if met == len(given) else met > len(given)
            kind = kind_of_change(expert, one, two)
            found.append(Change(response, line, expert, one, two, kind))
    rows = truth.responses
    found.sort(
        key=lambda c: (rows[c.response].task, rows[c.response].candidate, c.response, c.line)
    )
    return found


def _said(verdict: int | None) -> bool | None:
    return None if verdict is None else bool(verdict)

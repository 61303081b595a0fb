"""The alignment page: the report in rows a template can print, with its charts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.models import Domain
from judge import charts, prose
from judge.alignment import Alignment
from judge.alignment.raters import rater_names
from judge.alignment.report import Judgement, Measures
from judge.charts import Estimate, ForestRow
from judge.models import JudgeRun, Sheet
from judge.queries.disagreements import Disagreement, marks_of, worst
from judge.queries.figures import (
    Figure,
    line_figures,
    pair_figures,
    score_figures,
    shown,
    whole,
    with_interval,
)
from judge.stats.trust import Thresholds
from rubrics.dimensions import Dimension, Importance

LOUD = 0.10  # share of a dimension's lines from which an error is marked
_RUNS_OFFERED = 60


def judges() -> list[tuple[str, str]]:
    """Runs and raters that can be measured: (value, label), the newest run first."""
    runs = JudgeRun.objects.exclude(state=JudgeRun.State.WAITING)[:_RUNS_OFFERED]
    raters = rater_names(Q(kind=Sheet.Kind.JUDGE))
    return [(str(run.pk), str(run)) for run in runs] + [(name, name) for name in raters]


def experts() -> list[tuple[str, str]]:
    """Expert raters by name: (value, label)."""
    return [(name, name) for name in rater_names(Q(kind=Sheet.Kind.EXPERT))]


def default_judge() -> JudgeRun | None:
    """The newest finished one-shot run, else the newest finished run."""
    finished = JudgeRun.objects.filter(state=JudgeRun.State.FINISHED)
    return finished.filter(method=JudgeRun.Method.ONE_SHOT).first() or finished.first()


def run_of(value: str) -> JudgeRun | None:
    """The run behind a value of `judges`; none for a rater by name."""
    return JudgeRun.objects.filter(pk=int(value)).first() if value.isdecimal() else None


def twin_of(run: JudgeRun) -> JudgeRun | None:
    """The newest finished run of the same judge by the other method."""
    return (
        JudgeRun.objects.filter(
            state=JudgeRun.State.FINISHED, provider=run.provider, model=run.model
        )
        .exclude(method=run.method)
        .first()
    )


@dataclass(frozen=True, slots=True)
class Group:
    """One row of the table by domain, importance or house."""

    name: str
    pairs: str
    cdr: str
    compared: str
    j: str
    bias: str
    may_rank: bool | None


@dataclass(frozen=True, slots=True)
class Errors:
    """How a judge errs on the lines of one dimension, as shares of all its lines."""

    name: str
    lines: int
    base_rate: float | None
    too_kind: float
    too_strict: float
    j: str

    @property
    def loud_kind(self) -> bool:
        return self.too_kind >= LOUD

    @property
    def loud_strict(self) -> bool:
        return self.too_strict >= LOUD


@dataclass(frozen=True, slots=True)
class Page:
    """Everything the page prints."""

    found: Alignment
    verdict: prose.Verdict
    how: str
    judge: str
    judge_short: str
    other: str
    other_short: str
    pairs: tuple[Figure, ...]
    lines: tuple[Figure, ...]
    scores: tuple[Figure, ...]
    forest: str
    forest_finding: str
    domains: tuple[Group, ...]
    importances: tuple[Group, ...]
    houses: tuple[Group, ...]
    scatter: str
    scatter_finding: str
    errors: tuple[Errors, ...]
    worst: tuple[Disagreement, ...]
    thresholds: Thresholds

    @property
    def error_scale(self) -> float:
        """The share that fills a bar of the table of errors: the largest, at least a quarter."""
        return max([0.25, *(max(row.too_kind, row.too_strict) for row in self.errors)])


def page(found: Alignment, *, with_disagreements: bool) -> Page:
    """The report as the page shows it.

    Args:
        with_disagreements: name the responses on which judge and experts differ most. Only for
            staff: a senior may still have to score one of them blind.
    """
    names = {d.key: str(d) for d in Domain.objects.all()}
    compare = found.compare
    apart = worst(found) if with_disagreements else ()
    rows = _forest_rows(found, names)
    overall = found.judge.overall
    assert overall.preference is not None
    assert overall.score is not None
    return Page(
        found=found,
        verdict=prose.verdict(
            found.trust,
            overall.preference,
            bias=overall.score.mean_bias,
            compared=compare is not None,
        ),
        how=_how(found),
        judge=found.judge.judged.rater.label,
        judge_short=_short(found.judge),
        other=compare.judged.rater.label if compare else "",
        other_short=_short(compare) if compare else "",
        pairs=tuple(pair_figures(found)),
        lines=tuple(line_figures(found)),
        scores=tuple(score_figures(found)),
        forest=charts.forest(
            rows, title=charts.forest_finding(rows), axis=_("CDR, interval (95 %)")
        ),
        forest_finding=charts.forest_finding(rows),
        domains=tuple(_domain_groups(found, names)),
        importances=tuple(_line_groups(found.judge.by_importance, dict(Importance.choices))),
        houses=tuple(_line_groups(found.judge.by_family, {})),
        scatter=_scatter(found, apart),
        scatter_finding=_scatter_finding(found),
        errors=tuple(_errors(found.judge)),
        worst=apart,
        thresholds=found.trust.thresholds,
    )


_METHODS = {
    "one_shot": gettext_lazy("one-shot"),
    "zero_shot": gettext_lazy("zero-shot"),
}


def _short(judge: Judgement) -> str:
    rater = judge.judged.rater
    if rater.run is None:
        return rater.name
    return f"{_METHODS[rater.method]} {rater.run.pk}"


def _how(found: Alignment) -> str:
    """How the sentence was obtained."""
    overall = found.judge.overall.preference
    assert overall is not None
    candidates = {row.candidate for row in found.experts.responses.values()}
    return _(
        "%(cdr)s over %(tasks)s with a preference, %(candidates)s; %(resamples)s resamples of "
        "tasks, seed %(seed)s. Anchor responses are never among the pairs."
    ) % {
        "cdr": _("CDR %(value)s")
        % {"value": with_interval(overall.cdr_micro, overall.ci95, overall.why.get("cdr_micro"))},
        "tasks": ngettext("%(n)s task", "%(n)s tasks", overall.tasks) % {"n": f"{overall.tasks:,}"},
        "candidates": ngettext("%(n)s candidate", "%(n)s candidates", len(candidates))
        % {"n": len(candidates)},
        "resamples": f"{found.bootstrap:,}",
        "seed": found.seed,
    }


def _forest_rows(found: Alignment, names: dict[str, str]) -> list[ForestRow]:
    def estimate(group: Measures | None) -> Estimate | None:
        report = group.preference if group else None
        if report is None or report.cdr_micro is None:
            return None
        return Estimate(float(report.cdr_micro), report.ci95)

    def count(group: Measures) -> int:
        return int(group.preference.counts.strict) if group.preference else 0

    other = found.compare
    rows = [
        ForestRow(
            _("All domains"),
            estimate(found.judge.overall),
            estimate(other.overall) if other else None,
            count(found.judge.overall),
            strong=True,
        )
    ]
    rows += [
        ForestRow(
            names.get(key, key),
            estimate(group),
            estimate(other.by_domain.get(key)) if other else None,
            count(group),
        )
        for key, group in found.judge.by_domain.items()
    ]
    return rows


def _domain_groups(found: Alignment, names: dict[str, str]) -> Iterator[Group]:
    for key, group in found.judge.by_domain.items():
        pairs, score = group.preference, group.score
        assert pairs is not None
        twin = found.compare.by_domain.get(key) if found.compare else None
        other = twin.preference if twin else None
        yield Group(
            name=names.get(key, key),
            pairs=whole(pairs.counts.strict),
            cdr=_brief(pairs.cdr_micro, pairs.ci95, pairs.why.get("cdr_micro")),
            compared=_brief(other.cdr_micro, other.ci95, None) if other else "",
            j=shown(group.criterion.j),
            bias=shown(score.mean_bias if score else None, places=1),
            may_rank=found.judge.ranking[key].answer,
        )


def _brief(value: Any, interval: Any, why: Any) -> str:
    """A value with its interval behind it, for a column whose head says so."""
    if value is None or not interval:
        return shown(value, why)
    return f"{shown(value)} ({shown(interval[0])}–{shown(interval[1])})"


def _line_groups(groups: Any, labels: dict[str, Any]) -> Iterator[Group]:
    for key, group in groups.items():
        yield Group(
            name=str(labels.get(key, key)),
            pairs=f"{group.criterion.cells:,}",
            cdr=shown(group.criterion.cdr),
            compared="",
            j=shown(group.criterion.j),
            bias=shown(group.score.mean_bias if group.score else None, places=1),
            may_rank=None,
        )


def _errors(judge: Judgement) -> Iterable[Errors]:
    labels = dict(Dimension.choices)
    rows = [
        Errors(
            name=str(labels.get(key, key)),
            lines=group.criterion.cells,
            base_rate=float(group.criterion.base_rate or 0),
            too_kind=group.criterion.confusion.too_kind / group.criterion.cells,
            too_strict=group.criterion.confusion.too_strict / group.criterion.cells,
            j=shown(group.criterion.j),
        )
        for key, group in judge.by_dimension.items()
        if group.criterion.cells
    ]
    return sorted(rows, key=lambda row: (-row.lines, row.name))


def _scatter(found: Alignment, apart: Sequence[Disagreement]) -> str:
    marks = marks_of(found)
    return (
        charts.scatter(
            [(expert, judge) for _, expert, judge in marks],
            [(row.expert, row.judge) for row in apart],
            title=_scatter_finding(found),
            x_label=_("Expert score"),
            y_label=_("Judge score"),
        )
        if marks
        else ""
    )


def _scatter_finding(found: Alignment) -> str:
    score = found.judge.overall.score
    assert score is not None
    if not score.responses:
        return ""
    values = {
        "n": f"{score.responses:,}",
        "r": shown(score.pearson, score.why.get("pearson")),
        "bias": shown(abs(score.mean_bias or 0), places=1),
    }
    if (score.mean_bias or 0) >= 0:
        return (
            _(
                "%(n)s responses; the dashed line is equality. Correlation %(r)s. The judge gives "
                "%(bias)s points more on average."
            )
            % values
        )
    return (
        _(
            "%(n)s responses; the dashed line is equality. Correlation %(r)s. The judge gives "
            "%(bias)s points less on average."
        )
        % values
    )

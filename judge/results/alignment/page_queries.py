"""The alignment report as its page prints it, with charts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import storable, wording
from curation.joining.domains.models import Domain
from judge.base.figures import charts, sentences
from judge.base.figures.charts import Estimate, ForestRow
from judge.base.figures.figures import (
    Figure,
    format_interval,
    format_number,
    format_share,
    format_with_interval,
)
from judge.base.stats.trust import Thresholds
from judge.methods.base import registry
from judge.methods.profiles.queries import raters
from judge.results.alignment import page_groups as groups
from judge.results.alignment.disagreements import Disagreement, score_points, worst
from judge.results.alignment.outcome_figures import OutcomeFigures, outcome_figures
from judge.results.alignment.page_figures import line_figures, pair_figures, score_figures
from judge.results.alignment.raters import rater_names
from judge.results.alignment.report_plots import BandRow, Plot, more_labels, reliability
from judge.results.alignment.rows import UNKNOWN_FAMILY
from judge.runs.engine.models import JudgeRun
from judge.scoring.sheets.models import Sheet
from rubrics.policy.dimensions import Importance

if TYPE_CHECKING:
    from judge.base.stats.grades import GradeReport
    from judge.results.alignment.report import Alignment
if TYPE_CHECKING:
    from judge.results.alignment.report import Alignment, JudgeReport, Measures


def grade_figures(found: "Alignment") -> Iterator[Figure]:
    """Yield the figures on grades from 1 to 5; none where nobody graded."""
    first = found.judge.grades
    other = found.compare.grades if found.compare else None
    if first is not None:
        yield from _against_experts(first, other)
    experts = found.grade_ceiling
    if experts is not None:
        yield Figure(
            _("Experts among themselves, weighted κ"),
            format_number(experts.values["kappa"]),
            "",
            _("the ceiling: %(range)s, over %(pairs)s")
            % {
                "range": _range(experts, "kappa"),
                "pairs": ngettext("%(n)s pair of grades", "%(n)s pairs of grades", experts.pairs)
                % {"n": f"{experts.pairs:,}"},
            }
            if experts.pairs
            else _("no response was graded by two experts"),
        )


def _against_experts(first: "GradeReport", other: "GradeReport | None") -> Iterator[Figure]:
    missing = ngettext("of %(n)s grade of an expert", "of %(n)s grades of experts", first.pairs) % {
        "n": f"{first.pairs:,}"
    }
    rows = (
        ("kappa", _("Weighted κ, quadratic"), _("agreement beyond chance; %(range)s")),
        ("kappa_linear", _("Weighted κ, linear"), _("the same, a gap of two counts twice")),
        ("exact", _("Same grade"), missing),
        ("within_one", _("At most one step apart"), _("of the same grades")),
        ("spearman", _("Spearman correlation"), _("of the order alone; %(range)s")),
        ("kendall", _("Kendall’s τ"), _("pairs in order minus pairs turned")),
        ("bias", _("Mean bias"), _("steps; above 0 the judge is more lenient; %(range)s")),
        ("mae", _("Mean error"), _("steps, either way")),
    )
    for name, label, gloss in rows:
        reason = first.why.get(name)
        write = format_share if name in ("exact", "within_one") else format_number
        yield Figure(
            label,
            write(first.values[name]),
            write(other.values[name]) if other is not None else "",
            str(sentences.reason_text(reason))
            if reason
            else gloss.replace("%(range)s", _range(first, name)),
        )


def _range(report: "GradeReport", name: str) -> str:
    return format_interval(report.ci95.get(name), report.why.get(f"{name}_ci95"))


def experts() -> list[tuple[str, str]]:
    """Return the expert raters and those of real outcomes by name as (value, label)."""
    return [(name, name) for name in rater_names(Q(kind=Sheet.Kind.EXPERT))] + [
        (name, _("%(name)s (real outcome)") % {"name": name}) for name in raters()
    ]


def run_of(value: str) -> JudgeRun | None:
    """Return the run behind a value of `judges`; None for a rater."""
    number = storable.whole_number(value)
    return None if number is None else JudgeRun.objects.filter(pk=number).first()


def run_by_other_method(run: JudgeRun) -> JudgeRun | None:
    """Return the newest finished run of the same judge by the other method.

    That is the method that differs in the example alone; where there is none, any other. It asks
    in as many calls for a response, and is of an experiment only where there is no other.
    """
    runs = JudgeRun.objects.filter(
        state=JudgeRun.State.FINISHED,
        provider=run.provider,
        model=run.model,
        calls_mode=run.calls_mode,
    ).order_by("for_experiment", "-pk")
    if counterpart := registry.get(run.method).counterpart:
        return runs.filter(method=counterpart).first()
    return runs.exclude(method=run.method).first()


@dataclass(frozen=True, slots=True)
class Page:
    """Everything the page prints."""

    found: "Alignment"
    verdict: sentences.Verdict
    how: str
    judge: str
    judge_short: str
    other: str
    other_short: str
    pairs: tuple[Figure, ...]
    lines: tuple[Figure, ...]
    scores: tuple[Figure, ...]
    grades: tuple[Figure, ...]
    forest: str
    forest_narrow: str
    forest_caption: str
    domains: tuple[groups.Group, ...]
    importances: tuple[groups.Group, ...]
    families: tuple[groups.Group, ...]
    scatter: str
    scatter_caption: str
    self_preference: str
    reliability: Plot
    bands: tuple[BandRow, ...]
    more_labels: Plot
    domain: str
    errors: tuple[groups.Errors, ...]
    worst: tuple[Disagreement, ...]
    thresholds: Thresholds
    outcomes: OutcomeFigures | None

    @property
    def error_scale(self) -> float:
        """The share that fills a bar in the table of errors: the largest, at least a quarter."""
        return max([0.25, *(max(row.too_kind, row.too_strict) for row in self.errors)])


def page(found: "Alignment", *, with_disagreements: bool) -> Page:
    """Prepare the report for its page.

    Args:
        with_disagreements: show the responses on which judge and experts differ most. For staff
            only, as a senior may still have to score one of them blind.
    """
    names = {d.key: str(d) for d in Domain.objects.all()}
    compare = found.compare
    apart = worst(found) if with_disagreements else ()
    rows = _forest_rows(found, names)
    reliable, bands = reliability(found)
    finding, axis = charts.forest_finding(rows), _("CDR, interval (95 %)")
    overall = found.judge.overall
    assert overall.preference is not None
    assert overall.score is not None
    return Page(
        found=found,
        verdict=sentences.verdict(
            found.trust,
            overall.preference,
            bias=overall.score.mean_bias,
            compared=compare is not None,
            domain=names.get(found.domain or "", found.domain or ""),
        ),
        how=_how(found),
        judge=found.judge.data.rater.label,
        judge_short=_short(found.judge),
        other=compare.data.rater.label if compare else "",
        other_short=_short(compare) if compare else "",
        pairs=tuple(pair_figures(found)),
        lines=tuple(line_figures(found)),
        scores=tuple(score_figures(found)),
        grades=tuple(grade_figures(found)),
        forest=charts.forest(rows, title=finding, axis=axis),
        forest_narrow=charts.forest(rows, title=finding, axis=axis, narrow=True),
        forest_caption=finding
        if found.domain
        else wording.sentences([finding, _("The dashed line is the judge over all domains.")]),
        domains=tuple(groups.domain_groups(found, names)),
        importances=tuple(groups.line_groups(found.judge.by_importance, dict(Importance.choices))),
        families=tuple(
            groups.line_groups(
                found.judge.by_family,
                {UNKNOWN_FAMILY: _("an unknown house")},
                found.judge.self_preference.house,
            )
        ),
        scatter=_scatter(found, apart),
        scatter_caption=wording.sentences(
            [_scatter_finding(found), _("Ringed: the disagreements listed below.") if apart else ""]
        ),
        self_preference=groups.self_preference(found.judge),
        reliability=reliable,
        bands=bands,
        more_labels=more_labels(found),
        domain=names.get(found.domain or "", found.domain or ""),
        errors=tuple(groups.errors(found.judge)),
        worst=apart,
        thresholds=found.trust.thresholds,
        outcomes=outcome_figures(found.outcomes),
    )


def _short(judge: "JudgeReport") -> str:
    rater = judge.data.rater
    if rater.run is None:
        return rater.name
    return f"{registry.short_of(rater.method)} {rater.run.pk}"


def _how(found: "Alignment") -> str:
    """Say what the verdict is based on."""
    overall = found.judge.overall.preference
    assert overall is not None
    candidates = {row.candidate for row in found.experts.responses.values()}
    return _(
        "%(cdr)s, accuracy %(accuracy)s over %(tasks)s with a preference, %(candidates)s; "
        "%(resamples)s resamples of "
        "tasks, seed %(seed)s. Anchor responses are never among the pairs."
    ) % {
        "cdr": _("CDR %(value)s")
        % {
            "value": format_with_interval(overall.cdr_micro, overall.ci95, overall.why, "cdr_micro")
        },
        "accuracy": format_share(overall.accuracy),
        "tasks": ngettext("%(n)s task", "%(n)s tasks", overall.tasks) % {"n": f"{overall.tasks:,}"},
        "candidates": ngettext("%(n)s candidate", "%(n)s candidates", len(candidates))
        % {"n": len(candidates)},
        "resamples": f"{found.bootstrap:,}",
        "seed": found.seed,
    }


def _forest_rows(found: "Alignment", names: dict[str, str]) -> list[ForestRow]:
    def estimate(group: "Measures | None") -> Estimate | None:
        report = group.preference if group else None
        if report is None or report.cdr_micro is None:
            return None
        return Estimate(float(report.cdr_micro), report.ci95)

    def count(group: "Measures") -> int:
        return int(group.preference.counts.strict) if group.preference else 0

    other = found.compare
    alone = names.get(found.domain or "", found.domain)
    rows = [
        ForestRow(
            alone or _("All domains"),
            estimate(found.judge.overall),
            estimate(other.overall) if other else None,
            count(found.judge.overall),
            strong=True,
        )
    ]
    if found.domain:
        return rows
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


def _scatter(found: "Alignment", apart: Sequence[Disagreement]) -> str:
    points = score_points(found)
    return (
        charts.scatter(
            [(expert, judge) for _, expert, judge in points],
            [(row.expert, row.judge) for row in apart],
            title=_scatter_finding(found),
            x_label=_("Expert score"),
            y_label=_("Judge score"),
        )
        if points
        else ""
    )


def _scatter_finding(found: "Alignment") -> str:
    score = found.judge.overall.score
    assert score is not None
    if not score.responses:
        return ""
    values = {
        "n": f"{score.responses:,}",
        "r": format_number(score.pearson, score.why.get("pearson")),
        "bias": format_number(abs(score.mean_bias or 0), places=1),
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

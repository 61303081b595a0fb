"""The figures of an alignment report as text: preferences, lines and scores."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from judge.base.figures import sentences
from judge.base.figures.figures import Figure, format_interval, format_number, format_share

if TYPE_CHECKING:
    from judge.results.alignment.report import Alignment, JudgeReport


def _both(found: "Alignment") -> "list[JudgeReport]":
    return [found.judge, *([found.compare] if found.compare else [])]


def pair_figures(found: "Alignment") -> Iterator[Figure]:
    """Yield the figures on preferences."""
    reports = [judge.overall.preference for judge in _both(found)]
    first = reports[0]
    assert first is not None

    def row(name: str, gloss: str, text: Any) -> Figure:
        texts = [text(report) for report in reports]
        return Figure(name, texts[0], texts[1] if len(texts) > 1 else "", gloss)

    intervals = [format_interval(r.ci95, r.why.get("ci95")) for r in reports if r is not None]
    yield row(
        _("CDR, all pairs pooled"),
        _("95 %% interval: %(first)s") % {"first": intervals[0]}
        if len(intervals) == 1
        else _("95 %% intervals: %(first)s and %(second)s")
        % {"first": intervals[0], "second": intervals[1]},
        lambda r: format_number(r.cdr_micro),
    )
    yield row(
        pgettext("statistic", "Accuracy"),
        _("share of the pairs in the experts’ order; ties and gaps are wrong"),
        lambda r: format_share(r.accuracy),
    )
    if found.difference is not None:
        gap = found.difference
        yield Figure(
            _("Difference of the two"),
            format_number(gap.cdr_micro),
            "",
            ngettext(
                "%(range)s, paired over %(n)s common task",
                "%(range)s, paired over %(n)s common tasks",
                gap.tasks,
            )
            % {"range": format_interval(gap.ci95, gap.why.get("ci95")), "n": f"{gap.tasks:,}"},
        )
    means = [
        format_interval(r.macro_ci95, r.why.get("macro_ci95")) for r in reports if r is not None
    ]
    yield row(
        _("CDR, mean of tasks"),
        _("every task weighs the same; %(first)s") % {"first": means[0]}
        if len(means) == 1
        else _("every task weighs the same; %(first)s and %(second)s")
        % {"first": means[0], "second": means[1]},
        lambda r: format_number(r.cdr_macro),
    )
    strict = ngettext(
        "of %(n)s pair with a preference",
        "of %(n)s pairs with a preference",
        1 if first.counts.strict == 1 else 2,  # split votes make fractions
    ) % {"n": sentences.format_count(first.counts.strict)}
    yield row(_("Same order"), strict, lambda r: sentences.format_count(r.counts.agree))
    yield row(
        _("Reversed"),
        _("the judge prefers the other response"),
        lambda r: sentences.format_count(r.counts.reversed),
    )
    yield row(
        _("Judge ties"),
        _("neither right nor reversed"),
        lambda r: sentences.format_count(r.counts.judge_ties),
    )
    yield row(
        _("No judge score"),
        _("coverage %(share)s") % {"share": format_share(first.coverage)},
        lambda r: sentences.format_count(r.counts.missing),
    )
    yield row(
        _("Experts tie"), _("not counted"), lambda r: sentences.format_count(r.counts.expert_ties)
    )
    experts = found.ceiling.pairs
    yield Figure(
        _("Experts among themselves, CDR"),
        format_number(experts.cdr_micro),
        "",
        ngettext(
            "the ceiling: %(range)s, of %(n)s task where two experts scored the same responses",
            "the ceiling: %(range)s, of %(n)s tasks where two experts scored the same responses",
            experts.tasks,
        )
        % {
            "range": format_interval(experts.ci95, experts.why.get("ci95")),
            "n": f"{experts.tasks:,}",
        }
        if experts.tasks
        else _("no two responses of a task were scored by the same two experts"),
    )
    same = found.ceiling.preferences
    if same.units:
        yield Figure(
            _("Experts among themselves, α of preferences"),
            format_number(same.alpha, same.why.get("alpha")),
            "",
            ngettext(
                "%(percent)s of %(n)s pair of responses compared by several experts agree; κ "
                "%(kappa)s",
                "%(percent)s of %(n)s pairs of responses compared by several experts agree; κ "
                "%(kappa)s",
                same.units,
            )
            % {
                "percent": format_share(same.percent),
                "n": f"{same.units:,}",
                "kappa": format_number(same.kappa, same.why.get("kappa")),
            },
        )


def line_figures(found: "Alignment") -> Iterator[Figure]:
    """Yield the figures on lines, with the experts' own agreement as the ceiling."""
    reports = [judge.overall.criterion for judge in _both(found)]
    ceiling = found.ceiling.agreement
    first = reports[0]
    unjudged = first.cells - first.confusion.judged

    def row(name: str, gloss: str, key: str, text: Any = None) -> Figure:
        texts = [text(r) if text else format_number(getattr(r, key)) for r in reports]
        reason = first.why.get(key) if getattr(first, key) is None else None
        return Figure(
            name,
            texts[0],
            texts[1] if len(texts) > 1 else "",
            str(sentences.reason_text(reason)) if reason else gloss,
        )

    yield row(
        pgettext("statistic", "Accuracy"),
        _("share of the lines on which both say the same; gaps are wrong"),
        "accuracy",
        lambda r: format_share(r.accuracy),
    )
    yield row(_("Agree minus disagree"), _("never alone: depends on the base rate"), "cdr")
    yield row(_("The same, weighted"), _("every line counts by its weight"), "cdr_weighted")
    yield row(
        _("J, hits minus false alarms"),
        _("0 if the judge always says the same; %(range)s")
        % {"range": format_interval(first.j_ci95, first.why.get("j_ci95"))},
        "j",
    )
    yield row(_("Cohen’s κ"), _("agreement beyond chance"), "kappa")
    yield row(_("Gwet’s AC1"), _("the same, steady for rare answers"), "ac1")
    yield row(_("Macro-F1"), _("met and unmet count equally"), "macro_f1")
    yield row(
        _("Base rate, experts met"),
        ngettext("of %(n)s line", "of %(n)s lines", first.cells) % {"n": f"{first.cells:,}"},
        "base_rate",
    )
    yield row(
        _("Coverage"),
        ngettext("%(n)s line without a verdict", "%(n)s lines without a verdict", unjudged)
        % {"n": f"{unjudged:,}"},
        "coverage",
        lambda r: format_share(r.coverage),
    )
    experts = found.ceiling.lines
    yield Figure(
        _("Experts among themselves, J"),
        format_number(experts.j),
        "",
        _("the ceiling of J, one expert in the judge’s place: %(range)s")
        % {"range": format_interval(experts.j_ci95, experts.why.get("j_ci95"))}
        if experts.j is not None
        else str(sentences.reason_text(experts.why.get("j"))),
    )
    yield Figure(
        _("Experts among themselves, α"),
        format_number(ceiling.alpha),
        "",
        ngettext(
            "the ceiling: %(percent)s of %(n)s line scored by several experts agree",
            "the ceiling: %(percent)s of %(n)s lines scored by several experts agree",
            ceiling.units,
        )
        % {"percent": format_share(ceiling.percent), "n": f"{ceiling.units:,}"}
        if ceiling.units
        else str(sentences.reason_text(ceiling.why.get("alpha"))),
    )


def score_figures(found: "Alignment") -> Iterator[Figure]:
    """Yield the figures on the scores of responses."""
    reports = [judge.overall.score for judge in _both(found)]
    first = reports[0]
    assert first is not None
    for name, label, gloss in (
        (
            "pearson",
            _("Pearson correlation"),
            ngettext(
                "of %(n)s response with both scores",
                "of %(n)s responses with both scores",
                first.responses,
            ),
        ),
        ("spearman", _("Spearman correlation"), _("of the order alone")),
        ("kendall", _("Kendall’s τ"), _("pairs in order minus pairs turned")),
        ("mean_bias", _("Mean bias"), _("points of 100; above 0 the judge is more lenient")),
        ("mae", _("Mean error"), _("points of 100, either way")),
    ):
        texts = [format_number(getattr(report, name)) for report in reports]
        reason = first.why.get(name)
        if name == "mean_bias" and first.mean_bias is not None:
            gloss = _("%(range)s; points of 100, above 0 the judge is more lenient") % {
                "range": format_interval(first.bias_ci95, first.why.get("mean_bias_ci95"))
            }
        yield Figure(
            label,
            texts[0],
            texts[1] if len(texts) > 1 else "",
            str(sentences.reason_text(reason))
            if reason
            else gloss.replace("%(n)s", f"{first.responses:,}"),
        )

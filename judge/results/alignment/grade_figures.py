"""The figures on grades in an alignment report as text."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.base.figures import sentences
from judge.base.figures.figures import Figure, format_interval, format_number, format_share

if TYPE_CHECKING:
    from judge.base.stats.grades import GradeReport
    from judge.results.alignment.report import Alignment


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

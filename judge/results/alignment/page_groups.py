"""The alignment report by group: domains, importances, families, and errors by dimension."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.base.figures import sentences
from judge.base.figures.figures import format_number, format_share
from judge.base.stats.trust import CheckName, Finding
from rubrics.policy.dimensions import Dimension

if TYPE_CHECKING:
    from judge.results.alignment.report import Alignment, JudgeReport

HIGHLIGHT_FROM = 0.10  # share of a dimension's lines from which an error is highlighted


@dataclass(frozen=True, slots=True)
class Group:
    """One row of the table by domain, importance or family.

    `may_rank` is None for groups of lines; `needed` says what would decide it; `own` marks the
    judge's own family.
    """

    name: str
    pairs: str
    cdr: str
    accuracy: str
    compared: str
    j: str
    bias: str
    may_rank: bool | None
    key: str = ""
    needed: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class Errors:
    """A judge's errors on the lines of one dimension, as shares of these lines."""

    name: str
    lines: int
    base_rate: float | None
    too_kind: float
    too_strict: float
    j: str

    @property
    def highlight_kind(self) -> bool:
        return self.too_kind >= HIGHLIGHT_FROM

    @property
    def highlight_strict(self) -> bool:
        return self.too_strict >= HIGHLIGHT_FROM


def domain_groups(found: "Alignment", names: dict[str, str]) -> Iterator[Group]:
    for key, group in found.judge.by_domain.items():
        pairs, score = group.preference, group.score
        assert pairs is not None
        compared = found.compare.by_domain.get(key) if found.compare else None
        other = compared.preference if compared else None
        ranking = found.judge.ranking[key]
        yield Group(
            name=names.get(key, key),
            key=key,
            needed=_needed(ranking),
            pairs=sentences.format_count(pairs.counts.strict),
            cdr=_brief(pairs.cdr_micro, pairs.ci95, pairs.why.get("cdr_micro")),
            accuracy=format_share(pairs.accuracy),
            compared=_brief(other.cdr_micro, other.ci95, other.why.get("cdr_micro"))
            if other
            else "",
            j=format_number(group.criterion.j),
            bias=_brief(score.mean_bias, score.bias_ci95, None, places=1) if score else "–",
            may_rank=ranking.answer,
        )


def _needed(ranking: Finding) -> str:
    """Say what is missing before a judge may rank in a domain; "" if nothing is."""
    if ranking.answer:
        return ""
    (coverage,) = [check for check in ranking.checks if check.name == CheckName.COVERAGE]
    if not coverage.passed and coverage.actual is not None:
        return _("coverage %(share)s; labels do not fill gaps of the judge") % {
            "share": format_share(coverage.actual)
        }
    if not ranking.more_tasks:
        return ""
    wanted = {"n": f"{ranking.more_tasks:,}"}
    if ranking.expected:
        return (
            ngettext(
                "about %(n)s more task would settle it",
                "about %(n)s more tasks would settle it",
                ranking.more_tasks,
            )
            % wanted
        )
    return (
        ngettext(
            "about %(n)s more task would confirm it",
            "about %(n)s more tasks would confirm it",
            ranking.more_tasks,
        )
        % wanted
    )


def _brief(value: Any, interval: Any, why: Any, places: int = 2) -> str:
    """Format a value followed by its interval, or by a dash without one."""
    if value is None:
        return format_number(value, why, places)
    if not interval:
        return f"{format_number(value, places=places)} (–)"
    low, high = (format_number(end, places=places) for end in interval)
    # Between negative numbers a dash would look like a minus sign.
    return (
        f"{format_number(value, places=places)} ({low}{' … ' if '−' in low + high else '–'}{high})"
    )


def line_groups(groups: Any, labels: dict[str, Any], own: str = "") -> Iterator[Group]:
    for key, group in groups.items():
        score = group.score
        yield Group(
            own=bool(own) and key == own,
            name=str(labels.get(key, key)),
            pairs=f"{group.criterion.cells:,}",
            cdr=format_number(group.criterion.cdr),
            accuracy=format_share(group.criterion.accuracy),
            compared="",
            j=format_number(group.criterion.j),
            bias=_brief(score.mean_bias, score.bias_ci95, None, places=1) if score else "",
            may_rank=None,
        )


def self_preference(judge: "JudgeReport") -> str:
    """Say whether the judge is kinder to candidates of its own family."""
    own = judge.self_preference
    if own.difference is None or own.ci95 is None:
        return _("Self-preference cannot be determined: %(why)s.") % {
            "why": sentences.reason_text(own.why.get("ci95"))
        }
    values = {
        "house": own.house,
        "points": format_number(own.difference, places=1),
        "low": format_number(own.ci95[0], places=1),
        "high": format_number(own.ci95[1], places=1),
    }
    if own.ci95[0] > 0:
        return (
            _(
                "Against the experts the judge gives its own house (%(house)s) %(points)s points "
                "more than the others (interval %(low)s to %(high)s): self-preference."
            )
            % values
        )
    return (
        _(
            "Against the experts the judge’s bias towards its own house (%(house)s) differs by "
            "%(points)s points from that towards the others (interval %(low)s to %(high)s): no "
            "self-preference beyond chance."
        )
        % values
    )


def errors(judge: "JudgeReport") -> Iterable[Errors]:
    labels = dict(Dimension.choices)
    rows = [
        Errors(
            name=str(labels.get(key, key)),
            lines=group.criterion.cells,
            base_rate=float(group.criterion.base_rate or 0),
            too_kind=group.criterion.confusion.too_kind / group.criterion.cells,
            too_strict=group.criterion.confusion.too_strict / group.criterion.cells,
            j=format_number(group.criterion.j),
        )
        for key, group in judge.by_dimension.items()
        if group.criterion.cells
    ]
    return sorted(rows, key=lambda row: (-row.lines, row.name))

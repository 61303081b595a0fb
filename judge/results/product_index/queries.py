"""What the pages of the index read: the index in figures, products, and availability."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.wording import listed, sentences
from curation.tasks.task.models import Task
from judge.base.figures.figures import format_number
from judge.base.figures.growth_plot import AbilityPoint, Frame, frame_around, growth
from judge.base.figures.sentences import reason_text
from judge.base.stats.numbers import Reason
from judge.results.product_index.scores import NO_PERIOD, NO_PRODUCT, NO_SCORE

if TYPE_CHECKING:  # numpy is loaded by the first index, not at the start of every process
    from judge.base.stats.irt import TaskFit
    from judge.results.product_index.index import Index, Row

CHARTS = 24  # products that get a chart; all of them stand in the table
MISFIT = 1.5  # infit and outfit above it are marked
FEW = 10  # rows of a task below which the page says how little its figures rest on


@dataclass(frozen=True, slots=True)
class ProductPart:
    """A product on the index page: its chart, its growth in words, and its rows."""

    name: str
    chart: SafeString | str
    velocity: str
    leaps: list[str]
    rows: list["AbilityRow"]


@dataclass(frozen=True, slots=True)
class AbilityRow:
    """A version in a period, as text."""

    version: str
    period: str
    theta: str
    interval: str
    why: str
    tasks: int
    linked: bool
    leap: bool
    leap_words: str


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task's figures, as text; `marked` if it fits badly, `task` its key if it is one of ours."""

    name: str
    title: str
    language: str
    task: int | None
    a: str
    a_error: str
    b: str
    b_error: str
    infit: str
    outfit: str
    versions: int
    why: str
    marked: bool


def product_parts(found: "Index") -> list[ProductPart]:
    """Return every product of an index, the ablest first."""
    by_product: dict[str, list[Row]] = defaultdict(list)
    for row in found.rows:
        by_product[row.product].append(row)
    leaps: dict[tuple[str, str], list[str]] = defaultdict(list)
    words: dict[int, str] = {}
    for one in found.steps:
        if one.step.breakthrough:
            said = _(
                "From %(before)s to %(after)s: %(gain)s (corrected interval %(low)s to %(high)s)."
            ) % {
                "before": one.before.version,
                "after": one.after.version,
                "gain": f"+{format_number(one.step.gain)}",
                "low": format_number(one.step.ci[0]),
                "high": format_number(one.step.ci[1]),
            }
            leaps[one.product, ""].append(said)
            words[id(one.after)] = said
    names = sorted(by_product, key=lambda name: (-_latest(by_product[name]), name))
    times = _times(found)
    frame = frame_around(
        list(zip(times.values(), times, strict=True)),
        [row.ability.ci95 for row in found.rows if row.ability.ci95],
    )
    return [
        ProductPart(
            name=name,
            chart=_chart(name, by_product[name], words, times, frame) if n < CHARTS else "",
            velocity=_velocity(found, name),
            leaps=leaps[name, ""],
            rows=[_row(row, words) for row in by_product[name]],
        )
        for n, name in enumerate(names)
    ]


def _latest(rows: "Sequence[Row]") -> float:
    known = [row.ability.theta for row in rows if row.ability.theta is not None]
    return known[-1] if known else -1e9


def _times(found: "Index") -> dict[str, float]:
    """Return where each period stands on the time axis: by its date, else evenly spaced."""
    dates = {row.period: row.months for row in found.rows}
    known = {key: when for key in found.periods if (when := dates.get(key)) is not None}
    if len(known) == len(found.periods):
        return known
    return {key: float(n) for n, key in enumerate(found.periods)}


def _chart(
    name: str, rows: "Sequence[Row]", words: dict[int, str], times: dict[str, float], frame: Frame
) -> SafeString | str:
    points = [
        AbilityPoint(
            times[row.period], row.ability.theta, row.ability.ci95, row.version, id(row) in words
        )
        for row in rows
        if row.ability.theta is not None and row.ability.ci95
    ]
    if not points:
        return ""
    return growth(
        points,
        frame,
        title=_("%(product)s: from %(first)s in %(start)s to %(last)s in %(end)s.")
        % {
            "product": name,
            "first": format_number(points[0].theta),
            "start": _named(rows, points[0]),
            "last": format_number(points[-1].theta),
            "end": _named(rows, points[-1]),
        },
    )


def _named(rows: "Sequence[Row]", point: AbilityPoint) -> str:
    return next(row.period for row in rows if row.ability.theta == point.theta)


def _velocity(found: "Index", name: str) -> str:
    one = found.velocities.get(name)
    if one is None:
        return _("No ability is known.")
    if one.ci95 is None:
        return _("No velocity: %(why)s.") % {"why": reason_text(one.why)}
    return _("%(value)s a month (95 %% interval %(low)s to %(high)s).") % {
        "value": _signed(one.per_month),
        "low": format_number(one.ci95[0]),
        "high": format_number(one.ci95[1]),
    }


def _signed(value: float | None) -> str:
    text = format_number(value)
    return f"+{text}" if value is not None and value > 0 else text


def _row(row: "Row", words: dict[int, str]) -> AbilityRow:
    interval = row.ability.ci95
    return AbilityRow(
        version=row.version,
        period=row.period,
        theta=format_number(row.ability.theta),
        interval=_("%(low)s to %(high)s")
        % {"low": format_number(interval[0]), "high": format_number(interval[1])}
        if interval
        else "",
        why=reason_text(row.ability.why),
        tasks=row.tasks,
        linked=row.linked,
        leap=id(row) in words,
        leap_words=words.get(id(row), ""),
    )


def task_rows(tasks: "dict[str, TaskFit]", *, ours: bool) -> list[TaskRow]:
    """Return the figures of tasks, the hardest first, those without an estimate last.

    One query for the titles of our tasks.

    Args:
        ours: whether tasks are named by the keys of ours; those of an imported matrix are not.
    """
    known = Task.objects.filter(key__in=tasks if ours else ())
    titles = {
        key: (title, language, pk)
        for key, title, language, pk in known.values_list("key", "title", "language", "pk")
    }
    order = sorted(tasks, key=lambda name: (tasks[name].b is None, -(tasks[name].b or 0.0), name))
    return [
        TaskRow(
            name=name,
            title=titles.get(name, ("",))[0] or name,
            language=titles.get(name, ("", ""))[1],
            task=titles.get(name, ("", "", None))[2],
            a=format_number(one.a),
            a_error=format_number(one.se_a),
            b=format_number(one.b),
            b_error=format_number(one.se_b),
            infit=format_number(one.infit),
            outfit=format_number(one.outfit),
            versions=one.versions,
            why=reason_text(one.why),
            marked=max(one.infit or 0.0, one.outfit or 0.0) > MISFIT,
        )
        for name in order
        for one in (tasks[name],)
    ]


def finding(found: "Index") -> str:
    """Return the sentence that says what an index shows."""
    known = [row for row in found.rows if row.ability.theta is not None]
    if not known:
        return _("Nothing can be said yet: no version has enough scores.")
    growing = {
        name for name, one in found.velocities.items() if one.ci95 is not None and one.ci95[0] > 0
    }
    leaps = [one for one in found.steps if one.step.breakthrough]
    dated = sum(one.ci95 is not None for one in found.velocities.values())
    parts = []
    if leaps:
        parts.append(
            ngettext(
                "%(n)s step from one version to the next is a breakthrough: %(names)s.",
                "%(n)s steps from one version to the next are breakthroughs: %(names)s.",
                len(leaps),
            )
            % {
                "n": len(leaps),
                "names": listed([f"{one.product} {one.after.version}" for one in leaps]),
            }
        )
    elif found.steps:
        parts.append(_("No step from one version to the next is a breakthrough."))
    if dated:
        parts.append(_growth_sentence(len(growing), dated))
    if dated and any(one.product not in growing for one in leaps):
        parts.append(
            _(
                "A step compares two versions and a velocity all periods, so few periods can show "
                "the first without the second."
            )
        )
    return sentences(parts) or _("No product has abilities in two periods, so no growth is known.")


def _growth_sentence(growing: int, measured: int) -> str:
    """Say how many of the products with a velocity grow."""
    if not growing:
        return ngettext(
            "The velocity of the %(all)s product with abilities in several periods is not above 0 "
            "by more than its errors explain.",
            "Of the %(all)s products with abilities in several periods, none has a velocity above "
            "0 by more than its errors explain.",
            measured,
        ) % {"all": measured}
    return ngettext(
        "%(n)s of the %(all)s products with abilities in several periods has a velocity above 0 by "
        "more than its errors explain.",
        "%(n)s of the %(all)s products with abilities in several periods have velocities above 0 "
        "by more than their errors explain.",
        growing,
    ) % {"n": growing, "all": measured}


def _scale(found: "Index") -> str:
    if found.pooled:
        return _(
            "The mean ability in %(reference)s is 0. It has fewer than ten versions, so 1 is the "
            "standard deviation of all periods around their means."
        ) % {"reference": found.reference}
    return _(
        "Abilities are on the scale of %(reference)s: there their mean is 0 and their standard "
        "deviation 1."
    ) % {"reference": found.reference}


def notes(found: "Index", left_out: dict[str, int]) -> list[str]:
    """Return the scale of an index and what limits it, one sentence each."""
    said = [_scale(found)]
    few = sum(0 < one.versions < FEW for one in found.tasks.values())
    if few:
        said.append(
            ngettext(
                "%(n)s task has fewer than ten measurements (a version in a period), so its "
                "difficulty and discrimination are uncertain; abilities rest on all tasks.",
                "%(n)s tasks have fewer than ten measurements (a version in a period), so their "
                "difficulty and discrimination are uncertain; abilities rest on all tasks.",
                few,
            )
            % {"n": f"{few:,}"}
        )
    if any(row.linked for row in found.rows):
        said.append(
            _(
                "No task links some periods. Versions measured on both sides link them, and are "
                "assumed to change no more than other versions."
            )
        )
    weak = listed(
        [
            key
            for key in found.periods
            if any(row.period == key and row.ability.why == Reason.WEAK_LINK for row in found.rows)
        ]
    )
    if weak:
        said.append(
            _(
                "%(periods)s: no ability is shown, because too few common tasks and versions link "
                "it with the reference. Ask more of the earlier tasks or versions again."
            )
            % {"periods": weak}
        )
    words = {
        NO_PRODUCT: _("%(n)s responses are left out: their candidate is no version of a product."),
        NO_PERIOD: _("%(n)s responses are left out: they belong to no period."),
        NO_SCORE: _("%(n)s responses are left out: they have no score."),
    }
    said += [words[why] % {"n": f"{n:,}"} for why, n in left_out.items() if n]
    return said

"""Draws, releases and previews of plans as the staff's pages show them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.lifecycle import AnchorStage
from curation.base.text.wording import listed
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldDraw, GoldItem, GoldRelease
from judge.gold.releases.draw import Plan
from judge.gold.releases.pool import Entry, Pool
from judge.scoring.anchors.models import Anchor
from review.senior_seats.models import SpotCheck

SHOWN = 12  # tasks of a preview


@dataclass(frozen=True, slots=True)
class StratumRow:
    """A stratum in the builder; the bar shows drawn, anchored but not drawn, short and rest."""

    stratum: str
    name: str
    approved: int
    anchored: int
    asked: int
    wanted: int
    drawn: int
    short: int
    segments: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """A plan as the builder shows it."""

    rows: tuple[StratumRow, ...]
    approved: int
    anchored: int
    wanted: int
    drawn: int
    missing: int
    widest: int
    heading: str
    short_sentence: str
    short_quotas: tuple[tuple[str, int], ...]
    can_spread: bool
    can_ask: int
    new: int  # tasks drawn that lack an anchor
    lacking: tuple[tuple[str, int], ...]  # stratum and its number of tasks that lack one
    tasks: tuple[dict[str, Any], ...]
    spot_checked: int
    aside: str  # a sentence on the strata set aside, or ""

    @property
    def lacking_all(self) -> int:
        """The number of approved tasks that lack an anchor."""
        return sum(number for _stratum, number in self.lacking)


def preview(found: Pool, made: Plan, *, ready: int, shown: int = SHOWN) -> Preview:
    """Prepare the preview of a plan. `ready` is the number of tasks that may be drawn at all."""
    asked = Counter(entry.stratum for entry in found.entries if entry.anchor_stage)
    rows = tuple(
        StratumRow(
            stratum=row.stratum,
            name=row.name,
            approved=row.approved,
            anchored=row.anchored,
            asked=asked[row.stratum],
            wanted=row.wanted,
            drawn=len(row.drawn),
            short=row.short,
            segments=(
                (len(row.drawn), "ink"),
                (row.spare, "edge"),
                (min(row.short, max(0, row.approved - len(row.drawn))), "no"),
                (max(0, row.approved - len(row.drawn) - row.spare - row.short), "empty"),
            ),
        )
        for row in made.rows
    )
    drawn = made.drawn
    checked = _checked(drawn)
    free = Counter(entry.stratum for entry in made.pool.entries if entry.lacks_anchor)
    can_ask = sum(row.short for row in rows if free[row.stratum] >= row.short)
    wanted = sum(row.wanted for row in rows)
    return Preview(
        rows=rows,
        approved=sum(row.approved for row in rows),
        anchored=sum(row.anchored for row in rows),
        wanted=wanted,
        drawn=len(drawn),
        missing=made.missing,
        widest=max((row.approved for row in rows), default=1),
        heading=ngettext(
            "%(n)s of %(wanted)s task can be drawn",
            "%(n)s of %(wanted)s tasks can be drawn",
            wanted,
        )
        % {"n": f"{len(drawn):,}", "wanted": f"{wanted:,}"},
        short_sentence=_short_sentence([row for row in rows if row.short]),
        short_quotas=tuple((row.stratum, row.short) for row in rows if row.short),
        can_spread=wanted <= ready,
        can_ask=can_ask,
        new=sum(entry.lacks_anchor for entry in drawn),
        lacking=tuple(sorted(free.items())),
        tasks=tuple(
            {
                "id": entry.pk,
                "key": entry.key,
                "domain": str(found.domains[entry.domain]),
                "title": entry.title,
                "checked": entry.pk in checked,
                "anchor": entry.anchor_stage,
            }
            for entry in _first(made, shown)
        ),
        spot_checked=len(checked),
        aside=aside_sentence(made),
    )


def aside_sentence(made: Plan) -> str:
    """Name the strata set aside with their approved tasks; "" if there are none."""
    if not made.aside:
        return ""
    names = [
        _("%(name)s (%(n)s)") % {"name": one.label, "n": f"{one.approved:,}"} for one in made.aside
    ]
    return ngettext(
        "Set aside, with fewer than %(least)s approved task: %(names)s.",
        "Set aside, with fewer than %(least)s approved tasks: %(names)s.",
        made.spec.minimum,
    ) % {"least": f"{made.spec.minimum:,}", "names": listed(names)}


def _first(made: Plan, shown: int) -> list[Entry]:
    """Return some tasks of every domain, in the order of the files."""
    each = max(1, -(-shown // max(1, len(made.rows))))
    keys = {entry.pk for row in made.rows for entry in row.drawn[:each]}
    return [entry for entry in made.drawn if entry.pk in keys][:shown]


def _checked(drawn: Iterable[Entry]) -> set[int]:
    pks = [entry.pk for entry in drawn]
    found: set[int] = set()
    for start in range(0, len(pks), 500):
        found.update(
            SpotCheck.objects.filter(
                task__in=pks[start : start + 500], verdict=SpotCheck.Verdict.ACCEPT
            ).values_list("task_id", flat=True)
        )
    return found


def _short_sentence(rows: list[StratumRow]) -> str:
    parts = [_("%(name)s is %(n)s short") % {"name": row.name, "n": row.short} for row in rows]
    return listed(parts)


def draws() -> list[dict[str, Any]]:
    """Return all draws, newest first, with their anchors by stage. Two queries."""
    states: dict[int, Counter[str]] = {}
    for draw, stage, count in (
        Anchor.objects.filter(task__draws__isnull=False)
        .order_by()
        .values_list("task__draws__draw", "stage")
        .annotate(n=Count("id", distinct=True))
    ):
        states.setdefault(draw, Counter())[stage] += count
    return [
        {
            "draw": draw,
            "validated": states.get(draw.pk, Counter())[AnchorStage.VALIDATED],
            "senior": states.get(draw.pk, Counter())[AnchorStage.META_EVALUATION],
            "scoring": states.get(draw.pk, Counter())[AnchorStage.SCORING],
            "answering": states.get(draw.pk, Counter())[AnchorStage.ANSWERING],
        }
        for draw in GoldDraw.objects.select_related("created_by")
    ]


def amended_since(release: GoldRelease) -> "QuerySet[Task]":
    """Select the tasks of a release whose text was amended after it was frozen, by key."""
    items = GoldItem.objects.filter(release=release, text_version__lt=F("task__version"))
    tasks = Task.objects.filter(pk__in=items.values("task"))
    return tasks.only("pk", "key", "title", "language").order_by("key")

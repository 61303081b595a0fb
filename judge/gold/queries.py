"""Draws, releases and previews of plans as the staff's pages show them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.domains.models import Domain
from curation.process.lifecycle import AnchorStage
from curation.tasks.models import Task
from curation.text.wording import listed
from judge.anchors.models import Anchor
from judge.releases.draw import Entry, Plan, Pool
from judge.releases.models import GoldDraw, GoldItem, GoldRelease
from review.senior_seats.models import SpotCheck

SHOWN = 12  # tasks of a preview


@dataclass(frozen=True, slots=True)
class StratumRow:
    """A domain in the builder; the bar shows drawn, anchored but not drawn, short and rest."""

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

    @property
    def lacking_all(self) -> int:
        """The number of approved tasks that lack an anchor."""
        return sum(number for _stratum, number in self.lacking)


def preview(found: Pool, made: Plan, *, ready: int, shown: int = SHOWN) -> Preview:
    """Prepare the preview of a plan. `ready` is the number of tasks that may be drawn at all."""
    asked = Counter(entry.domain for entry in found.entries if entry.anchor_stage)
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
    free = Counter(entry.domain for entry in found.entries if entry.lacks_anchor)
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
    )


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


def releases() -> list[GoldRelease]:
    """Return all releases, newest first."""
    return list(GoldRelease.objects.select_related("created_by", "same_as"))


def amended_since(release: GoldRelease) -> "QuerySet[Task]":
    """Select the tasks of a release whose text was amended after it was frozen, by key."""
    items = GoldItem.objects.filter(release=release, text_version__lt=F("task__version"))
    tasks = Task.objects.filter(pk__in=items.values("task"))
    return tasks.only("pk", "key", "title", "language").order_by("key")


# -- one release ----------------------------------------------------------------------------------

# Manifests are frozen in English; the page translates their sentences.
_IN_A_MANIFEST: Mapping[str, Any] = {
    "approved tasks that were not drawn": gettext_lazy("approved tasks that were not drawn"),
    "the sample is smaller than the pool": gettext_lazy("the sample is smaller than the pool"),
    "tasks of other benchmarks": gettext_lazy("tasks of other benchmarks"),
    "they were not written and reviewed here": gettext_lazy(
        "they were not written and reviewed here"
    ),
    "names, e-mail addresses, affiliations and accounts": gettext_lazy(
        "names, e-mail addresses, affiliations and accounts"
    ),
    "people appear as an index within the release": gettext_lazy(
        "people appear as an index within the release"
    ),
    "exam questions and their keys": gettext_lazy("exam questions and their keys"),
    "they still examine applicants": gettext_lazy("they are still used in exams"),
    "review threads and staff's remarks": gettext_lazy("review threads and staff's remarks"),
    "they were written in confidence": gettext_lazy("they were written in confidence"),
    "approved tasks without a validated anchor": gettext_lazy(
        "approved tasks without a validated anchor"
    ),
    "a judge would have no example for them": gettext_lazy(
        "a judge would have no example for them"
    ),
    "approved tasks whose anchor belongs to an older rubric": gettext_lazy(
        "approved tasks whose anchor belongs to an older rubric"
    ),
    "its verdicts are about other lines": gettext_lazy("its verdicts are about other lines"),
    "candidates' responses, experts' sheets and judges' verdicts": gettext_lazy(
        "candidates' responses, experts' sheets and judges' verdicts"
    ),
    "they were not asked for": gettext_lazy("they were not asked for"),
    "responses to an earlier text of their task, and the scores of these": gettext_lazy(
        "responses to an earlier text of their task, and the scores of these"
    ),
    "the task was amended after they were given": gettext_lazy(
        "the task was amended after they were given"
    ),
}

# (allocation in the manifest, whether shortfalls are spread) -> how the draw was made
_DRAWN: Mapping[tuple[str, bool], Any] = {
    ("proportional", False): gettext_lazy(
        "seed %(seed)s, shares proportional to the approved tasks, no redistribution"
    ),
    ("proportional", True): gettext_lazy(
        "seed %(seed)s, shares proportional to the approved tasks, shortfalls spread"
    ),
    ("equal", False): gettext_lazy("seed %(seed)s, equal shares, no redistribution"),
    ("equal", True): gettext_lazy("seed %(seed)s, equal shares, shortfalls spread"),
    ("own quotas", False): gettext_lazy("seed %(seed)s, own quotas, no redistribution"),
    ("own quotas", True): gettext_lazy("seed %(seed)s, own quotas, shortfalls spread"),
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One kind of thing that a release leaves out on purpose."""

    what: str
    why: str
    count: int | None


@dataclass(frozen=True, slots=True)
class ReleaseWords:
    """The sentences of a manifest in the reader's language."""

    drawn: str
    domains: tuple[tuple[str, Mapping[str, Any]], ...]
    left_out: tuple[LeftOut, ...]


def release_words(manifest: Mapping[str, Any]) -> ReleaseWords:
    """Translate the sentences of a manifest; those without a translation stay in English.

    Things of which none were left out are not listed. One query.
    """
    names = {domain.key: str(domain) for domain in Domain.objects.all()}
    draw = manifest["draw"]
    how = _DRAWN[draw["allocation"], bool(draw["redistribute"])]
    return ReleaseWords(
        drawn=str(how) % {"seed": draw["seed"]},
        domains=tuple((names.get(row["stratum"], row["name"]), row) for row in manifest["strata"]),
        left_out=tuple(
            LeftOut(
                what=str(_IN_A_MANIFEST.get(row["what"], row["what"])),
                why=str(_IN_A_MANIFEST.get(row["why"], row["why"])),
                count=row["count"],
            )
            for row in manifest["left_out"]
            if row["count"] != 0
        ),
    )

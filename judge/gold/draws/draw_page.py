"""One draw as its page shows it: where its tasks stand, its halves, its releases."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.text.wording import listed
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.models import (
    Allocation,
    GoldDraw,
    GoldRelease,
    GoldSplit,
    Half,
    HalfOpening,
    TaskHalf,
)
from judge.base.gold_sets.task_sets import DRAW, RELEASE, TaskSet
from judge.gold.releases.drawn_tasks import (
    DrawnState,
    DrawnTask,
    drawn_tasks,
    states,
    waiting_sentence,
)
from judge.gold.releases.pool import Pool, pool
from judge.gold.releases.strata import DOMAIN, LABELS
from judge.runs.engine.held_out import Looks, looks_at, recorded_looks
from judge.runs.engine.models import HeldOutLook

# State -> colour of its segment, from the finished to the far ones.
_COLOURS = {
    DrawnState.ANCHORED: "ink",
    DrawnState.SENIOR: "ink-2",
    DrawnState.SCORING: "edge",
    DrawnState.ANSWERING: "edge",
}

_HOW = {
    Allocation.PROPORTIONAL: gettext_lazy("shares proportional to the approved tasks"),
    Allocation.EQUAL: gettext_lazy("equal shares"),
}


@dataclass(frozen=True, slots=True)
class StateCount:
    """How many tasks are in one state; `name` is in the reader's language."""

    name: str
    number: int
    colour: str


@dataclass(frozen=True, slots=True)
class DrawnStratum:
    """One stratum of a draw."""

    name: str
    drawn: int
    anchored: int
    development: int
    held_out: int


@dataclass(frozen=True, slots=True)
class Halves:
    """The two halves of a draw or a release.

    Attributes:
        name: of the set, such as `draw:3`.
        split: None while it was not split.
        kept: tasks whose half an earlier split decided.
        opening: who opened the held-out half, when and why; None while it is closed.
        recorded: the looks with their reasons, newest first.
    """

    name: str
    split: GoldSplit | None
    development: int
    held_out: int
    kept: int
    opening: HalfOpening | None
    looks: Looks
    recorded: tuple[HeldOutLook, ...]

    @property
    def development_set(self) -> str:
        return f"{self.name}/{Half.DEVELOPMENT}"

    @property
    def held_out_set(self) -> str:
        return f"{self.name}/{Half.HELD_OUT}"


@dataclass(frozen=True, slots=True)
class DrawPage:
    """Everything the page of a draw shows."""

    draw: GoldDraw
    how: str
    aside: str
    kind: str
    number: int
    ready: int
    states: tuple[StateCount, ...]
    segments: tuple[tuple[int, str], ...]
    strata: tuple[DrawnStratum, ...]
    not_ready: tuple[DrawnTask, ...]
    waiting_words: str
    halves: Halves
    releases: tuple[GoldRelease, ...]


def draw_page(draw: GoldDraw) -> DrawPage:
    """Return the page of a draw. A fixed number of queries."""
    found = pool(draw.strata, with_retired=True, with_expired=True)
    tasks = drawn_tasks(draw, found)
    counts = states(tasks)
    waiting = [task for task in tasks if not task.ready]
    return DrawPage(
        draw=draw,
        how=how_drawn(draw),
        aside=set_aside_words(draw, found),
        kind=str(LABELS[draw.strata]),
        number=len(tasks),
        ready=counts.get(DrawnState.ANCHORED, 0),
        states=tuple(
            StateCount(str(state.label), n, _COLOURS.get(state, "no"))
            for state, n in counts.items()
        ),
        segments=tuple((n, _COLOURS.get(state, "no")) for state, n in counts.items()),
        strata=tuple(_strata(tasks, found)),
        not_ready=tuple(waiting),
        waiting_words=waiting_sentence(len(tasks), states(waiting)) if waiting else "",
        halves=halves_of(TaskSet(DRAW, draw.pk)),
        releases=tuple(draw.releases.order_by("number")),
    )


def halves_of(tasks: TaskSet) -> Halves:
    """Return the halves of a draw or a release. Nine queries at most."""
    split = task_sets.split_of(tasks)
    counts: Counter[str] = Counter()
    kept, opening, looks = 0, None, Looks()
    recorded: tuple[HeldOutLook, ...] = ()
    if split is not None:
        rows = TaskHalf.objects.filter(task__in=tasks.members()).values_list("half", "split_id")
        for half, by in rows:
            counts[half] += 1
            kept += by != split.pk
        opening = HalfOpening.objects.select_related("by").filter(split=split).first()
        held_out = TaskSet(tasks.kind, tasks.number, Half.HELD_OUT).members()
        looks = looks_at(held_out)
        recorded = tuple(recorded_looks(held_out)) if looks.number else ()
    return Halves(
        name=str(tasks),
        split=split,
        development=counts[Half.DEVELOPMENT],
        held_out=counts[Half.HELD_OUT],
        kept=kept,
        opening=opening,
        looks=looks,
        recorded=recorded,
    )


def halves_of_release(release: GoldRelease) -> Halves:
    """Return the halves of a release; those of its draw where it was frozen from one."""
    return halves_of(TaskSet(RELEASE, release.number))


def how_drawn(draw: GoldDraw) -> str:
    """Say how a draw was made."""
    shares = _("own quotas") if draw.quotas else str(_HOW[Allocation(draw.allocation)])
    return _("seed %(seed)s, by %(strata)s, %(shares)s") % {
        "seed": draw.seed,
        "strata": str(LABELS[draw.strata]).lower(),
        "shares": shares,
    }


def set_aside_words(draw: GoldDraw, found: Pool) -> str:
    """Name the strata that a draw set aside, with their approved tasks then; "" if none were."""
    if not draw.set_aside:
        return ""
    names = [
        _("%(name)s (%(n)s)")
        % {
            "name": found.strata[one["stratum"]].label
            if one["stratum"] in found.strata
            else one["name"],
            "n": f"{one['approved']:,}",
        }
        for one in draw.set_aside
    ]
    return ngettext(
        "Set aside, with fewer than %(least)s approved task: %(names)s.",
        "Set aside, with fewer than %(least)s approved tasks: %(names)s.",
        draw.minimum,
    ) % {"least": f"{draw.minimum:,}", "names": listed(names)}


def _strata(tasks: Sequence[DrawnTask], found: Pool) -> list[DrawnStratum]:
    by_stratum: dict[str, list[DrawnTask]] = {}
    for task in tasks:
        by_stratum.setdefault(task.stratum, []).append(task)
    order = {key: n for n, key in enumerate(found.strata)}
    # Of domains whose tasks have all left the pool since.
    names = {task.stratum: task.domain for task in tasks} if found.kind == DOMAIN else {}
    return [
        DrawnStratum(
            name=found.strata[key].label if key in found.strata else names.get(key, key),
            drawn=len(mine),
            anchored=sum(task.ready for task in mine),
            development=sum(task.half == Half.DEVELOPMENT for task in mine),
            held_out=sum(task.half == Half.HELD_OUT for task in mine),
        )
        for key, mine in sorted(
            by_stratum.items(), key=lambda item: (order.get(item[0], len(order)), item[0])
        )
    ]

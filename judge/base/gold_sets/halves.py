"""Split a draw or a release into two halves: one to tune judges on, one to measure them on once.

Which tasks are held out follows from the seed, the strata and the tasks alone, so an audit can
repeat it. A task keeps the half that its first split gave it.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import (
    GoldDraw,
    GoldDrawItem,
    GoldItem,
    GoldRelease,
    GoldSplit,
    Half,
    HalfOpening,
    TaskHalf,
)
from judge.base.queue.locks import Lock, take_lock
from judge.base.stats.sampling import allocate, draw

PERCENT = 20  # of each stratum, held out unless staff choose another share
REASON_LIMIT = 2000  # characters


class Member(NamedTuple):
    """A task of a set that is split: its key, its stratum, and the half it has already, or ""."""

    pk: int
    key: str
    stratum: str
    half: str


@action("staff.gold")
@transaction.atomic
def split_in_halves(
    *,
    actor: Any,
    seed: int,
    percent: int = PERCENT,
    gold_draw: GoldDraw | None = None,
    release: GoldRelease | None = None,
) -> GoldSplit:
    """Split a draw or a release, once.

    Args:
        percent: the share of each stratum that is held out, 1 to 99.

    Raises:
        BadInput: an invalid seed or share, a set of one task, or no task is left for one half.
        Conflict: `already_split`; `split_the_draw`, the release was frozen from a draw;
            `being_judged`, a run at work still asks about its tasks.
    """
    take_lock(Lock.SPLIT)
    _check(seed, percent)
    if release is not None and release.draw_id is not None:
        raise Conflict(
            _("This release was frozen from draw %(n)s. Split the draw; the release follows it.")
            % {"n": release.draw_id},
            code="split_the_draw",
        )
    if GoldSplit.objects.filter(draw=gold_draw, release=release).exists():
        raise Conflict(
            _("It is split already. A split is for good: its halves never change."),
            code="already_split",
        )
    _refuse_while_judged(gold_draw, release)
    members = _members(gold_draw, release)
    chosen = held_out_of(members, seed, percent)
    halves = {
        m.pk: m.half or (Half.HELD_OUT if m.pk in chosen else Half.DEVELOPMENT) for m in members
    }
    if len(set(halves.values())) < 2:
        raise BadInput(
            _(
                "There is no task for one of the halves: the set is too small, or earlier splits "
                "decided on its tasks. Choose another share, or draw more tasks."
            ),
            code="one_half_is_empty",
            fields={"percent": [_("This share leaves one half empty.")]},
        )
    split = GoldSplit.objects.create(
        draw=gold_draw, release=release, seed=seed, percent=percent, by=actor
    )
    TaskHalf.objects.bulk_create(
        [TaskHalf(task_id=m.pk, split=split, half=halves[m.pk]) for m in members if not m.half],
        batch_size=500,
    )
    return split


@action("staff.gold")
@transaction.atomic
def open_held_out_half(*, actor: Any, split: GoldSplit, reason: str) -> HalfOpening:
    """Let the verdicts on a held-out half be read. From then on a judge may be tuned to it.

    Raises:
        BadInput: no reason.
        Conflict: `already_open`.
    """
    reason = required_reason(
        reason, _("Say why the held-out half is opened. It cannot be closed again."),
        limit=REASON_LIMIT,
    )  # fmt: skip
    GoldSplit.objects.select_for_update().get(pk=split.pk)
    if HalfOpening.objects.filter(split=split).exists():
        raise Conflict(_("This half is open already."), code="already_open")
    return HalfOpening.objects.create(split=split, reason=reason, by=actor)


def held_out_of(members: Sequence[Member], seed: int, percent: int) -> set[int]:
    """Return the tasks to hold out, of those without a half, in proportion to the strata.

    Tasks that are held out already count towards their stratum's share.
    """
    sizes = Counter(member.stratum for member in members)
    total = min(max(1, round(len(members) * percent / 100)), max(0, len(members) - 1))
    quotas = allocate(sizes, total, "proportional") if total else {}
    held = Counter(m.stratum for m in members if m.half == Half.HELD_OUT)
    free: dict[str, dict[str, int]] = defaultdict(dict)
    for member in members:
        if not member.half:
            free[member.stratum][member.key] = member.pk
    wanted: Mapping[str, int] = {
        stratum: min(max(0, quotas.get(stratum, 0) - held[stratum]), len(tasks))
        for stratum, tasks in free.items()
    }
    # A key of its own: drawn with the seed alone, a draw's first tasks would be held out.
    sample = (
        draw(
            {stratum: list(tasks) for stratum, tasks in free.items()},
            sum(wanted.values()),
            f"held-out:{seed}",
            wanted,
        )
        if sum(wanted.values())
        else None
    )
    if sample is None:
        return set()
    return {free[stratum][key] for stratum, keys in sample.strata.items() for key in keys}


def _members(gold_draw: GoldDraw | None, release: GoldRelease | None) -> list[Member]:
    rows: Any = (
        GoldDrawItem.objects.filter(draw=gold_draw)
        if gold_draw is not None
        else GoldItem.objects.filter(release=release)
    )
    return [
        Member(pk, key, stratum or domain, half or "")
        for pk, key, stratum, domain, half in rows.order_by("task__key").values_list(
            "task_id", "task__key", "stratum", "task__domain__key", "task__half__half"
        )
    ]


def _refuse_while_judged(gold_draw: GoldDraw | None, release: GoldRelease | None) -> None:
    """Refuse to hold out what a run at work is about to judge. Raises Conflict."""
    items = Task.objects.filter(
        Q(draws__draw=gold_draw) if gold_draw is not None else Q(gold_items__release=release),
        half__isnull=True,
        responses__run_items__state="waiting",
        responses__run_items__run__state__in=("waiting", "running"),
    )
    run = items.values_list("responses__run_items__run", flat=True).order_by().first()
    if run is not None:
        raise Conflict(
            _(
                "Run %(run)s still judges tasks of this set. Pause it or wait until it ends, then "
                "split."
            )
            % {"run": run},
            code="being_judged",
        )


def _check(seed: int, percent: int) -> None:
    fields: dict[str, list[str]] = {}
    if not 0 <= seed < 2**63:
        fields["seed"] = [_("A seed is a whole number of at least 0.")]
    if not 1 <= percent <= 99:
        fields["percent"] = [_("Hold out between 1 and 99 per cent.")]
    if fields:
        raise BadInput(" ".join(m for each in fields.values() for m in each), fields=fields)

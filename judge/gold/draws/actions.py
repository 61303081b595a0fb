"""Staff's actions on gold: draw tasks for anchors, and freeze releases."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text.wording import listed
from curation.base.web.refusals import BadInput
from judge.base.gold_sets.halves import open_held_out_half, split_in_halves
from judge.base.gold_sets.models import GoldDraw, GoldDrawItem
from judge.base.stats.sampling import draw
from judge.gold.releases.draw import DrawSpec, Plan, plan
from judge.gold.releases.pool import Entry, Pool, pool
from judge.gold.releases.release import release_draw, release_gold
from judge.scoring.anchors.actions import set_anchor_policy
from judge.scoring.anchors.models import Anchor, AnchorPolicy
from judge.scoring.assignments.follow_rubric import score_again

__all__ = [
    "ask_for_anchors",
    "draw_gold",
    "open_held_out_half",
    "release_draw",
    "release_gold",
    "set_anchor_policy",
    "split_in_halves",
]


@action("staff.gold")
@transaction.atomic
def draw_gold(*, actor: Any, spec: DrawSpec) -> GoldDraw:
    """Draw approved tasks and create an anchor for each that lacks one.

    A model then writes the baseline answers.

    Raises:
        BadInput: invalid settings, a shortfall (strata in `data`), or `nothing_new`: every task
            drawn has its anchor, or one is under way.
    """
    spec.check()
    made = plan(pool(spec.strata), replace(spec, allow_unanchored=True))
    if not any(entry.lacks_anchor for entry in made.drawn):
        raise BadInput(
            _("Every task of this draw has its anchor, or one is under way. Nothing was drawn."),
            code="nothing_new",
        )
    return _record(actor, spec, made.drawn, made)


@action("staff.gold")
@transaction.atomic
def ask_for_anchors(*, actor: Any, spec: DrawSpec, missing: Mapping[str, int]) -> GoldDraw:
    """Draw as many tasks without an anchor as each stratum lacks (stratum -> number).

    Raises:
        BadInput: a stratum has too few tasks without an anchor, or nothing is missing.
    """
    wanted = {stratum: number for stratum, number in missing.items() if number > 0}
    if not wanted:
        raise BadInput(_("No anchor is missing: every stratum can fill its quota."))
    spec.check()
    found = pool(spec.strata)
    free = _tasks_without_anchor(found)
    short = {
        name: len(free.get(name, ())) for name in wanted if wanted[name] > len(free.get(name, ()))
    }
    if short:
        raise BadInput(
            _(
                "Not all the missing anchors can be requested: there are not enough approved "
                "tasks without one in %(strata)s. Lower these quotas, or approve more tasks "
                "first."
            )
            % {"strata": listed(f"{name} ({count})" for name, count in sorted(short.items()))},
            code="shortfall",
        )
    sample = draw(
        {name: list(entries) for name, entries in free.items()},
        sum(wanted.values()),
        spec.seed,
        wanted,
    )
    drawn = [free[name][key] for name, keys in sample.strata.items() for key in keys]
    return _record(actor, replace(spec, quotas=wanted), drawn)


def _tasks_without_anchor(found: Pool) -> dict[str, dict[str, Entry]]:
    """Return the approved tasks that lack an anchor for their rubric, by stratum and key."""
    free: dict[str, dict[str, Entry]] = {}
    for entry in found.entries:
        if entry.lacks_anchor:
            free.setdefault(entry.stratum, {})[entry.key] = entry
    return free


def _record(
    actor: Any, spec: DrawSpec, drawn: Sequence[Entry], made_by: Plan | None = None
) -> GoldDraw:
    made = GoldDraw.objects.create(
        size=len(drawn),
        seed=spec.seed,
        strata=spec.strata,
        allocation=spec.allocation,
        quotas=spec.quotas and {name: quota for name, quota in spec.quotas.items() if quota},
        redistribute=spec.redistribute,
        minimum=spec.minimum,
        set_aside=[one.as_dict() for one in made_by.aside] if made_by else [],
        created_by=actor,
    )
    GoldDrawItem.objects.bulk_create(
        [GoldDrawItem(draw=made, task_id=entry.pk, stratum=entry.stratum) for entry in drawn],
        batch_size=500,
    )
    scorers = AnchorPolicy.current()
    for entry in drawn:
        if entry.outdated:
            score_again(actor=actor, anchor=Anchor.objects.get(task=entry.pk))
        if entry.anchor_stage:
            continue
        try:
            with transaction.atomic():
                anchor = Anchor.objects.create(task_id=entry.pk, scorers=scorers)
                anchor.record_start(actor=actor, draw=made.pk)
        except IntegrityError:  # another draw created this anchor at the same time
            continue
    return made

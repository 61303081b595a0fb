"""Work that waits for a reviewer or a senior, for Home."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.lifecycle import Stage
from curation.base.process.waiting import Waiting
from review.rounds.assignment_queries import mine
from review.spot_checks.queries import queue


def waiting(user: Any) -> list[Waiting]:
    """Return open rounds with their progress, and a senior's decisions and spot checks."""
    found = [_round(review) for review in mine(user).filter(open_round__isnull=False)]
    if user.senior_domain_ids():
        for_seniors = list(queue(user, Stage.DECIDING, Stage.SPOT_CHECK))
        found += _decisions([task for task in for_seniors if task.stage == Stage.DECIDING])
        found += _spot_checks([task for task in for_seniors if task.stage == Stage.SPOT_CHECK])
    return found


def _round(review: Any) -> Waiting:
    progress = ngettext(
        "%(title)s · %(decided)s of %(n)s line has a verdict",
        "%(title)s · %(decided)s of %(n)s lines have a verdict",
        review.line_count,
    ) % {"title": review.task.title, "decided": review.decided, "n": review.line_count}
    if not review.decided:
        progress = ngettext(
            "%(title)s · %(n)s line", "%(title)s · %(n)s lines", review.line_count
        ) % {"title": review.task.title, "n": review.line_count}
    complete = review.decided == review.line_count
    return Waiting(
        due=review.due_at,
        title=_("Review a rubric, round %(n)s") % {"n": review.open_round},
        detail=progress,
        url=reverse("review", args=[review.pk]),
        button=_("Finish the round")
        if complete
        else (_("Continue") if review.decided else _("Start")),
        blocks=True,
        section="reviews",
    )


def _decisions(tasks: list[Any]) -> list[Waiting]:
    """Return decisions that wait; they block, because the author waits for them."""
    mine, free = _taken_and_free(tasks)
    found = [_taken(task, _("Decide the open lines of a rubric"), "decision") for task in mine]
    if free:
        title = ngettext(
            "%(n)s rubric is waiting for a senior's decision",
            "%(n)s rubrics are waiting for a senior's decision",
            free,
        )
        why = _("Author and reviewer did not agree in the rounds they had")
        found.append(_to_choose(title % {"n": free}, why, place="#decisions", blocks=True))
    return found


def _spot_checks(tasks: list[Any]) -> list[Waiting]:
    mine, free = _taken_and_free(tasks)
    found = [_taken(task, _("Spot-check an approved rubric"), "spot-check") for task in mine]
    if free:
        title = ngettext(
            "%(n)s rubric is waiting for a spot check",
            "%(n)s rubrics are waiting for a spot check",
            free,
        )
        why = _("Approved by its reviewer, and drawn by lot for a senior's look")
        found.append(_to_choose(title % {"n": free}, why))
    return found


def _taken_and_free(tasks: list[Any]) -> tuple[list[Any], int]:
    """Return the tasks that this senior has taken, and how many are free."""
    mine = [task for task in tasks if task.is_mine]
    return mine, len(tasks) - len(mine)


def _taken(task: Any, title: str, route: str) -> Waiting:
    return Waiting(
        due=None,
        title=title,
        detail=task.title,
        url=reverse(route, args=[task.pk]),
        button=_("Continue"),
        blocks=True,
        section="spot_checks",
    )


def _to_choose(title: str, why: str, *, place: str = "", blocks: bool = False) -> Waiting:
    return Waiting(
        due=None,
        title=title,
        detail=why,
        url=reverse("spot-checks") + place,
        button=_("Choose one"),
        blocks=blocks,
        section="spot_checks",
    )

"""The tasks of a draw as they stand: which can be frozen, which not yet, and the plan of both.

A draw never changes. A task of it that is not ready is waited for, or staff name it as an
exception with a reason; no other task takes its place.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.base.text import storable
from curation.base.text.wording import clauses, listed
from curation.base.web.refusals import BadInput
from judge.base.gold_sets.models import GoldDraw, GoldDrawItem
from judge.gold.releases.draw import DrawSpec, LeftOutTask, Origin, Plan, Row
from judge.gold.releases.pool import Entry, Pool, SetAside, pool

REASON_LIMIT = 2000  # characters


class DrawnState(TextChoices):
    """Where a drawn task stands on its way into a release."""

    ANCHORED = "anchored", gettext_lazy("Anchored")
    ANSWERING = "answering", gettext_lazy("Waiting for a baseline")
    SCORING = "scoring", gettext_lazy("Being scored")
    SENIOR = "senior", gettext_lazy("With a senior")
    OUTDATED = "outdated", gettext_lazy("With an outdated anchor")
    NO_ANCHOR = "no_anchor", gettext_lazy("Without an anchor")
    NO_RUBRIC = "no_rubric", gettext_lazy("Without a rubric")
    REOPENED = "reopened", gettext_lazy("No longer approved")


_OF_STAGE: Mapping[str, DrawnState] = {
    AnchorStage.ANSWERING: DrawnState.ANSWERING,
    AnchorStage.SCORING: DrawnState.SCORING,
    AnchorStage.META_EVALUATION: DrawnState.SENIOR,
}


@dataclass(frozen=True, slots=True)
class DrawnTask:
    """One task of a draw; `entry` is None where it is not in the pool any more."""

    pk: int
    key: str
    title: str
    domain: str
    stratum: str
    half: str
    state: DrawnState
    entry: Entry | None

    @property
    def ready(self) -> bool:
        return self.state == DrawnState.ANCHORED


def drawn_tasks(draw: GoldDraw, found: Pool) -> list[DrawnTask]:
    """Return the tasks of a draw by domain and key, as they stand. One query."""
    entries = {entry.pk: entry for entry in found.entries}
    rows = GoldDrawItem.objects.filter(draw=draw).order_by("task__domain__key", "task__key")
    return [
        DrawnTask(
            pk=pk,
            key=key,
            title=title or key,
            domain=domain,
            stratum=stratum or domain,
            half=half or "",
            state=_state_of(entries.get(pk), stage),
            entry=entries.get(pk),
        )
        for pk, key, title, domain, stage, stratum, half in rows.values_list(
            "task_id", "task__key", "task__title", "task__domain__key", "task__stage", "stratum",
            "task__half__half",
        )
    ]  # fmt: skip


def _state_of(entry: Entry | None, stage: str) -> DrawnState:
    if entry is None:
        return DrawnState.NO_RUBRIC if stage == Stage.APPROVED else DrawnState.REOPENED
    if entry.anchor is not None:
        return DrawnState.ANCHORED
    if entry.outdated:
        return DrawnState.OUTDATED
    return _OF_STAGE.get(entry.anchor_stage, DrawnState.NO_ANCHOR)


def states(tasks: Iterable[DrawnTask]) -> dict[DrawnState, int]:
    """Count the tasks by state, in the order of the way to an anchor."""
    counts = Counter(task.state for task in tasks)
    return {state: counts[state] for state in DrawnState if counts[state]}


def spec_of(draw: GoldDraw) -> DrawSpec:
    """Return the settings that a draw was made with."""
    return DrawSpec(
        size=draw.size,
        seed=draw.seed,
        strata=draw.strata,
        allocation=draw.allocation,
        quotas=draw.quotas,
        redistribute=draw.redistribute,
        minimum=draw.minimum,
    )


def plan_of_draw(draw: GoldDraw, exceptions: Mapping[str, str]) -> Plan:
    """Return the plan of a release that holds the tasks of a draw.

    Args:
        exceptions: key of a drawn task -> why it is left out.

    Raises:
        BadInput: `not_anchored`, `unknown_exception`, an exception without a reason, or nothing
            is left.
    """
    found = pool(draw.strata, with_retired=True, with_expired=True)
    tasks = drawn_tasks(draw, found)
    given = _checked(tasks, exceptions)
    waiting = [task for task in tasks if not task.ready and task.key not in given]
    if waiting:
        counts = states(waiting)
        detail = waiting_sentence(len(tasks), counts)
        raise BadInput(
            f"{detail} {_('Wait for them, or name each as an exception with a reason.')}",
            code="not_anchored",
            fields={"exceptions": [detail]},
            data={
                "states": {str(state): n for state, n in counts.items()},
                "tasks": [task.key for task in waiting],
            },
        )
    kept = [task for task in tasks if task.key not in given]
    if not kept:
        detail = _("Every task of the draw is an exception, so nothing is left to freeze.")
        raise BadInput(detail, code="nothing_left", fields={"exceptions": [detail]})
    return _plan(draw, found, tasks, kept, given)


def waiting_sentence(drawn: int, counts: Mapping[DrawnState, int]) -> str:
    """Say how many of the tasks drawn are not anchored, and where they stand."""
    number = sum(counts.values())
    parts = [
        _("%(n)s %(state)s") % {"n": f"{n:,}", "state": str(state.label).lower()}
        for state, n in counts.items()
    ]
    return ngettext(
        "%(n)s of %(drawn)s tasks drawn is not anchored (%(states)s).",
        "%(n)s of %(drawn)s tasks drawn are not anchored (%(states)s).",
        number,
    ) % {"n": f"{number:,}", "drawn": f"{drawn:,}", "states": clauses(parts)}


def _checked(tasks: Sequence[DrawnTask], exceptions: Mapping[str, str]) -> dict[str, str]:
    """Return the exceptions with their reasons as they are stored."""
    known = {task.key for task in tasks}
    unknown = sorted(set(exceptions) - known)
    if unknown:
        detail = _("These are no tasks of the draw: %(tasks)s.") % {"tasks": listed(unknown[:12])}
        raise BadInput(detail, code="unknown_exception", fields={"unknown": [detail]})
    given = {}
    for key, reason in exceptions.items():
        problem = storable.problem_with(reason, limit=REASON_LIMIT)
        if problem or storable.is_blank(reason):
            detail = _("Say why %(task)s is left out. The reason is published.") % {"task": key}
            raise BadInput(
                problem or detail, code="no_reason", fields={"exceptions": [problem or detail]}
            )
        given[key] = storable.clean(reason)
    return given


def _plan(
    draw: GoldDraw,
    found: Pool,
    tasks: Sequence[DrawnTask],
    kept: Sequence[DrawnTask],
    given: Mapping[str, str],
) -> Plan:
    drawn = {task.pk for task in tasks}
    wanted = Counter(task.stratum for task in tasks)
    approved = Counter(entry.stratum for entry in found.entries)
    anchored = Counter(entry.stratum for entry in found.entries if entry.anchor is not None)
    aside = _set_aside(draw, found)
    left = found.without(aside)
    names = {key: (stratum.label, stratum.name) for key, stratum in left.strata.items()}
    rows = [
        Row(
            stratum=stratum,
            name=names.get(stratum, (stratum, stratum))[0],
            in_english=names.get(stratum, (stratum, stratum))[1],
            approved=approved[stratum],
            anchored=anchored[stratum],
            wanted=wanted[stratum],
            drawn=tuple(
                replace(task.entry, stratum=stratum)
                for task in kept
                if task.stratum == stratum and task.entry is not None
            ),
        )
        for stratum in dict.fromkeys([*names, *wanted])
    ]
    return Plan(
        spec_of(draw),
        tuple(rows),
        left,
        len(found.entries),
        aside,
        Origin(
            draw=draw.pk,
            drawn=len(tasks),
            drawn_on=draw.created_at.astimezone(UTC).date().isoformat(),
            not_drawn=sum(entry.pk not in drawn for entry in left.entries),
            exceptions=tuple(
                LeftOutTask(task.pk, task.key, str(task.state), given[task.key])
                for task in tasks
                if task.key in given
            ),
        ),
    )


def _set_aside(draw: GoldDraw, found: Pool) -> tuple[SetAside, ...]:
    """Return the strata that the draw set aside, with their numbers of then."""
    return tuple(
        SetAside(
            one["stratum"],
            one["name"],
            found.strata[one["stratum"]].label if one["stratum"] in found.strata else one["name"],
            one["approved"],
            draw.minimum,
        )
        for one in draw.set_aside
    )

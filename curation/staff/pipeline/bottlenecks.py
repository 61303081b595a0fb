"""Bottlenecks of the programme, as sentences with the step that resolves each."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.lifecycle import LATE_DAYS, Actor, Stage
from curation.joining.people import Qualification
from curation.tasks.task.holding import without_reviewer
from curation.tasks.task.models import Task

S = Stage
StageWaits = dict[str, list[tuple[int, int, Any]]]


@dataclass(frozen=True)
class Bottleneck:
    """A cause of delay, with the address of the step that resolves it."""

    head: str
    text: str
    machine: bool = False
    url: str = ""
    label: str = ""


def bottlenecks(tasks: Any, waiting: StageWaits, now: datetime) -> list[Bottleneck]:
    """Return the bottlenecks: missing reviewers, suspended authors, late tasks, the machine.

    Args:
        tasks: a queryset of the tasks to look at.
        waiting: stage -> (days in it, domain id, domain) of every open task.
    """
    return [
        *_unassigned(tasks),
        *_suspended(tasks),
        *_late(waiting),
        *_machine(tasks, now),
        *_settings(),
    ]


def _list_of(stage: str) -> str:
    return f"{reverse('staff-tasks')}?stage={stage}"


def _unassigned(tasks: Any) -> list[Bottleneck]:
    n = tasks.filter(without_reviewer()).count()
    if not n:
        return []
    head = ngettext(
        "%(n)s rubric in review has no reviewer.", "%(n)s rubrics in review have no reviewer.", n
    )
    text = _(
        "Every expert in the domain has a conflict of interest or already holds a seat on "
        "the task. Assign somebody or invite experts."
    )
    return [Bottleneck(head % {"n": n}, text, False, _list_of(S.IN_REVIEW), _("See the rubrics"))]


def _suspended(tasks: Any) -> list[Bottleneck]:
    """Report rubrics of suspended authors, which are never given to another author."""
    active = Qualification.objects.filter(
        user=OuterRef("author"), domain=OuterRef("domain"), active=True
    )
    rows = tasks.filter(stage=S.REFINING, author__isnull=False, domain__external=False)
    n = rows.exclude(Exists(active)).count()
    if not n:
        return []
    head = ngettext(
        "%(n)s rubric is waiting for an author who is suspended.",
        "%(n)s rubrics are waiting for authors who are suspended.",
        n,
    )
    text = _("They stay with their authors and go on when the suspension is lifted.")
    return [Bottleneck(head % {"n": n}, text, False, _list_of(S.REFINING), _("See the rubrics"))]


def _late(waiting: StageWaits) -> list[Bottleneck]:
    found = []
    for stage in list(waiting):
        if Task.process.stages[stage].who == Actor.MACHINE:
            continue
        late = [str(name) for days, _id, name in waiting[stage] if days >= LATE_DAYS]
        if not late:
            continue
        n = len(late)
        where = max(sorted(set(late)), key=late.count)
        text = _("Most of them are in %(domain)s: %(n)s.") % {
            "domain": where,
            "n": late.count(where),
        }
        head = Task.process.stages[stage].late % {"n": n}
        found.append((n, Bottleneck(head, text, False, _list_of(stage), _("See them"))))
    return [bottleneck for _n, bottleneck in sorted(found, key=lambda f: -f[0])]


def _machine(tasks: Any, now: datetime) -> list[Bottleneck]:
    stages = Task.process.machine_stages()
    n = tasks.filter(stage__in=stages, stage_since__lt=now - timedelta(hours=1)).count()
    if not n:
        return []
    head = ngettext(
        "%(n)s task has waited for the machine for more than an hour.",
        "%(n)s tasks have waited for the machine for more than an hour.",
        n,
    )
    text = _("The background worker may have stopped. Nothing is lost; it goes on where it was.")
    return [Bottleneck(head % {"n": n}, text, True, _list_of(S.SUBMITTED), _("See them"))]


_purposes: list[Callable[[], Collection[str]]] = []


def register_models(purposes: Callable[[], Collection[str]]) -> None:
    """Register what tells the purposes ("draft", "probe") that have a model; the last call counts.

    Models are chosen in an app that stands above this one.
    """
    _purposes[:] = [purposes]


def _settings() -> list[Bottleneck]:
    found = []
    served = {name for purposes in _purposes for name in purposes()}
    if "draft" not in served:
        text = _("Tasks get the offline draft, cut from the reference answer by rule.")
        found.append(Bottleneck(_("No model is configured for drafting."), text, True))
    if "probe" not in served:
        text = _("Panels judge the difficulty without a measurement.")
        found.append(Bottleneck(_("No model is configured for probing."), text, True))
    return found

"""What holds tasks up, as sentences, each with the one step against it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.people.models import Qualification
from curation.process.lifecycle import LATE_DAYS, Actor, Stage
from curation.tasks.held_work import without_reviewer
from curation.tasks.models import Task

S = Stage
Waits = dict[str, list[tuple[int, int, Any]]]


@dataclass(frozen=True)
class Holdup:
    """Something that holds work up, with the one step against it."""

    head: str
    text: str
    machine: bool = False
    url: str = ""
    label: str = ""


def holdups(tasks: Any, waiting: Waits, now: datetime) -> list[Holdup]:
    """What holds work up: missing reviewers first, then what is late, then the machine.

    Args:
        tasks: the tasks looked at (a queryset).
        waiting: stage -> (days in it, domain id, domain) of those under way.
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


def _unassigned(tasks: Any) -> list[Holdup]:
    n = tasks.filter(without_reviewer()).count()
    if not n:
        return []
    head = ngettext(
        "%(n)s rubric in review has no reviewer.", "%(n)s rubrics in review have no reviewer.", n
    )
    text = _("Nobody of the domain is free of ties and seats. Assign somebody or invite experts.")
    return [Holdup(head % {"n": n}, text, False, _list_of(S.IN_REVIEW), _("See the rubrics"))]


def _suspended(tasks: Any) -> list[Holdup]:
    """Rubrics whose author may not work now. Authorship is never reassigned."""
    standing = Qualification.objects.filter(
        user=OuterRef("author"), domain=OuterRef("domain"), active=True
    )
    rows = tasks.filter(stage=S.REFINING, author__isnull=False, domain__external=False)
    n = rows.exclude(Exists(standing)).count()
    if not n:
        return []
    head = ngettext(
        "%(n)s rubric waits for an author who is suspended.",
        "%(n)s rubrics wait for authors who are suspended.",
        n,
    )
    text = _("They stay with their authors and go on when the suspension is lifted.")
    return [Holdup(head % {"n": n}, text, False, _list_of(S.REFINING), _("See the rubrics"))]


def _late(waiting: Waits) -> list[Holdup]:
    found = []
    for stage in list(waiting):
        if Task.process.places[stage].who == Actor.MACHINE:
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
        head = Task.process.places[stage].late % {"n": n}
        found.append((n, Holdup(head, text, False, _list_of(stage), _("See them"))))
    return [holdup for _n, holdup in sorted(found, key=lambda f: -f[0])]


def _machine(tasks: Any, now: datetime) -> list[Holdup]:
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
    return [Holdup(head % {"n": n}, text, True, _list_of(S.SUBMITTED), _("See them"))]


def _settings() -> list[Holdup]:
    found = []
    if not settings.DRAFT_MODEL:
        text = _("Tasks get the offline draft, cut from the reference answer by rule.")
        found.append(Holdup(_("No model is configured for drafting."), text, True))
    if not settings.PROBE_MODELS:
        text = _("Panels judge the difficulty without a measurement.")
        found.append(Holdup(_("No model is configured for probing."), text, True))
    return found

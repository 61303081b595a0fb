"""Rubrics that wait for their author, for Home."""

from collections import defaultdict
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.lifecycle import Stage
from curation.base.process.waiting import Waiting
from curation.screening.panels.voting_waiting import tasks_with_author
from curation.tasks.task.models import Origin
from rubrics.lines import threads
from rubrics.sending.actions import unsettled
from rubrics.versions.models import Criterion, RubricVersion


def waiting(user: Any) -> list[Waiting]:
    """Return an author's open rubrics: a first refinement, or requests to answer."""
    tasks = [row for row in tasks_with_author(user) if row["stage"] == Stage.REFINING]
    if not tasks:
        return []
    tasks.sort(key=lambda row: row["stage_since"])
    ids = [task["id"] for task in tasks]
    sent = RubricVersion.objects.filter(task__in=ids, frozen_at__isnull=False).exclude(
        origin=RubricVersion.Origin.DRAFT
    )
    # Nobody can have requested a change before a version was sent.
    reviewed = set(sent.values_list("task", flat=True))
    asked = threads.requests(reviewed) if reviewed else {}
    lines: dict[int, list[Criterion]] = defaultdict(list)
    unasked = [pk for pk in ids if not asked.get(pk)]
    if unasked:  # only these sentences say how many lines there are
        rows = Criterion.objects.filter(
            version__task__in=unasked, version__frozen_at__isnull=True
        ).values_list("version__task_id")
        counts = dict(rows.annotate(n=Count("pk")))
    else:
        counts = {}
    keys = {key for requests in asked.values() for key in requests}
    asked_lines = (
        Criterion.objects.filter(
            version__task__in=ids, version__frozen_at__isnull=True, key__in=keys
        )
        .select_related("version")
        .order_by("position", "id")
    )
    for line in asked_lines if keys else ():
        lines[line.version.task_id].append(line)
    return [
        _waiting(task, asked.get(pk, {}), lines[pk], counts.get(pk, 0), sent=pk in reviewed)
        for pk, task in zip(ids, tasks, strict=True)
    ]


def _waiting(
    task: dict[str, Any], requests: Any, lines: list[Criterion], count: int, *, sent: bool
) -> Waiting:
    url = reverse("rubric", args=[task["id"]])
    open_ones = unsettled([line for line in lines if line.key in requests], requests)
    if open_ones:
        n = len(open_ones)
        return Waiting(
            due=None,
            title=ngettext(
                "Answer %(n)s request on your rubric", "Answer %(n)s requests on your rubric", n
            )
            % {"n": n},
            detail=task["title"],
            url=f"{url}?line={open_ones[0].pk}",
            button=ngettext("Open the line", "Open the %(n)s lines", n) % {"n": n},
            blocks=True,
            section="tasks",
        )
    if requests:
        return Waiting(
            due=None,
            title=_("Send your rubric to its reviewer again"),
            detail=_("%(title)s · every request is answered or followed")
            % {"title": task["title"]},
            url=url,
            button=_("Open the rubric"),
            blocks=True,
            section="tasks",
        )
    if sent:  # it was approved, and a spot check or staff sent it back
        return Waiting(
            due=None,
            title=_("Improve a returned rubric"),
            detail=_("%(title)s · the remarks are above its lines") % {"title": task["title"]},
            url=url,
            button=_("Read the remarks"),
            blocks=True,
            section="tasks",
        )
    return Waiting(
        due=None,
        title=_("Write a skill") if task["origin"] == Origin.SKILL else _("Refine a rubric"),
        detail=ngettext("%(title)s · %(n)s line", "%(title)s · %(n)s lines", count)
        % {"title": task["title"], "n": count},
        url=url,
        button=_("Open the rubric"),
        section="tasks",
    )

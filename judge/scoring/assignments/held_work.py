"""Open sheets and checks on a task, for the list of held work on staff's page of the task."""

from collections.abc import Iterator
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.tasks.task.held_work import Held
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.assignments.open_sheets import open_sheets
from judge.scoring.graded_sheets.models import GradedSheet


def held(task: Any) -> Iterator[Held]:
    """Yield the open sheets of both kinds, then the open check of the anchor. Three queries."""
    for sheet in open_sheets(task=task.pk):
        label = _("Anchor sheet of %(name)s") if sheet.kind == "anchor" else _("Sheet of %(name)s")
        yield Held(
            what=label % {"name": sheet.what},
            who=sheet.who,
            since=sheet.since,
            due_at=sheet.due_at,
            url=reverse("staff-sheet-release", args=[sheet.pk]),
        )
    graded = GradedSheet.objects.filter(
        response__task=task, state=GradedSheet.State.OPEN, user__isnull=False
    )
    for one in graded.select_related("user", "response__candidate").order_by("due_at", "pk"):
        assert one.user is not None
        yield Held(
            what=_("Graded sheet of %(name)s") % {"name": one.response.candidate.name},
            who=one.user.name_for_staff,
            since=one.opened_at,
            due_at=one.due_at,
            url=reverse("staff-graded-sheet-release", args=[one.pk]),
        )
    checks = MetaEvaluation.objects.filter(anchor__task=task, verdict="")
    for check in checks.select_related("senior"):
        yield Held(
            what=_("Check of the anchor"),
            who=check.senior.name_for_staff,
            since=check.opened_at,
            due_at=None,
            url=reverse("staff-check-release", args=[check.pk]),
        )

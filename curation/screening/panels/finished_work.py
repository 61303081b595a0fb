"""Finished votes and checks, for the list of what people in conflict judged of each other."""

from django.utils.translation import gettext_lazy as _

from curation.screening.panels.models import ReferenceCheck, ScreeningVote
from curation.tasks.task.finished_work import FinishedSource

SOURCES = (
    FinishedSource(_("votes"), ScreeningVote.objects.all, "task", "member"),
    FinishedSource(
        _("checks of the reference answer"),
        lambda: ReferenceCheck.objects.filter(answered_at__isnull=False),
        "task",
        "checker",
    ),
)

"""Decided amendments, for the list of what people in conflict judged of each other."""

from django.utils.translation import gettext_lazy as _

from curation.tasks.amendments.models import Amendment
from curation.tasks.task.finished_work import FinishedSource

SOURCE = FinishedSource(
    _("decisions on an amendment"),
    lambda: Amendment.objects.filter(decided_at__isnull=False),
    "task",
    "decided_by",
)

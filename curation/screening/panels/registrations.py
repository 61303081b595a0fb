"""What panels give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.base.process import periodic_jobs
from curation.screening.panels.actions import fill_panels
from curation.screening.panels.models import ReferenceCheck, ScreeningVote
from curation.screening.panels.seats import expire_places
from curation.screening.panels.voting_queries import checks_the_task
from curation.tasks.attachments import holders
from curation.tasks.task import finished_work, text_basis
from curation.tasks.task.finished_work import FinishedSource
from curation.tasks.task.text_basis import records

finished_work.register(
    FinishedSource(_("votes"), ScreeningVote.objects.all, "task", "member"),
    FinishedSource(
        _("checks of the reference answer"),
        lambda: ReferenceCheck.objects.filter(answered_at__isnull=False),
        "task",
        "checker",
    ),
)
text_basis.register(
    *records(
        _("The panel judged the text of its time; a senior judges the amendment."),
        "curation.Screening",
        "curation.PanelPlace",
        "curation.ScreeningVote",
        "curation.ReferenceCheck",
        "curation.Solve",
    ),
)
holders.grant_reading("task", checks_the_task)
periodic_jobs.register(expire_places, fill_panels)

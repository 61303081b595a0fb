"""What honoraria give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.base.lists.bulk import register_steps
from curation.base.process import periodic_jobs
from curation.joining.notices import notify
from curation.staff.honoraria import entry_list, notices, sources
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records

sources.register(*sources.SOURCES)
notify.register(*notices.KINDS)
register_steps("honoraria", *entry_list.STEPS)
periodic_jobs.register(sources.collect_finished_work)
text_basis.register(
    *records(
        _("Work on the text of its time stays done, and is paid."),
        "curation.Honorarium",
        "curation.HonorariumStep",
    ),
)

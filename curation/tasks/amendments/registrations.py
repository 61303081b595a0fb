"""What amendments give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.joining.notices import notify
from curation.tasks.amendments import notices
from curation.tasks.amendments.models import Amendment
from curation.tasks.amendments.queries import may_decide_its_amendment
from curation.tasks.attachments import holders
from curation.tasks.task import finished_work, text_basis
from curation.tasks.task.finished_work import FinishedSource
from curation.tasks.task.text_basis import records

finished_work.register(
    FinishedSource(
        _("decisions on an amendment"),
        lambda: Amendment.objects.filter(decided_at__isnull=False),
        "task",
        "decided_by",
    )
)
notify.register(*notices.KINDS)
notices.connect()
holders.grant_reading("task", may_decide_its_amendment)
text_basis.register(
    *records(_("It keeps the texts themselves."), "curation.Amendment"),
)

"""What tasks of firms and re-verification give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.base.process import periodic_jobs
from curation.tasks.business import reverification_actions
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records

reverification_actions.connect()
periodic_jobs.register(reverification_actions.ask_for_due)
text_basis.register(
    *records(
        _("Two people went through the text of its time; screening came afterwards."),
        "curation.Deidentification",
    ),
    *records(
        _("It says of which version of the text an expert confirmed the answer."),
        "curation.Reverification",
    ),
)

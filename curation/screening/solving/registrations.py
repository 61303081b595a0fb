"""What solves and second looks give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.screening.solving import actions
from curation.screening.solving.queries import solves_the_task
from curation.tasks.attachments import holders
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records

actions.connect()
holders.grant_reading("task", solves_the_task)
text_basis.register(
    *records(
        _("The panel judged the text of its time; a senior judges the amendment."),
        "curation.SecondLook",
        "curation.SecondOpinion",
    ),
)

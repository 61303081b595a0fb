"""What questions give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.joining.notices import notify
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records
from curation.telling.questions import notices

notify.register(*notices.KINDS)
text_basis.register(
    *records(
        _("It keeps what somebody asked of the text of its time, and the answer."),
        "curation.AskedQuestion",
        "curation.QuestionEntry",
        "curation.SharedAnswer",
    ),
)

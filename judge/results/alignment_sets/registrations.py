"""How samples for the comparison with experts rest on a task's text."""

from django.utils.translation import gettext_lazy as _

from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import Basis, Rests
from judge.asking.candidates.earlier_text import answers_earlier_text, stale_rows

text_basis.register(
    Rests(
        model="judge.AlignmentItem",
        label=_("Responses in alignment sets"),
        on=Basis.PROMPT,
        then=_("It keeps its place in the set, needs no scorer, and is left out of the report."),
        stale=stale_rows("AlignmentItem", "response__", answers_earlier_text("response__")),
    ),
)

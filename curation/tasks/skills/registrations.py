"""How labels rest on a task's text."""

from django.utils.translation import gettext_lazy as _

from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import independent, records

text_basis.register(
    *records(
        _("Labels say what the task asks for; the person who amends the text looks at them."),
        "curation.LabelOnTask",
        "curation.ProposalRound",
        "curation.LabelProposal",
    ),
    *independent(
        _("It belongs to the skills library, whose texts are no part of an amendment."),
        "curation.SkillLabel",
        "curation.SkillChange",
        "curation.EffortEntry",
    ),
)

"""What pools of profiles and selections give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import demands, text_basis
from curation.tasks.task.models import AnswerForm
from curation.tasks.task.text_basis import independent, records
from judge.methods.profiles import demand
from judge.methods.profiles.models import RealOutcome, Selection

demands.register(AnswerForm.SELECTION, demand.STORE)
text_basis.register(
    *independent(
        _("It says how many items are asked for; judgments by another number are made again."),
        "judge.Selection",
    ),
    *independent(
        _("It says who was really chosen, whatever the task's text says."),
        "judge.RealOutcome",
        "judge.ChosenProfile",
    ),
    *records(_("It was decided or written on a line as it was."), "judge.ConditionReason"),
)
parts.register(
    Part("selections", Selection, "set_by", ("task__key", "pool__key", "number", "what", "since")),
    Part("real_outcomes", RealOutcome, "set_by", ("task__key", "rater", "reason", "since")),
)

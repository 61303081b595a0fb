"""What checklists of tasks give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import independent
from judge.methods.query_checklists.models import ChecklistOverrule, QueryChecklist

text_basis.register(
    *independent(
        _("It follows the task's labels; the person who amends the text looks at them."),
        "judge.QueryChecklist",
        "judge.QueryChecklistLine",
        "judge.ChecklistOverrule",
    ),
)
parts.register(
    Part("proposed_checklists", QueryChecklist, "proposed_by", ("task__key", "number")),
    Part("checklists", QueryChecklist, "used_by", ("task__key", "number", "state", "used_at")),
    Part(
        "checklist_overrules",
        ChecklistOverrule,
        "by",
        ("checklist__task__key", "kind", "label__name", "criterion__key", "reason", "at"),
    ),
)

"""What collecting by hand gives to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import independent
from curation.telling.activity import audit
from curation.telling.activity.audit_sources import either, role_source
from judge.results.product_index.collecting import CollectionCell, OperatorChange

text_basis.register(
    *independent(
        _("Who asks it gets the text of the day, and the answer says which text it is to."),
        "judge.CollectionCell",
    ),
)
parts.register(
    Part("operator_changes", OperatorChange, "person", ("operator", "reason", "at")),
    Part(
        "collected_answers",
        CollectionCell,
        "operator",
        (
            *("pk", "task__key", "period__key", "state", "reason", "remark", "links"),
            *("tools_off", "asked_on", "account", "ended_at"),
        ),
    ),
)
audit.register(
    role_source(
        "role-operator",
        OperatorChange.objects.all,
        "person",
        either("operator", "operator", "operator-ended"),
    )
)

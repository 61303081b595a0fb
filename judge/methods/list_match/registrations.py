"""What the matching of lists gives to the nouns below."""

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.base.text.wording import listed
from curation.staff.programme_settings import declared
from curation.staff.programme_settings.declared import of_states, shown
from curation.tasks.task import demands, text_basis
from curation.tasks.task.models import AnswerForm
from curation.tasks.task.text_basis import independent
from judge.methods.list_match import facts
from judge.methods.list_match.facts import BandTable, bands_in_force


def _bands(value: Any) -> Any:
    """Word a list of numbers, or of (percent, grade)."""
    return listed(
        one if isinstance(one, int) else f"{one[0]} % → {one[1]}" for one in value or ()
    ) or shown(None)


demands.register(AnswerForm.LIST, facts.STORE)
text_basis.register(
    *independent(
        _("It says how many items are asked for; judgments by another number are made again."),
        "judge.ListDemand",
    ),
)
declared.register(
    of_states(
        "bands",
        "scoring",
        _("Bands of lists"),
        BandTable,
        "staff-method-bands",
        {
            "coverage": _("Coverage for the grades 2 to 5, in per cent"),
            "invented": _("Limits for invented entries"),
        },
        _bands,
        lambda: asdict(bands_in_force()),
        place=8,
    ),
)

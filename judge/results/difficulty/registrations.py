"""What the difficulty of tasks gives to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.staff.programme_settings import declared
from curation.staff.programme_settings.declared import of_states
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records
from judge.results.difficulty.analyses import ProposalOutcome
from judge.results.difficulty.models import ShareDecision, ShareRules

text_basis.register(
    *records(
        _("It was decided or written on a line as it was."),
        "judge.ProposalOutcome",
        "judge.ShareDecision",
    ),
)
parts.register(
    Part(
        "proposal_outcomes",
        ProposalOutcome,
        "by",
        ("task__key", "criterion__key", "concern", "outcome", "reason", "at"),
    ),
    Part("share_decisions", ShareDecision, "by", ("task__key", "finding", "reason", "at")),
)
declared.register(
    of_states(
        "shares",
        "work",
        _("When models make a question too easy or doubtful"),
        ShareRules,
        "difficulty-rules",
        {
            "fewest": _("Models at least"),
            "drop": _("Too easy from, in per cent"),
            "look": _("Doubtful below, in per cent"),
            "agree": _("Of them agree, in per cent"),
        },
        place=6,
    ),
)

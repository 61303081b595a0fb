"""What known sheets, practice and drift give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.base.process import periodic_jobs
from curation.joining.notices import notify
from curation.tasks.task import text_basis
from judge.asking.candidates.earlier_text import rule_of_score
from judge.scoring.practice import actions, known_opening, notices
from judge.scoring.practice.drift_pausing import pause_drifting_scorers

actions.connect()
known_opening.connect()
notify.register(*notices.KINDS)
periodic_jobs.register(pause_drifting_scorers)
text_basis.register(
    rule_of_score(
        "KnownSheet",
        _("Known sheets"),
        _("An open one ends with its sheet; a submitted one is left out of its scorer's figures."),
        "sheet__",
    ),
    rule_of_score("KnownLine", _("Lines of known sheets"), through="known_sheet__sheet__"),
)

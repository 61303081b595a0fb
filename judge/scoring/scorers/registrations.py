"""What standings of scorers and practice give to the nouns below."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import Basis, Rests, records
from judge.asking.candidates.earlier_text import stale_rows, waits_on_earlier_text
from judge.scoring.scorers.models import ScorerPause, ScorerStanding
from judge.scoring.scorers.practice_models import PracticeAttempt


def _practice(model: str, label: Any, through: str = "") -> Rests:
    """Return the rule of practice sheets, whose verdicts are of a response by a version."""
    response, version = f"{through}response__", f"{through}version__"
    return Rests(
        model=f"judge.{model}",
        label=label,
        on=Basis.BOTH,
        then=_("It is given to nobody any more. Choose another response to practise on."),
        stale=stale_rows(model, response, waits_on_earlier_text(response, version)),
    )


text_basis.register(
    _practice("PracticeSheet", _("Practice sheets")),
    _practice("PracticeLine", _("Lines of practice sheets"), "practice_sheet__"),
    *records(
        _("It says how a person practised on the text of that time."), "judge.PracticeAttempt"
    ),
)
parts.register(
    Part(
        "practice",
        PracticeAttempt,
        "user",
        (
            *("practice_sheet__response__task__key", "sheet_id", "begun_at", "ended_at"),
            *("lines", "agreed", "share", "passed"),
        ),
    ),
    Part(
        "scorer_standings",
        ScorerStanding,
        "user",
        ("domain__key", "practised_at", "again_since"),
    ),
    Part(
        "scorer_pauses",
        ScorerPause,
        "standing__user",
        ("standing__domain__key", "at", "ended_at"),
    ),
)

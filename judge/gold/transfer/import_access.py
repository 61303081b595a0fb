"""Facts about imports: tasks are for those who edit, responses and scores for those who score."""

from typing import Any

from curation.base.access.duties import Duty, sentence_on_missing
from curation.base.access.permissions import allows
from judge.gold.transfer.import_fields import KINDS
from judge.gold.transfer.import_models import DataImport

Kind = DataImport.Kind


def holds_tasks(user: Any, thing: Any) -> bool:
    """Whether tasks are imported; the thing is an upload or a kept mapping."""
    return KINDS[thing.kind].tasks


def holds_scores(user: Any, thing: Any) -> bool:
    """Whether responses or scores are imported; the thing is an upload or a kept mapping."""
    return not holds_tasks(user, thing)


def permission_for(kind: str) -> str:
    """Return the permission to upload a file of this kind."""
    return "import.tasks" if KINDS[kind].tasks else "import.scores"


def kinds_for(person: Any) -> list[tuple[str, Any]]:
    """Return the choices of kinds that a person may import; all for one who only reads."""
    found = [one for one in Kind.choices if allows(person, permission_for(one[0]))]
    return found or list(Kind.choices)


def why_not(person: Any, row: DataImport) -> str:
    """Say which duty a person who imports other things lacks for this upload; "" for none."""
    if allows(person, "import.change", row) or not allows(person, "import"):
        return ""  # whoever imports nothing at all is told so by `config.duty_buttons`
    return sentence_on_missing(Duty.EDITING if holds_tasks(person, row) else Duty.SCORING)

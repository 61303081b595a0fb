"""Many applications decided at once: each by itself, so that one that fails holds up no other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from curation import reasons
from curation.actions.qualification import admit, turn_down
from curation.errors import BadInput, NotFound, WorkbenchError
from curation.models import Application

MOST_AT_ONCE = 100


@dataclass(frozen=True)
class Outcome:
    """What became of one application: done, or why not."""

    pk: int
    who: str
    domain: str
    done: bool
    why: str = ""


def decide_each(
    *, actor: Any, pks: Sequence[int], decision: str, reason_key: str = "", words: str = ""
) -> list[Outcome]:
    """Admit or turn down each of these applications, one transaction each.

    Args:
        decision: "admit" or "turn_down".
        reason_key: a prepared reason (`curation.reasons`), said in each applicant's language.
        words: of the staff, to all of them.

    Raises:
        BadInput: an unknown decision, nothing chosen or too much.
    """
    if decision not in ("admit", "turn_down"):
        raise BadInput(_("Choose one of the decisions shown."))
    if not pks:
        raise BadInput(_("Tick the applications first, then decide."))
    if len(pks) > MOST_AT_ONCE:
        raise BadInput(_("Decide on %(n)s at a time at most.") % {"n": MOST_AT_ONCE})
    if decision == "turn_down" and not reason_key and not words.strip():
        raise BadInput(
            fields={"words": [_("Give a reason, prepared or your own. Each applicant reads it.")]}
        )
    rows = Application.objects.select_related("user", "domain", "domain__exam").in_bulk(pks)
    return [
        _decide_one(actor, rows.get(pk), pk, decision, reason_key, words)
        for pk in dict.fromkeys(pks)
    ]


def _decide_one(
    actor: Any, row: Application | None, pk: int, decision: str, reason_key: str, words: str
) -> Outcome:
    if row is None:
        return Outcome(pk, f"{pk}", "", False, str(NotFound().detail))
    who, domain = row.user.pseudonym, str(row.domain)
    reason = reasons.written_to(row.user, reason_key, words)
    try:
        if decision == "admit":
            admit(actor=actor, application=row, reason=words)
        else:
            turn_down(actor=actor, application=row, reason=reason)
    except WorkbenchError as refusal:
        first = next((str(said[0]) for said in refusal.fields.values() if said), "")
        return Outcome(pk, who, domain, False, first or str(refusal.detail))
    return Outcome(pk, who, domain, True)

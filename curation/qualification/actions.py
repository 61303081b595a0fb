"""Many applications decided at once: each by itself, so that one that fails holds up no other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.applications.models import Application
from curation.experts.suspension import check_decision, reinstate_expert, suspend_expert
from curation.process import prepared_reasons
from curation.process.lifecycle import ApplicationStage
from curation.question_bank.queries import is_ready
from curation.text import storable
from curation.web.reasons import required_reason
from curation.web.refusals import BadInput, Conflict, Denied, NotFound, WorkbenchError

MOST_AT_ONCE = 100


@dataclass(frozen=True)
class Outcome:
    """What became of one application: done, or why not."""

    pk: int
    who: str
    domain: str
    done: bool
    why: str = ""


@action("staff")
def decide_each(
    *, actor: Any, pks: Sequence[int], decision: str, reason_key: str = "", words: str = ""
) -> list[Outcome]:
    """Admit or turn down each of these applications, one transaction each.

    Args:
        decision: "admit" or "turn_down".
        reason_key: a prepared reason (`curation.process.prepared_reasons`), said in each
            applicant's language.
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
    reason = prepared_reasons.written_to(row.user, reason_key, words)
    try:
        if decision == "admit":
            admit(actor=actor, application=row, reason=words)
        else:
            turn_down(actor=actor, application=row, reason=reason)
    except WorkbenchError as refusal:
        first = next((str(said[0]) for said in refusal.fields.values() if said), "")
        return Outcome(pk, who, domain, False, first or str(refusal.detail))
    return Outcome(pk, who, domain, True)


def _refuse_own(actor: Any, application: Application) -> None:
    if application.user_id == actor.pk:
        raise Denied(_("Somebody else decides on your own application."))


@action("application.decide", about="application")
@transaction.atomic
def admit(*, actor: Any, application: Application, reason: str = "") -> Application:
    """Staff let an applicant sit the exam.

    Raises:
        Conflict: wrong stage, or no paper of the domain's exam can be drawn yet.
        Denied: the applicant is the actor.
    """
    _refuse_own(actor, application)
    application.process.check(application.stage, ApplicationStage.EXAM)
    exam = getattr(application.domain, "exam", None)
    if not is_ready(exam):
        raise Conflict(
            _(
                "The exam of this domain is not ready: its bank is empty or cannot fill the "
                "blueprint. Complete it first, then admit the applicant."
            ),
            code="no_exam",
        )
    application.advance(ApplicationStage.EXAM, actor=actor, reason=storable.clean(reason))
    return application


@action("application.decide", about="application")
@transaction.atomic
def turn_down(*, actor: Any, application: Application, reason: str) -> Application:
    """Staff reject an application, with a reason that reaches the applicant.

    Raises:
        BadInput: no reason, or one that cannot be stored.
        Conflict: the stage no longer allows it.
    """
    _refuse_own(actor, application)
    words = required_reason(reason, _("Give a reason. The applicant reads it."))
    application.advance(ApplicationStage.REJECTED, actor=actor, reason=words)
    return application


@action("application.decide", about="application")
@transaction.atomic
def suspend(*, actor: Any, application: Application, reason: str) -> int:
    """Suspend an expert in a domain, with a reason. Nothing they made is deleted.

    Returns:
        how many pieces of open work went to colleagues.
    """
    check_decision(actor, application.user, reason)
    application.process.check(application.stage, ApplicationStage.SUSPENDED)
    released = suspend_expert(
        actor=actor, person=application.user, domain=application.domain, reason=reason
    )
    application.refresh_from_db(fields=["stage", "stage_since"])
    return released


@action("application.decide", about="application")
@transaction.atomic
def reinstate(*, actor: Any, application: Application, reason: str) -> None:
    """Lift a suspension, with a reason."""
    reinstate_expert(actor=actor, person=application.user, domain=application.domain, reason=reason)
    application.refresh_from_db(fields=["stage", "stage_since"])

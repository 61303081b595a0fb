"""The panel: claiming a seat, voting, and what the votes decide."""

from collections import Counter
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation import text
from curation.actions.seats import take_seat
from curation.errors import BadInput, Conflict, Denied
from curation.lifecycle import Stage
from curation.models import Decision, Role, ScreeningVote, Task


@transaction.atomic
def open_screening(*, task: Task, actor: Any = None, reason: str = "", **data: Any) -> Task:
    """Pass a submitted task on to the panel, with what the machine found out about it."""
    task.advance(Stage.SCREENING, actor=actor, reason=reason, **data)
    return task


@transaction.atomic
def join_panel(*, actor: Any, task: Task) -> Task:
    """Take a screener's seat on a task of one's domain.

    Raises:
        Denied: not qualified in the domain, or the author.
        Conflict: another seat is held, or the task is not being screened.
    """
    if task.author_id == actor.pk or task.domain_id not in actor.qualified_domain_ids():
        raise Denied(_("A panel is made of other experts of the same domain."))
    locked = Task.objects.select_for_update().get(pk=task.pk)
    if locked.stage != Stage.SCREENING:
        raise Conflict(_("This task is not being screened now."), code="wrong_stage")
    if locked.seats.filter(user=actor, role=Role.SCREENER).exists():
        return locked  # a doubled click
    take_seat(task=locked, user=actor, role=Role.SCREENER)
    locked.history.create(
        actor=actor, from_stage=locked.stage, to_stage=locked.stage, data={"event": "panel_joined"}
    )
    return locked


@transaction.atomic
def vote(
    *,
    actor: Any,
    task: Task,
    difficult: bool,
    representative: bool,
    gradable: bool,
    decision: str,
    reasons: str,
) -> ScreeningVote:
    """Cast one vote; the vote that completes the quorum decides.

    Raises:
        BadInput: no reasons, an unknown decision, or "keep" with a failed test.
        Conflict: voted already, or the task is not being screened.
        Denied: the qualification was suspended since the seat was taken.
    """
    if task.domain_id not in actor.qualified_domain_ids():
        raise Denied(
            _("Your qualification in this domain is not active, so you cannot vote now."),
            code="not_qualified",
        )
    problems: dict[str, list[str]] = {}
    problem = text.problem_with(reasons, limit=5000)
    if problem or text.is_blank(reasons):
        problems["reasons"] = [
            problem or _("Give your reasons. The author reads them and learns from them.")
        ]
    if decision not in Decision.values:
        problems["decision"] = [_("Choose: keep, return or reject.")]
    if decision == Decision.KEEP and not (difficult and representative and gradable):
        problems["decision"] = [
            _("A prompt is kept when it is difficult, representative and gradable. One is not.")
        ]
    if problems:
        raise BadInput(fields=problems)
    locked = Task.objects.select_for_update().get(pk=task.pk)
    if locked.stage != Stage.SCREENING:
        raise Conflict(_("The panel has decided already. Thank you."), code="wrong_stage")
    try:
        with transaction.atomic():
            cast = ScreeningVote.objects.create(
                task=locked,
                round=locked.screening_round,
                member=actor,
                difficult=difficult,
                representative=representative,
                gradable=gradable,
                decision=decision,
                reasons=text.clean(reasons),
            )
    except IntegrityError:
        raise Conflict(_("You have voted on this task already."), code="already_voted") from None
    locked.history.create(
        actor=actor, from_stage=locked.stage, to_stage=locked.stage, data={"event": "vote_cast"}
    )
    _decide_when_complete(locked, actor)
    return cast


def _decide_when_complete(task: Task, actor: Any) -> None:
    votes = list(
        ScreeningVote.objects.filter(task=task, round=task.screening_round).values_list(
            "decision", "reasons"
        )
    )
    if len(votes) < settings.PANEL_QUORUM:
        return
    decision = panel_decision([d for d, _reasons in votes])
    to = {
        Decision.KEEP: Stage.DRAFTING,
        Decision.RETURN: Stage.DRAFT,
        Decision.REJECT: Stage.REJECTED,
    }[decision]
    task.advance(
        to,
        actor=None if len(votes) > 1 else actor,
        reason="\n\n".join(reasons for _d, reasons in votes),
        votes=dict(Counter(d for d, _reasons in votes)),
    )


def panel_decision(decisions: list[str]) -> Decision:
    """What a complete panel decides: the majority; any tie returns the task with the reasons.

    A tie is no verdict, and returning is the one outcome that loses nothing.
    """
    ranked = Counter(decisions).most_common()
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        return Decision.RETURN
    return Decision(ranked[0][0])

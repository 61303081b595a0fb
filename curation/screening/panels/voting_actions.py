"""Actions of the panel: opening a screening, voting, and deciding by the votes."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.screening.panels.actions import (
    Kind,
    State,
    eligible_members,
    fill_panel,
    give_places_again,
    is_tied,
    lock_task,
    places_of,
)
from curation.screening.panels.models import (
    EXACT_TESTS,
    Decision,
    ReferenceCheck,
    Screening,
    ScreeningPolicy,
    ScreeningVote,
)
from curation.screening.panels.policy import open_record, screening_of
from curation.screening.panels.seats import REASON_LIMIT, refuse_in_conflict, release_places
from curation.screening.panels.solves import awaits_solvers, open_solves
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Task
from curation.tasks.task.probe_findings import Finding

Tie = ScreeningPolicy.Tie
LARGEST_PANEL = 15


@transaction.atomic
def open_screening(
    *,
    task: Task,
    actor: Any = None,
    reason: str = "",
    finding: str = Finding.UNKNOWN,
    probing: Mapping[str, Any] | None = None,
    **data: Any,
) -> Task:
    """Move a submitted task on to its panel, with what probing found.

    A suspect finding opens a check of the reference answer; an exact answer opens two solves. The
    voters of the task's previous screening get their places again; the caller then fills the others
    with `fill_panel`.

    Args:
        finding, probing: the result of probing; see `curation.tasks.task.probe_findings`.
        data: further facts for the history.
    """
    open_record(task, finding=finding, probing=dict(probing or {}))
    if probing:
        data |= {"finding": str(finding), "probing": dict(probing)}
    task.advance(Stage.SCREENING, actor=actor, reason=reason, **data)
    open_solves(task)
    # Two solvers do more than one checker, so an exact answer needs no check besides.
    if finding == Finding.SUSPECT and not answers_exactly(task):
        ReferenceCheck.objects.get_or_create(task=task, round=task.screening_round)
    if task.screening_round > 1:
        give_places_again(task)
    return task


@action("signed_in")
def vote(
    *,
    actor: Any,
    task: Task,
    difficult: bool,
    representative: bool,
    gradable: bool,
    decision: str,
    reasons: str,
    **exact: bool | None,
) -> ScreeningVote:
    """Cast one vote. The vote that completes the quorum lets the panel decide.

    Args:
        exact: the tests of `panels/exact_tests.py`, for a task with an exact answer.

    Raises:
        BadInput: no reasons, an unknown decision, a test without an answer, or "keep" with a
            failed test.
        Conflict: `already_voted`, `place_ended` (expired, handed back or taken back), or the task
            is not being screened. `place_ended` also if a conflict with the author has become
            known.
        Denied: no place on this panel, or the qualification is suspended.
    """
    if task.domain_id not in actor.qualified_domain_ids():
        raise Denied(
            _("Your qualification in this domain is not active, so you cannot vote now."),
            code="not_qualified",
        )
    tests = _exact_tests(task, exact)
    passes = difficult and representative and gradable
    _check_vote(passes, all(tests.values()), decision, reasons)
    refuse_in_conflict(actor=actor, task=task, kind=Kind.VOTE)
    return _cast_vote(
        actor,
        task,
        difficult=difficult,
        representative=representative,
        gradable=gradable,
        **tests,
        decision=decision,
        reasons=storable.clean(reasons),
    )


@transaction.atomic
def _cast_vote(actor: Any, task: Task, **said: Any) -> ScreeningVote:
    task = lock_task(task.pk)
    if task.stage != Stage.SCREENING:
        raise Conflict(_("The panel has decided already. Thank you."), code="wrong_stage")
    _use_place(task, actor)
    try:
        with transaction.atomic():
            cast = ScreeningVote.objects.create(
                task=task, round=task.screening_round, member=actor, **said
            )
    except IntegrityError:
        raise Conflict(_("You have voted on this task already."), code="already_voted") from None
    task.note("vote_cast", actor=actor)
    decide_if_complete(task, actor)
    return cast


def _exact_tests(task: Task, said: Mapping[str, bool | None]) -> dict[str, bool]:
    """Return the tests of an exact answer that belong to a vote; none for another form of answer.

    Raises:
        BadInput: one of them has no answer.
    """
    if not answers_exactly(task):
        return {}
    missing = [name for name in EXACT_TESTS if said.get(name) is None]
    if missing:
        raise BadInput(fields={name: [_("Answer yes or no.")] for name in missing})
    return {name: bool(said[name]) for name in EXACT_TESTS}


def _check_vote(passes: bool, exact: bool, decision: str, reasons: str) -> None:
    problems: dict[str, list[str]] = {}
    problem = storable.problem_with(reasons, limit=5000)
    if problem or storable.is_blank(reasons):
        problems["reasons"] = [
            problem or _("Give your reasons. The author reads them and learns from them.")
        ]
    if decision not in Decision.values:
        problems["decision"] = [_("Choose: keep, return or reject.")]
    if decision == Decision.KEEP and not passes:
        problems["decision"] = [
            _(
                "You answered No to one of the three questions. A prompt is kept only when it is "
                "difficult, representative and gradable."
            )
        ]
    elif decision == Decision.KEEP and not exact:
        problems["decision"] = [
            _(
                "You answered No to one of the questions about the exact answer. It is kept only "
                "when all of them are answered with Yes."
            )
        ]
    if problems:
        raise BadInput(fields=problems)


def _use_place(task: Task, actor: Any) -> None:
    """Mark the member's open place as used."""
    mine = places_of(task).filter(member=actor, kind=Kind.VOTE)
    if move(mine, State.VOTED, closed_at=timezone.now()):
        return
    state = mine.values_list("state", flat=True).first()
    if state is None:
        raise Denied(_("You do not have a place on this panel."), code="no_place")
    if state == State.VOTED:
        raise Conflict(_("You have voted on this task already."), code="already_voted")
    raise Conflict(
        _("Your place on this panel has ended, so the vote was not cast."),
        code="place_ended",
    )


def decide_if_complete(task: Task, actor: Any) -> None:
    """Let the panel decide if it has all votes; on a tie, add a member if the rules say so.

    The caller has locked the task. Keeping waits for the check of a suspect reference answer, or
    for the two solvers of an exact one; returning and rejecting do not.
    """
    screening = screening_of(task)
    votes = _votes_of(task)
    decisions = [decision for decision, _reasons in votes]
    if len(votes) < screening.quorum:
        return
    if is_tied(decisions) and screening.tie == Tie.ONE_MORE and len(votes) < LARGEST_PANEL:
        Screening.objects.filter(pk=screening.pk).update(quorum=len(votes) + 1)
        task.note("one_more", actor=None, votes=len(votes))
        fill_panel(task)
        return
    decision = panel_decision(decisions, screening.tie)
    if decision == Decision.KEEP and (awaits_reference_check(task) or awaits_solvers(task)):
        return
    _conclude(task, decision, votes, None if len(votes) > 1 else actor)


def _votes_of(task: Task) -> list[tuple[str, str]]:
    return list(
        ScreeningVote.objects.filter(task_id=task.pk, round=task.screening_round).values_list(
            "decision", "reasons"
        )
    )


def awaits_reference_check(task: Task) -> bool:
    """Return whether the check of the reference answer is still open. One query."""
    return ReferenceCheck.objects.filter(
        task_id=task.pk, round=task.screening_round, verdict=""
    ).exists()


def _conclude(
    task: Task, decision: str, votes: list[tuple[str, str]], actor: Any, **data: Any
) -> None:
    to = {
        Decision.KEEP: Stage.DRAFTING,
        Decision.RETURN: Stage.DRAFT,
        Decision.REJECT: Stage.REJECTED,
    }[Decision(decision)]
    release_places(task)
    task.advance(
        to,
        actor=actor,
        # The reasons for the decision come first, because people read the beginning.
        reason="\n\n".join(
            reasons for _d, reasons in sorted(votes, key=lambda vote: vote[0] != decision)
        ),
        votes=dict(Counter(d for d, _reasons in votes)),
        **data,
    )


def panel_decision(decisions: list[str], tie: str = Tie.RETURN) -> Decision:
    """Return the decision of a complete panel: the majority, or on a tie what the rules say.

    A tie that would need one more member returns the task, because that loses nothing.
    """
    if is_tied(decisions):
        return Decision.REJECT if tie == Tie.REJECT else Decision.RETURN
    return Decision(Counter(decisions).most_common(1)[0][0])


@action("task.administer", about="task")
@transaction.atomic
def decide_without_quorum(*, actor: Any, task: Task, reason: str) -> Task:
    """Let a panel decide with the votes it has, because nobody is left to ask. For staff.

    Raises:
        BadInput: without a reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: there is no vote yet, somebody can still vote, or the check of the reference
            answer is not done and the votes are for keeping.
    """
    reason = required_reason(reason, limit=REASON_LIMIT)
    task = lock_task(task.pk)
    if task.stage != Stage.SCREENING:
        raise Conflict(_("This task is not being screened now."), code="wrong_stage")
    votes = _votes_of(task)
    if not votes:
        raise Conflict(_("Nobody has voted yet, so there is nothing to decide on."), code="no_vote")
    if (
        places_of(task).filter(kind=Kind.VOTE, state=State.OPEN).exists()
        or eligible_members(task).exists()
    ):
        raise Conflict(
            _(
                "Not everybody has voted yet. Wait for the open votes, or give the place to an "
                "expert who can still vote."
            ),
            code="members_left",
        )
    decision = panel_decision([d for d, _reasons in votes], screening_of(task).tie)
    if decision == Decision.KEEP and awaits_reference_check(task):
        raise Conflict(
            _("The votes are to keep the task, but its reference answer has not been checked yet."),
            code="not_checked",
        )
    if decision == Decision.KEEP and awaits_solvers(task):
        raise Conflict(
            _("The votes are to keep the task, but two solvers have not agreed on it yet."),
            code="not_solved",
        )
    task.note("decided_short", actor=actor, reason=reason)
    _conclude(task, decision, votes, None, short=True)
    return task

"""Scorers practise: start, hand in, hand back; staff let through or ask to practise again."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied
from curation.joining.domains.models import Domain
from curation.tasks.task.queries import kept_off
from judge.asking.candidates.earlier_text import waits_on_earlier_text
from judge.base.stats.drift import Pair, compare
from judge.scoring.practice import notices
from judge.scoring.practice.known_results import verdicts_of
from judge.scoring.scorers.models import ScorerStanding, ScorerStep
from judge.scoring.scorers.policy import policy_for
from judge.scoring.scorers.practice_models import PracticeAttempt, PracticeLine, PracticeSheet
from judge.scoring.scorers.readiness import PRACTICE, standing_of, why_held_up
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.opening import open_sheet
from judge.scoring.sheets.signals import practice_sheet_submitted, uncounted_sheet_handed_back


def connect() -> None:
    """Connect the receivers. Idempotent."""
    practice_sheet_submitted.connect(
        _submitted, sender=Sheet, dispatch_uid="judge.practice.submitted"
    )
    uncounted_sheet_handed_back.connect(
        _handed_back, sender=Sheet, dispatch_uid="judge.practice.handed_back"
    )


@action("expert")
@transaction.atomic
def start_practice(*, actor: Any, domain: Domain) -> Sheet | None:
    """Open a person's next practice sheet of a domain; a second call returns the open one.

    Returns:
        None where no practice sheet is left for the person; the staff are told.

    Raises:
        Denied: `not_eligible`, the person is not qualified there.
        Conflict: `no_practice_needed`.
    """
    check_qualified_in(actor, domain)
    standing = standing_of(actor, domain.pk)  # locked, so that two presses open one sheet
    held = Sheet.objects.filter(
        practice_attempt__user=actor,
        practice_attempt__practice_sheet__domain=domain,
        state=Sheet.State.OPEN,
    ).first()
    if held is not None:
        return held
    if why_held_up(actor, domain.pk) != PRACTICE:
        raise Conflict(
            _("You need no practice in this domain now; you are given sheets to score."),
            code="no_practice_needed",
        )
    for practice_sheet in left_for(actor, domain.pk):
        if actor.pk in kept_off(practice_sheet.response.task):
            continue
        try:
            with transaction.atomic():
                sheet = open_sheet(
                    response=practice_sheet.response,
                    scorer=actor,
                    purpose=Sheet.Purpose.ALIGNMENT,
                    kind=Sheet.Kind.PRACTICE,
                )
        except Conflict:
            continue  # the person scored the task's anchor, or collected answers to it
        PracticeAttempt.objects.create(user=actor, practice_sheet=practice_sheet, sheet=sheet)
        return sheet
    notices.none_left(standing)
    return None


def check_qualified_in(person: Any, domain: Domain) -> None:
    """Check that a person is qualified in a domain. Raises Denied `not_eligible`."""
    if domain.pk not in person.qualified_domain_ids():
        raise Denied(
            _("A response is scored by an expert who is qualified in the task's domain."),
            code="not_eligible",
        )


def left_for(user: Any, domain: int) -> list[PracticeSheet]:
    """Return the practice sheets in use that a person has not had, in the order staff added them.

    Their task may still be one on which the person has another role.
    """
    rows = PracticeSheet.objects.filter(
        ~waits_on_earlier_text(), domain=domain, retired_at__isnull=True
    ).exclude(attempts__user=user)
    return list(
        rows.exclude(response__task__in=user.seats.values("task"))
        .select_related("response__task__domain", "response__task__author")
        .order_by("pk")
    )


def pairs_of(attempt: PracticeAttempt) -> list[Pair]:
    """Return (said, agreed) of the lines of a practice whose wording is still the same."""
    said = verdicts_of([attempt.sheet_id or 0])[attempt.sheet_id or 0]
    agreed = {
        (key, text): met
        for key, text, met in PracticeLine.objects.filter(
            practice_sheet=attempt.practice_sheet_id
        ).values_list("criterion__key", "criterion__text", "met")
    }
    return [(met, agreed[words]) for words, met in said.items() if words in agreed]


def _submitted(sender: Any, instance: Sheet, actor: Any, **_: Any) -> None:
    """Decide on a submitted practice sheet, in the transaction of the submission."""
    attempt = PracticeAttempt.objects.select_related("practice_sheet").get(sheet=instance)
    standing = standing_of(attempt.user, attempt.practice_sheet.domain_id)
    found = compare(pairs_of(attempt))
    attempt.lines, attempt.agreed = found.lines, found.agreed
    attempt.share = policy_for(standing.domain_id).practice_share
    # Where every line was reworded since, there is nothing to compare, and nothing to fail.
    attempt.passed = not found.lines or found.reaches(attempt.share)
    attempt.ended_at = timezone.now()
    attempt.save()
    if attempt.passed:
        ScorerStanding.objects.filter(pk=standing.pk).update(practised_at=attempt.ended_at)
    elif not left_for(attempt.user, standing.domain_id):
        notices.none_left(standing)


def _handed_back(sender: Any, instance: Sheet, reason: str, **_: Any) -> None:
    PracticeAttempt.objects.filter(sheet=instance).update(
        ended_at=timezone.now(), handed_back=reason
    )


# --- staff ----------------------------------------------------------------------------------------
def check_not_oneself(by: Any, person: Any) -> None:
    """Check that nobody decides on their own scoring. Raises Denied `own_scoring` if they do."""
    if by.pk == person.pk:
        raise Denied(
            _("This is your own scoring. Somebody else of the staff has to decide it."),
            code="own_scoring",
        )


@action("staff.scoring")
@transaction.atomic
def let_through(*, actor: Any, person: Any, domain: Domain, reason: str) -> ScorerStep:
    """Let a person score without passing a practice sheet.

    Raises:
        BadInput: no reason.
        Denied: `own_scoring`.
        Conflict: `no_practice_needed`.
    """
    check_not_oneself(actor, person)
    reason = required_reason(reason, _("Say why this person can score without it."))
    standing = standing_of(person, domain.pk)
    if why_held_up(person, domain.pk) != PRACTICE:
        raise Conflict(
            _("This person is given sheets already, or is paused."), code="no_practice_needed"
        )
    ScorerStanding.objects.filter(pk=standing.pk).update(practised_at=timezone.now())
    notices.ready(standing)
    return _step(standing, ScorerStep.Kind.LET_THROUGH, reason, actor)


@action("staff.scoring")
@transaction.atomic
def ask_to_practise(*, actor: Any, person: Any, domain: Domain, reason: str) -> ScorerStep:
    """Ask a scorer for a new practice sheet, which also ends a pause.

    Raises:
        BadInput: no reason.
        Denied: `own_scoring`; `not_eligible`, the person is not qualified there.
        Conflict: `practice_asked`, they practise anyway; `no_practice_left`.
    """
    check_not_oneself(actor, person)
    reason = required_reason(reason, _("Say why they practise again. The scorer does not read it."))
    standing = standing_of(person, domain.pk)
    check_qualified_in(person, domain)
    if why_held_up(person, domain.pk) == PRACTICE:
        raise Conflict(_("This person practises first anyway."), code="practice_asked")
    if not left_for(person, domain.pk):
        raise Conflict(
            _("There is no practice sheet that this person has not had. Add one first."),
            code="no_practice_left",
        )
    now = timezone.now()
    standing.pauses.filter(ended_at__isnull=True).update(ended_at=now)
    ScorerStanding.objects.filter(pk=standing.pk).update(again_since=now)
    notices.practise_again(standing)
    return _step(standing, ScorerStep.Kind.AGAIN, reason, actor)


@action("staff.scoring")
@transaction.atomic
def lift_pause(*, actor: Any, person: Any, domain: Domain, reason: str) -> ScorerStep:
    """Lift a scorer's pause. Lines scored before count no longer towards the next one.

    Raises:
        BadInput: no reason.
        Denied: `own_scoring`.
        Conflict: `not_paused`.
    """
    check_not_oneself(actor, person)
    reason = required_reason(reason, _("Say why they can score again."))
    standing = standing_of(person, domain.pk)
    if not standing.pauses.filter(ended_at__isnull=True).update(ended_at=timezone.now()):
        raise Conflict(_("This scorer is not paused now."), code="not_paused")
    notices.ready(standing)
    return _step(standing, ScorerStep.Kind.LIFTED, reason, actor)


def _step(standing: ScorerStanding, kind: str, reason: str, actor: Any) -> ScorerStep:
    return ScorerStep.objects.create(standing=standing, kind=kind, reason=reason, by=actor)

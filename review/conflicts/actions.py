"""Declare a conflict of interest, confirm or dispute it, and end it."""

from collections.abc import Collection
from datetime import date
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.signals import conflict_began
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.notices.notify import send_notice
from curation.joining.people import User, same_affiliation
from curation.qualifying.applications.applicant_data import REMOVED
from review.conflicts.models import ConflictOfInterest, ConflictStep, Declaration, Kind
from review.conflicts.sources import in_force, open_declarations

MOST_OPEN = 100  # declarations of one person
State = ConflictOfInterest.State
Step = ConflictStep.Kind


@action("signed_in")
@transaction.atomic
def declare_conflict(
    *,
    actor: Any,
    kind: str,
    name: str,
    email: str = "",
    since: date | None = None,
    until: date | None = None,
    note: str = "",
) -> Declaration:
    """Declare a conflict with somebody, who need not be a member.

    The declarer never learns whether somebody of that address is a member.

    Raises:
        BadInput: invalid values, named in `fields`, or too many open declarations.
    """
    _check(kind, name, since, until, note)
    if email and email.casefold() == (actor.email or "").casefold():
        raise BadInput(fields={"email": [_("This is your own address.")]})
    if actor.declarations.filter(withdrawn_at__isnull=True).count() >= MOST_OPEN:
        raise BadInput(
            _("You have %(n)s open declarations. Withdraw those that no longer hold.")
            % {"n": MOST_OPEN}
        )
    made = Declaration.objects.create(
        person=actor,
        kind=kind,
        name=storable.one_line(name),
        email=email,
        since=since,
        until=until,
        note=storable.clean(note),
    )
    _match([made])
    return made


@action("signed_in")
@transaction.atomic
def withdraw_declaration(*, actor: Any, declaration: Declaration) -> None:
    """Withdraw a declaration; a second call changes nothing.

    A conflict that followed from it counts until staff end it. The declarer is told the same in
    either case, and so does not learn whether somebody is a member.
    """
    Declaration.objects.filter(pk=declaration.pk, person=actor, withdrawn_at__isnull=True).update(
        withdrawn_at=timezone.now()
    )


@action("signed_in")
@transaction.atomic
def answer_conflict(
    *, actor: Any, conflict: ConflictOfInterest, agrees: bool, reason: str = ""
) -> None:
    """Confirm or dispute a conflict that somebody else declared.

    Raises:
        Denied: the actor is no party of it, or declared it.
        BadInput: no reason for disputing it.
        Conflict: `answered_already`.
    """
    if actor.pk not in (conflict.one_id, conflict.other_id) or actor.pk == conflict.declared_by_id:
        raise Denied(_("Only the other person confirms or disputes a conflict of interest."))
    given = (
        ""
        if agrees
        else required_reason(reason, _("Say what is wrong. Staff read it."), limit=2000)
    )
    waiting = ConflictOfInterest.objects.filter(pk=conflict.pk, state=State.DECLARED)
    if not move(waiting, State.CONFIRMED if agrees else State.DISPUTED):
        raise Conflict(_("This conflict of interest has been answered."), code="answered_already")
    _note(conflict, Step.CONFIRMED if agrees else Step.DISPUTED, actor, given)


@action("staff.recruiting")
@transaction.atomic
def propose_conflict(
    *,
    actor: Any,
    person: User,
    other: User,
    kind: str,
    since: date | None = None,
    until: date | None = None,
) -> ConflictOfInterest:
    """Record a conflict between two members; both are asked to confirm it.

    Raises:
        BadInput: invalid values, or one person twice.
    """
    _check(kind, other.email, since, until, "")
    if person.pk == other.pk:
        raise BadInput(fields={"other": [_("Choose another person.")]})
    found = _conflict(person, other, kind, since, until, by=actor)
    for party in (person, other):
        _ask(party, found)
    return found


@action("staff.recruiting")
@transaction.atomic
def link_declaration(*, actor: Any, declaration: Declaration, other: User) -> ConflictOfInterest:
    """Say which member a declaration is about, so that it counts.

    Raises:
        BadInput: the declarer themself.
        Conflict: `linked_already`.
    """
    row = Declaration.objects.select_for_update().get(pk=declaration.pk)
    if row.conflict_id is not None or row.withdrawn_at is not None:
        raise Conflict(
            _(
                "This declaration was withdrawn, or is linked to a member already. Load the page "
                "again."
            ),
            code="linked_already",
        )
    if row.person_id == other.pk:
        raise BadInput(fields={"other": [_("Choose another person.")]})
    return _link(row, other)


@action("staff.recruiting")
@transaction.atomic
def uphold_conflict(*, actor: Any, conflict: ConflictOfInterest, reason: str) -> None:
    """Decide that a disputed conflict counts; it is confirmed from then on.

    Raises:
        BadInput: no reason.
        Conflict: `not_disputed`.
    """
    reason = required_reason(reason, limit=2000)
    disputed = ConflictOfInterest.objects.filter(pk=conflict.pk, state=State.DISPUTED)
    if not move(disputed, State.CONFIRMED):
        raise Conflict(
            _("Nobody disputes this conflict any more. Load the page again."), code="not_disputed"
        )
    _tell(_note(conflict, Step.UPHELD, actor, reason), "conflict_upheld")
    _hand_over_work(conflict)


@action("staff.recruiting")
@transaction.atomic
def end_conflict(*, actor: Any, conflict: ConflictOfInterest, reason: str) -> None:
    """End a conflict; the two may judge each other's work again.

    Raises:
        BadInput: no reason.
        Conflict: `ended_already`.
    """
    reason = required_reason(reason, limit=2000)
    if not move(ConflictOfInterest.objects.filter(pk=conflict.pk), State.ENDED):
        raise Conflict(_("This conflict was ended already."), code="ended_already")
    _tell(_note(conflict, Step.ENDED, actor, reason), "conflict_ended")


@action("staff.recruiting")
@transaction.atomic
def dismiss_declaration(*, actor: Any, declaration: Declaration, reason: str) -> None:
    """Record that a declaration is about no member.

    It stays open: if somebody confirms its address later, it is linked, and staff can link it too.

    Raises:
        BadInput: no reason.
        Conflict: `settled_already`, it was linked, withdrawn or dismissed meanwhile.
    """
    reason = required_reason(reason, limit=2000)
    changed = open_declarations().filter(pk=declaration.pk, dismissed_at__isnull=True)
    if not changed.update(dismissed_at=timezone.now(), dismissed_by=actor, dismissed_reason=reason):
        raise Conflict(
            _(
                "This declaration was withdrawn, dismissed or linked to a member meanwhile. Load "
                "the page again."
            ),
            code="settled_already",
        )


def remove_names(person: User, addresses: Collection[str]) -> None:
    """Remove the names from declarations by and about a person whose name is removed.

    The conflicts stay: they name nobody.

    Args:
        addresses: of the person, in lower case.
    """
    rows = Declaration.objects.annotate(address=Lower("email"))
    about = Q(address__in=addresses) | Q(conflict__one=person) | Q(conflict__other=person)
    found = rows.filter(Q(person=person) | about).values_list("pk", flat=True)
    Declaration.objects.filter(pk__in=list(found)).update(name=REMOVED, email="", note="")


def keep_colleagues_apart(person: User, *, actor: Any) -> None:
    """Record a conflict with everybody of the same affiliation, before it is removed.

    Two people's affiliations are compared as typed, and the tasks of somebody who left go on.
    """
    for other in User.objects.exclude(pk=person.pk).exclude(affiliation=""):
        if same_affiliation(person, other):
            found = _conflict(person, other, Kind.AFFILIATION, None, timezone.localdate(), by=actor)
            declared = ConflictOfInterest.objects.filter(pk=found.pk, state=State.DECLARED)
            if move(declared, State.CONFIRMED):
                _note(found, Step.CONFIRMED, actor)


def match_declarations() -> int:
    """Link declarations to members who have since confirmed the address; return how many."""
    waiting = open_declarations().exclude(email="")
    with transaction.atomic():
        return _match(list(waiting.select_for_update().select_related("person")))


def _match(declarations: list[Declaration]) -> int:
    addresses = {row.email.casefold() for row in declarations if row.email}
    if not addresses:
        return 0
    # allauth stores addresses in lower case.
    members = {
        address.email.casefold(): address.user
        for address in EmailAddress.objects.filter(
            email__in=addresses, verified=True
        ).select_related("user")
    }
    linked = 0
    for row in declarations:
        other = members.get(row.email.casefold())
        if other is not None and other.pk != row.person_id:
            _link(row, other)
            linked += 1
    return linked


def _link(row: Declaration, other: User) -> ConflictOfInterest:
    found = _conflict(row.person, other, row.kind, row.since, row.until, by=row.person)
    row.conflict = found
    row.save(update_fields=["conflict"])
    _ask(other, found)
    return found


def _conflict(
    person: User, other: User, kind: str, since: date | None, until: date | None, *, by: User
) -> ConflictOfInterest:
    """Return the conflict of that kind between two members: a new one, or the one they have.

    An ended one begins again. The longer of two periods counts. Declared by both, it is confirmed.
    """
    one, two = sorted((person, other), key=lambda user: user.pk)
    found, made = ConflictOfInterest.objects.select_for_update().get_or_create(
        one=one,
        other=two,
        kind=kind,
        defaults={"since": since, "until": until, "declared_by": by},
    )
    if made:
        _note(found, Step.DECLARED, by)
        _hand_over_work(found)
        return found
    if found.state == State.ENDED:
        began = {"since": since, "until": until, "declared_by": by, "at": timezone.now()}
        move(ConflictOfInterest.objects.filter(pk=found.pk), State.DECLARED, **began)
        found.refresh_from_db()
        _note(found, Step.DECLARED, by)
        _hand_over_work(found)
        return found
    if by in (one, two) and by != found.declared_by:
        declared = ConflictOfInterest.objects.filter(pk=found.pk, state=State.DECLARED)
        if move(declared, State.CONFIRMED):
            _note(found, Step.CONFIRMED, by)
        found.refresh_from_db()
    if found.until is not None and (until is None or until > found.until):
        found.until = until
        found.save(update_fields=["until"])
        _hand_over_work(found)  # it may have counted no longer
    return found


def _hand_over_work(conflict: ConflictOfInterest) -> None:
    """Hand over the open work of each party on the other's tasks, if the conflict counts.

    Who loses work is told which, but not by whose word. Finished work stays; staff see it beside
    the conflict.
    """
    if not in_force().filter(pk=conflict.pk).exists():
        return
    one, other = conflict.one, conflict.other
    for person, author in ((one, other), (other, one)):
        answers: Any = conflict_began.send(sender=User, person=person, author=author)
        ended = {task.pk: task for _receiver, tasks in answers for task in tasks}
        last = conflict.steps.latest("pk").pk
        for task in ended.values():
            send_notice(
                person,
                "conflict_work_ended",
                once=f"conflict-step-{last}-task-{task.pk}",
                url=reverse("home"),
                task=str(task),
            )


def _note(conflict: ConflictOfInterest, kind: str, by: User, reason: str = "") -> ConflictStep:
    return ConflictStep.objects.create(conflict=conflict, kind=kind, by=by, reason=reason)


def _tell(step: ConflictStep, kind: str) -> None:
    """Tell a decision of staff, with its reason, to those who were asked to confirm the conflict.

    Whoever declared it is not told: they must not learn that the other is a member.
    """
    conflict = step.conflict
    for person in (conflict.one, conflict.other):
        if person.pk != conflict.declared_by_id:
            send_notice(
                person,
                kind,
                once=f"conflict-step-{step.pk}",
                url=reverse("conflicts"),
                reason=step.reason,
            )


def _ask(person: User, conflict: ConflictOfInterest) -> None:
    """Ask a person to confirm. The notice names nobody, the page does."""
    if conflict.state != State.DECLARED:
        return
    send_notice(
        person,
        "conflict_to_confirm",
        once=f"conflict-{conflict.pk}-{conflict.at.isoformat()}",
        url=reverse("conflicts"),
    )


def _check(kind: str, name: str, since: date | None, until: date | None, note: str) -> None:
    fields: dict[str, list[Any]] = {}
    if kind not in Kind.values:
        fields["kind"] = [_("Choose one of the kinds.")]
    if storable.is_blank(name):
        fields["name"] = [_("Name the person or the organisation.")]
    if since and until and until < since:
        fields["until"] = [_("The last day is before the first.")]
    problem = storable.problem_with(note, limit=2000)
    if problem:
        fields["note"] = [problem]
    if fields:
        raise BadInput(fields=fields)

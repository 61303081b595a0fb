"""Readers' reports on tasks of releases, and what staff decided on them."""

from typing import Any

from django.db import models, transaction
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.signals import name_removed
from curation.base.process.states import Stateful, move
from curation.base.process.waiting import Waiting
from curation.base.text import storable
from curation.base.web.fields import LineField
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.notices.notify import send_notice
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldItem, GoldRelease
from review.spot_checks.actions import reopen


class Erratum(Stateful):
    """A report that something is wrong with a task as a release holds it.

    Attributes:
        text: the reader's words; never published.
        contact: how a reader without an account can be asked; for staff alone.
        entered_by: who reported it, or the member of staff who entered a reader's mail (`by_mail`).
        answer: why it was dismissed, or what was wrong: the errata list of the next release
            prints the latter.
        reopened: whether upholding it reopened the task; it was under way already otherwise.
    """

    class Kind(models.TextChoices):
        WRONG_ANSWER = "wrong_answer", gettext_lazy("Wrong reference answer or rubric line")
        AMBIGUOUS = "ambiguous", gettext_lazy("Ambiguous")
        OUTDATED = "outdated", gettext_lazy("Outdated")
        TYPO = "typo", gettext_lazy("Typing error")
        OTHER = "other", gettext_lazy("Something else")

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("Waits for staff")
        UPHELD = "upheld", gettext_lazy("Upheld")
        DISMISSED = "dismissed", gettext_lazy("Dismissed")

    moves = {State.OPEN: (State.UPHELD, State.DISMISSED)}

    release = models.ForeignKey(GoldRelease, on_delete=models.PROTECT, related_name="errata")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="errata")
    kind = models.CharField(max_length=15, choices=Kind.choices)
    text = models.TextField()
    contact = LineField(max_length=200, blank=True)
    entered_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    by_mail = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    answer = models.TextField(blank=True)
    decided_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    reopened = models.BooleanField(default=False)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "errata"
        indexes = [models.Index(fields=["state", "id"], name="erratum_state")]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["wrong_answer", "ambiguous", "outdated", "typo", "other"]),
                name="erratum_kind_is_known",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="an_erratum_says_what_is_wrong"),
            models.CheckConstraint(
                condition=Q(
                    state="open",
                    answer="",
                    decided_by__isnull=True,
                    decided_at__isnull=True,
                    reopened=False,
                )
                | Q(
                    state__in=["upheld", "dismissed"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                )
                & ~Q(answer=""),
                name="an_erratum_is_decided_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(reopened=False) | Q(state="upheld"),
                name="only_an_upheld_erratum_reopens",
            ),
        ]

    def __str__(self) -> str:
        return f"E{self.pk}"


SHOWN = 100  # of one's own reports


def own_errata(user: User) -> list[Erratum]:
    """Return a reader's own reports, the newest first. One query."""
    rows = Erratum.objects.filter(entered_by=user, by_mail=False)
    return list(rows.select_related("task", "release")[:SHOWN])


def errata(*, state: str = "", release: int | None = None) -> "QuerySet[Erratum]":
    """Select reports for staff, the newest first."""
    rows = Erratum.objects.select_related("task__domain", "release", "entered_by")
    if state:
        rows = rows.filter(state=state)
    if release:
        rows = rows.filter(release__number=release)
    return rows


def count_of(release: GoldRelease) -> dict[str, int]:
    """Count the reports on a release by state: `open`, `upheld` and `dismissed`. One query."""
    counts: dict[str, Any] = {
        state.value: Count("id", filter=Q(state=state)) for state in Erratum.State
    }
    return Erratum.objects.filter(release=release).aggregate(**counts)


TEXT_LIMIT = 5000  # characters
ANSWER_LIMIT = 2000
CONTACT_LIMIT = 200
MOST_OPEN = 20  # reports of one person that wait for staff

State = Erratum.State


@action("signed_in")
@transaction.atomic
def report_erratum(
    *, actor: Any, release: int, task: str, kind: str, text: str, contact: str = ""
) -> Erratum:
    """Report what is wrong with a task of a release; staff decide.

    Args:
        release: its number.
        task: the key of the task, as the files of the release have it.
        kind: one of `Erratum.Kind`.
        contact: how to reach the reader, if they wish.

    Raises:
        BadInput: the release has no such task, nothing is said, or a value cannot be stored.
        Conflict: `too_many`, so many reports of this person wait already.
    """
    waiting = Erratum.objects.filter(entered_by=actor, by_mail=False, state=State.OPEN).count()
    if waiting >= MOST_OPEN:
        raise Conflict(
            _("%(n)s of your reports wait for staff. Send the next one when they have answered.")
            % {"n": waiting},
            code="too_many",
        )
    return _create(actor, release, task, kind, text, contact, by_mail=False)


@action("staff.gold")
@transaction.atomic
def enter_erratum(
    *, actor: Any, release: int, task: str, kind: str, text: str, contact: str = ""
) -> Erratum:
    """Enter a report that came by mail, by staff.

    Args:
        contact: of the reader, for staff alone. The others as in `report_erratum`.

    Raises:
        BadInput: as `report_erratum`.
    """
    return _create(actor, release, task, kind, text, contact, by_mail=True)


def _create(
    actor: Any, release: int, task: str, kind: str, text: str, contact: str, *, by_mail: bool
) -> Erratum:
    fields: dict[str, list[str]] = {}
    contact = storable.one_line(contact)
    problem = storable.problem_with(contact, limit=CONTACT_LIMIT)
    if problem:
        fields["contact"] = [problem]
    if kind not in Erratum.Kind.values:
        fields["kind"] = [_("Choose what is wrong.")]
    key = "" if storable.problem_with(task) else task.strip()
    item = GoldItem.objects.filter(release__number=release, task__key=key).first()
    if item is None:
        fields["task"] = [
            _(
                "Release %(n)s has no task “%(key)s”. The ids stand in its file tasks.jsonl, or "
                "tasks.csv."
            )
            % {"n": release, "key": key[:120]}
        ]
    try:
        text = required_reason(
            text, _("Say what is wrong, and how you know."), limit=TEXT_LIMIT, field="text"
        )
    except BadInput as refusal:
        fields |= refusal.fields  # type: ignore[arg-type]
    if fields or item is None:
        raise BadInput(fields=fields)
    return Erratum.objects.create(
        release_id=item.release_id,
        task_id=item.task_id,
        kind=kind,
        text=text,
        contact=contact,
        entered_by=actor,
        by_mail=by_mail,
    )


@action("staff.gold")
@transaction.atomic
def dismiss_erratum(*, actor: Any, erratum: Erratum, reason: str) -> Erratum:
    """Dismiss a report with a reason, which its reader reads.

    Raises:
        BadInput: no reason.
        Conflict: `decided_already`.
    """
    reason = required_reason(
        reason, _("Say why nothing has to change; the reader reads it."), limit=ANSWER_LIMIT
    )
    return _decide(actor, erratum, State.DISMISSED, reason)


@action("staff.gold")
@transaction.atomic
def uphold_erratum(*, actor: Any, erratum: Erratum, reason: str) -> Erratum:
    """Uphold a report: an approved task goes back to its author, as when staff reopen it.

    The next release lists the erratum with this reason and what changed. A task that is no longer
    approved is being corrected or has left the benchmark, so it stays where it is.

    Args:
        reason: what was wrong; the reader and the task's author read it, and releases print it.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `decided_already`.
    """
    reason = required_reason(
        reason, _("Say what was wrong; the next release prints it."), limit=ANSWER_LIMIT
    )
    task = Task.objects.select_related("domain", "author").get(pk=erratum.task_id)
    approved = task.stage == Stage.APPROVED and not task.external
    _decide(actor, erratum, State.UPHELD, reason, reopened=approved)
    if approved:
        reopen(actor=actor, task=task, reason=reason)
    return erratum


def _decide(actor: Any, erratum: Erratum, to: str, answer: str, **more: Any) -> Erratum:
    changed = move(
        Erratum.objects.filter(pk=erratum.pk),
        to,
        answer=answer,
        decided_by=actor,
        decided_at=timezone.now(),
        **more,
    )
    if not changed:
        raise Conflict(
            _("Somebody decided on this report before you, so nothing was changed."),
            code="decided_already",
        )
    erratum.refresh_from_db()
    if not erratum.by_mail:
        send_notice(
            erratum.entered_by,
            "erratum_decided",
            once=f"erratum-{erratum.pk}",
            url=reverse("errata"),
            release=erratum.release.number,
        )
    return erratum


def connect() -> None:
    """Connect the receiver."""
    name_removed.connect(forget_contact, sender=User, dispatch_uid="judge.forget_contact")


def forget_contact(sender: Any, instance: User, addresses: list[str], **_: Any) -> None:
    """Delete how a reader can be reached: in their own reports, and where their address stands."""
    theirs = Q(entered_by=instance, by_mail=False)
    for address in addresses:
        theirs |= Q(contact__icontains=address)
    Erratum.objects.filter(theirs).update(contact="")


def waiting(user: Any) -> list[Waiting]:
    """Return one item with the number of open reports. One query; none for others."""
    if not user.has_duty("gold"):
        return []
    number = Erratum.objects.filter(state=Erratum.State.OPEN).count()
    if not number:
        return []
    return [
        Waiting(
            due=None,
            title=ngettext(
                "%(n)s report on a released task waits for a decision",
                "%(n)s reports on released tasks wait for a decision",
                number,
            )
            % {"n": f"{number:,}"},
            detail=_("Readers of a release say that something is wrong"),
            url=f"{reverse('staff-errata')}?state={Erratum.State.OPEN}",
            button=_("Read them"),
            section="gold",
        )
    ]

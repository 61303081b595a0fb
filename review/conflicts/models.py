"""Conflicts of interest that people declare, and those that follow for two members."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.history import AppendOnly
from curation.base.process.states import Stateful
from curation.base.web.fields import LineField
from curation.joining.people import User


class Kind(models.TextChoices):
    """Why two people must not judge each other's work."""

    AFFILIATION = "affiliation", _("Same affiliation")
    ADVISOR = "advisor", _("Advisor and student")
    COAUTHOR = "coauthor", _("Recent co-authors")
    EMPLOYER = "employer", _("Employer and employee")
    FAMILY = "family", _("Family or household")
    BUSINESS = "business", _("Business or money")
    REFERRAL = "referral", _("One referred the other")


def _within() -> Q:
    return Q(until__isnull=True) | Q(since__isnull=True) | Q(until__gte=F("since"))


class ConflictOfInterest(Stateful):
    """A reason why two members must not judge each other's work.

    It counts from the moment it is declared, until staff end it or its period is long over
    (`sources.COUNTS_FOR`). The other person is asked to confirm it; a conflict that they dispute
    counts until staff end it, or uphold it and so confirm it. What happened to it is in its steps.
    """

    Kind = Kind

    class State(models.TextChoices):
        DECLARED = "declared", _("Declared")
        CONFIRMED = "confirmed", _("Confirmed")
        DISPUTED = "disputed", pgettext_lazy("a conflict", "Disputed")
        ENDED = "ended", _("Ended")

    moves = {
        State.DECLARED: (State.CONFIRMED, State.DISPUTED, State.ENDED),
        State.CONFIRMED: (State.ENDED,),
        State.DISPUTED: (State.CONFIRMED, State.ENDED),
        State.ENDED: (State.DECLARED,),
    }

    one = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    since = models.DateField(null=True, blank=True)
    until = models.DateField(null=True, blank=True)  # the last day; null while it goes on
    state = models.CharField(max_length=10, choices=State.choices, default=State.DECLARED)
    declared_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)  # when it began, the last time

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(one__lt=F("other")), name="a_conflict_is_stored_once"
            ),
            models.UniqueConstraint(
                fields=["one", "other", "kind"], name="conflict_kind_is_unique_per_pair"
            ),
            models.CheckConstraint(condition=_within(), name="a_conflict_ends_after_it_began"),
        ]


class ConflictStep(AppendOnly):
    """What somebody did about a conflict: declared, answered, upheld or ended it."""

    class Kind(models.TextChoices):
        DECLARED = "declared", _("declared")
        CONFIRMED = "confirmed", _("confirmed")
        DISPUTED = "disputed", _("disputed")
        UPHELD = "upheld", _("upheld")
        ENDED = "ended", _("ended")

    conflict = models.ForeignKey(ConflictOfInterest, on_delete=models.PROTECT, related_name="steps")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind__in=["disputed", "upheld", "ended"]) | ~Q(reason=""),
                name="a_conflict_is_disputed_and_decided_for_a_reason",
            ),
        ]


class Declaration(models.Model):
    """A conflict as a person declares it, with somebody who need not be a member.

    `conflict` is set once the somebody is known to be a member: by their confirmed e-mail address,
    or by staff. Staff dismiss a declaration about nobody here; a member who confirms the address
    later is linked all the same.
    """

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="declarations")
    kind = models.CharField(_("Kind"), max_length=20, choices=Kind.choices)
    name = LineField(_("With whom"), max_length=200)
    email = models.EmailField(_("Their e-mail address"), blank=True)
    since = models.DateField(_("Since"), null=True, blank=True)
    until = models.DateField(_("Until"), null=True, blank=True)
    note = models.TextField(_("Note for staff"), blank=True)
    conflict = models.ForeignKey(
        ConflictOfInterest,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="declarations",
    )
    at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    dismissed_at = models.DateTimeField(null=True, blank=True)
    dismissed_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    dismissed_reason = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(dismissed_at__isnull=True, dismissed_by__isnull=True)
                | Q(dismissed_at__isnull=False, dismissed_by__isnull=False)
                & ~Q(dismissed_reason=""),
                name="a_declaration_is_dismissed_by_somebody_for_a_reason",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="a_declaration_names_somebody"),
            models.CheckConstraint(
                condition=_within(),
                name="a_declaration_ends_after_it_began",
                violation_error_message=_("The last day is before the first."),
            ),
        ]

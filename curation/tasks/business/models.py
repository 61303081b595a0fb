"""Tasks collected from business: the owner's permission, and the checks of de-identification."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.base.web.fields import LineField
from curation.joining.people import User
from curation.tasks.task.models import Task


class Collection(models.Model):
    """Where a collected task comes from, and its owner's permission. Only staff read it.

    `Task.collection` points here, so that a collected task cannot be stored without one.
    """

    owner = LineField(max_length=200)  # whose case it is
    permitted_by = LineField(max_length=200)  # who gave the permission
    permitted_on = models.DateField()
    permission_scope = models.TextField()  # what it covers
    # The words of the permission, or where the signed document is kept: at least one of them.
    permission_text = models.TextField(blank=True)
    permission_document = LineField(max_length=300, blank=True)
    collected_on = models.DateField()
    entered_by = models.ForeignKey(
        User, null=True, on_delete=models.PROTECT, related_name="collections_entered"
    )
    entered_at = models.DateTimeField(default=timezone.now)
    version = models.PositiveIntegerField(default=1)  # refuses stale saves

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(owner="") & ~Q(permitted_by="") & ~Q(permission_scope=""),
                name="a_permission_says_whose_by_whom_and_what_for",
            ),
            models.CheckConstraint(
                condition=~Q(permission_text="") | ~Q(permission_document=""),
                name="a_permission_is_a_text_or_a_document",
            ),
        ]

    def __str__(self) -> str:
        return self.owner


CHECKED = ("names", "companies", "contacts", "amounts", "in_files")


class Deidentification(Stateful):
    """One check that nothing in a collected task tells whose case it was, by two people.

    It holds for the text and files that were read: `read_sha256` and `file_ids`.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waits for a second person")
        CONFIRMED = "confirmed", _("Confirmed by a second person")
        SENT_BACK = "sent_back", _("Returned")
        REPLACED = "replaced", _("Replaced: the text changed before it was confirmed")

    moves = {State.WAITING: (State.CONFIRMED, State.SENT_BACK, State.REPLACED)}

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="deidentifications")
    read_sha256 = models.CharField(max_length=64)  # of the texts that were read
    file_ids = models.JSONField(default=list)
    names = models.BooleanField(default=False)
    companies = models.BooleanField(default=False)
    contacts = models.BooleanField(default=False)
    amounts = models.BooleanField(default=False)
    in_files = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    done_by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="deidentifications_done"
    )
    done_at = models.DateTimeField(default=timezone.now)
    second = models.ForeignKey(
        User, null=True, on_delete=models.PROTECT, related_name="deidentifications_read"
    )
    second_at = models.DateTimeField(null=True)
    answer = models.TextField(blank=True)  # why it was sent back

    class Meta:
        ordering = ("-pk",)
        constraints = [
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(state="waiting"),
                name="one_waiting_deidentification_per_task",
            ),
            models.CheckConstraint(
                condition=Q(names=True, companies=True, contacts=True, amounts=True, in_files=True),
                name="a_deidentification_checks_everything",
            ),
            models.CheckConstraint(
                condition=Q(second__isnull=True) | ~Q(second=F("done_by")),
                name="a_second_person_confirms_deidentification",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "replaced"], second__isnull=True)
                | Q(state="confirmed", second__isnull=False)
                | Q(state="sent_back", second__isnull=False) & ~Q(answer=""),
                name="a_read_deidentification_has_its_reader",
            ),
        ]

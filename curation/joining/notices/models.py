"""Notices, and the claims on people's mailboxes."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.joining.people import User


class Notice(models.Model):
    """One person told of one event. Its words are rendered when read, in the reader's language."""

    recipient = models.ForeignKey(User, on_delete=models.PROTECT, related_name="notices")
    kind = models.CharField(max_length=40)  # a key of curation.joining.notices.notify
    data = models.JSONField(default=dict, blank=True)  # facts for the words; never a secret
    url = models.CharField(max_length=300)  # path of the page it leads to
    once = models.CharField(max_length=120)  # names the occasion, so that nobody is told twice
    at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True)  # written after the e-mail was sent

    class Meta:
        ordering = ("-at", "-id")
        indexes = [
            models.Index(
                fields=["recipient", "-at"], condition=Q(read_at__isnull=True), name="notice_unread"
            ),
            models.Index(
                fields=["at"],
                condition=Q(mailed_at__isnull=True, read_at__isnull=True),
                name="notice_unmailed",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["recipient", "once"], name="an_occasion_is_told_once")
        ]


class Mailbox(models.Model):
    """The claim on a person's e-mails, so that two workers never write to them at once.

    `held_until` is both the end of a worker's lease and the end of the pause after a failure.
    """

    user = models.OneToOneField(User, on_delete=models.PROTECT, related_name="mailbox")
    held_until = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)  # in a row
    problem = models.CharField(
        max_length=100, blank=True
    )  # type of the exception; never an address

    class Meta:
        verbose_name_plural = "mailboxes"

"""Notices: what happened that a person should know, each with the place where it goes on."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.people.models import User


class Notice(models.Model):
    """One thing to know. Its words are made when it is read, in the reader's language."""

    recipient = models.ForeignKey(User, on_delete=models.PROTECT, related_name="notices")
    kind = models.CharField(max_length=40)  # a key of curation.notices.notify
    data = models.JSONField(default=dict, blank=True)  # what the words need; never a secret
    url = models.CharField(max_length=300)  # path inside the product
    once = models.CharField(max_length=120)  # the same occasion never gives two notices
    at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True)  # written after the e-mail went out

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
    """The claim on one person's e-mails: two workers never write to the same person at once.

    The time is both the lease of the worker that is sending and the pause after a failure.
    """

    user = models.OneToOneField(User, on_delete=models.PROTECT, related_name="mailbox")
    held_until = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)  # in a row
    problem = models.CharField(max_length=100, blank=True)  # what kind of failure; no address

    class Meta:
        verbose_name_plural = "mailboxes"

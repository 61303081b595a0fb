"""Changes of settings that have no history elsewhere, and test e-mails."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from curation.base.process.history import AppendOnly, StaffAct, reasoned


class SettingChange(StaffAct):
    """Staff changed a domain or a category: from what to what, and why.

    Attributes:
        key: the thing, such as "domain:finance" or "category:finance/credit".
        before: column -> value; {} for a new thing.
    """

    key = models.CharField(max_length=140)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_setting_change_has_a_reason")]


class MailTest(AppendOnly):
    """An e-mail that an administrator sent to themselves, and what the mail server said."""

    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    accepted = models.BooleanField()
    answer = models.TextField(blank=True)  # in the server's words; "" where it said nothing
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at", "-id")

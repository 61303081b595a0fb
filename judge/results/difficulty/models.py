"""Rules on the shares of models that are right, and what staff decided about a finding."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly, reasoned
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.base.stats.model_shares import Finding, Limits

_DEFAULT = Limits()
FINDINGS = (
    (Finding.EASY.value, _("Too easy: proposed to be dropped")),
    (Finding.FEW_RIGHT.value, _("Hardly any model is right")),
    (Finding.OTHER_ANSWER.value, _("Most models agree on another answer")),
    (Finding.FAIR.value, _("Fair")),
    (Finding.UNKNOWN.value, _("Too few models")),
)
FINDING_LABELS = dict(FINDINGS)


class ShareRules(AppendOnly):
    """When something is said of a task; the newest row counts, all are kept."""

    number = models.PositiveIntegerField(default=1)  # counts the rules staff set, from 1
    fewest = models.PositiveSmallIntegerField(default=_DEFAULT.models)  # models with an answer
    drop = models.PositiveSmallIntegerField(default=_DEFAULT.drop)  # per cent, like the next two
    look = models.PositiveSmallIntegerField(default=_DEFAULT.look)
    agree = models.PositiveSmallIntegerField(default=_DEFAULT.agree)
    set_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "share rules"
        constraints = [
            models.UniqueConstraint(fields=["number"], name="share_rules_are_set_one_by_one"),
            models.CheckConstraint(
                condition=Q(fewest__gte=2, drop__lte=100, agree__gte=1, agree__lte=100)
                & Q(look__lt=models.F("drop")),
                name="share_rules_are_percentages_in_order",
            ),
        ]


class ShareDecision(AppendOnly):
    """Staff keep a task in spite of a finding, with the reason; the newest of a finding counts.

    It holds for the version of the text that it was made on.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="share_decisions")
    finding = models.CharField(max_length=12, choices=FINDINGS)
    on_text = models.PositiveIntegerField()  # the task's version
    reason = models.TextField()
    # The judge, the rules and the shares at the time.
    evidence = models.JSONField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            reasoned("a_kept_task_has_a_reason"),
            models.CheckConstraint(
                condition=Q(finding__in=["easy", "few_right", "other_answer"]),
                name="a_kept_task_has_a_finding",
            ),
        ]

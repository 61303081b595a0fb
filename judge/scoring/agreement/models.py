"""Rulings of seniors on lines that two people judged differently."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from rubrics.versions.models import Criterion


class Adjudication(AppendOnly):
    """A senior's ruling; the verdicts and sheets it is about do not change.

    Another ruling with the next number corrects it; the last one counts.
    """

    class Kind(models.TextChoices):
        REVIEW = "review", _("Reviews")
        SHEET = "sheet", _("Scores")

    class Ruling(models.TextChoices):
        APPROVE = "approve", _("The line is right as it stood")
        CHANGE = "change", _("The line needed a change")
        MET = "met", _("The response meets the line")
        UNMET = "unmet", _("The response does not meet the line")

    kind = models.CharField(max_length=10, choices=Kind.choices)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="adjudications")
    response = models.ForeignKey(
        Response, null=True, blank=True, on_delete=models.PROTECT, related_name="adjudications"
    )
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="adjudications")
    number = models.PositiveSmallIntegerField()
    ruling = models.CharField(max_length=10, choices=Ruling.choices)
    reason = models.TextField()
    senior = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["criterion", "number"],
                condition=Q(kind="review"),
                name="one_ruling_at_a_time_on_a_line",
            ),
            models.UniqueConstraint(
                fields=["response", "criterion", "number"],
                condition=Q(kind="sheet"),
                name="one_ruling_at_a_time_on_a_line_of_a_response",
            ),
            models.CheckConstraint(
                condition=Q(kind="review", response__isnull=True, ruling__in=["approve", "change"])
                | Q(kind="sheet", response__isnull=False, ruling__in=["met", "unmet"]),
                name="a_ruling_fits_what_it_is_about",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_ruling_has_a_reason"),
            models.CheckConstraint(condition=Q(number__gte=1), name="rulings_count_from_one"),
        ]

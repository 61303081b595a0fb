"""The record of who passed which unit of the training."""

from django.db import models
from django.utils import timezone

from curation.base.process.history import AppendOnly
from curation.joining.people import User


class TrainingUnitPass(AppendOnly):
    """A pass: a person answered every exercise of one unit, in one edition, correctly."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="training_units")
    edition = models.CharField(max_length=20)
    unit = models.CharField(max_length=40)
    tries = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "edition", "unit"], name="a_training_unit_is_passed_once"
            )
        ]

"""Alignment sets: seeded samples of candidates' responses that experts score."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.joining.people import User
from judge.asking.candidates.models import Response
from rubrics.versions.models import RubricVersion

MOST_SCORERS = 5


class AlignmentSet(AppendOnly):
    """One draw: `quota` responses of each candidate in each domain, each scored `scorers` times.

    With `flagged`, responses with a flagged verdict were added. The settings are stored with the
    result, so that the draw can be repeated.
    """

    class Form(models.TextChoices):
        LINES = "lines", _("Line by line")
        GRADE = "grade", _("One grade from 1 to 5")

    seed = models.BigIntegerField()
    quota = models.PositiveIntegerField()  # responses of each stratum
    scorers = models.PositiveSmallIntegerField(default=1)
    form = models.CharField(max_length=10, choices=Form.choices, default=Form.LINES)
    flagged = models.BooleanField(default=False)
    # Name of the set of tasks it was drawn from (judge/base/gold_sets); "" in older draws.
    task_set = models.CharField(max_length=60, blank=True)
    domains = models.JSONField()  # keys, sorted
    candidates = models.JSONField()  # names, sorted
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(quota__gte=1) | Q(flagged=True), name="a_set_draws_something"
            ),
            models.CheckConstraint(
                condition=Q(scorers__gte=1, scorers__lte=MOST_SCORERS),
                name="a_set_has_one_to_five_scorers",
            ),
        ]


class AlignmentItem(AppendOnly):
    """One response of a set, with the rubric version at the time of the draw."""

    set = models.ForeignKey(AlignmentSet, on_delete=models.PROTECT, related_name="items")
    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="drawn_in")
    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="+")
    domain = models.CharField(max_length=60)  # the stratum's key when it was drawn
    # Added because a verdict is flagged, not drawn at random: statistics leave its sheets out.
    flagged = models.BooleanField(default=False)

    class Meta:
        ordering = ("set", "id")
        constraints = [
            models.UniqueConstraint(fields=["set", "response"], name="a_set_holds_a_response_once")
        ]

"""A senior's decisions on lines that the rounds did not settle."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Suggestion
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.versions.models import Criterion


class LineDecision(models.Model):
    """A senior's decision on one open line, with the resulting content of the line.

    It can be changed until the senior closes the decisions; then changed lines are written into a
    new version and the reasons into the threads.
    """

    class Outcome(models.TextChoices):
        KEEP = "keep", _("The author's line stands")
        SUGGESTION = "suggestion", _("The reviewer's suggestion is taken")
        OWN = "own", _("The senior words it anew")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="line_decisions")
    criterion = models.OneToOneField(Criterion, on_delete=models.PROTECT, related_name="decision")
    senior = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    suggestion = models.ForeignKey(
        Suggestion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    text = models.TextField()
    importance = models.CharField(max_length=10, choices=Importance.choices)
    weight = models.PositiveIntegerField()
    dimension = models.CharField(max_length=30, choices=Dimension.choices)
    reason = models.TextField()
    at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="a_decision_has_a_reason"),
            models.CheckConstraint(
                condition=Q(outcome="suggestion", suggestion__isnull=False)
                | Q(outcome__in=["keep", "own"], suggestion__isnull=True),
                name="a_decision_names_the_suggestion_it_takes",
            ),
        ]

"""Comparisons of two variants of a judge on the same responses."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.joining.people import User
from judge.methods.variants.models import JudgeVariant
from judge.results.alignment_sets.models import AlignmentSet
from judge.runs.engine.models import JudgeRun


class JudgeExperiment(AppendOnly):
    """Two variants judge the same responses of an alignment set, those not held out.

    Attributes:
        measure: which figure decides, settled before anything is asked.
        question: what staff want to find out.
        held_out, unscored, flagged: responses of the set that were left out, by the reason.
    """

    class Measure(models.TextChoices):
        AGREEMENT = "agreement", _("Agreement on lines")
        J = "j", _("J (lines, corrected for the base rate)")
        CDR = "cdr", _("CDR (order of responses)")

    set = models.ForeignKey(AlignmentSet, on_delete=models.PROTECT, related_name="experiments")
    first = models.ForeignKey(JudgeVariant, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(JudgeVariant, on_delete=models.PROTECT, related_name="+")
    first_run = models.OneToOneField(JudgeRun, on_delete=models.PROTECT, related_name="+")
    second_run = models.OneToOneField(JudgeRun, on_delete=models.PROTECT, related_name="+")
    measure = models.CharField(max_length=10, choices=Measure.choices)
    question = models.TextField()
    held_out = models.PositiveIntegerField(default=0)
    unscored = models.PositiveIntegerField(default=0)
    flagged = models.PositiveIntegerField(default=0)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=~Q(first=F("second")), name="an_experiment_has_two_variants"
            ),
            models.CheckConstraint(
                condition=Q(measure__in=("agreement", "j", "cdr")),
                name="an_experiment_has_a_measure",
            ),
            models.CheckConstraint(condition=~Q(question=""), name="an_experiment_has_a_question"),
        ]

    def __str__(self) -> str:
        return _("Experiment %(n)s: %(first)s against %(second)s") % {
            "n": self.pk,
            "first": self.first.name,
            "second": self.second.name,
        }

"""What people say instead of a judge, and the scores that follow from it."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.base.process.history import AppendOnly
from curation.joining.people.models import User
from judge.methods.base.overruling import Said
from judge.runs.engine.models import Judgment


class Overrule(AppendOnly):
    """A person overrules a finding of a judgment with a reason, or takes that back.

    Of a finding the latest row counts. The judge's own finding stays as it is.

    Attributes:
        finding: its name within the judgment.
        answer: what counts instead, as the method names it; "" where an overrule is taken back.
        confidence: in percent, where the finding takes one.
        cited_page: what the page it cites says, as the method names it; "" as the judge said.
    """

    judgment = models.ForeignKey(Judgment, on_delete=models.PROTECT, related_name="overrules")
    finding = models.CharField(max_length=40)
    answer = models.CharField(max_length=20, blank=True)
    confidence = models.PositiveSmallIntegerField(null=True, blank=True)
    cited_page = models.CharField(max_length=20, blank=True)
    reason = models.TextField(blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.CheckConstraint(condition=~Q(finding=""), name="an_overrule_names_a_finding"),
            models.CheckConstraint(
                condition=Q(answer="") | ~Q(reason=""), name="an_overrule_has_a_reason"
            ),
            models.CheckConstraint(
                condition=~Q(answer="") | Q(confidence__isnull=True, cited_page="", reason=""),
                name="what_is_taken_back_says_nothing",
            ),
            models.CheckConstraint(
                condition=Q(confidence__isnull=True) | Q(confidence__lte=100),
                name="a_confidence_is_at_most_100_percent",
            ),
        ]

    @property
    def anchor(self) -> str:
        """Where the finding stands on the page of its response."""
        return self.finding.replace(":", "-")

    @property
    def taken_back(self) -> bool:
        return not self.answer

    @property
    def said(self) -> Said:
        """What counts instead of the judge's finding."""
        return Said(self.answer, self.confidence, self.cited_page)


class OverruledScore(models.Model):
    """The score of a judgment with what people overruled, beside the judge's own.

    There is a row while an overrule stands; it is computed again with each overrule, and when the
    judge finds more. The score is unknown while the numerator is null.
    """

    judgment = models.OneToOneField(
        Judgment, on_delete=models.PROTECT, related_name="overruled_score"
    )
    numerator = models.PositiveBigIntegerField(null=True, blank=True)
    denominator = models.PositiveBigIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(denominator__gt=0), name="an_overruled_score_has_parts"
            ),
            models.CheckConstraint(
                condition=Q(numerator__isnull=True) | Q(numerator__lte=models.F("denominator")),
                name="an_overruled_score_is_at_most_1",
            ),
        ]

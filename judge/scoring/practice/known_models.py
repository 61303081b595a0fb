"""Known sheets: responses with known verdicts among a scorer's sheets, unmarked."""

from django.db import models
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.people import User
from judge.asking.candidates.models import Response
from judge.scoring.sheets.models import Sheet
from rubrics.versions.models import Criterion


class KnownSheet(models.Model):
    """One known sheet of a scorer. Only staff learn that it is one, and no statistic counts it.

    A person gets a response once, even if they hand it back.
    """

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="known_sheets")
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="known_sheets")
    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="known_sheets")
    sheet = models.OneToOneField(
        Sheet, null=True, blank=True, on_delete=models.SET_NULL, related_name="known_sheet"
    )  # null after it was handed back
    number = models.PositiveIntegerField()  # of the assigned sheet that it followed
    opened_at = models.DateTimeField(default=timezone.now)
    handed_back = models.TextField(blank=True)  # the reason

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["user", "response"], name="a_scorer_gets_a_known_response_once"
            ),
            models.UniqueConstraint(
                fields=["user", "domain", "number"], name="one_known_sheet_follows_a_sheet"
            ),
        ]


class KnownLine(models.Model):
    """The verdict on one line as it was known when the sheet was opened."""

    known_sheet = models.ForeignKey(KnownSheet, on_delete=models.PROTECT, related_name="lines")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    met = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["known_sheet", "criterion"], name="one_known_verdict_per_line"
            )
        ]

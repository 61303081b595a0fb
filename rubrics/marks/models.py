"""The linter's marks as computed last, their waivers, and how many a rubric was sent with."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.base.process.history import AppendOnly
from curation.base.process.stored_results import StoredResult, says_what_it_is_made_of
from curation.joining.people import User


class StoredMarks(StoredResult):
    """The last marks of the lines of a version, as `rubrics.marks.stored` writes them."""

    version = models.OneToOneField(
        "rubrics.RubricVersion", on_delete=models.CASCADE, related_name="stored_marks"
    )

    class Meta:
        constraints = [says_what_it_is_made_of("stored_marks_say_what_they_are_made_of")]


class Waiver(AppendOnly):
    """The reason why a mark of the linter is set aside.

    It is valid while the mark stays the same: `fingerprint` covers the rule, the text of the line
    and whatever else the mark depends on. The newest row counts; one without a reason reopens the
    mark.
    """

    version = models.ForeignKey(
        "rubrics.RubricVersion", on_delete=models.PROTECT, related_name="waivers"
    )
    key = models.CharField(max_length=80, blank=True)  # of the line; empty: the whole rubric
    code = models.CharField(max_length=40)
    fingerprint = models.CharField(max_length=64)
    reason = models.TextField(blank=True)
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        indexes = [models.Index(fields=["version", "key"], name="waiver_version_key")]
        constraints = [
            models.CheckConstraint(
                condition=~Q(code="") & ~Q(fingerprint=""), name="a_waiver_names_its_mark"
            )
        ]


class SentMarks(AppendOnly):
    """How many marks of one rule a rubric was sent with: open (`standing`) and set aside."""

    version = models.ForeignKey(
        "rubrics.RubricVersion", on_delete=models.PROTECT, related_name="sent_marks"
    )
    code = models.CharField(max_length=40)
    standing = models.PositiveIntegerField()
    set_aside = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "code"], name="a_rule_is_counted_once"),
            models.CheckConstraint(
                condition=Q(standing__gt=0) | Q(set_aside__gt=0), name="nothing_is_not_counted"
            ),
        ]

"""What the five grades mean, where staff say it in other words than the built-in ones."""

from django.db import models
from django.utils import timezone

from curation.base.process.history import AppendOnly, reasoned
from curation.joining.domains.models import Category
from curation.joining.people.models import User


class GradeScale(AppendOnly):
    """Five sentences for the grades 1 to 5. The newest row of a category counts; all are kept.

    Attributes:
        category: the kind of task it is for; null for all that have none of their own.
        sentences: of the grades 1 to 5, in this order; [] to go back to the next wider scale.
    """

    number = models.PositiveIntegerField()
    category = models.ForeignKey(
        Category, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    sentences = models.JSONField(default=list)
    reason = models.TextField()
    set_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="grade_scales_are_set_one_by_one"),
            reasoned("a_grade_scale_has_a_reason"),
        ]

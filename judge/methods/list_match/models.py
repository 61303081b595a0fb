"""How many items a task asks for, and which coverage gives which grade."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.base.process.history import AppendOnly, reasoned
from curation.base.web.fields import LineField
from curation.joining.people.models import User
from curation.tasks.task.models import Task


class ListDemand(models.Model):
    """How many of what a list task asks for. A task without a row asks for as many as gold items.

    Attributes:
        number: only so many entries of a response count, the first ones.
        what: the things in the list, in the plural and in the task's language: "companies".
    """

    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="list_demand")
    number = models.PositiveSmallIntegerField()
    what = LineField(max_length=60)
    # None for an import on the command line
    set_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(number__gte=1), name="a_list_demands_at_least_one_item"
            ),
            models.CheckConstraint(condition=~Q(what=""), name="a_list_demands_something"),
        ]


class BandTable(AppendOnly):
    """Which coverage gives which grade. The newest table counts; earlier ones stay on record.

    Attributes:
        coverage: least coverage in percent of the grades 2, 3, 4 and 5; below the first it is 1.
        invented: [percent, grade] rows: where more than so much of the counted entries is
            invented, the grade is at most this one.
    """

    number = models.PositiveIntegerField()
    coverage = models.JSONField()
    invented = models.JSONField()
    reason = models.TextField()
    set_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="band_tables_are_set_one_by_one"),
            reasoned("a_band_table_has_a_reason"),
        ]

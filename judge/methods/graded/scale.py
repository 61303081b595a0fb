"""The scale of grades: its built-in sentences, those of staff, and the points they stand for."""

from collections.abc import Collection, Mapping, Sequence

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation.base.process.history import AppendOnly, reasoned
from curation.joining.domains.models import Category
from curation.joining.people import User
from curation.tasks.task.models import Task


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


LOWEST, HIGHEST = 1, 5
STEPS = HIGHEST - LOWEST  # a grade of x is (x - 1) / 4 of all points, so (x - 1) * 25 of 100

# In English, as judges read them; pages for experts translate them.
BUILT_IN = (
    gettext_noop("Wrong or made up throughout; a reader could use nothing of it."),
    gettext_noop("Mostly wrong or missing, or it says that nothing was found; little is made up."),
    gettext_noop(
        "Right in part: some of what counts is there, some is missing or wrong; little is made up."
    ),
    gettext_noop("Right for the most part: a few gaps or mistakes, hardly anything made up."),
    gettext_noop("Complete and right: it agrees with what is asked for, and nothing is made up."),
)


def points_of(grade: int) -> int:
    """Return a grade in points of 100: (x - 1) * 25.

    The source maps its five grades linearly to 0 to 100 (xbench, section 3.2). Raises ValueError
    for what is no grade.
    """
    if not is_grade(grade):
        raise ValueError(f"{grade!r} is no grade from {LOWEST} to {HIGHEST}")
    return (grade - LOWEST) * 100 // STEPS


def is_grade(value: object) -> bool:
    """Return whether a value is a whole number from 1 to 5; true, 4.0 and "4" are none."""
    return type(value) is int and LOWEST <= value <= HIGHEST


def scales_of(tasks: Collection[int]) -> Mapping[int, Sequence[str]]:
    """Return the sentences for each task: of its category, else of all, else the built-in ones.

    Two queries.
    """
    newest: dict[int | None, Sequence[str]] = {}
    for row in GradeScale.objects.order_by("number"):
        newest[row.category_id] = tuple(row.sentences)
    general = newest.get(None) or BUILT_IN
    categories = dict(Task.objects.filter(pk__in=tasks).values_list("pk", "category"))
    return {
        task: (newest.get(category) if category else None) or general
        for task, category in categories.items()
    }

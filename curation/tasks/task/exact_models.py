"""The exact answer of a task, the steps that lead to it, and the sources that do not count."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.text.short_answers import Expected
from curation.base.web.fields import LineField
from curation.joining.people import User
from curation.tasks.task.models import Task


class ExactAnswer(models.Model):
    """The one right answer of a task of the form “exact”, and what its author says of it.

    Candidates and solvers never see it; its words are also the task's reference answer.
    """

    class Kind(models.TextChoices):
        WORDS = "words", _("A few words")
        NUMBER = "number", _("One number")

    class Level(models.IntegerChoices):
        ONE = 1, _("1: one source, few steps")
        TWO = 2, _("2: several sources put together")
        THREE = 3, _("3: a wide search or a long chain of steps")

    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="exact_answer")
    answer = LineField(max_length=200, blank=True)
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.WORDS)
    tolerance = models.DecimalField(max_digits=18, decimal_places=6, null=True, blank=True)
    tolerance_is_percent = models.BooleanField(default=False)
    unit = LineField(max_length=40, blank=True)
    alternatives = models.JSONField(default=list, blank=True)
    level = models.PositiveSmallIntegerField(choices=Level.choices, null=True, blank=True)
    # Pages that the sources are read on must be older than this day.
    cutoff = models.DateField(null=True, blank=True)
    why_unique = models.TextField(blank=True)
    why_stable = models.TextField(blank=True)
    revision = models.PositiveIntegerField(default=1)  # a stale save is refused
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["words", "number"]), name="exact_answer_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(level__isnull=True) | Q(level__in=[1, 2, 3]),
                name="exact_answer_level_is_1_to_3",
            ),
            models.CheckConstraint(
                condition=Q(tolerance__isnull=True) | Q(kind="number", tolerance__gte=0),
                name="only_a_number_has_a_tolerance",
            ),
            models.CheckConstraint(
                condition=Q(tolerance_is_percent=False) | Q(tolerance__isnull=False),
                name="a_per_cent_is_of_a_tolerance",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task_id} · {self.revision}"

    @property
    def expected(self) -> Expected:
        """The answer as it is compared."""
        return Expected(
            answer=self.answer,
            is_number=self.kind == self.Kind.NUMBER,
            tolerance=self.tolerance,
            tolerance_is_percent=self.tolerance_is_percent,
            unit=self.unit,
            alternatives=tuple(self.alternatives),
        )


class SolutionStep(models.Model):
    """One step of the author's solution, with the page that shows it.

    The panel sees the steps; solvers see them after handing in, or when they ask for them.
    """

    exact = models.ForeignKey(ExactAnswer, on_delete=models.PROTECT, related_name="steps")
    position = models.PositiveSmallIntegerField()
    text = models.TextField()
    source = models.CharField(max_length=500, blank=True)
    source_date = models.DateField(null=True, blank=True)  # of the page

    class Meta:
        ordering = ("exact", "position")
        constraints = [
            models.UniqueConstraint(fields=["exact", "position"], name="steps_are_in_order"),
            models.CheckConstraint(condition=~Q(text=""), name="a_step_says_something"),
        ]


class RefusedSource(models.Model):
    """The end of a host name whose pages do not count as a source, such as a blog platform.

    Staff keep the list. A row stays when staff take it off, so that the list has a history.
    """

    suffix = LineField(_("End of the host name"), max_length=120)
    reason = models.TextField(_("Reason"))
    added_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    removed_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("suffix", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["suffix"],
                condition=Q(removed_at__isnull=True),
                name="a_source_is_refused_once",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_refused_source_has_a_reason"),
            models.CheckConstraint(
                condition=Q(removed_at__isnull=True, removed_by__isnull=True)
                | Q(removed_at__gte=F("at"), removed_by__isnull=False),
                name="a_source_is_taken_off_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.suffix

"""Readers' reports on tasks of releases, and what staff decided on them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.base.web.fields import LineField
from curation.joining.people.models import User
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldRelease


class Erratum(Stateful):
    """A report that something is wrong with a task as a release holds it.

    Attributes:
        text: the reader's words; never published.
        contact: how a reader without an account can be asked; for staff alone.
        entered_by: who reported it, or the member of staff who entered a reader's mail (`by_mail`).
        answer: why it was dismissed, or what was wrong: the errata list of the next release
            prints the latter.
        reopened: whether upholding it reopened the task; it was under way already otherwise.
    """

    class Kind(models.TextChoices):
        WRONG_ANSWER = "wrong_answer", _("Wrong reference answer or rubric line")
        AMBIGUOUS = "ambiguous", _("Ambiguous")
        OUTDATED = "outdated", _("Outdated")
        TYPO = "typo", _("Typing error")
        OTHER = "other", _("Something else")

    class State(models.TextChoices):
        OPEN = "open", _("Waits for staff")
        UPHELD = "upheld", _("Upheld")
        DISMISSED = "dismissed", _("Dismissed")

    moves = {State.OPEN: (State.UPHELD, State.DISMISSED)}

    release = models.ForeignKey(GoldRelease, on_delete=models.PROTECT, related_name="errata")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="errata")
    kind = models.CharField(max_length=15, choices=Kind.choices)
    text = models.TextField()
    contact = LineField(max_length=200, blank=True)
    entered_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    by_mail = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    answer = models.TextField(blank=True)
    decided_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    reopened = models.BooleanField(default=False)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "errata"
        indexes = [models.Index(fields=["state", "id"], name="erratum_state")]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["wrong_answer", "ambiguous", "outdated", "typo", "other"]),
                name="erratum_kind_is_known",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="an_erratum_says_what_is_wrong"),
            models.CheckConstraint(
                condition=Q(
                    state="open",
                    answer="",
                    decided_by__isnull=True,
                    decided_at__isnull=True,
                    reopened=False,
                )
                | Q(
                    state__in=["upheld", "dismissed"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                )
                & ~Q(answer=""),
                name="an_erratum_is_decided_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(reopened=False) | Q(state="upheld"),
                name="only_an_upheld_erratum_reopens",
            ),
        ]

    def __str__(self) -> str:
        return f"E{self.pk}"

"""Amendments: changes of a task's text after screening, which a senior agrees to."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.states import Stateful
from curation.joining.people import User
from curation.tasks.task.models import Task


class Amendment(Stateful):
    """A proposed change of a task's text: what it was, what it becomes, why, and who decided.

    `before` and `after` hold the parts that differ: field -> text.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", _("Waiting for a senior")
        AGREED = "agreed", _("Agreed")
        REFUSED = "refused", pgettext_lazy("an amendment", "Refused")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    moves = {State.PROPOSED: (State.AGREED, State.REFUSED, State.WITHDRAWN)}

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="amendments")
    number = models.PositiveSmallIntegerField()  # counts the task's amendments, from 1
    state = models.CharField(max_length=10, choices=State.choices, default=State.PROPOSED)
    before = models.JSONField()
    after = models.JSONField()
    # The exact answer as it was and as it becomes, where it differs: {"before": {…}, "after": {…}}.
    exact = models.JSONField(null=True, blank=True)
    reason = models.TextField()
    proposed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    by_staff = models.BooleanField(default=False)  # proposed by staff, not by the task's author
    at = models.DateTimeField(default=timezone.now)
    decided_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(blank=True)  # the senior's reason
    rubric_affected = models.BooleanField(null=True, blank=True)  # the senior's ruling
    # The version of the text by which it came into force.
    text_version = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="amendment_number_is_unique"),
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(state="proposed"),
                name="one_open_amendment_per_task",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["proposed", "agreed", "refused", "withdrawn"]),
                name="amendment_state_is_known",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="an_amendment_has_a_reason"),
            models.CheckConstraint(
                condition=Q(state__in=["agreed", "refused"], decided_by__isnull=False)
                & ~Q(answer="")
                | Q(state__in=["proposed", "withdrawn"], decided_by__isnull=True, answer=""),
                name="an_amendment_is_decided_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state="proposed", decided_at__isnull=True)
                | ~Q(state="proposed") & Q(decided_at__isnull=False),
                name="a_closed_amendment_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(
                    state="agreed", rubric_affected__isnull=False, text_version__isnull=False
                )
                | ~Q(state="agreed") & Q(rubric_affected__isnull=True, text_version__isnull=True),
                name="an_agreed_amendment_says_what_follows",
            ),
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=models.F("proposed_by")),
                name="nobody_decides_their_own_amendment",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} · {self.number}"

    @property
    def open(self) -> bool:
        return self.state == self.State.PROPOSED

    @cached_property
    def domain_id(self) -> int:
        """The domain of the task, for the facts of the permission table."""
        return self.task.domain_id

"""Answers collected by hand: orders, their cells, and who may collect."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import StaffAct, reasoned
from curation.base.process.states import Stateful
from curation.joining.people.models import User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.base.products.models import EvaluationPeriod


class OperatorChange(StaffAct):
    """Staff made a person an operator, or ended it: who, when, why."""

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="operator_changes")
    operator = models.BooleanField()

    class Meta(StaffAct.Meta):
        constraints = [reasoned("an_operator_change_has_a_reason")]


class CollectionOrder(models.Model):
    """An order of staff: these tasks, asked of these versions, in one period."""

    period = models.ForeignKey(EvaluationPeriod, on_delete=models.PROTECT, related_name="orders")
    task_set = models.CharField(max_length=60)
    note = models.TextField(_("What operators should know"), blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return _("Order %(n)s, %(period)s") % {"n": self.pk, "period": self.period.key}


class CollectionCell(Stateful):
    """One answer to collect: a task, a version of a product, a period."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        TAKEN = "taken", _("With an operator")
        DONE = "done", _("Collected")
        SKIPPED = "skipped", _("Skipped")
        CANCELLED = "cancelled", _("Cancelled")

    class Reason(models.TextChoices):
        REFUSED = "refused", _("The product refused to answer")
        OFFLINE = "offline", _("The version is no longer offered, or the product is offline")
        NO_UPLOAD = "no_upload", _("The product cannot take the task's files")
        OTHER = "other", _("Another reason, given below")

    moves = {
        State.WAITING: (State.TAKEN, State.CANCELLED),
        State.TAKEN: (State.TAKEN, State.WAITING, State.DONE, State.SKIPPED, State.CANCELLED),
        State.SKIPPED: (State.WAITING,),
    }

    order = models.ForeignKey(CollectionOrder, on_delete=models.PROTECT, related_name="cells")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="collection_cells")
    candidate = models.ForeignKey(
        Candidate, on_delete=models.PROTECT, related_name="collection_cells"
    )
    period = models.ForeignKey(
        EvaluationPeriod, on_delete=models.PROTECT, related_name="collection_cells"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # Who has it, had it last, or collected it; what they type is no part of the response.
    operator = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="collected_cells"
    )
    leased_until = models.DateTimeField(null=True, blank=True)
    response = models.OneToOneField(
        Response, null=True, blank=True, on_delete=models.PROTECT, related_name="collected_as"
    )
    reason = models.CharField(_("Why"), max_length=10, choices=Reason.choices, blank=True)
    remark = models.TextField(_("Remark"), blank=True)
    links = models.JSONField(default=list, blank=True)  # addresses, as texts
    tools_off = models.TextField(_("Tools switched off"), blank=True)
    asked_on = models.DateField(_("Asked on"), null=True, blank=True)
    account = models.TextField(_("Account used"), blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        indexes = [models.Index(fields=["state", "id"], name="collection_cell_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["task", "candidate", "period"],
                condition=~Q(state="cancelled"),
                name="a_cell_is_collected_once",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "taken", "done", "skipped", "cancelled"]),
                name="cell_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(state="taken", operator__isnull=False, leased_until__isnull=False)
                | ~Q(state="taken") & Q(leased_until__isnull=True),
                name="a_taken_cell_has_an_operator_and_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state="done", response__isnull=False, asked_on__isnull=False)
                | ~Q(state="done") & Q(response__isnull=True),
                name="a_collected_cell_has_its_response",
            ),
            models.CheckConstraint(
                condition=Q(state="skipped") & ~Q(reason="") | ~Q(state="skipped") & Q(reason=""),
                name="a_skipped_cell_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task_id} · {self.candidate_id} · {self.period_id}"

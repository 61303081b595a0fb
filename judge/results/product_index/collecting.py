"""Answers collected by hand: orders, their cells, and who may collect."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.history import StaffAct, reasoned
from curation.base.process.states import Stateful
from curation.base.web.refusals import NotFound
from curation.base.web.slices import Slice, slice_of
from curation.joining.people import User
from curation.tasks.attachments.models import Attachment
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.asking.prompts.builder import answer_prompt
from judge.asking.prompts.task_text import task_text
from judge.base.gold_sets.task_sets import label_of
from judge.base.products import EvaluationPeriod


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
    note = models.TextField(gettext_lazy("What operators should know"), blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return gettext_lazy("Order %(n)s, %(period)s") % {"n": self.pk, "period": self.period.key}


class CollectionCell(Stateful):
    """One answer to collect: a task, a version of a product, a period."""

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Waiting")
        TAKEN = "taken", gettext_lazy("With an operator")
        DONE = "done", gettext_lazy("Collected")
        SKIPPED = "skipped", gettext_lazy("Skipped")
        CANCELLED = "cancelled", gettext_lazy("Cancelled")

    class Reason(models.TextChoices):
        REFUSED = "refused", gettext_lazy("The product refused to answer")
        OFFLINE = (
            "offline",
            gettext_lazy("The version is no longer offered, or the product is offline"),
        )
        NO_UPLOAD = "no_upload", gettext_lazy("The product cannot take the task's files")
        OTHER = "other", gettext_lazy("Another reason, given below")

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
    reason = models.CharField(
        gettext_lazy("Why"), max_length=10, choices=Reason.choices, blank=True
    )
    remark = models.TextField(gettext_lazy("Remark"), blank=True)
    links = models.JSONField(default=list, blank=True)  # addresses, as texts
    tools_off = models.TextField(gettext_lazy("Tools switched off"), blank=True)
    asked_on = models.DateField(gettext_lazy("Asked on"), null=True, blank=True)
    account = models.TextField(gettext_lazy("Account used"), blank=True)
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


def access_cell(user: Any, pk: int) -> CollectionCell:
    """Load a cell that a person has or had last, with its task. One query.

    Raises:
        NotFound: it does not exist, or is another operator's.
    """
    cell = (
        CollectionCell.objects.select_related(
            "task__domain", "candidate__product", "period", "order"
        )
        .filter(pk=pk, operator=user.pk or 0)
        .exclude(state=CollectionCell.State.WAITING)
        .first()
    )
    if cell is None:
        raise NotFound()
    return cell


State = CollectionCell.State


def free_cells() -> Any:
    """Select the cells that anybody may take: waiting, or kept beyond their time."""
    return CollectionCell.objects.filter(
        Q(state=State.WAITING) | Q(state=State.TAKEN, leased_until__lte=timezone.now())
    ).order_by("order_id", "id")


@dataclass(frozen=True, slots=True)
class Queue:
    """An operator's queue: the cell they have, and numbers."""

    own: CollectionCell | None
    waiting: int
    collected: int
    skipped: int


def queue_of(user: Any) -> Queue:
    """Return an operator's queue. Three queries."""
    mine = CollectionCell.objects.filter(operator=user)
    counts = mine.aggregate(
        collected=Count("id", filter=Q(state=State.DONE)),
        skipped=Count("id", filter=Q(state=State.SKIPPED)),
    )
    return Queue(
        own=mine.filter(state=State.TAKEN)
        .select_related("candidate__product", "period", "task")
        .defer(*_TASK_TEXTS)
        .first(),
        waiting=free_cells().exclude(operator=user, state=State.TAKEN).count(),
        collected=counts["collected"],
        skipped=counts["skipped"],
    )


_TASK_TEXTS = (
    "task__scenario", "task__materials", "task__requirements", "task__reference_answer",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ToAsk:
    """What an operator asks a product: no reference answer and no rubric is read for it.

    Attributes:
        prompt: the words as candidates get them.
        files: (key, name) of the task's files.
    """

    prompt: str
    files: list[tuple[int, str]]
    text_version: int


def to_ask(cell: CollectionCell) -> ToAsk:
    """Return what is asked for a cell. Four queries at most."""
    prompt = answer_prompt(task_text(cell.task))
    return ToAsk(
        prompt=f"{prompt.prefix.strip()}\n\n{prompt.suffix.strip()}",
        files=list(files_of(cell).order_by("pk").values_list("pk", "name")),
        text_version=cell.task.version,
    )


def files_of(cell: CollectionCell) -> Any:
    """Select the files of a cell's task."""
    return Attachment.objects.filter(task=cell.task_id, removed_at__isnull=True)


# -- staff -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order with the number of its cells in each state."""

    order: CollectionOrder
    set_label: str
    all: int
    done: int
    skipped: int
    open: int
    cancelled: int

    @property
    def segments(self) -> list[tuple[int, str]]:
        return [(self.done, "ink"), (self.skipped, "no"), (self.open, "empty")]


def order_rows(pk: int | None = None) -> list[OrderRow]:
    """Return every order, the newest first, or one. Two queries."""
    orders = CollectionOrder.objects.select_related("period", "by")
    cells = CollectionCell.objects.order_by()
    if pk is not None:
        orders, cells = orders.filter(pk=pk), cells.filter(order=pk)
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for order, state, n in cells.values_list("order", "state").annotate(n=Count("id")):
        counts[order][state] = n
    rows = list(orders)
    labels = {name: label_of(name) for name in {one.task_set for one in rows}}
    return [
        OrderRow(
            order=one,
            set_label=labels[one.task_set],
            all=found.total(),
            done=found[State.DONE],
            skipped=found[State.SKIPPED],
            open=found[State.WAITING] + found[State.TAKEN],
            cancelled=found[State.CANCELLED],
        )
        for one in rows
        for found in (counts[one.pk],)
    ]


@dataclass(frozen=True, slots=True)
class VersionProgress:
    """A version in an order, with the number of its cells in each state."""

    name: str
    version: str
    done: int
    open: int
    skipped: int
    reasons: str


def progress_of(order: CollectionOrder) -> list[VersionProgress]:
    """Return the versions of an order with what became of them. One query."""
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    why: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    labels = dict(CollectionCell.Reason.choices)
    for product, name, version, state, reason, n in (
        order.cells.order_by()
        .values_list(
            "candidate__product__name", "candidate__name", "candidate__version", "state", "reason"
        )
        .annotate(n=Count("id"))
    ):
        at = (product or name, version, name)
        counts[at][state] += n
        if reason:
            why[at][str(labels[reason])] += n
    return [
        VersionProgress(
            name=at[0],
            version=at[1],
            done=found[State.DONE],
            open=found[State.WAITING] + found[State.TAKEN],
            skipped=found[State.SKIPPED],
            reasons="; ".join(
                _("%(why)s: %(n)s") % {"why": words, "n": n} for words, n in sorted(why[at].items())
            ),
        )
        for at, found in sorted(counts.items())
    ]


def cells_between(
    order: CollectionOrder, *, before: int | None, after: int | None, size: int
) -> Slice:
    """Return at most `size` cells of an order that ended, the last first. Two queries."""
    ended = CollectionCell.objects.filter(
        order=order, state__in=(State.DONE, State.SKIPPED, State.TAKEN)
    )
    found = slice_of(ended, size=size, before=before, after=after)
    rows = (
        ended.filter(pk__in=found.rows)
        .select_related("task", "candidate", "operator")
        .defer(*_TASK_TEXTS)
        .order_by("-pk")
    )
    return found.showing(list(rows))


def operators() -> list[tuple[User, int]]:
    """Return the operators with the number of answers each collected. One query."""
    rows = User.objects.filter(is_operator=True).order_by("pk")
    counted = rows.annotate(
        collected=Count("collected_cells", filter=Q(collected_cells__state=State.DONE))
    )
    return [(one, one.collected) for one in counted]


def operator_history(most: int = 20) -> Sequence[OperatorChange]:
    """Return the latest changes of who collects, the newest first. One query."""
    return list(OperatorChange.objects.select_related("person", "actor").order_by("-pk")[:most])


def versions_to_order() -> Any:
    """Select the versions of products, in the order of their names."""
    return Candidate.objects.filter(product__isnull=False).order_by("product__name", "version")

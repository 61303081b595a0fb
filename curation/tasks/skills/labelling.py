"""Labels of tasks: given by people, or with imported tasks."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.states import move
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from curation.tasks.skills.models import LabelOnTask, LabelProposal, ProposalRound, SkillLabel
from curation.tasks.skills.queries import NOT_LABELLED
from curation.tasks.task.models import ANSWERABLE, Task

State = LabelProposal.State


def refuse_unlabelled(task: Task) -> None:
    """Refuse what has no labels: skills, which are labels themselves, and drafts.

    Raises:
        Conflict: `no_labels`.
    """
    if task.is_skill or task.stage == Stage.DRAFT:
        raise Conflict(
            _("Labels are for tasks that were submitted. This is none."), code="no_labels"
        )


def _lock(task: Task) -> Task:
    locked = Task.objects.select_for_update(of=("self",)).get(pk=task.pk)
    refuse_unlabelled(locked)
    return locked


def standing(task_id: int) -> dict[int, LabelOnTask]:
    """Return label id -> the row of each label that stands on a task. One query."""
    rows = LabelOnTask.objects.filter(task=task_id, removed_at__isnull=True)
    return {row.label_id: row for row in rows}


@action("task.label", about="task")
@transaction.atomic
def set_labels(
    *, actor: Any, task: Task, labels: Collection[int], seen: Collection[int]
) -> list[int]:
    """Set which labels stand on a task; return the ids of those that changed.

    Args:
        labels: ids of the labels that shall stand; those that stand already keep their history.
        seen: ids of the labels that stood when the page was read.

    Raises:
        BadInput: a label of another domain, or one that is retired.
        Conflict: `changed_meanwhile`; `no_labels`.
    """
    task = _lock(task)
    there, wanted = standing(task.pk), set(labels)
    new = wanted - there.keys()
    usable = SkillLabel.objects.filter(domain=task.domain_id, retired_at__isnull=True, pk__in=new)
    if usable.count() != len(new):
        raise BadInput(fields={"labels": [_("Choose labels of the task's domain.")]})
    if wanted == there.keys():
        return []
    if set(seen) != there.keys():
        raise Conflict(
            _("Somebody changed the labels after you opened this page. Load it again."),
            code="changed_meanwhile",
        )
    gone = there.keys() - wanted
    LabelOnTask.objects.filter(task=task, label__in=gone, removed_at__isnull=True).update(
        removed_at=timezone.now(), removed_by=actor
    )
    LabelOnTask.objects.bulk_create(
        LabelOnTask(task=task, label_id=pk, how=LabelOnTask.How.ANNOTATED, given_by=actor)
        for pk in sorted(new)
    )
    task.note("labels_set", actor=actor, given=sorted(new), removed=sorted(gone))
    return sorted(new | gone)


@action("task.label", about="task")
@transaction.atomic
def decide_proposal(
    *, actor: Any, task: Task, proposal: LabelProposal, confirm: bool
) -> LabelProposal:
    """Confirm a label that a model proposes, or reject it. Only a confirmed one counts.

    Raises:
        Conflict: `wrong_stage`, it was decided already; `label_retired`; `no_labels`.
    """
    task = _lock(task)
    if proposal.round.task_id != task.pk:
        raise Conflict(_("This proposal belongs to another task."), code="wrong_stage")
    if confirm and proposal.label.retired_at is not None:
        raise Conflict(_("This label is retired. Reject the proposal."), code="label_retired")
    to = State.CONFIRMED if confirm else State.REJECTED
    rows = LabelProposal.objects.filter(pk=proposal.pk)
    if not move(rows, to, decided_by=actor, decided_at=timezone.now()):
        raise Conflict(_("This proposal was decided already."), code="wrong_stage")
    if confirm and proposal.label_id not in standing(task.pk):
        LabelOnTask.objects.create(
            task=task,
            label_id=proposal.label_id,
            how=LabelOnTask.How.CONFIRMED,
            given_by=actor,
        )
    event = "label_confirmed" if confirm else "label_rejected"
    task.note(event, actor=actor, label=proposal.label.name)
    proposal.refresh_from_db()
    return proposal


def record_round(
    *, task: Task, model: str, by_rule: bool, labels: Iterable[SkillLabel]
) -> ProposalRound:
    """Store what a model proposes for a task. Earlier proposals that nobody decided are rejected.

    Args:
        model: provider and model.
        by_rule: whether the offline rules proposed, not a model.
        labels: those it proposes; none is a result too.
    """
    earlier = LabelProposal.objects.filter(round__task=task)
    with transaction.atomic():
        move(earlier, State.REJECTED, decided_at=timezone.now())
        made = ProposalRound.objects.create(task=task, model=model, by_rule=by_rule)
        LabelProposal.objects.bulk_create(
            LabelProposal(round=made, label=label) for label in labels
        )
    return made


# --- labels that came with imported tasks --------------------------------------------------------
@dataclass(frozen=True)
class Labelled:
    """What came of it.

    Attributes:
        tasks: how many tasks got a label.
        given: how many labels stand that did not before.
        unknown: label of the files -> on how many tasks the taxonomy does not know it.
    """

    tasks: int
    given: int
    unknown: dict[str, int]


def label_from_files(domain_key: str, *, dry_run: bool = False) -> Labelled:
    """Have the labels of imported tasks stand, which people of the other benchmark gave.

    A label of a file is that of the taxonomy with the same key. Labels that stand already stay, and
    so do those that somebody took off a task since.

    Raises:
        BadInput: there is no such domain, or it has no label.
    """
    domain = Domain.objects.filter(key=domain_key).first()
    labels = SkillLabel.objects.filter(domain=domain, retired_at__isnull=True)
    by_key = {label.key: label.pk for label in labels}
    if domain is None:
        raise BadInput(_("There is no domain “%(key)s”.") % {"key": domain_key})
    if not by_key:
        raise BadInput(_("The domain has no label yet. Import its taxonomy first."))
    tasks = Task.objects.filter(domain=domain, origin__in=ANSWERABLE)
    tasks = tasks.exclude(stage__in=NOT_LABELLED).exclude(labels=[]).order_by("pk")
    stood: dict[int, set[int]] = {}
    there: dict[int, set[int]] = {}
    for task_id, label_id, removed in LabelOnTask.objects.filter(task__in=tasks).values_list(
        "task", "label", "removed_at"
    ):
        stood.setdefault(task_id, set()).add(label_id)
        if removed is None:
            there.setdefault(task_id, set()).add(label_id)
    unknown: Counter[str] = Counter()
    changed = given = 0
    with transaction.atomic():
        for task in tasks:
            unknown.update(key for key in set(task.labels) if key not in by_key)
            known = {by_key[key] for key in task.labels if key in by_key}
            new = known - stood.get(task.pk, set())
            if not new:
                continue
            now = there.get(task.pk, set())
            set_labels(actor=None, task=task, labels=now | new, seen=now)
            changed, given = changed + 1, given + len(new)
        if dry_run:
            transaction.set_rollback(True)
    return Labelled(changed, given, dict(sorted(unknown.items())))

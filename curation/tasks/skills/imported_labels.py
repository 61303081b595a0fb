"""Labels that came with imported tasks, where the taxonomy of their domain knows them."""

from collections import Counter
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from curation.joining.domains.models import Domain
from curation.tasks.skills.labelling import set_labels
from curation.tasks.skills.models import LabelOnTask, SkillLabel
from curation.tasks.skills.queries import NOT_LABELLED
from curation.tasks.task.models import ANSWERABLE, Task


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

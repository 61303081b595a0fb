"""Labels and checklists of sample tasks: four in use, one that waits for a person to read it."""

from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet

from config.sample import read_file
from curation.joining.people import User
from curation.tasks.skills.labelling import set_labels
from curation.tasks.skills.models import LabelOnTask, SkillLabel
from curation.tasks.task.models import Task
from judge.methods.query_checklists.actions import overrule, propose_checklist, put_in_use
from judge.methods.query_checklists.compose import compose, standing_overrules
from judge.methods.query_checklists.models import ChecklistOverrule, QueryChecklist
from rubrics.versions.models import Criterion

AGE = timedelta(days=6)  # of labels and checklists


def load_checklists(staff: User, senior: User) -> None:
    """Label tasks and compose their checklists.

    Args:
        staff: who labels.
        senior: who reads the checklists and puts them in use.
    """
    for row in read_file("checklists.json"):
        task = Task.objects.select_related("domain").get(key=row["task"])
        labels = {
            label.key: label
            for label in SkillLabel.objects.filter(domain=task.domain, key__in=row["labels"])
        }
        set_labels(actor=staff, task=task, labels=[one.pk for one in labels.values()], seen=[])
        made = propose_checklist(actor=staff, task=task)
        if "left_out" in row:
            _leave_out(senior, made, labels, row["left_out"])
        if not row.get("waits"):
            sha256 = compose(task, standing_overrules(made)).sha256
            put_in_use(actor=senior, checklist=made, sha256=sha256)
    LabelOnTask.objects.update(given_at=F("given_at") - AGE)
    overrules: QuerySet[Any] = QuerySet(ChecklistOverrule)  # append-only otherwise
    overrules.update(at=F("at") - AGE)
    QueryChecklist.objects.update(proposed_at=F("proposed_at") - AGE, used_at=F("used_at") - AGE)


def _leave_out(
    senior: User, made: QueryChecklist, labels: dict[str, SkillLabel], row: dict[str, Any]
) -> None:
    now = compose(made.task)
    line = next(line for line in now.lines if line.point.text == row["text"])
    overrule(
        actor=senior,
        checklist=made,
        label=labels[row["label"]],
        criterion=Criterion.objects.get(pk=line.point.line),
        reason=row["reason"],
    )

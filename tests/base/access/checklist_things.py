"""Checklists in the sample programme: one proposed, one in use, both with what was overruled."""

from typing import Any

from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.skills.actions import begin_skill
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task
from judge.methods.query_checklists.actions import overrule, propose_checklist, put_in_use
from judge.methods.query_checklists.compose import compose, standing_overrules
from rubrics.lines.add import add_line
from rubrics.versions.models import Criterion, RubricVersion
from tests.methods.query_checklists.labelled import label_all
from tests.tasks.skills.conftest import new_label, written


def approved_skill(people: dict[str, User], label: SkillLabel) -> Task:
    """The skill of a label, approved without its review."""
    writer = people["author"]
    skill = begin_skill(actor=people["staff"], label=label, version=label.version, writer=writer)
    written(writer, skill)
    add_line(actor=writer, task=skill, text="Names the planted checkpoint of a skill.")
    RubricVersion.objects.filter(task=skill).update(frozen_at=timezone.now(), sha256="0" * 64)
    Task.objects.filter(pk=skill.pk).update(stage=Stage.APPROVED)
    return skill


def checklist_things(
    people: dict[str, User], in_review: Task, approved: Task
) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses of checklists, by the name the matrix uses."""
    staff, finance = people["staff"], Domain.objects.get(key="finance")
    label = new_label(staff, finance, "Planted active label", 1)
    skill = approved_skill(people, label)
    approved_skill(people, new_label(staff, finance, "Planted label to add", 1))
    made = {}
    for task in (in_review, approved):
        label_all(staff, task, label)
        made[task.pk] = propose_checklist(actor=staff, task=task)
        out = Criterion.objects.filter(version__task=skill, importance="optional").get()
        overrule(
            actor=staff,
            checklist=made[task.pk],
            label=label,
            criterion=out,
            reason="planted reason of an overrule",
        )
    used = made[approved.pk]
    sha256 = compose(approved, standing_overrules(used)).sha256
    put_in_use(actor=staff, checklist=used, sha256=sha256)
    later = propose_checklist(actor=staff, task=approved)
    kept = Criterion.objects.get(version__task=skill, importance="essential")
    return {
        "checklist": (made[in_review.pk].pk,),
        "checklist_task": (approved.pk,),
        "checklist_number": (approved.pk, used.number),
        "checklist_line": (made[in_review.pk].pk, label.pk, kept.pk),
        "overrule": (later.overrules.get().pk,),
    }

"""A skills library in the sample programme, and a list of source tiers."""

from decimal import Decimal
from typing import Any

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.skills.actions import begin_skill, enter_effort, retire_label, set_suitability
from curation.tasks.skills.labelling import record_round
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task
from judge.methods.evidence.tiers.views import set_tiers
from judge.suggesting.skill_labels.generate import fail_request
from judge.suggesting.skill_labels.views import ask_for_labels
from tests.tasks.skills.conftest import new_label, written


def skill_things(people: dict[str, User], in_review: Task) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses of the skills library, by the name the matrix uses."""
    staff, finance = people["staff"], Domain.objects.get(key="finance")
    category = finance.categories.order_by("name")[0]
    reason = "planted reason about a category"
    set_suitability(actor=staff, category=category, verdict="partly", reason=reason)
    label = new_label(
        staff, finance, "Planted label", 2, description="planted description of a label"
    )
    skill = begin_skill(actor=staff, label=label, version=label.version, writer=people["author"])
    written(people["author"], skill)
    entry = enter_effort(
        actor=staff,
        label=label,
        person=people["author"],
        hours=Decimal("1.5"),
        note="Planted entry.",
    )
    bare = new_label(staff, finance, "Planted label without a skill", 1)
    enter_effort(
        actor=staff,
        label=bare,
        person=people["author"],
        hours=Decimal(2),
        note="planted note of hours",
    )
    made = record_round(
        task=in_review,
        model="planted model of labels",
        by_rule=False,
        labels=SkillLabel.objects.filter(pk=bare.pk),
    )
    retired = new_label(staff, finance, "Planted retired label", 3)
    reason = "planted reason to retire a label"
    retire_label(actor=staff, label=retired, version=retired.version, reason=reason)
    failed = ask_for_labels(actor=staff, task=in_review)
    fail_request(failed, "planted reason why a model failed")
    names = {1: ["planted-tier.example"], 2: ["b.example"], 3: ["c.example"], 4: ["d.example"]}
    set_tiers(actor=staff, names=names, reason="planted reason of source tiers")
    return {
        "library": (finance.key,),
        "skill_label": (bare.pk,),
        "skill_effort": (entry.pk,),
        "skill": (skill.pk,),
        "category": (category.pk,),
        "label_proposal": (made.proposals.get().pk,),
    }

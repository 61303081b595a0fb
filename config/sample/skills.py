"""The skills library of the sample programme, in two of its domains, by the real actions.

It is loaded by a command of its own, into a programme that is there already: the sample programme
without it shows what a new programme sees.
"""

from decimal import Decimal
from typing import Any

from config.sample import read_file
from curation.domains.models import Category, Domain
from curation.people.models import User
from curation.process.lifecycle import Stage
from curation.skills.actions import add_label, begin_skill, enter_effort, set_suitability
from curation.skills.models import SkillLabel
from curation.tasks.models import Task
from review.assignment.models import Review
from review.rounds.actions import finish_round, set_verdict
from review.spot_checks.actions import decide_spot_check, take_spot_check
from rubrics.lines.add import add_line
from rubrics.sending.actions import send_to_review


def load_skills(staff: User) -> int:
    """Load the library and have each skill written, reviewed and approved.

    Args:
        staff: who keeps the library.

    Returns:
        How many skills there are afterwards that were not there before; 0 where a domain has a
        library already.
    """
    made = 0
    for row in read_file("skills.json"):
        domain = Domain.objects.get(key=row["domain"])
        if SkillLabel.objects.filter(domain=domain).exists():
            continue
        for said in row["suitability"]:
            category = Category.objects.get(domain=domain, key=said["category"])
            set_suitability(
                actor=staff, category=category, verdict=said["verdict"], reason=said["reason"]
            )
        for entry in row["labels"]:
            _load(staff, domain, entry)
            made += 1
    return made


def _load(staff: User, domain: Domain, entry: dict[str, Any]) -> None:
    names = ("level", "name", "name_zh", "description", "description_zh")
    values = {name: entry[name] for name in names}
    label = add_label(actor=staff, domain=domain, position=None, **values)
    writer = _experts(domain)[0]
    task = begin_skill(actor=staff, label=label, version=label.version, writer=writer)
    for line in entry["checkpoints"]:
        add_line(actor=writer, task=task, **line)
    enter_effort(
        actor=staff,
        label=label,
        person=writer,
        hours=Decimal(entry["hours"]),
        note="Writing and answering the review.",
    )
    send_to_review(actor=writer, task=task)
    _approve(task)


def _experts(domain: Domain, *, senior: bool = False) -> list[User]:
    found = User.objects.filter(
        qualifications__domain=domain,
        qualifications__active=True,
        qualifications__senior=senior,
        is_active=True,
    )
    return list(found.order_by("email"))


def _approve(task: Task) -> None:
    """Have every reviewer approve all lines, and a senior accept what is drawn for a check."""
    for review in Review.objects.filter(task=task).order_by("number"):
        current = review.rounds.get()
        for line in current.version.criteria.all():
            set_verdict(actor=review.reviewer, round=current, criterion=line, verdict="approve")
        finish_round(actor=review.reviewer, round=current)
    task.refresh_from_db()
    if task.stage == Stage.SPOT_CHECK:
        senior = _experts(task.domain, senior=True)[0]
        take_spot_check(actor=senior, task=task)
        task.refresh_from_db()
        decide_spot_check(
            actor=senior,
            task=task,
            consistent=True,
            aligned=True,
            evaluable=True,
            verdict="accept",
            remarks="Each checkpoint can be decided from the answer alone.",
        )

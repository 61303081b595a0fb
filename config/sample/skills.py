"""The skills library of the sample programme, in two of its domains, by the real actions."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import F, Model, QuerySet

from config.sample import read_file
from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Category, Domain
from curation.joining.people import User
from curation.tasks.skills.actions import add_label, begin_skill, enter_effort, set_suitability
from curation.tasks.skills.models import EffortEntry, SkillChange, SkillLabel
from curation.tasks.task.models import Origin, Task, TaskEvent
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import LineReview, Review, Round
from review.rounds.verdict_steps import VerdictStep
from review.senior_seats.models import SpotCheck
from review.spot_checks.actions import decide_spot_check, take_spot_check
from rubrics.files.format import Content, FileLine
from rubrics.files.import_rubric import import_lines
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import LineChange, RubricVersion

AGE = timedelta(days=40)


def load_skills(staff: User) -> None:
    """Load the library and have each skill written, reviewed and approved.

    Args:
        staff: who keeps the library.
    """
    for row in read_file("skills.json"):
        domain = Domain.objects.get(key=row["domain"])
        for said in row["suitability"]:
            category = Category.objects.get(domain=domain, key=said["category"])
            set_suitability(
                actor=staff, category=category, verdict=said["verdict"], reason=said["reason"]
            )
        for entry in row["labels"]:
            label = _add(staff, domain, entry)
            if "checkpoints" in entry:  # else nobody has begun its skill yet
                _write(staff, label, entry)
    _move_into_the_past()


def _add(staff: User, domain: Domain, entry: dict[str, Any]) -> SkillLabel:
    names = ("level", "name", "name_zh", "description", "description_zh")
    values = {name: entry[name] for name in names}
    return add_label(actor=staff, domain=domain, position=None, **values)


def _write(staff: User, label: SkillLabel, entry: dict[str, Any]) -> None:
    writer = _experts(label.domain)[0]
    task = begin_skill(actor=staff, label=label, version=label.version, writer=writer)
    lines = [FileLine(n, {"weight": 5, **line}) for n, line in enumerate(entry["checkpoints"], 1)]
    import_lines(actor=writer, task=task, content=Content(lines), whole=True)
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


def _move_into_the_past() -> None:
    """Make the library and all that happened to its skills older by AGE, in one step each."""
    columns: dict[type[Model], tuple[str, ...]] = {
        Task: ("created_at", "updated_at", "stage_since"),
        TaskEvent: ("at",),
        RubricVersion: ("created_at", "saved_at", "frozen_at"),
        LineChange: ("at",),
        Review: ("assigned_at", "due_at"),
        Round: ("opened_at", "finished_at"),
        LineReview: ("at",),
        VerdictStep: ("at",),
        SpotCheck: ("at",),
    }
    to_task = {
        Task: "",
        LineChange: "version__task__",
        Round: "review__task__",
        LineReview: "round__review__task__",
        VerdictStep: "round__review__task__",
    }
    for model, names in columns.items():
        path = to_task.get(model, "task__")
        rows: QuerySet[Any] = QuerySet(model).filter(
            **{f"{path}origin": Origin.SKILL}
        )  # some are append-only
        rows.update(**{name: F(name) - AGE for name in names})
    SkillChange.objects.update(at=F("at") - AGE)
    EffortEntry.objects.update(at=F("at") - AGE)

"""Receivers of the signals of curation: the line of an exact answer, the rubric of a skill."""

from typing import Any

from curation.base.process.lifecycle import Stage
from curation.base.process.signals import stage_entered, text_amended
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Task
from rubrics.versions.actions import open_version
from rubrics.versions.lines import finish_exact_task, make_answer_line


def connect() -> None:
    """Connect the receivers."""
    stage_entered.connect(make_the_line, sender=Task, dispatch_uid="rubrics.make_the_line")
    stage_entered.connect(open_skill, sender=Task, dispatch_uid="rubrics.open_skill")
    text_amended.connect(renew_the_line, sender=Task, dispatch_uid="rubrics.renew_the_line")


def make_the_line(sender: Any, instance: Task, stage: str, **_: Any) -> None:
    """Finish a task with an exact answer when its panel has kept it, in the same transaction."""
    if stage == Stage.DRAFTING:
        finish_exact_task(instance)


def open_skill(sender: Any, instance: Task, stage: str, **_: Any) -> None:
    """Open the empty rubric of a skill for its writer, in the same transaction."""
    if instance.is_skill and stage == Stage.REFINING and not instance.rubric_versions.exists():
        open_version(task=instance, actor=None)


def renew_the_line(sender: Any, instance: Task, rubric_affected: bool, **_: Any) -> None:
    """Make the one line again from the amended text, in the same transaction."""
    if rubric_affected and answers_exactly(instance):
        make_answer_line(instance)

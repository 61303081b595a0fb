"""What the worker hears from the nouns below: queue a job, hand scoring over, try again."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.dispatch import receiver

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.base.process.signals import (
    conflict_began,
    file_added,
    qualifications_ended,
    seniority_ended,
    stage_entered,
    text_amended,
)
from curation.joining.people import Qualification, User
from curation.tasks.attachments.models import Attachment
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Task
from judge.base.queue import actions as queue
from judge.base.queue import failing, leases
from judge.base.queue.send import LINT, READ, send
from judge.gold.transfer.rubrics import open_imported_rubric
from judge.jobs import waiting_rows
from judge.jobs.files import files_to_read, take_up_again, try_again
from judge.runs.engine.amended import skip_stale_items
from judge.scoring.anchors.models import Anchor
from judge.scoring.assignments.amended import follow_amended_answer, follow_amended_prompt
from judge.scoring.assignments.follow_rubric import follow_rubric
from judge.scoring.assignments.handover import (
    hand_over_checks,
    hand_over_in_conflict,
    hand_over_sheets,
)
from rubrics.marks import stored
from rubrics.marks.models import StoredMarks


@receiver(stage_entered, dispatch_uid="judge.start_machine_work")
def start_machine_work(sender: Any, instance: Any, stage: str, **_: Any) -> None:
    """Queue the job of a machine stage once the change of stage is committed."""
    if sender is Task and stage == Stage.SUBMITTED:
        transaction.on_commit(partial(send, "probe_task", instance.pk))
    elif sender is Task and stage == Stage.DRAFTING:
        # An exact answer has its one line already, and the task has moved on.
        if not answers_exactly(instance) and not open_imported_rubric(instance):
            transaction.on_commit(partial(send, "draft_task", instance.pk))
    elif sender is Anchor and stage == AnchorStage.ANSWERING:
        transaction.on_commit(partial(send, "answer_anchor", instance.pk))


@receiver(qualifications_ended, sender=Qualification, dispatch_uid="judge.hand_over")
def hand_over_everything(sender: Any, ended: Sequence[Qualification], **_: Any) -> int:
    """Hand over the sheets and checks of people whose qualifications ended; return how many."""
    return hand_over_sheets(ended) + hand_over_checks(ended)


@receiver(seniority_ended, sender=Qualification, dispatch_uid="judge.hand_over_checks")
def hand_over_the_checks(sender: Any, instance: Qualification, **_: Any) -> int:
    """Hand over the anchor checks of a person who is no longer a senior; return how many."""
    return hand_over_checks([instance])


@receiver(conflict_began, sender=User, dispatch_uid="judge.keep_apart")
def keep_apart(sender: Any, person: User, author: User, **_: Any) -> list[Task]:
    """Hand over what a person scores on the tasks of somebody they are in conflict with."""
    return hand_over_in_conflict(person=person, author=author)


@receiver(stage_entered, sender=Task, dispatch_uid="judge.follow_the_rubric")
def follow_the_rubric(sender: Any, instance: Task, stage: str, **_: Any) -> None:
    """Reopen sheets for the lines that a newly approved rubric changed, in the same transaction."""
    if stage == Stage.APPROVED:
        follow_rubric(task=instance)


@receiver(text_amended, sender=Task, dispatch_uid="judge.follow_the_text")
def follow_the_text(
    sender: Any,
    instance: Task,
    prompt_changed: bool,
    rubric_affected: bool,
    answer_changed: bool,
    **_: Any,
) -> None:
    """End the work that rests on the earlier text of a task, in the same transaction."""
    if prompt_changed:
        follow_amended_prompt(instance)
    if answer_changed:
        follow_amended_answer(instance)
    if rubric_affected and answers_exactly(instance) and instance.stage == Stage.APPROVED:
        follow_rubric(task=instance)  # its one line was made again, without a change of stage
    skip_stale_items(instance)


@receiver(file_added, sender=Attachment, dispatch_uid="judge.read_the_file")
def read_the_file(sender: Any, instance: Attachment, **_: Any) -> None:
    """Queue the reading of a file that somebody added, unless another one of theirs is first.

    A file that was put aside, and is added again, is tried once more.
    """
    take_up_again(instance)
    if files_to_read().filter(pk=instance.pk).exists():
        send("read_file", instance.pk)


@receiver(stored.marks_wanted, sender=StoredMarks, dispatch_uid="judge.mark_the_lines")
def mark_the_lines(sender: Any, instance: StoredMarks, **_: Any) -> None:
    """Queue the marks of lines that changed, also where those of the earlier ones failed."""
    leases.begin_anew(LINT, instance.pk)
    transaction.on_commit(partial(send, "mark_lines", instance.pk))


stored.register(partial(leases.has_failed, LINT))
failing.register(waiting_rows.KINDS)
queue.register(READ, try_again)
if settings.CELERY_BROKER_URL:
    from judge.jobs import jobs  # noqa: F401  registers the jobs for `send`

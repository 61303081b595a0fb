"""Entering a machine stage starts its job. The row is the truth; the message only says "look"."""

from functools import partial
from typing import Any

from django.db import transaction

from curation.lifecycle import AnchorStage, Stage
from curation.models import Task
from curation.signals import stage_entered
from judge.importing.arrival import open_imported_rubric
from judge.models import Anchor


def connect() -> None:
    """Listen to the lower apps."""
    stage_entered.connect(start_machine_work, dispatch_uid="judge.start_machine_work")


def start_machine_work(sender: Any, instance: Any, stage: str, **_: Any) -> None:
    """Queue the job of a machine stage once the move is committed."""
    from judge import jobs

    if sender is Task and stage == Stage.SUBMITTED:
        transaction.on_commit(partial(jobs.send, jobs.probe_task, instance.pk))
    elif sender is Task and stage == Stage.DRAFTING:
        if not open_imported_rubric(instance):
            transaction.on_commit(partial(jobs.send, jobs.draft_task, instance.pk))
    elif sender is Anchor and stage == AnchorStage.ANSWERING:
        transaction.on_commit(partial(jobs.send, jobs.answer_anchor, instance.pk))

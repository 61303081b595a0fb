"""The rubric of an imported task of this programme, opened after its screening."""

from django.db import transaction
from django.utils.translation import gettext_noop

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import Task
from rubrics.versions.actions import open_version
from rubrics.versions.models import RubricVersion

# Stored in English and translated when the history is shown.
IN_THE_FILE = gettext_noop("The rubric came with the imported file.")


@transaction.atomic
def open_imported_rubric(task: Task) -> bool:
    """Open the imported rubric of an own task and move the task to refining, without a draft.

    Runs when the panel has kept the task. Returns False if the file had no rubric for it.
    """
    version = (
        task.rubric_versions.filter(origin=RubricVersion.Origin.IMPORT).order_by("number").last()
    )
    if task.external or version is None:
        return False
    open_version(task=task, actor=None, based_on=version)
    task.advance(
        Stage.REFINING,
        actor=None,
        reason=IN_THE_FILE,
        lines=version.criteria.count(),
    )
    return True

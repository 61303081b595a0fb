"""The author's statement that the rubric fits the amended text."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from rubrics.corrections.queries import touched_lines
from rubrics.lines import history
from rubrics.versions.actions import open_working_version
from rubrics.versions.models import LineChange, RubricVersion


@action("rubric.refine", about="task")
@transaction.atomic
def confirm_rubric(
    *, actor: Any, task: Task, text_version: int, kept: Collection[int] = ()
) -> RubricVersion:
    """Confirm that the rubric was compared with the task's present text.

    A line whose passage left the reference answer has to be changed, given another passage, or
    named in `kept`; each line kept is recorded as read and kept.

    Args:
        text_version: the version of the text that the page showed.
        kept: ids of touched lines that stay as they are.

    Raises:
        BadInput: `lines_touched`, with the other touched lines in `data["lines"]`.
        Conflict: `changed_meanwhile`, the text was amended again; `wrong_stage`, the rubric is not
            open.
    """
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())
    version = open_working_version(task)
    if task.version != text_version:
        raise Conflict(
            _("The text was amended again after you opened this page. Read it once more."),
            code="changed_meanwhile",
        )
    touched = touched_lines(task, history.in_order(version))
    open_ones = [entry for entry in touched if entry.line.pk not in kept]
    if open_ones:
        raise BadInput(
            ngettext(
                "%(n)s line quotes a passage that is gone. Change it, choose another passage, or "
                "say that it stays.",
                "%(n)s lines quote passages that are gone. Change them, choose other passages, or "
                "say that they stay.",
                len(open_ones),
            )
            % {"n": len(open_ones)},
            code="lines_touched",
            data={"lines": [entry.line.pk for entry in open_ones]},
        )
    for entry in touched:
        history.record(version, actor=actor, kind=LineChange.Kind.CONFIRMED, key=entry.line.key)
    RubricVersion.objects.filter(pk=version.pk).update(text_version=task.version)
    version.refresh_from_db(fields=["text_version"])
    return version

"""Taking a reviewer's suggestion."""

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.refusals import Conflict, NotFound
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Suggestion
from review.rounds.assignment_queries import asks_the_author, newest_closed_version
from rubrics.lines.actions import edit_line
from rubrics.versions.actions import open_working_version
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange


def open_suggestion(task: Task, pk: int) -> Suggestion:
    """Return a suggestion from a finished round over the version that counts.

    Raises:
        NotFound: of another task, of an open round, or of an earlier version.
    """
    found = (
        Suggestion.objects.filter(
            asks_the_author("line__round__"),
            pk=pk,
            line__round__review__task=task,
        )
        .annotate(newest=newest_closed_version("line__round__review__task_id"))
        .filter(line__round__version_id=F("newest"))
        .select_related("line__criterion")
        .first()
    )
    if found is None:
        raise NotFound()
    return found


@action("rubric.refine", about="task")
@transaction.atomic
def take_suggestion(*, actor: Any, task: Task, suggestion: Suggestion) -> Criterion:
    """Write the suggestion into the working version, as one step with one undo.

    Repeating it changes nothing.

    Raises:
        Conflict: `wrong_stage`; `line_gone`, the author removed the line.
    """
    version = open_working_version(task)
    line = version.criteria.filter(key=suggestion.line.criterion.key).first()
    if line is None:
        raise Conflict(
            _("You removed this line, so there is nothing to put the suggestion into."),
            code="line_gone",
        )
    return edit_line(
        actor=actor,
        task=task,
        criterion=line,
        kind=LineChange.Kind.SUGGESTED,
        **{name: getattr(suggestion, name) for name in CONTENT},
    )

"""Adding lines to a rubric: written, pasted, or copied from another rubric."""

from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.text.comparisons import key_of
from curation.base.web.refusals import BadInput, NotFound
from curation.tasks.task.models import Task
from rubrics.lines import history
from rubrics.lines.actions import check_line, locked_line, new_lines, with_its_weight
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.versions.actions import open_working_version
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange, RubricVersion

QUOTE_LIMIT = 2000  # characters
AT_ONCE = 100  # lines in one step


@action("rubric.refine", about="task")
@transaction.atomic
def add_line(
    *,
    actor: Any,
    task: Task,
    after: Criterion | None = None,
    text: str,
    importance: str = Importance.IMPORTANT,
    weight: int = 5,
    dimension: str = Dimension.ACCURACY,
    quote: str = "",
    seen: int | None = None,
) -> Criterion:
    """Add a line written by the expert, at the end or after another line.

    Args:
        quote: the passage of the reference answer or the prompt it was made from.
        seen: the version's revision when the form was shown. A form sent twice (double click,
            back button) adds its line once.

    Raises:
        BadInput: a field that cannot be stored.
    """
    version = open_working_version(task)
    values = {"text": text, "importance": importance, "weight": weight, "dimension": dimension}
    check_line(values, skill=task.is_skill)
    values = with_its_weight(task, values)
    text = storable.clean(text)
    values |= {"text": text, "quote": _passage(quote)}
    there = _added_already(version, actor, text, seen)
    if there is not None:
        return there
    index = None
    if after is not None:
        ids = [line.pk for line in history.in_order(version)]
        index = ids.index(after.pk) + 1 if after.pk in ids else None
    [line] = new_lines(task, version, [values], index)
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.ADDED,
        key=line.key,
        after=[history.snapshot(line)],
    )
    return line


@action("rubric.refine", about="task")
@transaction.atomic
def add_lines(
    *, actor: Any, task: Task, rows: Sequence[str], seen: int | None = None
) -> list[Criterion]:
    """Add one line for each row, at the end, as one step with one undo.

    Raises:
        BadInput: a row that cannot be stored, or too many rows; no line is added.
    """
    version = open_working_version(task)
    if len(rows) > AT_ONCE:
        raise BadInput(
            fields={"text": [_("At most %(n)s lines at once.") % {"n": AT_ONCE}]}, code="too_many"
        )
    common = {
        "importance": Importance.IMPORTANT,
        "weight": 5,
        "dimension": Dimension.ACCURACY,
    }
    for row in rows:
        check_line({"text": row, **common})
    there = _added_already(version, actor, storable.clean(rows[0]), seen)
    if there is not None:
        return [there]
    lines = new_lines(
        task, version, [{**common, "text": storable.clean(row)} for row in rows], None
    )
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.ADDED,
        key="",
        after=[history.snapshot(line) for line in lines],
    )
    return lines


def _added_already(
    version: RubricVersion, actor: Any, text: str, seen: int | None
) -> Criterion | None:
    """Return the line the same form added before, if it still exists."""
    if seen is None:
        return None
    steps = version.changes.filter(kind=LineChange.Kind.ADDED, revision__gt=seen, actor=actor)
    keys = [
        kept["key"]
        for after in steps.values_list("after", flat=True)
        for kept in after
        if kept["text"] == text
    ]
    return version.criteria.filter(key__in=keys).first()


@action("rubric.refine", about="task")
@transaction.atomic
def set_passage(*, actor: Any, task: Task, criterion: Criterion, quote: str) -> Criterion:
    """Set the passage a line rests on; a blank one removes it.

    Raises:
        BadInput: the passage is too long or has characters that cannot be stored.
    """
    version = open_working_version(task)
    line = locked_line(version, criterion)
    passage = _passage(quote)
    if passage == line.quote:
        return line
    before = history.snapshot(line)
    line.quote = passage
    line.save(update_fields=["quote"])
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.PASSAGE,
        key=line.key,
        before=[before],
        after=[history.snapshot(line)],
    )
    return line


def _passage(quote: str) -> str:
    problem = storable.problem_with(quote, limit=QUOTE_LIMIT)
    if problem:
        raise BadInput(str(problem), fields={"quote": [problem]})
    return storable.clean(quote)


def lines_to_copy(task: Task, ids: Collection[int]) -> list[Criterion]:
    """Return those of the lines that the rubric's author wrote for other tasks, in order."""
    return list(
        Criterion.objects.filter(
            pk__in=ids,
            version__task__author=task.rubric_author_pk,
            version__task__author__isnull=False,
            version__origin=RubricVersion.Origin.EXPERT,
        )
        .exclude(version__task=task)
        .select_related("version")
        .order_by("version_id", "position", "id")
    )


@action("rubric.refine", about="task")
@transaction.atomic
def copy_lines(*, actor: Any, task: Task, lines: Collection[int]) -> list[Criterion]:
    """Copy lines of the author's other rubrics to the end, as one step with one undo.

    A line whose text the rubric already has is skipped. The passage is not copied: it belongs to
    another reference answer.

    Returns:
        the new lines; empty if the rubric had all of them.

    Raises:
        BadInput: `no_lines`, none was chosen; or too many at once.
        NotFound: one of them is not the author's own; nothing is copied.
    """
    version = open_working_version(task)
    if not lines:
        raise BadInput(_("Choose the lines to copy."), code="no_lines")
    if len(lines) > AT_ONCE:
        raise BadInput(_("At most %(n)s lines at once.") % {"n": AT_ONCE}, code="too_many")
    found = lines_to_copy(task, lines)
    if len(found) != len(set(lines)):
        raise NotFound()
    said = {key_of(text) for text in version.criteria.values_list("text", flat=True)}
    values = []
    for line in found:
        if key_of(line.text) in said:
            continue
        said.add(key_of(line.text))
        values.append(
            {name: getattr(line, name) for name in CONTENT}
            | {
                "provenance": Criterion.Provenance.COPIED,
                "copied_from_id": line.version.task_id,
            }
        )
    if not values:
        return []
    made = new_lines(task, version, values, None)
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.COPIED,
        key="",
        after=[history.snapshot(line) for line in made],
    )
    return made

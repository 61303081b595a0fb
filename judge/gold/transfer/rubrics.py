"""The rubrics of imported tasks: their check, their storage, and when they are opened."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from django.db import connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from pydantic import AfterValidator, ValidationInfo

from curation.base.process.lifecycle import Stage
from curation.base.records.json_lines import Line, a_name, accepted, quoted
from curation.base.text import storable
from curation.base.text.comparisons import key_of
from curation.tasks.task.models import Task
from rubrics.lines.actions import value_problem
from rubrics.policy.policy import RubricPolicy
from rubrics.versions.actions import GAP, open_version
from rubrics.versions.models import Criterion, RubricVersion, lines_sha256

STORED = ("key", "text", "importance", "weight", "dimension")
MAX_WEIGHT = 2_147_483_647  # largest integer of every database


def _content(value: Any, info: ValidationInfo[dict[str, bool]]) -> Any:
    """Refuse a value that a line cannot have, with the sentence of the workbench."""
    name, external = str(info.field_name), info.context["external"]
    problem = value_problem(name, value, external=external)
    if external and name == "weight" and (problem or value > MAX_WEIGHT):
        problem = _("The weight must be a whole number of at least 1.")
    if problem and name != "text":
        problem += " " + _("The file says %(value)s.") % {"value": quoted(value)}
    return accepted(value, problem)


Content = Annotated[Any, AfterValidator(_content)]


class RubricLine(Line):
    """A line of a rubric. Context: `external`, for which the programme's policy does not hold."""

    id: Annotated[str, a_name(80)]
    text: Content
    importance: Content
    weight: Content
    dimension: Content


def repetitions(rubric: Any, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (path, sentence) for each line that has the same `names` as an earlier one."""
    lines = [one for one in rubric if isinstance(one, dict)] if isinstance(rubric, list) else []
    for name in names:
        for path, sentence in _repeated(lines, name):
            yield f"rubric{path}", sentence


def _repeated(lines: Sequence[Mapping[str, Any]], name: str) -> Iterator[tuple[str, str]]:
    first: dict[str, int] = {}
    for n, line in enumerate(lines, start=1):
        value = line.get(name)
        if not isinstance(value, str):
            continue
        folded = value if name == "id" else key_of(value)
        if folded in first:
            yield (
                f"[{n}].{name}",
                _("Line %(n)s of the rubric has the same %(name)s.")
                % {"n": first[folded], "name": name},
            )
        first.setdefault(folded, n)


def line_count_problem(have: int, policy: RubricPolicy) -> str:
    """Return why a rubric with this many lines is refused by the policy; "" if it is not.

    A file gives no reason, so limits that an author may exceed with a reason hold here too.
    """
    if policy.holds(have):
        return ""
    return _("A rubric has %(low)s to %(high)s lines; this one has %(have)s.") % {
        "low": policy.fewest,
        "high": policy.most,
        "have": have,
    }


def stored_form(lines: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the lines as they are stored; `key` is the id in the file."""
    return tuple(
        {
            "key": line["id"],
            "text": storable.clean(line["text"]),
            "importance": line["importance"],
            "weight": line["weight"],
            "dimension": line["dimension"],
        }
        for line in lines
    )


def write_many(rubrics: Sequence[tuple[Task, Sequence[Mapping[str, Any]]]]) -> None:
    """Store frozen first versions of many imported tasks, as `import_version` does for one."""
    now = timezone.now()
    versions = RubricVersion.objects.bulk_create(
        [
            RubricVersion(
                task=task,
                number=1,
                origin=RubricVersion.Origin.IMPORT,
                frozen_at=now,
                sha256=lines_sha256([tuple(line.values()) for line in lines]),
            )
            for task, lines in rubrics
        ],
        batch_size=1000,
    )
    insert_many(
        Criterion,
        same={"provenance": Criterion.Provenance.IMPORTED, "external": True},
        varying=("version_id", "position", *STORED),
        rows=(
            (version.pk, n * GAP, *line.values())
            for version, (_task, lines) in zip(versions, rubrics, strict=True)
            for n, line in enumerate(lines, start=1)
        ),
    )


def imported_lines(tasks: Sequence[Task]) -> dict[int, tuple[dict[str, Any], ...]]:
    """Return task id -> lines of its newest imported version, in the form of `stored_form`."""
    newest: dict[int, RubricVersion] = {}
    for version in RubricVersion.objects.filter(
        task__in=tasks, origin=RubricVersion.Origin.IMPORT
    ).order_by("number"):
        newest[version.task_id] = version
    return {
        task: tuple(version.criteria.order_by("position", "id").values(*STORED))
        for task, version in newest.items()
    }


def difference(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> str:
    """Return the differences between two rubrics as a short text; "" without any."""
    before = {line["key"]: line for line in old}
    after = {line["key"]: line for line in new}
    changes = {
        _("changed: %(ids)s"): [k for k in after if k in before and after[k] != before[k]],
        _("new: %(ids)s"): [k for k in after if k not in before],
        _("gone: %(ids)s"): [k for k in before if k not in after],
    }
    parts = [words % {"ids": _listed(keys)} for words, keys in changes.items() if keys]
    if not parts and Counter(before) == Counter(after) and list(before) != list(after):
        parts = [_("the order of the lines")]
    return "; ".join(parts)


def _listed(keys: Sequence[str]) -> str:
    if len(keys) <= 5:
        return ", ".join(keys)
    return _("%(some)s and %(n)s more") % {"some": ", ".join(keys[:5]), "n": len(keys) - 5}


# --- very many rows ------------------------------------------------------------------------------
def insert_many(
    model: type[models.Model],
    *,
    same: Mapping[str, Any],
    varying: Sequence[str],
    rows: Iterable[Sequence[Any]],
) -> None:
    """Insert rows without building model instances.

    A benchmark has 200,000 lines, and building an instance takes ten times as long as storing it.

    Args:
        same: attribute -> its value in every row; other columns get their defaults.
        varying: the attributes that vary: texts, integers, booleans or None.
        rows: the values of the varying attributes, in their order.

    Raises:
        IntegrityError: a constraint of the database is violated.
    """
    fields = {f.attname: f for f in model._meta.concrete_fields if not f.primary_key}
    constant = [name for name in fields if name not in varying]
    values = [
        fields[name].get_db_prep_save(
            same[name] if name in same else fields[name].get_default(), connection
        )
        for name in constant
    ]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(fields[name].column)) for name in [*varying, *constant])
    marks = ", ".join(["%s"] * len(fields))
    sql = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(sql, [(*row, *values) for row in rows])


# --- after the screening -------------------------------------------------------------------------
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

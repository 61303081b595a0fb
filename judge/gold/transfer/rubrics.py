"""The check of the rubrics of imported tasks, and their storage."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import AfterValidator, ValidationInfo

from curation.base.records.json_lines import Line, a_name, accepted, quoted
from curation.base.text import storable
from curation.base.text.comparisons import key_of
from curation.tasks.task.models import Task
from judge.gold.transfer.storing import insert_many
from rubrics.lines.actions import value_problem
from rubrics.policy.policy import RubricPolicy
from rubrics.versions.actions import GAP
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

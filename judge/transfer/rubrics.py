"""The rubric of an imported task: its check, line by line, and its stored form."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from curation.tasks.models import Task
from curation.text import storable
from curation.text.same_line import key_of
from judge.transfer.reading import Check, a_name, as_path, shown
from judge.transfer.storing import insert_many
from rubrics.lines.actions import line_problems
from rubrics.policy.policy import RubricPolicy
from rubrics.versions.actions import GAP
from rubrics.versions.models import Criterion, RubricVersion, lines_sha256

FIELDS = ("id", "text", "importance", "weight", "dimension")
STORED = ("key", *FIELDS[1:])
HEAVIEST = 2_147_483_647  # what every database's integer holds
Line = Mapping[str, Any]
_an_id = a_name(80)


def a_rubric(*, external: bool) -> Check:
    """A list of lines: by the programme's policy, or any at all for another benchmark."""

    def check(value: Any) -> Iterator[tuple[str, str]]:
        if not isinstance(value, list):
            yield "", _("This must be a list of lines, not %(value)s.") % {"value": shown(value)}
            return
        for n, line in enumerate(value, start=1):
            for name, sentence in _faults_of(line, external):
                yield f"[{n}]{name}", sentence
        lines = [line for line in value if isinstance(line, dict)]
        yield from _repeated(lines, "id")
        if not external:
            yield from _repeated(lines, "text")

    return check


def _faults_of(line: Any, external: bool) -> Iterator[tuple[str, str]]:
    if not isinstance(line, dict):
        yield "", _("A line is one JSON object, not %(value)s.") % {"value": shown(line)}
        return
    for name in line:
        if name not in FIELDS:
            yield (
                f".{as_path(name)}",
                _("There is no such field. There are: %(names)s.") % {"names": ", ".join(FIELDS)},
            )
    missing = [name for name in FIELDS if line.get(name) is None]
    for name in missing:
        yield f".{name}", _("This field is missing.")
    if "id" not in missing:
        for _where, sentence in _an_id(line["id"]):
            yield ".id", sentence
    problems = line_problems(line, external=external)
    weight = line.get("weight")
    if external and isinstance(weight, int) and weight > HEAVIEST:
        problems["weight"] = [""]
    if external and "weight" in problems:
        problems["weight"] = [_("The weight is a whole number of at least 1.")]
    for name, sentences in problems.items():
        if name in missing:
            continue
        said = _("The file says %(value)s.") % {"value": shown(line.get(name))}
        yield f".{name}", sentences[0] if name == "text" else f"{sentences[0]} {said}"


def _repeated(lines: Sequence[Line], name: str) -> Iterator[tuple[str, str]]:
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


def wrong_number(have: int, policy: RubricPolicy) -> str:
    """Why a rubric of this many lines is refused by the rules of its domain; blank if it is not.

    A file gives no reason, so the limits hold also where an author may pass them with one.
    """
    if policy.holds(have):
        return ""
    return _("A rubric has %(low)s to %(high)s lines; this one has %(have)s.") % {
        "low": policy.fewest,
        "high": policy.most,
        "have": have,
    }


def stored_form(lines: Iterable[Line]) -> tuple[dict[str, Any], ...]:
    """The lines as they will stand in the database; `key` is the file's id."""
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


def write_many(rubrics: Sequence[tuple[Task, Sequence[Line]]]) -> None:
    """Store first versions of many external tasks, frozen; the same as `import_version`."""
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
    """Task id -> the lines of its newest imported version, as `stored_form` gives them."""
    newest: dict[int, RubricVersion] = {}
    for version in RubricVersion.objects.filter(
        task__in=tasks, origin=RubricVersion.Origin.IMPORT
    ).order_by("number"):
        newest[version.task_id] = version
    return {
        task: tuple(version.criteria.order_by("position", "id").values(*STORED))
        for task, version in newest.items()
    }


def difference(old: Sequence[Line], new: Sequence[Line]) -> str:
    """What changed between two rubrics, in one short sentence; empty if nothing did."""
    before = {line["key"]: line for line in old}
    after = {line["key"]: line for line in new}
    changes = {
        _("changed: %(ids)s"): [k for k in after if k in before and after[k] != before[k]],
        _("new: %(ids)s"): [k for k in after if k not in before],
        _("gone: %(ids)s"): [k for k in before if k not in after],
    }
    told = [words % {"ids": _listed(keys)} for words, keys in changes.items() if keys]
    if not told and Counter(before) == Counter(after) and list(before) != list(after):
        told = [_("the order of the lines")]
    return "; ".join(told)


def _listed(keys: Sequence[str]) -> str:
    if len(keys) <= 5:
        return ", ".join(keys)
    return _("%(some)s and %(n)s more") % {"some": ", ".join(keys[:5]), "n": len(keys) - 5}

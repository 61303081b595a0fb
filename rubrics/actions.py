"""What happens to a rubric: drafted, refined line by line, frozen, imported, reopened."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation import text
from curation.errors import BadInput, Conflict, Stale
from curation.lifecycle import Stage
from curation.models import Task
from rubrics.dimensions import MAX_WEIGHT, MIN_WEIGHT, Dimension, Importance
from rubrics.models import Criterion, RubricVersion

LINE_LIMIT = 2000  # characters
GAP = 10  # between positions, so that a line can be put between two others


@transaction.atomic
def record_draft(
    *,
    task: Task,
    lines: Iterable[Mapping[str, Any]],
    drafted_by: str,
    actor: Any = None,
    reason: str = "",
) -> RubricVersion:
    """Store a machine's draft as a frozen version and open the expert's own beside it.

    A task waiting in DRAFTING moves on to REFINING. An external task has no expert here, so its
    draft is the version that is judged.

    Args:
        lines: mappings with text, importance, weight, dimension and quote.
        drafted_by: provider and model, as shown to people.
    """
    draft = _new_version(task, RubricVersion.Origin.DRAFT, drafted_by=drafted_by, frozen=False)
    _write_lines(draft, lines, Criterion.Provenance.DRAFT)
    if task.external:
        return draft
    open_version(task=task, actor=None, based_on=draft)
    if task.stage == Stage.DRAFTING:
        task.advance(
            Stage.REFINING,
            actor=actor,
            reason=reason,
            drafted_by=drafted_by,
            lines=draft.criteria.count(),
        )
    return draft


def _new_version(task: Task, origin: str, *, frozen: bool, **fields: Any) -> RubricVersion:
    last = RubricVersion.objects.filter(task=task).aggregate(last=Max("number"))["last"] or 0
    if origin == RubricVersion.Origin.DRAFT:  # the database refuses an unfrozen draft
        fields.update(frozen_at=timezone.now(), sha256="pending")
    return RubricVersion.objects.create(task=task, number=last + 1, origin=origin, **fields)


def _write_lines(
    version: RubricVersion, lines: Iterable[Mapping[str, Any]], provenance: str
) -> None:
    Criterion.objects.bulk_create(
        [
            Criterion(
                version=version,
                key=str(line.get("key") or line.get("id") or f"c{n}"),
                position=n * GAP,
                text=text.clean(line["text"]),
                importance=line["importance"],
                weight=line["weight"],
                dimension=line["dimension"],
                quote=line.get("quote", "") or "",
                provenance=provenance,
                external=version.task.external,
            )
            for n, line in enumerate(lines, start=1)
        ]
    )
    if version.frozen:
        RubricVersion.objects.filter(pk=version.pk).update(sha256=version.content_sha256())
        version.refresh_from_db(fields=["sha256"])


@transaction.atomic
def open_version(*, task: Task, actor: Any, based_on: RubricVersion | None = None) -> RubricVersion:
    """Open the task's working version, copying the lines of another one.

    Lines copied from a machine's draft remember it; lines copied from an expert's version keep
    their provenance.
    """
    version = _new_version(task, RubricVersion.Origin.EXPERT, frozen=False, created_by=actor)
    if based_on is None:
        return version
    from_draft = based_on.origin == RubricVersion.Origin.DRAFT
    Criterion.objects.bulk_create(
        [
            Criterion(
                version=version,
                key=line.key,
                position=line.position,
                text=line.text,
                importance=line.importance,
                weight=line.weight,
                dimension=line.dimension,
                quote=line.quote,
                provenance=line.provenance,
                source=line if from_draft else line.source,
                external=line.external,
            )
            for line in based_on.criteria.order_by("position", "id")
        ]
    )
    return version


def open_working_version(task: Task) -> RubricVersion:
    """The version the author works on.

    Raises:
        Conflict: `wrong_stage` when the task is not being refined.
    """
    version = task.rubric_versions.filter(frozen_at__isnull=True).first()
    if task.stage != Stage.REFINING or version is None:
        raise Conflict(
            _("The rubric is not open for changes now: the task is at “%(stage)s”.")
            % {"stage": Stage(task.stage).label},
            code="wrong_stage",
            data={"stage": task.stage},
        )
    return version


def line_problems(line: Mapping[str, Any], *, external: bool = False) -> dict[str, list[str]]:
    """Why a line cannot be stored: field -> sentences; empty if it can."""
    problems: dict[str, list[str]] = {}
    body = line.get("text", "")
    problem = text.problem_with(body, limit=text.MAX_TEXT if external else LINE_LIMIT)
    if problem or text.is_blank(body):
        problems["text"] = [problem or _("Write what the line checks.")]
    if line.get("importance") not in Importance.values:
        problems["importance"] = [_("Choose essential, important or optional.")]
    weight = line.get("weight")
    if not isinstance(weight, int) or isinstance(weight, bool):
        problems["weight"] = [_("The weight is a whole number from 1 to 10.")]
    elif weight < MIN_WEIGHT or (weight > MAX_WEIGHT and not external):
        problems["weight"] = [_("Weights run from 1 to 10. Ten is the heaviest.")]
    if line.get("dimension") not in Dimension.values:
        problems["dimension"] = [_("Choose one of the 16 dimensions.")]
    return problems


def _check_line(line: Mapping[str, Any]) -> None:
    problems = line_problems(line)
    if problems:
        raise BadInput(fields=problems)


@transaction.atomic
def edit_line(
    *, actor: Any, task: Task, criterion: Criterion, revision: int | None, **fields: Any
) -> Criterion:
    """Change a line of the working version.

    Args:
        revision: the version's revision the page was read with; None skips the check (a change
            of weight by key needs none: it replaces nothing that was typed).
        fields: any of text, importance, weight, dimension.

    Raises:
        Stale: with both texts, if the line's text was changed elsewhere in the meantime.
        BadInput, Conflict.
    """
    version = open_working_version(task)
    if criterion.version_id != version.pk:
        raise Conflict(_("This line belongs to a version that is closed."), code="wrong_stage")
    current = Criterion.objects.select_for_update().get(pk=criterion.pk)
    values = {
        name: fields.get(name, getattr(current, name))
        for name in ("text", "importance", "weight", "dimension")
    }
    _check_line(values)
    values["text"] = text.clean(values["text"])
    was = fields.get("text_before")
    if "text" in fields and was is not None and text.clean(was) != current.text != values["text"]:
        raise Stale(
            data={
                "yours": {"text": values["text"]},
                "theirs": {"text": current.text},
                "version": version.revision,
                "at": version.saved_at.isoformat(),
            }
        )
    for name, value in values.items():
        setattr(current, name, value)
    current.provenance = _provenance(current)
    current.save(update_fields=[*values, "provenance"])
    _touch(version)
    return current


def _provenance(line: Criterion) -> str:
    if line.source_id is None:
        return line.provenance
    source = line.source
    assert source is not None
    same = all(
        getattr(line, name) == getattr(source, name)
        for name in ("text", "importance", "weight", "dimension")
    )
    return Criterion.Provenance.DRAFT if same else Criterion.Provenance.EDITED


def _touch(version: RubricVersion) -> None:
    RubricVersion.objects.filter(pk=version.pk).update(
        revision=F("revision") + 1, saved_at=timezone.now()
    )


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
) -> Criterion:
    """Add a line of the expert's own, at the end or after another line."""
    version = open_working_version(task)
    _check_line({"text": text, "importance": importance, "weight": weight, "dimension": dimension})
    keys = set(
        Criterion.objects.filter(version__task=task).values_list("key", flat=True)
    )  # a key is never reused, so that old threads never meet a new line
    number = len(keys) + 1
    while f"c{number}" in keys:
        number += 1
    position = _position_after(version, after)
    line = Criterion.objects.create(
        version=version,
        key=f"c{number}",
        position=position,
        text=text.strip(),
        importance=importance,
        weight=weight,
        dimension=dimension,
        provenance=Criterion.Provenance.ADDED,
    )
    _touch(version)
    return line


def _position_after(version: RubricVersion, after: Criterion | None) -> int:
    lines = list(version.criteria.order_by("position", "id"))
    if after is None or not lines:
        return (lines[-1].position if lines else 0) + GAP
    _renumber(lines)
    return next((line.position for line in lines if line.pk == after.pk), len(lines) * GAP) + 1


def _renumber(lines: list[Criterion]) -> None:
    for n, line in enumerate(lines, start=1):
        line.position = n * GAP
    Criterion.objects.bulk_update(lines, ["position"])


@transaction.atomic
def move_line(*, actor: Any, task: Task, criterion: Criterion, by: int) -> None:
    """Move a line up (negative) or down by some places; past the ends it stays at the end."""
    version = open_working_version(task)
    lines = list(version.criteria.order_by("position", "id"))
    here = next((n for n, line in enumerate(lines) if line.pk == criterion.pk), None)
    if here is None:
        raise Conflict(_("This line is no longer there. Load the page again."), code="line_gone")
    line = lines.pop(here)
    lines.insert(max(0, min(len(lines), here + by)), line)
    _renumber(lines)
    _touch(version)


@transaction.atomic
def remove_line(*, actor: Any, task: Task, criterion: Criterion) -> dict[str, Any]:
    """Remove a line from the working version and return what is needed to bring it back."""
    version = open_working_version(task)
    kept = {
        name: getattr(criterion, name)
        for name in ("key", "text", "importance", "weight", "dimension", "quote", "position")
    } | {"provenance": criterion.provenance, "source_id": criterion.source_id}
    deleted, _rows = Criterion.objects.filter(pk=criterion.pk, version=version).delete()
    if not deleted:
        raise Conflict(_("This line is no longer there. Load the page again."), code="line_gone")
    _touch(version)
    return kept


@transaction.atomic
def restore_line(*, actor: Any, task: Task, kept: Mapping[str, Any]) -> Criterion:
    """Bring a removed line back where it was. Doing it twice changes nothing."""
    version = open_working_version(task)
    line, _created = Criterion.objects.get_or_create(
        version=version, key=kept["key"], defaults={**kept, "version": version}
    )
    _touch(version)
    return line


@transaction.atomic
def send_to_review(*, actor: Any, task: Task) -> RubricVersion:
    """Freeze the working version and hand it to the reviewers.

    Raises:
        BadInput: too few or too many lines, or two lines that say the same.
        Conflict: the task is not being refined.
    """
    version = open_working_version(task)
    lines = list(version.criteria.order_by("position", "id"))
    low, high = settings.RUBRIC_MIN_CRITERIA, settings.RUBRIC_MAX_CRITERIA
    if len(lines) < low:
        raise BadInput(
            ngettext(
                "A rubric has at least %(low)s lines; yours has %(have)s. Add %(n)s more.",
                "A rubric has at least %(low)s lines; yours has %(have)s. Add %(n)s more.",
                low - len(lines),
            )
            % {"low": low, "have": len(lines), "n": low - len(lines)},
            code="too_few_lines",
            fields={"rubric": [_("%(n)s lines are missing.") % {"n": low - len(lines)}]},
        )
    if len(lines) > high:
        raise BadInput(
            _("A rubric has at most %(high)s lines; yours has %(have)s. Merge or remove %(n)s.")
            % {"high": high, "have": len(lines), "n": len(lines) - high},
            code="too_many_lines",
            fields={"rubric": [_("%(n)s lines too many.") % {"n": len(lines) - high}]},
        )
    seen: dict[str, int] = {}
    for n, line in enumerate(lines, start=1):
        folded = " ".join(line.text.casefold().split())
        if folded in seen:
            raise BadInput(
                _("Lines %(one)s and %(other)s say the same. Remove one of them.")
                % {"one": seen[folded], "other": n},
                code="duplicate_lines",
            )
        seen[folded] = n
    _renumber(lines)
    freeze(version)
    task.advance(Stage.IN_REVIEW, actor=actor, version=version.number, lines=len(lines))
    return version


def freeze(version: RubricVersion) -> None:
    """Close a version for good, with the hash of its lines."""
    changed = RubricVersion.objects.filter(pk=version.pk, frozen_at__isnull=True).update(
        frozen_at=timezone.now(), sha256=version.content_sha256()
    )
    if not changed:
        raise Conflict(_("This version was closed already."), code="wrong_stage")
    version.refresh_from_db(fields=["frozen_at", "sha256"])


@transaction.atomic
def import_version(
    *, task: Task, lines: Iterable[Mapping[str, Any]], actor: Any = None
) -> RubricVersion:
    """Store a rubric that came with a file, frozen as it is. The lines were checked before."""
    version = _new_version(task, RubricVersion.Origin.IMPORT, frozen=False, created_by=actor)
    _write_lines(version, lines, Criterion.Provenance.IMPORTED)
    freeze(version)
    return version

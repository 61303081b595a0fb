"""Creating, opening, freezing and importing versions of a rubric."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Task
from rubrics.versions.models import Criterion, RubricVersion

GAP = 10  # between the positions of two lines


@transaction.atomic
def record_draft(
    *,
    task: Task,
    lines: Iterable[Mapping[str, Any]],
    drafted_by: str,
    actor: Any = None,
    reason: str = "",
    problem: str = "",
) -> RubricVersion:
    """Store a model's draft as a frozen version and open the expert's working version from it.

    A task in DRAFTING advances to REFINING. An external task has no author here, so its draft is
    the version that counts.

    Args:
        lines: mappings with text, importance, weight, dimension and quote.
        drafted_by: provider and model, as shown to people.
        reason: a sentence for the author, stored with the move.
        problem: the provider's error message, stored for staff only.

        Raises:
            Conflict: `wrong_stage`, the author has begun without a draft.
    """
    Task.objects.select_for_update().get(pk=task.pk)
    if task.rubric_versions.filter(frozen_at__isnull=True).exists():
        raise Conflict(_("The rubric is open already."), code="wrong_stage")
    draft = new_draft(task, lines, drafted_by)
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
            **({"problem": problem} if problem else {}),
        )
    return draft


def new_draft(
    task: Task, lines: Iterable[Mapping[str, Any]], drafted_by: str, keys: str = "c{n}"
) -> RubricVersion:
    """Store a draft as a frozen version.

    Args:
        keys: template for the keys of its lines, with `number` of the version and `n` of the line.
    """
    draft = _new_version(task, RubricVersion.Origin.DRAFT, drafted_by=drafted_by)
    named = (
        {"key": keys.format(number=draft.number, n=n), **line} for n, line in enumerate(lines, 1)
    )
    _write_lines(draft, named, Criterion.Provenance.DRAFT)
    return draft


def _new_version(task: Task, origin: str, **fields: Any) -> RubricVersion:
    last = RubricVersion.objects.filter(task=task).aggregate(last=Max("number"))["last"] or 0
    if origin == RubricVersion.Origin.DRAFT:  # the database refuses an unfrozen draft
        fields.update(frozen_at=timezone.now(), sha256="pending")
    fields.setdefault("text_version", task.version)
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
                text=storable.clean(line["text"]),
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
    """Open the task's working version with a copy of another version's lines.

    Lines copied from a draft get it as their source; lines copied from an expert's version keep
    their source and provenance.
    """
    if based_on is None:
        return _new_version(task, RubricVersion.Origin.EXPERT, created_by=actor)
    version = _new_version(
        task,
        RubricVersion.Origin.EXPERT,
        created_by=actor,
        text_version=based_on.text_version,  # its lines were not compared with a later text
    )
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
                copied_from_id=line.copied_from_id,
                source_id=line.pk if from_draft else line.source_id,
                external=line.external,
            )
            for line in based_on.criteria.order_by("position", "id")
        ]
    )
    return version


def open_version_of(task: Task) -> RubricVersion:
    """Return the open version without a lock, for reading.

    Raises:
        Conflict: `wrong_stage`, the task is not being refined.
    """
    stage = Task.objects.filter(pk=task.pk).values_list("stage", flat=True).get()
    version = task.rubric_versions.filter(frozen_at__isnull=True).first()
    if stage != Stage.REFINING or version is None:
        raise Conflict(
            _("The rubric is not open for changes now: the task is at “%(stage)s”.")
            % {"stage": Stage(stage).label},
            code="wrong_stage",
            data={"stage": stage},
        )
    return version


def open_working_version(task: Task) -> RubricVersion:
    """Return the open version, locked so that no line changes while the version is closed.

    Raises:
        Conflict: `wrong_stage`, the task is not being refined.
    """
    # Only the version: the default order joins the task, which whoever sends has locked before.
    rows = RubricVersion.objects.select_for_update(of=("self",))
    rows.filter(task=task, frozen_at__isnull=True).first()
    return open_version_of(task)


def freeze(version: RubricVersion) -> None:
    """Freeze a version permanently and store the hash of its lines.

    Raises:
        Conflict: it is frozen already.
    """
    changed = RubricVersion.objects.filter(pk=version.pk, frozen_at__isnull=True).update(
        frozen_at=timezone.now(), sha256=version.content_sha256()
    )
    if not changed:
        raise Conflict(_("This version is already closed."), code="wrong_stage")
    version.refresh_from_db(fields=["frozen_at", "sha256"])


def new_answer_version(task: Task, line: Mapping[str, Any]) -> RubricVersion:
    """Store the one line of an exact answer as a closed version; see `answer_line`."""
    version = _new_version(task, RubricVersion.Origin.ANSWER)
    _write_lines(version, [line], Criterion.Provenance.ANSWER)
    freeze(version)
    return version


@transaction.atomic
def import_version(
    *, task: Task, lines: Iterable[Mapping[str, Any]], actor: Any = None
) -> RubricVersion:
    """Store an imported rubric as a frozen version. The caller has checked the lines."""
    version = _new_version(task, RubricVersion.Origin.IMPORT, created_by=actor)
    _write_lines(version, lines, Criterion.Provenance.IMPORTED)
    freeze(version)
    return version

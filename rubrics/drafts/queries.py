"""The drafts of a rubric and their lines."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import F

from rubrics.versions import diff
from rubrics.versions.models import Criterion, RubricVersion


def against_draft(drafted: Sequence[Criterion], lines: Sequence[Criterion]) -> list[diff.Row]:
    """Align a draft's lines with those of the working version."""
    return diff.align(
        drafted, lines, old_id=lambda line: line.pk, new_id=lambda line: line.source_id
    )


def basis_of(
    versions: Iterable[RubricVersion],
) -> tuple[RubricVersion | None, list[Criterion]]:
    """Return the draft a rubric began with, and its lines: the first draft that has lines.

    Without a draft, (None, []). One query.
    """
    versions = list(versions)
    return basis_among(versions, lines_by_version([v for v in versions if is_draft(v)]))


def basis_among(
    versions: Sequence[RubricVersion], lines: Mapping[int, list[Criterion]]
) -> tuple[RubricVersion | None, list[Criterion]]:
    """Return the same as `basis_of`, from lines that are loaded already."""
    drafts = sorted(filter(is_draft, versions), key=lambda v: v.number)
    if not drafts:
        return None, []
    draft = next((v for v in drafts if lines.get(v.pk)), drafts[-1])
    return draft, lines.get(draft.pk, [])


def is_draft(version: RubricVersion) -> bool:
    """Return whether the version is a model's draft."""
    return version.origin == RubricVersion.Origin.DRAFT


def lines_by_version(versions: Sequence[RubricVersion]) -> dict[int, list[Criterion]]:
    """Return version id -> its lines, in order. One query.

    Each line has `copied_title`, the title of the task it was copied from, and its `source` if that
    line is among them.
    """
    found: dict[int, list[Criterion]] = {version.pk: [] for version in versions}
    if not versions:
        return found
    rows = (
        Criterion.objects.filter(version__in=versions)
        .annotate(copied_title=F("copied_from__title"))
        .order_by("position", "id")
    )
    known = {line.pk: line for line in rows}
    for line in known.values():
        if line.source_id in known:
            line.source = known[line.source_id]
        found[line.version_id].append(line)
    return found

"""The rule that says whether a scored response is still a valid example of its task."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import F

from rubrics.versions.models import Criterion, RubricVersion

CHUNK = 500  # versions named in one SQL statement

Pair = tuple[int | None, int]  # version of a sheet, version that counts


def fitting(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Return the pairs in which a sheet of the first version answers every line of the second.

    That holds if each line of the second version has a line with the same key and text in the
    first. Weight, importance and dimension may differ and lines may be deleted, because whether
    a line is met does not depend on them. A sheet without a version (imported with its own keys)
    always fits. A sheet by a rubric for an earlier text of the task fits no later version. No query
    if all versions are the same.
    """
    wanted = set(pairs)
    fit = {pair for pair in wanted if pair[0] is None or pair[0] == pair[1]}
    unsure = wanted - fit
    behind = _for_an_earlier_text({pk for pk, _counting in unsure if pk is not None})
    unsure = {pair for pair in unsure if pair[0] not in behind}
    texts = _line_texts({pk for pair in unsure for pk in pair if pk is not None})
    fit.update(pair for pair in unsure if texts[pair[1]].items() <= texts[pair[0] or 0].items())
    return frozenset(fit)


def fits(sheet_version: int | None, version: int) -> bool:
    """Return whether a sheet of one version answers every line of another; see `fitting`."""
    pair = (sheet_version, version)
    return pair in fitting([pair])


def _for_an_earlier_text(versions: Iterable[int]) -> set[int]:
    """Return the versions written for a text that an amendment has replaced since."""
    wanted = sorted(versions)
    found: set[int] = set()
    for start in range(0, len(wanted), CHUNK):
        rows = RubricVersion.objects.filter(
            pk__in=wanted[start : start + CHUNK], text_version__lt=F("task__rubric_since")
        )
        found.update(rows.values_list("pk", flat=True))
    return found


def _line_texts(versions: Iterable[int]) -> dict[int, dict[str, str]]:
    """Return version -> key of a line -> its text."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    wanted = sorted(versions)
    for start in range(0, len(wanted), CHUNK):
        rows = Criterion.objects.filter(version__in=wanted[start : start + CHUNK])
        for version, key, text in rows.values_list("version_id", "key", "text"):
            found[version][key] = text
    return found

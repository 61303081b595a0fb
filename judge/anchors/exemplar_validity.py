"""When a scored response still serves as the example of a task: the one place that says so."""

from collections import defaultdict
from collections.abc import Iterable

from rubrics.versions.models import Criterion

AT_ONCE = 500  # versions named in one statement

Pair = tuple[int | None, int]  # version a sheet was filled by, version that counts


def fitting(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """The pairs of which a sheet of the first version answers every line of the second.

    It does where each line of the version that counts stands in the sheet's version under the
    same key and in the same words. Weight, importance and dimension may differ, and lines may
    have gone: whether a line is met does not depend on them. A sheet without a version (it came
    with its own keys) is taken at its word. No query where the versions are the same.
    """
    wanted = set(pairs)
    fine = {pair for pair in wanted if pair[0] is None or pair[0] == pair[1]}
    unsure = wanted - fine
    words = _words({pk for pair in unsure for pk in pair if pk is not None})
    fine.update(pair for pair in unsure if words[pair[1]].items() <= words[pair[0] or 0].items())
    return frozenset(fine)


def fits(sheet_version: int | None, version: int) -> bool:
    """`fitting` of one pair."""
    pair = (sheet_version, version)
    return pair in fitting([pair])


def _words(versions: Iterable[int]) -> dict[int, dict[str, str]]:
    """Version -> the text of each line, by key."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    wanted = sorted(versions)
    for start in range(0, len(wanted), AT_ONCE):
        rows = Criterion.objects.filter(version__in=wanted[start : start + AT_ONCE])
        for version, key, text in rows.values_list("version_id", "key", "text"):
            found[version][key] = text
    return found

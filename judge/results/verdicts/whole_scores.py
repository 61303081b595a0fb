"""What methods say of whole responses, as files have it: score, findings, or why there is none."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from judge.methods.base import registry
from judge.results.flags.overrules import exported_overrules
from judge.runs.engine.models import Finding, Judgment

AT_ONCE = 500  # judgments read together


class WholeScore(NamedTuple):
    """What a judgment says of a response.

    Attributes:
        said: "method"; "score" from 0 to 1, or "failed" with the code of the reason; "findings"
            where there are some.
    """

    judgment: int
    task: str
    response: str
    candidate: str
    said: dict[str, Any]


def whole_scores(
    judgments: Collection[int], *, with_overrules: bool = False
) -> Iterator[WholeScore]:
    """Yield what these judgments say, by primary key. Two queries for each 500, and the methods'.

    Those of methods whose score follows from verdicts on lines are left out.

    Args:
        with_overrules: also what people overruled and the score with it, as `overrules` among the
            findings; a query more for each 500, two where something is overruled.
    """
    keys = sorted(judgments)
    for start in range(0, len(keys), AT_ONCE):
        part = keys[start : start + AT_ONCE]
        yield from _part(part, exported_overrules(part) if with_overrules else {})


def _part(keys: Collection[int], overrules: Mapping[int, Any]) -> Iterator[WholeScore]:
    rows = [
        row
        for row in Judgment.objects.filter(pk__in=keys)
        .order_by("pk")
        .values_list(
            *("pk", "method", "response__task__key", "response__key"),
            *("response__candidate__name", "score_numerator", "score_denominator", "reason"),
        )
        if row[1] in registry.METHODS and not registry.get(row[1]).scored_by_lines
    ]
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    findings = Finding.objects.filter(judgment__in=[row[0] for row in rows], reason="")
    for pk, name, data in findings.order_by("judgment", "pk").values_list(
        "judgment_id", "name", "data"
    ):
        found[pk][name] = data
    exported: dict[int, Any] = {}
    for key in {row[1] for row in rows}:
        mine = [row[0] for row in rows if row[1] == key]
        exported |= zip(mine, registry.get(key).exported([found[pk] for pk in mine]), strict=True)
    for pk, method, task, response, candidate, above, below, reason in rows:
        said: dict[str, Any] = {"method": method}
        if above is not None and below:
            said["score"] = above / below
        else:
            said["failed"] = reason or "undecided"
        if exported[pk]:
            said["findings"] = exported[pk]
        if pk in overrules:
            said["findings"] = {**said.get("findings", {}), "overrules": overrules[pk]}
        yield WholeScore(pk, task, response, candidate, said)

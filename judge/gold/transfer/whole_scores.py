"""Lines of a file of scores about a whole response, as a method of judging gives them.

{"method", "score", "findings"}, or {"method", "failed", "findings"?} where there is no score.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from django.utils.translation import gettext as _
from pydantic import AfterValidator

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record, text_problem
from judge.methods.base import registry
from judge.scoring.sheets.models import Sheet

FIELDS = ("method", "failed", "findings")
MOST_TEXTS = 20_000  # in the findings of one response
DEEPEST = 20


def texts_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield all texts within a JSON value. Raises ValueError for one that is nested too deep."""
    if depth > DEEPEST:
        raise ValueError(_("This is nested too deep."))
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from texts_in(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner, depth + 1)


def _storable(findings: dict[str, Any]) -> dict[str, Any]:
    for n, text in enumerate(texts_in(findings)):
        if n >= MOST_TEXTS:
            raise ValueError(_("At most %(n)s texts.") % {"n": f"{MOST_TEXTS:,}"})
        if problem := text_problem(text):
            raise ValueError(problem)
    return findings


Findings = Annotated[dict[str, Any], AfterValidator(_storable)]


def check_whole(records: Iterable[Record], faults: Faults) -> None:
    """Add a fault where method, findings and reason of a line do not go with the rest of it."""
    for record in records:
        line, names = record.line, record.values.keys()
        whole = "score" in names or "failed" in names
        if "method" in names and not whole:
            faults.add(line, "method", _("A method goes with one score, or “failed”."))
        if "findings" in names and "method" not in names:
            faults.add(line, "findings", _("Say by which method they were found."))
        if "failed" in names and record.get("kind") == Sheet.Kind.EXPERT:
            faults.add(line, "failed", _("Only a judge fails on a response."))
        method = registry.METHODS.get(record.get("method", ""))
        if method is None or "score" not in names:
            continue
        if not method.scored_by_lines and not 0 <= record.values["score"] <= 1:
            faults.add(line, "score", _("A score of this method is from 0 to 1."))


def stored_values(record: Record) -> dict[str, Any]:
    """Return the columns of a sheet that a line fills."""
    return {
        "method": record.get("method", ""),
        "findings": record.get("findings", {}),
        "reason": record.get("failed", ""),
    }

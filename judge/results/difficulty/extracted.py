"""The short answer that a response gives: as the judge extracted it, else its last line."""

from collections.abc import Iterator, Sequence

from curation.base.text.short_answers import last_line
from judge.asking.candidates.models import Response
from judge.methods.base import registry
from judge.results.alignment.raters import Rater
from judge.runs.engine.models import Finding

AT_ONCE = 500  # responses per statement: their texts are read


def extracted_answers(judge: Rater, responses: Sequence[int]) -> dict[int, str]:
    """Return response -> its short answer; "" where it gives none.

    A judge whose method extracts answers has said which. Of other responses the last line with
    words in it is taken. Two queries for each 500 responses.
    """
    found: dict[int, str] = {}
    for start in range(0, len(responses), AT_ONCE):
        part = list(responses[start : start + AT_ONCE])
        found |= dict(_of_findings(judge, part))
        left = [pk for pk in part if pk not in found]
        rows = Response.objects.filter(pk__in=left)
        for pk, text in rows.values_list("pk", "text").iterator():
            found[pk] = last_line(text)
    return found


def _of_findings(judge: Rater, responses: Sequence[int]) -> Iterator[tuple[int, str]]:
    if judge.run is None:
        return
    method = registry.get(judge.run.method)
    if not method.has_findings:
        return
    rows = Finding.objects.filter(
        judgment__items__run=judge.run, judgment__response__in=responses, data__isnull=False
    )
    for pk, name, data in rows.values_list("judgment__response", "name", "data"):
        answer = method.extracted_answer(name, data)
        if answer is not None:
            yield pk, answer

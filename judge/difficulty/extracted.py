"""The short answer that a response gives, whichever way it was extracted.

A method of judging that extracts answers registers a source. For responses that no source knows,
the last line with words in it is taken.
"""

from collections.abc import Callable, Mapping, Sequence

from curation.text.short_answers import last_line, plain
from judge.alignment.raters import Rater
from judge.candidates.models import Response

# (judge, ids of responses) -> response -> extracted answer, for those it knows.
Source = Callable[[Rater, Sequence[int]], Mapping[int, str]]
_sources: list[Source] = []
AT_ONCE = 500  # responses per statement: their texts are read


def register(source: Source) -> None:
    """Add a source; the first that knows a response counts. Idempotent."""
    if source not in _sources:
        _sources.append(source)


def extracted_answers(judge: Rater, responses: Sequence[int]) -> dict[int, str]:
    """Return response -> its extracted answer in one spelling; "" where it gives none.

    Queries: those of the sources, and one for each 500 responses that no source knows.
    """
    found: dict[int, str] = {}
    for source in _sources:
        left = [pk for pk in responses if pk not in found]
        found |= {pk: plain(said) for pk, said in source(judge, left).items()}
    left = [pk for pk in responses if pk not in found]
    for start in range(0, len(left), AT_ONCE):
        rows = Response.objects.filter(pk__in=left[start : start + AT_ONCE])
        for pk, text in rows.values_list("pk", "text").iterator():
            found[pk] = last_line(text)
    return found

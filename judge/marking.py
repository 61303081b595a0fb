"""A chore: responses that nobody has looked at for attempts to steer a judge, or by older rules."""

from dataclasses import asdict

from judge import steering
from judge.models import Response

AT_ONCE = 200


def look_for_steering() -> int:
    """Mark responses for people to look at; how many were looked at. Verdicts are untouched."""
    rows = Response.objects.filter(marks_version__lt=steering.VERSION).order_by("pk")
    found = list(rows.values_list("pk", "text")[:AT_ONCE])
    for pk, text in found:
        look_at(pk, text)
    return len(found)


def look_at(pk: int, text: str) -> list[steering.Mark]:
    """Mark one response, and return its marks."""
    marks = steering.marks(text)
    Response.objects.filter(pk=pk).update(
        marks=[asdict(mark) for mark in marks],
        marked=bool(marks),
        marks_version=steering.VERSION,
    )
    return marks

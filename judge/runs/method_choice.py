"""The methods that the form of a run offers, with how many responses each of them fits."""

from typing import Any

from django.db.models import Count
from django.utils.translation import ngettext

from curation.tasks.models import AnswerForm
from judge.candidates.models import Response
from judge.methods import registry


def offered_methods() -> list[tuple[str, Any]]:
    """Return key and words of the methods that fit some response, in the registry's order.

    Where all answers have one form, nothing is counted. Without any response, the methods for
    texts are offered. One query.
    """
    rows = (
        Response.objects.filter(baseline=False)
        .order_by()
        .values_list("task__answer_form")
        .annotate(n=Count("id"))
    )
    by_form: dict[str, int] = dict(rows) or {AnswerForm.TEXT.value: 0}
    found = []
    for key, method in registry.METHODS.items():
        fitting = [n for form, n in by_form.items() if form in method.forms]
        if not fitting:
            continue
        words = str(method.choice)
        if len(fitting) < len(by_form):
            words = f"{words} ({_counted(sum(fitting), sum(by_form.values()))})"
        found.append((key, words))
    return found


def _counted(fitting: int, every: int) -> str:
    return ngettext(
        "fits %(n)s of %(all)s response, the others are skipped",
        "fits %(n)s of %(all)s responses, the others are skipped",
        every,
    ) % {"n": f"{fitting:,}", "all": f"{every:,}"}

"""The methods that the form of a run offers, with how many responses each of them fits."""

from typing import Any

from django.db.models import Count, Q
from django.utils.translation import ngettext

from curation.tasks.task.models import AnswerForm, Task
from judge.asking.candidates.models import Response
from judge.methods.base import registry
from judge.runs.engine.planning.examples import with_example


def offered_methods() -> list[tuple[str, Any]]:
    """Return key and words of the methods that fit some response, in the registry's order.

    Where all answers have one form, nothing is counted. Without any response, the methods for
    texts are offered. One query, and one more for each need of tasks that methods name: an example
    scored by experts, or what the method itself names.
    """
    responses = Response.objects.filter(baseline=False).order_by()
    rows = responses.values_list("task__answer_form").annotate(n=Count("id"))
    by_form: dict[str, int] = dict(rows) or {AnswerForm.TEXT.value: 0}
    every = sum(by_form.values())
    scored = with_example()
    counted: dict[tuple[Q, frozenset[str]], int] = {}
    found = []
    for key, method in registry.METHODS.items():
        forms = [n for form, n in by_form.items() if form in method.forms]
        if not forms:
            continue
        fitting = sum(forms)
        needs = scored if method.needs_example else method.fitting()
        if fitting and needs is not None:
            question = needs, method.forms
            if question not in counted:
                tasks = Task.objects.filter(needs, answer_form__in=method.forms)
                counted[question] = responses.filter(task__in=tasks.values("pk")).count()
            fitting = counted[question]
        words = str(method.choice)
        if fitting < every or len(forms) < len(by_form):
            words = f"{words} ({_counted(fitting, every)})"
        found.append((key, words))
    return found


def _counted(fitting: int, every: int) -> str:
    return ngettext(
        "fits %(n)s of %(all)s response, the others are skipped",
        "fits %(n)s of %(all)s responses, the others are skipped",
        every,
    ) % {"n": f"{fitting:,}", "all": f"{every:,}"}

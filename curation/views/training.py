"""The training: the overview, a unit with its exercises, and what an edition changed."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation import training as course
from curation.actions.training import answer_unit
from curation.errors import NotFound
from curation.forms.training import read_answers
from curation.queries import training as queries

SHELF = "training"  # of the session: unit -> answers and tries, between two visits


def training(request: HttpRequest) -> HttpResponse:
    """Every unit with what is done, and the one to go on with."""
    queries.check_open(request.user)
    return render(
        request,
        "qualification/training.html",
        {
            "progress": queries.progress(request.user),
            "application": queries.application_in_training(request.user),
        },
    )


def training_changes(request: HttpRequest) -> HttpResponse:
    """What the current edition changed, unit by unit."""
    queries.check_open(request.user)
    return render(
        request,
        "qualification/training_changes.html",
        {"progress": queries.progress(request.user), "editions": course.editions()},
    )


def training_unit(request: HttpRequest, unit: str) -> HttpResponse:
    """Read a unit and do its exercises; answers are kept between visits."""
    queries.check_open(request.user)
    thing = course.unit(unit)
    if thing is None:
        raise NotFound()
    if request.method == "POST":
        return _answered(request, thing)
    overview = queries.progress(request.user)
    here = next(row for row in overview.rows if row.unit.key == unit)
    done = here.state == "passed"
    kept: dict[str, Any] = request.session.get(SHELF, {}).get(_shelf(unit), {})
    given = course.answer_key(unit) if done else kept.get("answers", {})
    marks = course.mark(unit, given)
    after = next((row for row in overview.rows if row.number == here.number + 1), None)
    before = next((row for row in overview.rows if row.number == here.number - 1), None)
    return render(
        request,
        "qualification/training_unit.html",
        {
            "progress": overview,
            "here": here,
            "done": done,
            "exercises": [
                _row(number, one, given.get(one.id), marks.get(one.id))
                for number, one in enumerate(thing.exercises, start=1)
            ],
            "before": before,
            "after": after,
        },
    )


def _shelf(unit: str) -> str:
    """Answers belong to a unit as it is now; they are forgotten when it changes."""
    return f"{unit}-{course.digest(unit)}"


def _row(number: int, one: course.Exercise, given: Any, mark: course.Mark | None) -> dict[str, Any]:
    chosen = given if isinstance(given, list) else []
    pieces = [
        {
            "n": n,
            "text": text,
            "name": one.id if one.kind in course.CHOICES else f"{one.id}-{n}",
            "on": given == n if one.kind in course.CHOICES else None,
            "chosen": str(chosen[n]) if n < len(chosen) else "",
        }
        for n, text in enumerate(one.options)
    ]
    return {
        "number": number,
        "one": one,
        "pieces": pieces,
        "places": [(str(n), n + 1) for n in range(len(one.options))],
        "state": "" if mark is None else "yes" if mark.right else "no",
        "words": mark.words if mark else "",
    }


def _answered(request: HttpRequest, thing: course.Unit) -> HttpResponse:
    shelf: dict[str, Any] = request.session.get(SHELF, {})
    kept = shelf.get(_shelf(thing.key), {"answers": {}, "tries": 0})
    answers = {**kept["answers"], **read_answers(request.POST, thing)}
    tries = kept["tries"] + 1
    waiting = queries.application_in_training(request.user)
    marks = answer_unit(actor=request.user, unit=thing.key, answers=answers, tries=tries)
    if len(marks) < len(thing.exercises) or not all(mark.right for mark in marks.values()):
        shelf[_shelf(thing.key)] = {"answers": answers, "tries": tries}
        request.session[SHELF] = shelf
        return redirect(f"{request.path}#exercises")
    shelf.pop(_shelf(thing.key), None)
    request.session[SHELF] = shelf
    following = queries.progress(request.user).next
    if following is not None:
        messages.success(request, _("All right. On to the next unit."))
        return redirect("training-unit", following.unit.key)
    if waiting is not None:
        messages.success(
            request, _("The training is passed. The trial task is open: write it next.")
        )
        return redirect("application", waiting.pk)
    messages.success(request, _("The training is passed. You can start your next task."))
    return redirect("training")


def application_training(request: HttpRequest, pk: int) -> HttpResponse:
    """Where links in older notices lead: the training is one for all of a person's domains."""
    return redirect("training")

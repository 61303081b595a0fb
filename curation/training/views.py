"""The training: the overview, a unit with its exercises, and what an edition changed."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation.training import queries, units
from curation.training.actions import answer_unit
from curation.training.forms import read_answers, read_begun
from curation.web.refusals import NotFound
from curation.web.step import go

SHELF = "training"  # of the session: unit -> answers and tries, between two visits


def training(request: HttpRequest) -> HttpResponse:
    """Every unit with what is done, and the one to go on with."""
    queries.check_open(request.user)
    return render(
        request,
        "training/training.html",
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
        "training/training_changes.html",
        {"progress": queries.progress(request.user), "editions": units.editions()},
    )


def training_unit(request: HttpRequest, unit: str) -> HttpResponse:
    """Read a unit and do its exercises; answers are kept between visits."""
    queries.check_open(request.user)
    thing = units.unit(unit)
    if thing is None:
        raise NotFound()
    if request.method == "POST":
        return _answered(request, thing)
    return _page(request, thing)


def _page(request: HttpRequest, thing: units.Unit, *, refused: bool = False) -> HttpResponse:
    overview = queries.progress(request.user)
    here = next(row for row in overview.rows if row.unit.key == thing.key)
    done = here.state == "passed"
    kept: dict[str, Any] = request.session.get(SHELF, {}).get(_shelf(thing.key), {})
    given = units.answer_key(thing.key) if done else kept.get("answers", {})
    begun: dict[str, Any] = {} if done else kept.get("begun", {})
    marks = units.mark(thing.key, given)
    after = next((row for row in overview.rows if row.number == here.number + 1), overview.next)
    before = next((row for row in overview.rows if row.number == here.number - 1), None)
    return render(
        request,
        "training/training_unit.html",
        {
            "progress": overview,
            "here": here,
            "done": done,
            "refused": refused,
            "begun": begun,
            "exercises": [
                _row(number, one, given.get(one.id), marks.get(one.id), begun.get(one.id))
                for number, one in enumerate(thing.exercises, start=1)
            ],
            "before": before,
            "after": after,
            "trial_of": None if overview.missing else queries.application_in_trial(request.user),
        },
        status=400 if refused else 200,
    )


def _shelf(unit: str) -> str:
    """Answers belong to a unit as it is now; they are forgotten when it changes."""
    return f"{unit}-{units.digest(unit)}"


def _row(
    number: int, one: units.Exercise, given: Any, mark: units.Mark | None, begun: Any
) -> dict[str, Any]:
    chosen = begun or (given if isinstance(given, list) else [])
    pieces = [
        {
            "n": n,
            "text": text,
            "name": one.id if one.kind in units.CHOICES else f"{one.id}-{n}",
            "on": given == n if one.kind in units.CHOICES else None,
            "chosen": str(chosen[n]) if n < len(chosen) else "",
        }
        for n, text in enumerate(one.options)
    ]
    state = "" if mark is None else "yes" if mark.right else "no"
    return {
        "number": number,
        "one": one,
        "pieces": pieces,
        "places": [(str(n), n + 1) for n in range(len(one.options))],
        "state": "part" if begun else state,
        "twice": one.kind == "order" and len(set(chosen)) < len(chosen),
        "words": mark.words if mark else "",
    }


def _answered(request: HttpRequest, thing: units.Unit) -> HttpResponse:
    shelf: dict[str, Any] = request.session.get(SHELF, {})
    kept = shelf.get(_shelf(thing.key), {"answers": {}, "tries": 0})
    sent, begun = read_answers(request.POST, thing), read_begun(request.POST, thing)
    before = {name: answer for name, answer in kept["answers"].items() if name not in begun}
    answers = {**before, **sent}
    tries = kept["tries"] + bool(sent)
    already = thing.key not in queries.missing_units(request.user)
    marks = answer_unit(actor=request.user, unit=thing.key, answers=answers, tries=tries)
    if len(marks) < len(thing.exercises) or not all(mark.right for mark in marks.values()):
        shelf[_shelf(thing.key)] = {"answers": answers, "begun": begun, "tries": tries}
        request.session[SHELF] = shelf
        if not sent and not already:
            return _page(request, thing, refused=True)
        return redirect(f"{request.path}#exercises")
    shelf.pop(_shelf(thing.key), None)
    request.session[SHELF] = shelf
    return go(request, _passed_words(request.user), f"{request.path}#exercises")


def _passed_words(user: Any) -> str:
    """What to say when a unit is passed; its page then shows the reasons and the way on."""
    if queries.missing_units(user):
        return _("Unit passed. Read the reasons, then go on to the next unit.")
    if queries.application_in_trial(user):
        return _("The training is passed. The trial task is open: write it next.")
    return _("The training is passed. You can start your next task.")


def application_training(request: HttpRequest, pk: int) -> HttpResponse:
    """Where links in older notices lead: the training is one for all of a person's domains."""
    return redirect("training")

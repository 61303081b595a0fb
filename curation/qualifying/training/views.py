"""Pages of the training: the overview, a unit with its exercises, the changes of an edition."""

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation.base.web.refusals import NotFound
from curation.base.web.step import go
from curation.qualifying.training import queries, units
from curation.qualifying.training.actions import answer_unit
from curation.qualifying.training.units import CHOICES, LINES, Unit


def read_answers(data: QueryDict, unit: Unit) -> dict[str, Any]:
    """Return exercise id -> answer, for the exercises that were answered completely.

    A choice sends `ID`; a split and an order send `ID-0`, `ID-1` and so on.
    """
    found: dict[str, Any] = {}
    for one in unit.exercises:
        if one.kind in CHOICES:
            raw = data.get(one.id, "")
            if raw in _numbers(len(one.options)):
                found[one.id] = int(raw)
            continue
        known = LINES if one.kind == "split" else _numbers(len(one.options))
        sent = [data.get(f"{one.id}-{n}", "") for n in range(len(one.options))]
        if all(raw in known for raw in sent):
            found[one.id] = sent if one.kind == "split" else [int(raw) for raw in sent]
    return found


def read_partial_answers(data: QueryDict, unit: Unit) -> dict[str, list[str]]:
    """Return exercise id -> choices so far, for the exercises that are partly answered.

    A choice not made yet is "".
    """
    found: dict[str, list[str]] = {}
    for one in unit.exercises:
        if one.kind in CHOICES:
            continue
        known = LINES if one.kind == "split" else _numbers(len(one.options))
        sent = [data.get(f"{one.id}-{n}", "") for n in range(len(one.options))]
        chosen = [raw if raw in known else "" for raw in sent]
        if any(chosen) and not all(chosen):
            found[one.id] = chosen
    return found


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(n) for n in range(count))


SESSION_KEY = "training"  # in the session: unit -> answers and tries, kept between visits


def training(request: HttpRequest) -> HttpResponse:
    """Show every unit with its state, and the next one."""
    queries.check_open(request.user)
    return render(
        request,
        "qualifying/training/training.html",
        {
            "progress": queries.progress(request.user),
            "application": queries.application_in_training(request.user),
        },
    )


def training_changes(request: HttpRequest) -> HttpResponse:
    """Show what the current edition changed, unit by unit."""
    queries.check_open(request.user)
    return render(
        request,
        "qualifying/training/training_changes.html",
        {"progress": queries.progress(request.user), "editions": units.editions()},
    )


def training_unit(request: HttpRequest, unit: str) -> HttpResponse:
    """Show a unit with its exercises, or take answers; they are kept between visits."""
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
    kept: dict[str, Any] = request.session.get(SESSION_KEY, {}).get(_answers_key(thing.key), {})
    given = units.answer_key(thing.key) if done else kept.get("answers", {})
    partial: dict[str, Any] = {} if done else kept.get("begun", {})
    results = units.grade(thing.key, given)
    after = next((row for row in overview.rows if row.number == here.number + 1), overview.next)
    before = next((row for row in overview.rows if row.number == here.number - 1), None)
    return render(
        request,
        "qualifying/training/training_unit.html",
        {
            "progress": overview,
            "here": here,
            "done": done,
            "refused": refused,
            "begun": partial,
            "exercises": [
                _exercise_row(
                    number, one, given.get(one.id), results.get(one.id), partial.get(one.id)
                )
                for number, one in enumerate(thing.exercises, start=1)
            ],
            "before": before,
            "after": after,
            "trial_of": None if overview.missing else queries.application_in_trial(request.user),
        },
        status=400 if refused else 200,
    )


def _answers_key(unit: str) -> str:
    """Return the session key for answers to a unit as it is now: a changed unit starts afresh."""
    return f"{unit}-{units.digest(unit)}"


def _exercise_row(
    number: int, one: units.Exercise, given: Any, result: units.ExerciseResult | None, partial: Any
) -> dict[str, Any]:
    chosen = partial or (given if isinstance(given, list) else [])
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
    state = "" if result is None else "yes" if result.right else "no"
    return {
        "number": number,
        "one": one,
        "pieces": pieces,
        "places": [(str(n), n + 1) for n in range(len(one.options))],
        "state": "part" if partial else state,
        "twice": one.kind == "order" and len(set(chosen)) < len(chosen),
        "words": result.words if result else "",
    }


def _answered(request: HttpRequest, thing: units.Unit) -> HttpResponse:
    kept_units: dict[str, Any] = request.session.get(SESSION_KEY, {})
    kept = kept_units.get(_answers_key(thing.key), {"answers": {}, "tries": 0})
    sent, partial = read_answers(request.POST, thing), read_partial_answers(request.POST, thing)
    before = {name: answer for name, answer in kept["answers"].items() if name not in partial}
    answers = {**before, **sent}
    tries = kept["tries"] + bool(sent)
    already = thing.key not in queries.missing_units(request.user)
    results = answer_unit(actor=request.user, unit=thing.key, answers=answers, tries=tries)
    if len(results) < len(thing.exercises) or not all(result.right for result in results.values()):
        kept_units[_answers_key(thing.key)] = {"answers": answers, "begun": partial, "tries": tries}
        request.session[SESSION_KEY] = kept_units
        if not sent and not already:
            return _page(request, thing, refused=True)
        return redirect(f"{request.path}#exercises")
    kept_units.pop(_answers_key(thing.key), None)
    request.session[SESSION_KEY] = kept_units
    return go(request, _passed_words(request.user), f"{request.path}#exercises")


def _passed_words(user: Any) -> str:
    """Return the message for a passed unit, whose page then shows the explanations."""
    if queries.missing_units(user):
        return _("Unit passed. Read the reasons, then go on to the next unit.")
    if queries.application_in_trial(user):
        return _("You have passed the training. The trial task is open: write it next.")
    return _("You have passed the training. You can start your next task.")


def application_training(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect links of older notices: the training is now one for all of a person's domains."""
    return redirect("training")

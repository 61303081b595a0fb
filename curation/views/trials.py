"""The trial task: the applicant's editor, the seniors' queue and decision."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from curation import checks
from curation.actions import trials as actions
from curation.errors import BadInput, Conflict, Stale
from curation.forms.qualification import TrialDecisionForm, TrialForm, take_back
from curation.lifecycle import ApplicationStage
from curation.models import Trial
from curation.queries import qualification as queries

PER_PAGE = 50


def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """The applicant's editor while the trial is open; afterwards the text to read."""
    thing = queries.access_own_trial(request.user, pk)
    if not _is_open(thing):
        return render(
            request,
            "qualification/trial_read.html",
            {"trial": thing, "sheet": queries.trial_sheet(thing)},
        )
    return _editor(request, thing, TrialForm.of(thing))


def _is_open(thing: Trial) -> bool:
    return thing.submitted_at is None and thing.application.stage == ApplicationStage.TRIAL


def _editor(
    request: HttpRequest,
    thing: Trial,
    form: TrialForm,
    *,
    conflict: Any = None,
    status: int = 200,
) -> HttpResponse:
    before = thing.application.trials.filter(number=thing.number - 1).first()
    theirs = (conflict.data["theirs"] if conflict else None) or {}
    remarks = [
        remark
        for remark in checks.remarks({name: form[name].value() or "" for name in checks.PARTS})
        if remark.kind != "later"  # a trial is never measured on models
    ]
    parts = [
        {
            "field": form[name],
            "label": checks.part_label(name),
            "filled": bool((form[name].value() or "").strip()),
            "theirs": theirs.get(name),
            "differs": name in theirs and theirs[name] != form[name].value(),
        }
        for name in checks.PARTS
    ]
    answer = render(
        request,
        "qualification/trial.html",
        {
            "trial": thing,
            "form": form,
            "parts": parts,
            "before": before,
            "conflict": conflict,
            "remarks": remarks,
            "looks": sum(remark.kind == "look" for remark in remarks),
        },
        status=status,
    )
    answer["Cache-Control"] = "no-store"  # going back must show the text as it is saved
    return answer


def _save(request: HttpRequest, thing: Trial, form: TrialForm) -> Trial:
    """Save the parts that were sent.

    Raises:
        BadInput: a part, or the version, cannot be used.
        Stale, Conflict: from the action.
    """
    if not form.is_valid():
        raise BadInput(fields={n: [str(e) for e in v] for n, v in form.errors.items()})
    values = form.cleaned_data
    version = values.pop("version")
    sent = {name: text for name, text in values.items() if name in request.POST}
    return actions.save_trial(actor=request.user, trial=thing, version=version, **sent)


def trial_save(request: HttpRequest, pk: int) -> JsonResponse:
    """Autosave."""
    thing = queries.access_own_trial(request.user, pk)
    saved = _save(request, thing, TrialForm(request.POST))
    return JsonResponse(
        {"saved_at": f"{timezone.localtime(saved.saved_at):%H:%M:%S}", "version": saved.version}
    )


def trial_hand_in(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the text as it was sent; hand it in unless only saving was asked for."""
    thing = queries.access_own_trial(request.user, pk)
    form = TrialForm(request.POST)
    try:
        saved = _save(request, thing, form)
        if request.POST.get("then") == "stay":
            messages.success(request, _("Saved. You can go on writing whenever you like."))
            return redirect("trial", thing.pk)
        actions.hand_in_trial(actor=request.user, trial=saved)
    except Stale as stale:
        # Both texts, side by side; what is sent next replaces the saved version knowingly.
        again = TrialForm({**request.POST.dict(), "version": stale.data["version"]})
        return _editor(request, thing, again, conflict=stale, status=stale.status)
    except BadInput as refusal:
        thing.refresh_from_db()
        again = TrialForm({**request.POST.dict(), "version": thing.version})
        again.is_valid()
        take_back(again, refusal)
        return _editor(request, thing, again, status=refusal.status)
    messages.success(
        request, _("Handed in. A senior of the domain reads it and writes to you here.")
    )
    return redirect("application", thing.application_id)


# --- seniors --------------------------------------------------------------------------------------
def trials(request: HttpRequest) -> HttpResponse:
    """Trials that wait for a senior of one's domains."""
    rows = queries.trials_to_decide(request.user)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "qualification/trials.html", {"page": page})


def trial_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Read a trial beside the form that decides on it."""
    thing = queries.access_trial_to_decide(request.user, pk)
    form = TrialDecisionForm(request.POST or None)
    if request.method == "POST":
        form = TrialDecisionForm(request.POST)
        if thing.verdict:
            raise Conflict(
                _("This trial task is not waiting for a decision any more."), code="wrong_stage"
            )
        if form.is_valid():
            try:
                decided = actions.decide_trial(actor=request.user, trial=thing, **form.cleaned_data)
            except BadInput as refusal:
                take_back(form, refusal)
            else:
                messages.success(request, _after(decided))
                return redirect("trials")
    return render(
        request,
        "qualification/trial_decide.html",
        {"sheet": queries.trial_sheet(thing), "form": form},
        status=400 if form.errors else 200,
    )


def _after(decided: Trial) -> str:
    who = {"who": decided.application.user.pseudonym}
    if decided.verdict == Trial.Verdict.ACCEPTED:
        return _("Accepted. %(who)s is qualified and can write tasks now.") % who
    if decided.verdict == Trial.Verdict.RETURNED:
        return _("Returned. %(who)s corrects it and hands in a new version.") % who
    return _("Rejected. %(who)s reads your remarks; the application is closed.") % who

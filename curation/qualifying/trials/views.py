"""Pages of the trial task: the applicant's editor, the seniors' queue and decision."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.forms import show_refusal
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import BadInput, Conflict, Stale
from curation.base.web.step import go, refused_at, status_of
from curation.qualifying.trials import actions, queries
from curation.qualifying.trials.models import Trial, TrialRemark
from curation.tasks.attachments.queries import box_of, files_of
from curation.tasks.authoring import checks, editor
from curation.tasks.authoring.forms import TaskForm, language_name
from curation.tasks.authoring.queries import facts_with_value
from curation.tasks.task.fields import TEXT_PARTS, label_of, missing_facts


class TrialDecisionForm(forms.Form):
    """A senior's verdict on a trial task, with remarks."""

    verdict = forms.ChoiceField(
        choices=[
            (Trial.Verdict.ACCEPTED, gettext_lazy("Accept: the applicant is qualified")),
            (Trial.Verdict.RETURNED, gettext_lazy("Return: the applicant corrects it")),
            (Trial.Verdict.REJECTED, gettext_lazy("Reject: the application is closed")),
        ],
        label=gettext_lazy("Your verdict"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose: accept, return or reject.")},
    )
    remarks = forms.CharField(
        required=False,
        max_length=5000,
        label=gettext_lazy("Remarks on the whole"),
        help_text=gettext_lazy(
            "What is good, what has to change and why. Needed to accept or to reject. Signed “a "
            "senior of the domain”."
        ),
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def __init__(self, *args: Any, last: bool = False, **kwargs: Any) -> None:
        """Leave out returning if this is the `last` version."""
        super().__init__(*args, **kwargs)
        if last:
            verdict = self.fields["verdict"]
            assert isinstance(verdict, forms.ChoiceField)
            verdict.choices = [
                (Trial.Verdict.ACCEPTED, gettext_lazy("Accept: the applicant is qualified")),
                (Trial.Verdict.REJECTED, gettext_lazy("Reject: the application is closed")),
            ]
        for part in TrialRemark.Part:
            self.fields[f"remark_{part.value}"] = forms.CharField(
                required=False,
                max_length=5000,
                label=gettext_lazy("Remark on: %(part)s") % {"part": part.label},
                widget=forms.Textarea(attrs={"rows": 2, "form": "decide"}),
            )

    def decision(self) -> dict[str, Any]:
        """Return the arguments of `actions.decide_trial`."""
        values = self.cleaned_data
        return {
            "verdict": values["verdict"],
            "remarks": values["remarks"],
            "parts": {part: values[f"remark_{part}"] for part in TrialRemark.Part.values},
        }


PER_PAGE = 50


def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the editor while the trial is open; afterwards the text."""
    thing = queries.access_own_trial(request.user, pk)
    if not _is_open(thing):
        return render(
            request,
            "qualifying/trials/trial_read.html",
            {
                "trial": thing,
                "sheet": queries.trial_sheet(thing),
                "files": files_of(thing),
                "next": thing.application.trials.filter(number=thing.number + 1).first(),
            },
        )
    form = TaskForm.of(thing)
    if wants_parts(request):
        context = _remarks_context(request, thing, form)
        return editor.never_cached(
            render(request, "qualifying/trials/_trial_remarks.html", context)
        )
    return _editor(request, thing, form)


def _is_open(thing: Trial) -> bool:
    return thing.submitted_at is None and thing.application.stage == ApplicationStage.TRIAL


def _remarks_context(request: HttpRequest, thing: Trial, form: TaskForm) -> dict[str, Any]:
    now = editor.unsaved_copy(thing, form, application=thing.application)
    facts = missing_facts(now)
    found = [
        remark
        for remark in checks.remarks(editor.typed_texts(form), facts=facts)
        if remark.kind != "later"  # trials are neither compared nor tried on models
    ]
    tried = thing.number > 1 or editor.has_tried(request, thing)
    context = editor.remarks_context(now, form, found, facts, tried=tried)
    asked = queries.part_remarks(thing.application.trials.filter(number=thing.number - 1).first())
    for part in context["parts"]:
        part["asked"] = asked.get(part["name"], "")
    return {"trial": thing, "task": thing, **context}


def _editor(
    request: HttpRequest,
    thing: Trial,
    form: TaskForm,
    *,
    conflict: Any = None,
    preview: bool = False,
    status: int = 200,
) -> HttpResponse:
    theirs = (conflict.data["theirs"] if conflict else None) or {}
    yours = (conflict.data["yours"] if conflict else None) or {}
    context = _remarks_context(request, thing, form)
    texts = [
        {
            **box,
            "theirs": theirs.get(box["name"]),
            "differs": theirs.get(box["name"]) != yours.get(box["name"]),
        }
        for box in editor.text_boxes(context["parts"], form)
    ]
    answer = render(
        request,
        "qualifying/trials/trial.html",
        {
            **context,
            "form": form,
            "texts": texts,
            "before": thing.application.trials.filter(number=thing.number - 1).first(),
            "versions": settings.TRIAL_VERSIONS,
            "conflict": conflict,
            "facts_differ": [
                {"label": form.fields[name].label, "theirs": form.display(name, str(value or ""))}
                for name, value in theirs.items()
                if name not in TEXT_PARTS and value != yours.get(name)
            ],
            "preview": editor.preview_texts(texts) if preview else None,
            "box": box_of(request.user, thing),
            "back": reverse("trial", args=[thing.pk]),
            "refused": status != 200,
            "other_errors": editor.other_errors(form, context),
        },
        status=status,
    )
    return editor.never_cached(answer)


def _save(request: HttpRequest, thing: Trial, form: TaskForm) -> Trial:
    """Save what the editor sent.

    Raises:
        BadInput: a part or the version cannot be read.
        Stale, Conflict: as `save_trial`.
    """
    fields = form.sent_values(request.POST)
    version = form.cleaned_data["version"]
    return actions.save_trial(actor=request.user, trial=thing, version=version, **fields)


def trial_save(request: HttpRequest, pk: int) -> JsonResponse:
    """Save for the page's script."""
    thing = queries.access_own_trial(request.user, pk)
    saved = _save(request, thing, TaskForm(request.POST, task=thing))
    return editor.autosave_reply(saved.saved_at, saved.version)


def trial_preview(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the text as the senior will read it: a fragment for the script, else the editor."""
    thing = queries.access_own_trial(request.user, pk)
    form = TaskForm(request.POST, task=thing)
    form.is_valid()
    if wants_parts(request):
        return editor.preview(request, thing, form)
    return _editor(request, thing, form, preview=True)


def trial_hand_in(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the text that was sent; hand it in unless only saving was asked for."""
    thing = queries.access_own_trial(request.user, pk)
    form = TaskForm(request.POST, task=thing)
    try:
        saved = _save(request, thing, form)
        if request.POST.get("then") == "stay":
            return go(
                request, _("Saved. You can go on writing whenever you like."), "trial", thing.pk
            )
        actions.hand_in_trial(actor=request.user, trial=saved)
    except Stale as stale:
        # Show both texts; the form then saves over the version that the person has seen.
        again = _again(request, thing, stale.data["version"])
        return _editor(request, thing, again, conflict=stale, status=stale.status)
    except BadInput as refusal:
        if request.POST.get("then") != "stay":
            editor.note_try(request, thing)
        thing.refresh_from_db()
        again = _again(request, thing, thing.version)
        again.is_valid()
        show_refusal(again, refusal)
        return _editor(request, thing, again, status=refusal.status)
    return go(
        request,
        _("Handed in. A senior of the domain will read it and reply here."),
        "application",
        thing.application_id,
    )


def _again(request: HttpRequest, thing: Trial, version: int) -> TaskForm:
    """Return the form with what was typed, to be saved over this version."""
    typed = request.POST.copy()
    typed["version"] = str(version)
    return TaskForm(typed, task=thing)


# --- seniors --------------------------------------------------------------------------------------
def trials(request: HttpRequest) -> HttpResponse:
    """Show the trials that wait for this senior's decision."""
    rows = queries.trials_to_decide(request.user)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "qualifying/trials/trials.html", {"page": page})


def trial_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a trial with the decision form; a POST decides."""
    thing = queries.access_trial_to_decide(request.user, pk)
    last = thing.number >= settings.TRIAL_VERSIONS
    form = TrialDecisionForm(last=last)
    if request.method == "POST":
        form = TrialDecisionForm(request.POST, last=last)
        if thing.verdict:
            raise Conflict(
                _("This trial task is no longer waiting for a decision."), code="wrong_stage"
            )
        if form.is_valid():
            with refused_at(form):
                decided = actions.decide_trial(actor=request.user, trial=thing, **form.decision())
                return go(request, _after(decided), "trials")
    elif not thing.verdict:
        actions.open_for_reading(actor=request.user, trial=thing)
    sheet = queries.trial_sheet(thing, request.user)
    return render(
        request,
        "qualifying/trials/trial_decide.html",
        {
            "sheet": sheet,
            "form": form,
            "parts": [(part, form[f"remark_{part.name}"]) for part in sheet.parts],
            "decision": [form["verdict"], form["remarks"]],
            "facts": _facts(thing),
            "files": files_of(thing),
        },
        status=status_of(form),
    )


def _facts(thing: Trial) -> list[tuple[str, str]]:
    """Return (label, words) of what is shown of a trial task besides its texts."""
    found = [
        (label_of("category"), str(thing.category or "")),
        (label_of("language"), language_name(thing.language)),
    ]
    return [(label, words) for label, words in found if words] + facts_with_value(thing)


def _after(decided: Trial) -> str:
    who = {"who": decided.application.user.pseudonym}
    if decided.verdict == Trial.Verdict.ACCEPTED:
        return _("Accepted. %(who)s is qualified and can write tasks now.") % who
    if decided.verdict == Trial.Verdict.RETURNED:
        return _("Returned. %(who)s corrects it and hands in a new version.") % who
    return _("Rejected. %(who)s reads your remarks; the application is closed.") % who

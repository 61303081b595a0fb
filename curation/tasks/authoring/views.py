"""Pages of an author: the list, a task's own page, the editor, submitting, withdrawing."""

from typing import Any, cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import TASK, Stage
from curation.base.text import storable
from curation.base.web.forms import show_refusal
from curation.base.web.once import once
from curation.base.web.optional_urls import url_or_empty
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import BadInput, Conflict, Stale, shown_at
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.attachments.queries import box_of, files_of
from curation.tasks.authoring import actions, checks, editor
from curation.tasks.authoring.forms import NewTaskForm, TaskForm, WithdrawForm, language_name
from curation.tasks.authoring.queries import facts_with_value, next_step
from curation.tasks.authoring.similar_actions import compared_text
from curation.tasks.authoring.similar_queries import SimilarPrompt, similar_prompts
from curation.tasks.task import fields, history, queries
from curation.tasks.task.demands import in_words, missing_demand
from curation.tasks.task.exact_queries import exact_page, gaps_of
from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import AnswerForm, Task
from curation.tasks.task.queries import access_task, blind_task, is_its_author
from curation.tasks.task.text_basis import AMENDABLE

HISTORY_ON_A_PAGE = 30
MACHINE_STAGES = TASK.machine_stages()
COMPARED_FROM, COMPARED_TO = 30, 60_000  # words, characters: others are compared when submitted


def tasks(request: HttpRequest) -> HttpResponse:
    """Show a person's own tasks, and everything that happened to them."""
    slots = queries.slots_of(request.user)
    rows = queries.tasks_of(request.user, can_submit=any(slot.task is None for slot in slots))
    entries: Paginator[history.HistoryEntry] = Paginator(
        history.AuthorHistory(request.user),  # type: ignore[arg-type]  # it asks for slices only
        HISTORY_ON_A_PAGE,
    )
    return render(
        request,
        "tasks/authoring/list.html",
        {
            "tasks": rows,
            "slots": slots,
            "page": entries.get_page(request.GET.get("page")),
            "waits_for_machine": any(row["stage"] in MACHINE_STAGES for row in rows),
        },
    )


@once
def task_new(request: HttpRequest) -> HttpResponse:
    """Start a draft."""
    domains = request.user.qualified_domain_ids()  # type: ignore[union-attr]
    form = NewTaskForm(request.POST or None, domains=domains)
    status = 400
    if request.method == "POST" and form.is_valid():
        try:
            task = actions.create_task(actor=request.user, **form.cleaned_data)
        except BadInput as refusal:
            show_refusal(form, refusal)
        except Conflict as refusal:
            if refusal.code != "draft_limit":
                raise
            form.add_error(None, str(refusal.detail))
            status = refusal.status
        else:
            return go(request, _("Draft started. It is saved as you type."), "task-edit", task.pk)
    slots = queries.slots_of(request.user)
    return render(
        request,
        "tasks/authoring/new.html",
        {"form": form, "free": sum(slot.task is None for slot in slots), "slots": slots},
        status=status if form.errors else 200,
    )


def task(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a task to its author and to everybody with a seat: its stage, history and text."""
    thing = access_task(request.user, pk, "task.view")
    mine = is_its_author(request.user, thing)
    writes = mine or queries.writes_its_rubric(request.user, thing)
    moved = queries.last_moves([thing.pk]).get(thing.pk)
    slots = queries.slots_of(request.user) if mine and thing.stage == Stage.DRAFT else []
    row = {
        "stage": thing.stage,
        "screening_round": thing.screening_round,
        "domain": str(thing.domain),
        "rubric_author_id": thing.rubric_author_id,
    }
    return render(
        request,
        "tasks/authoring/task.html",
        {
            "task": blind_task(thing),
            "parts": fields.shown_parts(thing),
            "language": language_name(thing.language),
            "stage_label": thing.get_stage_display(),
            "stage_since": thing.stage_since,
            "mine": mine,
            "collected": thing.collected,
            "status": queries.task_status(
                row, moved, can_submit=not slots or bool(queries.next_slot(slots, thing.pk))
            ),
            "story": history.history_entries(thing),
            "step": next_step(request.user, thing),
            "amend_url": url_or_empty("task-amend", thing.pk)
            if thing.stage in AMENDABLE and not thing.is_skill and writes
            else "",
            "selection_url": url_or_empty("task-selection", thing.pk)
            if thing.answer_form == AnswerForm.SELECTION and writes
            else "",
            "can_withdraw": mine and Stage.WITHDRAWN in thing.stage_spec.to,
            "seat": queries.seat_role(request.user, thing),
            "slot": queries.slot_number(thing) if mine else None,
            "facts": [*in_words(thing), *facts_with_value(thing)],
            "exact": exact_page(thing),
            "files": files_of(thing),
            "waits_for_machine": thing.stage in MACHINE_STAGES,
        },
    )


# --- the editor ---------------------------------------------------------------------------------
def task_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the editor, or its remarks to the page's script; a POST saves without JavaScript."""
    thing = access_task(request.user, pk, "task.write")
    if request.method == "POST":
        form = _form(request, thing, request.POST)
        try:
            _save(request, thing, form)
        except Conflict as conflict:
            return _not_saved(request, thing, form, conflict)
        except BadInput as refusal:
            return _refused(request, thing, form, refusal)
        return go(
            request, _("Saved. You can go on writing whenever you like."), "task-edit", thing.pk
        )
    if thing.stage != Stage.DRAFT:
        return redirect("task", thing.pk)
    if wants_parts(request):
        context = _remarks_context(request, thing, TaskForm.of(thing))
        return editor.never_cached(render(request, "tasks/authoring/_remarks.html", context))
    return _editor(request, thing, _form(request, thing))


def _form(request: HttpRequest, thing: Task, data: Any = None) -> TaskForm:
    """Return the editor's form with the data sent, or with what is saved."""
    domains = request.user.qualified_domain_ids()  # type: ignore[union-attr]
    if data is None:
        return TaskForm.of(thing, domains=domains)
    return TaskForm(data, task=thing, domains=domains)


def _not_saved(
    request: HttpRequest, thing: Task, form: TaskForm, conflict: Conflict
) -> HttpResponse:
    """Show a refused save: the conflict at its fields if it names some, else both texts."""
    if not conflict.fields:
        return _conflict_page(request, thing, form, conflict)
    refusal = BadInput(fields=conflict.fields)
    return _refused(request, thing, form, refusal, status=conflict.status)


def _save(request: HttpRequest, thing: Task, form: TaskForm) -> Task:
    fields = form.sent_values(request.POST)
    return actions.save_draft(
        actor=request.user, task=thing, version=form.cleaned_data["version"], **fields
    )


def _remarks_context(request: HttpRequest, thing: Task, form: TaskForm) -> dict[str, Any]:
    domain = editor.chosen_domain(form) or thing.domain
    now = editor.unsaved_copy(
        thing,
        form,
        author_id=thing.author_id,
        collection_id=thing.collection_id,
        hourly_rate=thing.hourly_rate,
        domain=domain,
        answer_form=thing.answer_form,
    )
    facts = {**actions.missing_facts(now), **missing_demand(now)}
    found = checks.remarks(
        editor.typed_texts(form),
        facts=facts,
        similar=_similar_prompts(now, form),
        exact=_said_of_the_answer(now),
    )
    tried = bool(thing.screening_round) or editor.has_tried(request, thing)
    return {"task": thing, **editor.remarks_context(now, form, found, facts, tried=tried)}


def _said_of_the_answer(now: Task) -> list[str] | None:
    """Return what an exact answer lacks, and remarks on it; None for an answer that is a text."""
    if not fields.answers_exactly(now):
        return None
    lacking = [sentence for found in gaps_of(now).values() for sentence in found]
    page = exact_page(now)
    return [*lacking, *(page.remarks if page else ())]


def _similar_prompts(now: Task, form: TaskForm) -> list[SimilarPrompt] | None:
    """Return the prompts similar to a saved draft; None if they are compared at submission only."""
    body = compared_text(now)
    if form.is_bound or len(body) > COMPARED_TO or storable.word_count(body) < COMPARED_FROM:
        return None
    return similar_prompts(now)


def _editor(
    request: HttpRequest, thing: Task, form: TaskForm, *, preview: bool = False, status: int = 200
) -> HttpResponse:
    context = _remarks_context(request, thing, form)
    texts = editor.text_boxes(context["parts"], form)
    slots = queries.slots_of(request.user)
    answer = render(
        request,
        "tasks/authoring/edit.html",
        {
            **context,
            "form": form,
            "texts": texts,
            "preview": editor.preview_texts(texts) if preview else None,
            "slot": queries.next_slot(slots, thing.pk),
            "holds_slot": queries.holds_slot(slots, thing.pk),
            "slots": slots,
            "returned": _return_reason(thing),
            "box": box_of(request.user, thing),
            "back": url_or_empty("task-edit", thing.pk),
            "exact": exact_page(thing),
            "answer_form": in_words(thing),
            "refused": status != 200,
            "other_errors": editor.other_errors(form, context),
        },
        status=status,
    )
    return editor.never_cached(answer)


def _return_reason(thing: Task) -> history.HistoryEntry | None:
    """Return the latest reason given to the author; None if the task was never submitted."""
    if not thing.screening_round:
        return None
    quoting = [entry for entry in history.history_entries(thing) if entry.quote]
    return quoting[-1] if quoting else None


def _refused(
    request: HttpRequest, thing: Task, form: TaskForm, refusal: BadInput, *, status: int = 400
) -> HttpResponse:
    """Show the editor with everything typed, and the refusal at its fields."""
    thing.refresh_from_db(fields=["version", "stage", "updated_at"])
    form.is_valid()
    show_refusal(
        form, BadInput(fields={k: v for k, v in refusal.fields.items() if k not in form.errors})
    )
    typed = cast(QueryDict, form.data).copy()
    typed["version"] = str(thing.version)
    form.data = typed
    return _editor(request, thing, form, status=status)


def _conflict_page(
    request: HttpRequest, thing: Task, form: TaskForm, conflict: Conflict
) -> HttpResponse:
    """Show both texts of a stale save, and a box with what will be saved."""
    yours, theirs = (editor.as_text(conflict.data.get(side)) for side in ("yours", "theirs"))
    differing = [
        {
            "name": name,
            "label": form.fields[name].label,
            "yours": value,
            "theirs": theirs.get(name, ""),
            "yours_shown": form.display(name, value),
            "theirs_shown": form.display(name, theirs.get(name, "")),
            "long": name in (*TEXT_PARTS, "sources"),
        }
        for name, value in yours.items()
        if not isinstance(conflict, Stale) or theirs.get(name) != value
    ]
    names = {field["name"] for field in differing}
    return render(
        request,
        "tasks/authoring/conflict.html",
        {
            "task": thing,
            "error": conflict,
            "stale": isinstance(conflict, Stale),
            "differing": differing,
            "same": {k: v for k, v in yours.items() if k not in names},
            "version": conflict.data.get("version"),
            "saved_at": Task.objects.values_list("updated_at", flat=True).get(pk=thing.pk),
        },
        status=conflict.status,
    )


def task_save(request: HttpRequest, pk: int) -> JsonResponse:
    """Save for the page's script."""
    thing = access_task(request.user, pk, "task.write")
    saved = _save(request, thing, _form(request, thing, request.POST))
    return editor.autosave_reply(saved.updated_at, saved.version)


def task_preview(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the text as colleagues will read it: a fragment for the script, else the editor."""
    thing = access_task(request.user, pk, "task.write")
    form = _form(request, thing, request.POST)
    form.is_valid()
    if wants_parts(request):
        return editor.preview(request, thing, form)
    return _editor(request, thing, form, preview=True)


# --- submitting and withdrawing -------------------------------------------------------------------
def task_submit(request: HttpRequest, pk: int) -> HttpResponse:
    """Save what the editor sent, then submit the draft."""
    thing = access_task(request.user, pk, "task.write")
    form = _form(request, thing, request.POST)
    try:
        if "version" in request.POST:
            thing = _save(request, thing, form)
        actions.submit_task(actor=request.user, task=thing)
    except Stale as stale:
        return _conflict_page(request, thing, form, stale)
    except Conflict as conflict:
        if conflict.code == "not_deidentified":  # everything typed is saved already
            messages.warning(request, str(conflict.detail))
            return redirect("business-task", thing.pk)
        if conflict.code == "prompt_limit":
            return _limit_reached(request, thing, conflict)
        if not conflict.fields:
            raise
        return _not_saved(request, thing, form, conflict)
    except BadInput as refusal:
        if "version" not in request.POST:
            saved = _form(request, thing)
            form = _form(
                request, thing, {k: "" if v is None else v for k, v in saved.initial.items()}
            )
        editor.note_try(request, thing)
        return _refused(request, thing, form, refusal)
    return go(request, _submitted(thing), "task", thing.pk)


def _submitted(thing: Task) -> str:
    if thing.collected:
        return _(
            "Submitted. It is checked for similarity and difficulty; then the panel of %(domain)s "
            "reads it."
        ) % {"domain": thing.domain}
    if thing.screening_round > 1:
        words = _(
            "Submitted again; it keeps slot %(n)s. It is checked again for similarity and "
            "difficulty; then the panel of %(domain)s reads it."
        )
    else:
        words = _(
            "Submitted as slot %(n)s. It is checked for similarity and difficulty; then the panel "
            "of %(domain)s reads it."
        )
    return words % {"n": queries.slot_number(thing), "domain": thing.domain}


def _limit_reached(request: HttpRequest, thing: Task, conflict: Conflict) -> HttpResponse:
    context = {"task": thing, "error": conflict, "slots": queries.slots_of(request.user)}
    return render(request, "tasks/authoring/prompt_limit.html", context, status=conflict.status)


def task_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a reason, then withdraw the task."""
    thing = access_task(request.user, pk, "task.write")
    with shown_at(reverse("task", args=[pk])):
        Task.process.check(thing.stage, Stage.WITHDRAWN)
    form = WithdrawForm(request.POST or None)
    if request.method == "POST":
        form = WithdrawForm(request.POST)
        form.is_valid()
        with refused_at(form):
            actions.withdraw_task(
                actor=request.user, task=thing, reason=form.cleaned_data.get("reason", "")
            )
            return go(request, _("Withdrawn. Nobody reads or judges it any more."), "tasks")
    return render(
        request,
        "tasks/authoring/withdraw.html",
        {"task": thing, "form": form, "slot": queries.slot_number(thing)},
        status=status_of(form),
    )

"""Pages of questions: one's own, asking, one question, what a domain shares, staff's list."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, npgettext, pgettext, pgettext_lazy

from curation.base.access.permissions import allows
from curation.base.lists.declared import Column, ListSpec, in_order_of, register
from curation.base.lists.page import NO_VALUE, list_response
from curation.base.web.forms import parse_int
from curation.base.web.look import count, when
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, shown_at
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task.queries import access_task
from curation.telling.questions import actions, queries, sharing_actions
from curation.telling.questions.forms import (
    AnswerForm,
    FollowUpForm,
    QuestionFilter,
    RuleQuestionForm,
    ShareForm,
    TaskQuestionForm,
)
from curation.telling.questions.models import AskedQuestion, QuestionEntry, SharedAnswer
from curation.telling.questions.queries import access_domain, access_question, readable_by_staff
from curation.telling.questions.subjects import guideline_rules, lines_for, linter_rules

_SHARED = SharedAnswer.objects.filter(question=OuterRef("pk"), ended_at=None)


def find(wanted: Mapping[str, Any]) -> QuerySet[AskedQuestion]:
    """Return the questions that match."""
    rows = AskedQuestion.objects.all()
    if wanted["domain"] is not None:
        rows = rows.filter(domain=wanted["domain"])
    if wanted["state"] == "shared":
        rows = rows.filter(Exists(_SHARED))
    elif wanted["state"]:
        rows = rows.filter(state=wanted["state"])
    match wanted["about"]:
        case "task":
            rows = rows.filter(task__isnull=False, line_key="")
        case "line":
            rows = rows.exclude(line_key="")
        case "rule":
            rows = rows.filter(task=None)
    return rows


def load(keys: Sequence[int]) -> Mapping[int, Any]:
    """Return questions with their domains, and whether they are shared. One query."""
    rows = AskedQuestion.objects.filter(pk__in=keys).select_related("domain")
    return {row.pk: row for row in rows.annotate(is_shared=Exists(_SHARED))}


def _number(row: Any) -> str:
    address = reverse("asked-question", args=[row.pk])
    return format_html('<a href="{}" data-open>{}</a>', address, _title(row))


def _title(row: Any) -> str:
    return pgettext("asked", "Question %(n)s") % {"n": row.pk}


def _state(row: Any) -> str:
    waits = row.state == AskedQuestion.State.OPEN
    css = "tag-wait" if waits else ""
    return format_html('<span class="tag {}">{}</span>', css, row.get_state_display())


QUESTIONS = register(
    ListSpec(
        name="questions",
        route="staff-asked-questions",
        filters=QuestionFilter,
        find=find,
        load=load,
        order="state",
        readable=readable_by_staff,
        counted=lambda n: (
            npgettext("asked", "%(n)s question", "%(n)s questions", n) % {"n": count(n)}
        ),
        title=_title,
        columns=(
            Column("number", gettext_lazy("Number"), _title, show=_number, sort=("pk",)),
            Column(
                "domain",
                gettext_lazy("Domain"),
                lambda row: str(row.domain),
                sort=("domain__position", "domain__key"),
            ),
            Column("about", gettext_lazy("About"), lambda row: row.about),
            Column("who", gettext_lazy("Asked by"), lambda row: str(row.asker)),
            Column(
                "state",
                gettext_lazy("State"),
                lambda row: row.get_state_display(),
                show=_state,
                sort=(in_order_of("state", AskedQuestion.State.values), "waits_since"),
            ),
            Column(
                "since",
                pgettext_lazy("asked", "Asked"),
                lambda row: row.waits_since,
                show=lambda row: when(row.waits_since),
                sort=("waits_since",),
            ),
            Column(
                "shared",
                gettext_lazy("Shared"),
                lambda row: _("yes") if row.is_shared else None,
                show=lambda row: _("yes") if row.is_shared else NO_VALUE,
            ),
        ),
    )
)


ASKED = "asked-question"


def questions(request: HttpRequest) -> HttpResponse:
    """Show what a person asked, and what waits for their answer."""
    user: Any = request.user
    return render(
        request,
        "telling/questions/own.html",
        {
            "mine": queries.own_questions(user),
            "to_answer": queries.to_answer(user),
            "domains": queries.domains_with_answers(user),
            "may_ask": bool(user.qualified_domain_ids()),
        },
    )


@once
def question_about_task(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask about a task or a line of its rubric."""
    task = access_task(request.user, pk, "task.ask")
    form = TaskQuestionForm(
        request.POST or None,
        lines=lines_for(request.user, task),
        initial={"line": request.GET.get("line", "")},
    )
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            made = actions.ask_about_task(actor=request.user, task=task, **form.cleaned_data)
            return go(request, _said_asked(), ASKED, made.pk)
    return render(
        request,
        "telling/questions/ask.html",
        {
            "task": task,
            "form": form,
            "opens": allows(request.user, "task.view", task),
            "guideline": task.domain.key,
        },
        status=status_of(form),
    )


@once
def question_about_rule(request: HttpRequest) -> HttpResponse:
    """Ask about a rule of a guideline or of the linter."""
    user: Any = request.user
    domains = sorted(user.qualified_domain_ids())
    rules = dict.fromkeys(rule for domain in domains for rule in guideline_rules(domain))
    form = RuleQuestionForm(
        request.POST or None,
        domains=domains,
        guideline=rules,
        linter=linter_rules(),
        initial={name: request.GET.get(name, "") for name in ("domain", "rule")},
    )
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            made = actions.ask_about_rule(actor=user, **form.cleaned_data)
            return go(request, _said_asked(), ASKED, made.pk)
    return render(request, "telling/questions/ask.html", {"form": form}, status=status_of(form))


def _said_asked() -> str:
    return _("Asked. You are told when there is an answer; it appears here.")


def asked_question(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a question with all that was said."""
    return _show(request, access_question(request.user, pk))


def _show(
    request: HttpRequest, question: AskedQuestion, step: str = "", form: forms.Form | None = None
) -> HttpResponse:
    """Show a question.

    Args:
        step: which form was refused: follow_up, answer, correct or share.
        form: that form.
    """
    page = queries.page_of(request.user, question)
    answers = [said for said in page.thread if said.is_answer]
    first = page.thread[0].text if page.thread else ""
    last = answers[-1] if answers else None
    shared = page.shared
    given: dict[str, forms.Form] = {
        "follow_up": FollowUpForm(prefix="follow"),
        "answer": AnswerForm(prefix="answer"),
        "correct": AnswerForm(prefix="correct", initial={"text": last.text if last else ""}),
        "share": ShareForm(
            initial={
                "asked": shared.asked if shared else first,
                "answered": shared.answered if shared else last.text if last else "",
            }
        ),
    }
    if step and form is not None:
        given[step] = form
    return render(
        request,
        "telling/questions/question.html",
        {"page": page, "question": question, "last": last, "step": step, "forms": given},
        status=400 if step else 200,
    )


@once
def question_follow_up(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask on."""
    question = access_question(request.user, pk, "question.follow_up")
    form = FollowUpForm(request.POST, prefix="follow")
    with refused_at(form), shown_at(_address(pk)):
        if form.is_valid():
            actions.follow_up(actor=request.user, question=question, **form.cleaned_data)
            return go(request, _said_asked(), ASKED, pk)
    return _show(request, question, "follow_up", form)


def question_settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark one's question as settled."""
    question = access_question(request.user, pk, "question.settle")
    with shown_at(_address(pk)):
        actions.settle_question(actor=request.user, question=question)
    return go(request, _("Settled. You can ask on at any time."), ASKED, pk)


def question_take(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a seat on the task to read it before answering."""
    question = access_question(request.user, pk, "question.answer")
    actions.take_question(actor=request.user, question=question)
    if question.task_id is None:
        return go(request, _("There is no task to read."), ASKED, pk)
    said = _("You can open the task from here now. The question waits for your answer.")
    return go(request, said, ASKED, pk)


@once
def question_answer(request: HttpRequest, pk: int) -> HttpResponse:
    question = access_question(request.user, pk, "question.answer")
    form = AnswerForm(request.POST, prefix="answer")
    with refused_at(form), shown_at(_address(pk)):
        if form.is_valid():
            actions.answer_question(actor=request.user, question=question, **form.cleaned_data)
            return go(request, _("Answered. The asker is told."), ASKED, pk)
    return _show(request, question, "answer", form)


@once
def question_correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct an answer; `entry` is the number of its newest words."""
    question = access_question(request.user, pk, "question.answer")
    form = AnswerForm(request.POST, prefix="correct")
    entry = question.thread.filter(number=parse_int(request.POST.get("entry")) or 0).first()
    if entry is None or entry.kind not in (
        QuestionEntry.Kind.ANSWER,
        QuestionEntry.Kind.CORRECTION,
    ):
        raise BadInput(_("Choose an answer to correct."))
    with refused_at(form), shown_at(_address(pk)):
        if form.is_valid():
            actions.correct_answer(
                actor=request.user, question=question, entry=entry, **form.cleaned_data
            )
            return go(request, _("Corrected. The asker is told."), ASKED, pk)
    return _show(request, question, "correct", form)


@once
def question_share(request: HttpRequest, pk: int) -> HttpResponse:
    """Share question and answer with the domain."""
    question = access_question(request.user, pk, "question.answer")
    form = ShareForm(request.POST)
    with refused_at(form), shown_at(_address(pk)):
        if form.is_valid():
            sharing_actions.share_answer(actor=request.user, question=question, **form.cleaned_data)
            said = _("Shared. Every expert of the domain can read it.")
            return go(request, said, ASKED, pk)
    return _show(request, question, "share", form)


def question_unshare(request: HttpRequest, pk: int) -> HttpResponse:
    """Take question and answer off the page of the domain."""
    question = access_question(request.user, pk, "question.answer")
    with shown_at(_address(pk)):
        sharing_actions.end_sharing(actor=request.user, question=question)
    return go(request, _("No longer shared."), ASKED, pk)


def _address(pk: int) -> str:
    return reverse(ASKED, args=[pk])


def faq(request: HttpRequest, key: str) -> HttpResponse:
    """Show the answers that a domain shares."""
    domain = access_domain(request.user, key)
    return render(
        request, "telling/questions/faq.html", {"domain": domain, "rows": queries.shared_in(domain)}
    )


def staff_questions(request: HttpRequest) -> HttpResponseBase:
    """List all questions, for staff; also as a file."""
    return list_response(request, QUESTIONS, "telling/questions/list.html")

"""Staff keep the exams: settings, blueprint, questions, statistics."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation import spreadsheet
from curation.actions import bank as actions
from curation.draw import shortfalls
from curation.errors import BadInput
from curation.forms.exams import (
    ExamForm,
    ImportForm,
    QuestionFilter,
    QuestionForm,
    read_blueprint,
)
from curation.forms.qualification import kept, take_back
from curation.models import Exam, Question
from curation.once import once
from curation.queries import bank as queries
from curation.queries import items

PER_PAGE = 50


def staff_exams(request: HttpRequest) -> HttpResponse:
    """The exams of all domains."""
    rows = queries.exams_of_all_domains(request.user)
    return render(request, "exams/exams.html", {"rows": rows})


# --- one exam -------------------------------------------------------------------------------------
def staff_exam(request: HttpRequest, domain: str) -> HttpResponse:
    """Settings and blueprint of one exam, and whether the bank can fill it."""
    where, exam = queries.access_domain_exam(request.user, domain)
    form = ExamForm(instance=exam, initial=None if exam else {"title": f"{where}: exam"})
    rows = queries.topic_rows(exam) if exam else []
    if request.method == "POST":
        form = ExamForm(request.POST, instance=exam)
        typed: dict[str, int] = {}
        if form.is_valid():
            try:
                blueprint, typed = read_blueprint(request.POST, rows)
                actions.save_exam(
                    actor=request.user,
                    domain=where,
                    settings=form.cleaned_data,
                    blueprint=blueprint,
                )
            except BadInput as refusal:
                take_back(form, refusal)
            else:
                messages.success(
                    request, _("Saved. Exams that are under way keep their paper and their time.")
                )
                return redirect("staff-exam", where.key)
        if exam:
            exam = Exam.objects.get(pk=exam.pk)  # not the half-changed one of the form
    return render(
        request,
        "exams/exam.html",
        {
            "domain": where,
            "exam": exam,
            "form": form,
            "rows": rows,
            **(_check(exam) if exam else {}),
        },
        status=400 if form.errors else 200,
    )


def _check(exam: Exam) -> dict[str, Any]:
    """What a draw would give now."""
    cards = queries.cards(exam)
    short = shortfalls(cards, list(exam.blueprint.all()))
    number, least, most = queries.paper_size(exam)
    return {
        "bank": len(cards),
        "problems": [queries.say_shortfall(row) for row in short],
        "number": number,
        "least": least,
        "most": most,
    }


# --- questions ------------------------------------------------------------------------------------
def staff_questions(request: HttpRequest, domain: str) -> HttpResponse:
    """The bank of one exam."""
    exam = queries.access_exam(request.user, domain)
    form = QuestionFilter(request.GET, topics=queries.topics(exam))
    wanted = kept(form)
    page = Paginator(queries.questions(exam, **wanted), PER_PAGE).get_page(request.GET.get("page"))
    rest = request.GET.copy()
    rest.pop("page", None)
    return render(
        request,
        "exams/questions.html",
        {
            "exam": exam,
            "form": form,
            "page": page,
            "query": f"{rest.urlencode()}&" if rest else "",
            "filtered": bool(wanted),
        },
    )


@once
def staff_question_new(request: HttpRequest, domain: str) -> HttpResponse:
    """Write a question for the bank."""
    exam = queries.access_exam(request.user, domain)
    form = QuestionForm(request.POST or None, initial={"topic": request.GET.get("topic", "")})
    if request.method == "POST":
        form = QuestionForm(request.POST)
        if form.is_valid():
            try:
                actions.add_question(actor=request.user, exam=exam, values=form.values())
            except BadInput as refusal:
                form.take_back(refusal)
            else:
                messages.success(request, _("Added. It can be drawn from now on."))
                return redirect("staff-questions", exam.domain.key)
    return _question_page(request, exam, form)


def staff_question(request: HttpRequest, pk: int) -> HttpResponse:
    """Read and change a question of the bank."""
    question = queries.access_question(request.user, pk)
    form = QuestionForm.of(question)
    if request.method == "POST":
        form = QuestionForm(request.POST)
        if form.is_valid():
            try:
                now = actions.change_question(
                    actor=request.user, question=question, values=form.values()
                )
            except BadInput as refusal:
                form.take_back(refusal)
            else:
                messages.success(
                    request,
                    _("Saved.")
                    if now.pk == question.pk
                    else _(
                        "Saved as a new question. The former one was asked already, so it is "
                        "retired and stays as it was."
                    ),
                )
                return redirect("staff-questions", question.exam.domain.key)
    return _question_page(request, question.exam, form, question)


def _question_page(
    request: HttpRequest, exam: Exam, form: QuestionForm, question: Question | None = None
) -> HttpResponse:
    newer = question.replaced_by.first() if question else None
    return render(
        request,
        "exams/question.html",
        {
            "exam": exam,
            "form": form,
            "question": question,
            "was_asked": bool(question and question.asked.exists()),
            "newer": newer,
            "topics": queries.topics(exam),
        },
        status=400 if form.errors else 200,
    )


def staff_question_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Retire a question, or bring it back."""
    question = queries.access_question(request.user, pk)
    active = request.POST.get("active") == "1"
    actions.set_active(actor=request.user, question=question, active=active)
    messages.success(
        request,
        _("It can be drawn again.")
        if active
        else _("Retired. Nobody is asked it any more; papers that hold it keep it."),
    )
    return redirect("staff-question", question.pk)


@once
def staff_questions_import(request: HttpRequest, domain: str) -> HttpResponse:
    """Add a file of questions, all or none."""
    exam = queries.access_exam(request.user, domain)
    form = ImportForm()
    problems: list[tuple[str, list[str]]] = []
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES)
        if form.is_valid():
            try:
                added = actions.import_questions(
                    actor=request.user, exam=exam, rows=form.cleaned_data["file"]
                )
            except BadInput as refusal:
                form.add_error(None, str(refusal.detail))
                problems = [
                    (where, [str(w) for w in words]) for where, words in refusal.fields.items()
                ]
            else:
                messages.success(
                    request,
                    ngettext("%(n)s question was added.", "%(n)s questions were added.", added)
                    % {"n": added},
                )
                return redirect("staff-questions", exam.domain.key)
    return render(
        request,
        "exams/import.html",
        {"exam": exam, "form": form, "problems": problems},
        status=400 if form.errors else 200,
    )


# --- statistics -----------------------------------------------------------------------------------
def staff_items(request: HttpRequest, domain: str) -> HttpResponse:
    """How each question works, the one to look at first on top."""
    exam = queries.access_exam(request.user, domain)
    rows = items.statistics(exam)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "exams/items.html",
        {"exam": exam, "page": page, "headline": items.headline(rows)},
    )


def staff_items_csv(request: HttpRequest, domain: str) -> StreamingHttpResponse:
    """The same figures as a file."""
    exam = queries.access_exam(request.user, domain)
    rows = items.table(items.statistics(exam))
    return spreadsheet.download(f"items-{domain}.csv", items.HEAD, rows)

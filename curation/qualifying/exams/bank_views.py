"""Staff's pages of exams: settings, blueprint, questions, import."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.records.faults import FileRefused, Problem
from curation.base.web.forms import usable_values
from curation.base.web.once import once
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, refused_at, status_of
from curation.qualifying.exams import bank_actions as actions
from curation.qualifying.exams import bank_queries as queries
from curation.qualifying.exams.bank_forms import (
    ExamForm,
    ImportForm,
    QuestionFilter,
    QuestionForm,
    read_blueprint,
)
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.paper import shortfalls

PER_PAGE = 50


def staff_exams(request: HttpRequest) -> HttpResponse:
    """Show the exams of all domains."""
    rows = queries.exams_of_all_domains(request.user)
    return render(request, "qualifying/question_bank/exams.html", {"rows": rows})


# --- one exam -------------------------------------------------------------------------------------
def staff_exam(request: HttpRequest, domain: str) -> HttpResponse:
    """Show and change an exam's settings and blueprint, and say whether the bank can fill it."""
    where, exam = queries.access_domain_exam(request.user, domain)
    form = ExamForm(instance=exam, initial=None if exam else {"title": f"{where}: exam"})
    rows = queries.topic_rows(exam) if exam else []
    if request.method == "POST":
        form = ExamForm(request.POST, instance=exam)
        typed: dict[str, int] = {}
        if form.is_valid():
            with refused_at(form):
                blueprint, typed = read_blueprint(request.POST, rows)
                actions.save_exam(
                    actor=request.user,
                    domain=where,
                    settings=form.cleaned_data,
                    blueprint=blueprint,
                )
                return go(
                    request,
                    _("Saved. Exams that are under way keep their paper and their time."),
                    "staff-exam",
                    where.key,
                )
        if exam:
            exam = Exam.objects.get(pk=exam.pk)  # the form has changed its instance
    return render(
        request,
        "qualifying/question_bank/exam.html",
        {
            "domain": where,
            "exam": exam,
            "form": form,
            "rows": rows,
            **(_check(exam) if exam else {}),
        },
        status=status_of(form),
    )


def _check(exam: Exam) -> dict[str, Any]:
    """Return the template context about what a draw would give now."""
    bank = queries.bank_questions(exam)
    short = shortfalls(bank, list(exam.blueprint.all()))
    number, least, most = queries.paper_size(exam)
    return {
        "bank": len(bank),
        "problems": [queries.shortfall_sentence(row) for row in short],
        "number": number,
        "least": least,
        "most": most,
    }


# --- questions ------------------------------------------------------------------------------------
def staff_questions(request: HttpRequest, domain: str) -> HttpResponse:
    """Show the bank of an exam."""
    exam = queries.access_exam(request.user, domain)
    form = QuestionFilter(request.GET, topics=queries.topics(exam))
    wanted = usable_values(form)
    page = Paginator(queries.questions(exam, **wanted), PER_PAGE).get_page(request.GET.get("page"))
    rest = request.GET.copy()
    rest.pop("page", None)
    return render(
        request,
        "qualifying/question_bank/questions.html",
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
    """Add a question to the bank."""
    exam = queries.access_exam(request.user, domain)
    form = QuestionForm(request.POST or None, initial={"topic": request.GET.get("topic", "")})
    if request.method == "POST":
        form = QuestionForm(request.POST)
        if form.is_valid():
            try:
                actions.add_question(actor=request.user, exam=exam, values=form.values())
            except BadInput as refusal:
                form.show_refusal(refusal)
            else:
                return go(
                    request,
                    _("Added. It can be drawn from now on."),
                    "staff-questions",
                    exam.domain.key,
                )
    return _question_page(request, exam, form)


def staff_question(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and change a question of the bank."""
    question = queries.access_question(request.user, pk)
    form = QuestionForm.of(question)
    if request.method == "POST":
        form = QuestionForm(request.POST)
        if form.is_valid():
            try:
                now = actions.change_question(
                    actor=request.user,
                    question=question,
                    values=form.values(),
                    was=form.cleaned_data["was"],
                )
            except BadInput as refusal:
                form.show_refusal(refusal)
            else:
                return go(
                    request,
                    _("Saved.")
                    if now.pk == question.pk
                    else _(
                        "Saved as a new question. The old one had already been asked, so it is "
                        "retired and stays as it was."
                    ),
                    "staff-questions",
                    question.exam.domain.key,
                )
    return _question_page(request, question.exam, form, question)


def _question_page(
    request: HttpRequest, exam: Exam, form: QuestionForm, question: Question | None = None
) -> HttpResponse:
    newer = question.replaced_by.first() if question else None
    return render(
        request,
        "qualifying/question_bank/question.html",
        {
            "exam": exam,
            "form": form,
            "question": question,
            "was_asked": bool(question and question.asked.exists()),
            "newer": newer,
            "topics": queries.topics(exam),
        },
        status=status_of(form),
    )


def staff_question_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Retire a question, or bring it back."""
    question = queries.access_question(request.user, pk)
    active = request.POST.get("active") == "1"
    actions.set_active(actor=request.user, question=question, active=active)
    return go(
        request,
        _("It can be drawn again.")
        if active
        else _("Retired. It will not be asked any more; papers that contain it keep it."),
        "staff-question",
        question.pk,
    )


@once
def staff_questions_import(request: HttpRequest, domain: str) -> HttpResponse:
    """Add a file of questions, all or none."""
    exam = queries.access_exam(request.user, domain)
    form = ImportForm()
    problems: list[tuple[str, list[str]]] = []
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES)
        if form.is_valid():
            file = form.cleaned_data["file"]
            try:
                added = actions.import_questions(
                    actor=request.user, exam=exam, data=file.read(), file=file.name
                )
            except FileRefused as refusal:
                said = _("Nothing was added: the file has lines that cannot be used.")
                form.add_error(None, said)
                problems = [(_where(one), [one.sentence]) for one in refusal.problems]
            else:
                return go(
                    request,
                    ngettext("%(n)s question was added.", "%(n)s questions were added.", added)
                    % {"n": added},
                    "staff-questions",
                    exam.domain.key,
                )
    return render(
        request,
        "qualifying/question_bank/import.html",
        {"exam": exam, "form": form, "problems": problems},
        status=status_of(form),
    )


def _where(problem: Problem) -> str:
    line = _("line %(n)s") % {"n": problem.line}
    return line if problem.field in ("line", "file") else f"{line}: {problem.field}"

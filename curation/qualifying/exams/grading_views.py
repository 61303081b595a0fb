"""Pages where seniors grade short texts: the queue by question, and one answer at a time."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.web.refusals import Conflict
from curation.base.web.step import go, refused_at, status_of
from curation.qualifying.exams import grading_queries
from curation.qualifying.exams.forms import MarkForm
from curation.qualifying.exams.grading_actions import change_mark, is_open, mark_answer

PER_PAGE = 50


def answers(request: HttpRequest) -> HttpResponse:
    """Show the questions with answers that wait for a grade."""
    page = Paginator(grading_queries.queue(request.user), PER_PAGE).get_page(
        request.GET.get("page")
    )
    rows = [grading_queries.question_to_mark(row) for row in page]
    given = grading_queries.changeable_marks(request.user)
    return render(
        request, "qualifying/exams/answers.html", {"page": page, "rows": rows, "given": given}
    )


def answer_mark(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an answer with its question and guide; a POST grades it, or changes the own grade."""
    row = grading_queries.access_answer(request.user, pk)
    again = row.points is not None
    if again and (row.marked_by_id != request.user.pk or not is_open(row.sitting)):
        raise Conflict(
            _("This answer is already marked. Its mark stays."),
            code="marked_already",
            page=reverse("answers"),
        )
    initial = {"points": row.points, "remark": row.remark} if again else {}
    form = MarkForm(initial=initial, most=row.question.points)
    if request.method == "POST":
        form = MarkForm(request.POST, most=row.question.points)
        if form.is_valid():
            save_mark = change_mark if again else mark_answer
            with refused_at(form):
                save_mark(actor=request.user, answer=row, **form.cleaned_data)
                return _changed(request) if again else _next(request, row.question_id)
    return render(
        request,
        "qualifying/exams/answer_mark.html",
        {"answer": grading_queries.answer_to_mark(request.user, row), "form": form},
        status=status_of(form),
    )


def _changed(request: HttpRequest) -> HttpResponse:
    return go(request, _("Changed. The mark you gave before stays on record."), "answers")


def _next(request: HttpRequest, question: int) -> HttpResponse:
    following = grading_queries.next_answer(request.user, question)
    if following is not None:
        return go(
            request,
            _("Marked. Here is the next answer to the same question."),
            "answer-mark",
            following,
        )
    return go(request, _("Marked. That was the last answer to this question."), "answers")

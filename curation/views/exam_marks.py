"""Seniors mark short texts of exams: the queue by question, and one answer at a time."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.actions.exam_marks import change_mark, is_open, mark_answer
from curation.errors import BadInput, Conflict
from curation.forms.exams import MarkForm
from curation.forms.qualification import take_back
from curation.queries import exam_marks as queries

PER_PAGE = 50


def answers(request: HttpRequest) -> HttpResponse:
    """Questions with answers that wait for a mark."""
    page = Paginator(queries.queue(request.user), PER_PAGE).get_page(request.GET.get("page"))
    rows = [queries.shown(row) for row in page]
    given = queries.changeable(request.user)
    return render(
        request, "qualification/answers.html", {"page": page, "rows": rows, "given": given}
    )


def answer_mark(request: HttpRequest, pk: int) -> HttpResponse:
    """Read one answer beside question and guide; give points, or change those one gave."""
    row = queries.access_answer(request.user, pk)
    again = row.points is not None
    if again and (row.marked_by_id != request.user.pk or not is_open(row.sitting)):
        raise Conflict(
            _("This answer is marked. Its mark stays."),
            code="marked_already",
            page=reverse("answers"),
        )
    initial = {"points": row.points, "remark": row.remark} if again else {}
    form = MarkForm(initial=initial, most=row.question.points)
    if request.method == "POST":
        form = MarkForm(request.POST, most=row.question.points)
        if form.is_valid():
            act = change_mark if again else mark_answer
            try:
                act(actor=request.user, answer=row, **form.cleaned_data)
            except BadInput as refusal:
                take_back(form, refusal)
            else:
                return _changed(request) if again else _next(request, row.question_id)
    return render(
        request,
        "qualification/answer_mark.html",
        {"answer": queries.answer_to_mark(request.user, row), "form": form},
        status=400 if form.errors else 200,
    )


def _changed(request: HttpRequest) -> HttpResponse:
    messages.success(request, _("Changed. The mark you gave before stays on record."))
    return redirect("answers")


def _next(request: HttpRequest, question: int) -> HttpResponse:
    following = queries.next_answer(request.user, question)
    if following is not None:
        messages.success(request, _("Marked. Here is the next answer to the same question."))
        return redirect("answer-mark", following)
    messages.success(request, _("Marked. That was the last answer to this question."))
    return redirect("answers")

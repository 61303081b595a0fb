"""Pages of the exam: how it works, the paper, the result."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.refusals import Conflict
from curation.qualifying.applications.queries import access_application
from curation.qualifying.exams import actions, queries
from curation.qualifying.exams.access import access_sitting
from curation.qualifying.exams.forms import read_answers, read_numbers
from curation.qualifying.exams.models import ExamSitting


def exam_start(request: HttpRequest, pk: int) -> HttpResponse:
    """Show how the exam works; a POST starts the sitting."""
    thing = access_application(request.user, pk, "application.work_on")
    if request.method == "POST":
        return redirect("exam", actions.start_sitting(actor=request.user, application=thing).pk)
    last = thing.sittings.order_by("-attempt").first()
    if thing.stage != ApplicationStage.EXAM:
        if last is not None:  # marked meanwhile: a bookmark or another tab finds the result
            return redirect("exam", last.pk)
        raise Conflict(
            _("The exam is not open for this application now."),
            code="wrong_stage",
            page=reverse("application", args=[pk]),
        )
    if last is not None and (last.submitted_at is None or last.awaits_marks):
        return redirect("exam", last.pk)
    return render(
        request,
        "qualifying/exams/exam_intro.html",
        {"application": thing, "intro": queries.exam_intro(thing)},
    )


def exam(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the questions until the deadline; afterwards the result."""
    sitting = access_sitting(request.user, pk)
    if sitting.submitted_at is None and actions.is_over(sitting):
        # Do at once what the next sweep would do, so that the candidate need not wait for it.
        sitting = actions.hand_in(actor=None, sitting=sitting)
    if sitting.submitted_at is not None:
        return render(
            request, "qualifying/exams/exam_result.html", {"result": queries.exam_result(sitting)}
        )
    return _paper(request, sitting)


def _paper(request: HttpRequest, sitting: ExamSitting, *, asked: bool = False) -> HttpResponse:
    paper = queries.exam_paper(sitting)
    answer = render(
        request,
        "qualifying/exams/exam.html",
        {"paper": paper, "asked": asked, "limit": actions.SHORT_TEXT},
        status=400 if asked and paper.open else 200,
    )
    answer["Cache-Control"] = "no-store"  # so that going back shows the saved answers
    return answer


def _save(request: HttpRequest, sitting: ExamSitting) -> actions.SaveResult:
    fields = queries.answer_fields(sitting)
    return actions.save_answers(
        actor=request.user,
        sitting=sitting,
        answers=read_answers(request.POST, fields),
        ages=read_numbers(request.POST, "a", fields),
        seconds=read_numbers(request.POST, "s", fields),
    )


def exam_save(request: HttpRequest, pk: int) -> JsonResponse:
    """Save the answers sent, for the page's script."""
    sitting = access_sitting(request.user, pk)
    saved = _save(request, sitting)
    paper = queries.exam_paper(saved.sitting)
    return JsonResponse(
        {
            "saved_at": f"{timezone.localtime():%H:%M:%S}",
            "answered": paper.answered,
            "open": [question.number for question in paper.open],
            "unreadable": [q.number for q in paper.questions if q.unreadable],
            "older": [q.number for q in paper.questions if q.key_id in saved.older],
            "seconds_left": max(0, int((paper.deadline - paper.now).total_seconds())),
        }
    )


def exam_hand_in(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the answers sent, ask once whether to hand in, then hand in."""
    sitting = access_sitting(request.user, pk)
    if not actions.is_over(sitting):
        try:
            saved = _save(request, sitting)
        except Conflict:
            # The sweep or another request handed it in first: what was saved before counts.
            return redirect("exam", sitting.pk)
        if not request.POST.get("confirmed"):
            return _paper(request, saved.sitting, asked=True)
    elif sitting.submitted_at is None:
        messages.warning(request, _("Time was up. What was saved before then has been marked."))
    actions.hand_in(actor=request.user, sitting=sitting)
    return redirect("exam", sitting.pk)

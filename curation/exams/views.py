"""Sitting the exam: read how it works, write, hand in, see the result."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.applications.access import access_application
from curation.exams import actions
from curation.exams import queries as exams
from curation.exams.access import access_sitting
from curation.exams.forms import read_answers, read_numbers
from curation.exams.models import ExamSitting
from curation.process.lifecycle import ApplicationStage
from curation.web.refusals import Conflict


def exam_start(request: HttpRequest, pk: int) -> HttpResponse:
    """What the exam is, and the button that starts the clock."""
    thing = access_application(request.user, pk, "application.work_on")
    if request.method == "POST":
        return redirect("exam", actions.start_sitting(actor=request.user, application=thing).pk)
    if thing.stage != ApplicationStage.EXAM:
        raise Conflict(
            _("The exam is not open for this application now."),
            code="wrong_stage",
            page=reverse("application", args=[pk]),
        )
    last = thing.sittings.order_by("-attempt").first()
    if last is not None and (last.submitted_at is None or last.awaits_marks):
        return redirect("exam", last.pk)
    return render(
        request,
        "exams/exam_intro.html",
        {"application": thing, "intro": exams.intro(thing)},
    )


def exam(request: HttpRequest, pk: int) -> HttpResponse:
    """The questions while the time runs; afterwards the result."""
    sitting = access_sitting(request.user, pk)
    if sitting.submitted_at is None and actions.is_over(sitting):
        # The sweep would do the same a moment later; the candidate should not wait for it.
        sitting = actions.hand_in(actor=None, sitting=sitting)
    if sitting.submitted_at is not None:
        return render(request, "exams/exam_result.html", {"result": exams.result(sitting)})
    return _paper(request, sitting)


def _paper(
    request: HttpRequest, sitting: ExamSitting, *, asked: bool = False, status: int = 200
) -> HttpResponse:
    answer = render(
        request,
        "exams/exam.html",
        {"paper": exams.paper(sitting), "asked": asked, "limit": actions.SHORT_TEXT},
        status=status,
    )
    answer["Cache-Control"] = "no-store"  # going back must show the answers as they are saved
    return answer


def _save(request: HttpRequest, sitting: ExamSitting) -> actions.Saved:
    fields = exams.answer_fields(sitting)
    return actions.save_answers(
        actor=request.user,
        sitting=sitting,
        answers=read_answers(request.POST, fields),
        ages=read_numbers(request.POST, "a", fields),
        seconds=read_numbers(request.POST, "s", fields),
    )


def exam_save(request: HttpRequest, pk: int) -> JsonResponse:
    """Save the answers sent; the others stay as they are."""
    sitting = access_sitting(request.user, pk)
    saved = _save(request, sitting)
    paper = exams.paper(saved.sitting)
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
    """Save what was sent along, ask once if questions are open, then mark."""
    sitting = access_sitting(request.user, pk)
    if not actions.is_over(sitting):
        try:
            saved = _save(request, sitting)
        except Conflict:
            # The sweep or another tab was faster by a moment: what was saved before counts.
            return redirect("exam", sitting.pk)
        if exams.paper(saved.sitting).open and not request.POST.get("confirmed"):
            return _paper(request, saved.sitting, asked=True, status=400)
    elif sitting.submitted_at is None:
        messages.warning(
            request, _("The time was over. What was saved before then has been marked.")
        )
    actions.hand_in(actor=request.user, sitting=sitting)
    return redirect("exam", sitting.pk)

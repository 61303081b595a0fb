"""Views of a reviewer's page: verdicts, remarks, finishing the round."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.lifecycle import Stage
from curation.base.web.dates import saved_at
from curation.base.web.forms import parse_int
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import BadInput, Conflict
from curation.base.web.step import go
from curation.tasks.task.models import Task
from review.rounds.access import access_line, latest_round, with_text
from review.rounds.actions import clear_verdict, comment_on_line, finish_round, set_verdict
from review.rounds.assignment_models import Comment, LineReview, Review
from review.rounds.assignment_queries import access_review
from review.rounds.reviewer_queries import ReviewLine, ReviewPage, review_page
from review.web import wording
from rubrics.policy.dimensions import Importance, dimension_choices
from rubrics.versions.models import Criterion

FILTERS = ("all", "changed", "open", "thread")


def address(review: Review, line: int | None = None) -> str:
    """Return the address of the review's page, opened at a line."""
    url = reverse("review", args=[review.pk])
    return f"{url}?line={line}#line-{line}" if line else url


def review(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the page, opened at the first line without a verdict."""
    return show(request, access_review(request.user, pk))


def show(
    request: HttpRequest,
    review: Review,
    *,
    line: int | None = None,
    typed: Mapping[str, str] | None = None,
    errors: Mapping[str, list[Any]] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the whole page; after a refusal with everything that was typed."""
    page = review_page(review)
    current = page.line(line or parse_int(request.GET.get("line"))) or page.first_open()
    if current is None and page.lines:
        current = page.lines[0]
    context = _context(page, current, typed, errors) | {
        "filter": request.GET.get("show") if request.GET.get("show") in FILTERS else "all",
        "tab": "answer" if request.GET.get("tab") == "answer" else "task",
        "asking": "ask" in request.GET or bool(errors),
        "early": page.open and "early" in request.GET and page.undecided,
        "saved": saved_at(page.saved_at),
    }
    answer = render(request, "review/review.html", context, status=status)
    if request.method == "GET":
        answer["Cache-Control"] = "no-store"  # the back button must show the current state
    return answer


def _context(
    page: ReviewPage,
    current: ReviewLine | None,
    typed: Mapping[str, str] | None = None,
    errors: Mapping[str, list[Any]] | None = None,
) -> dict[str, Any]:
    return {
        "page": page,
        "task": page.task,
        "current": current,
        "aspects": LineReview.Aspect.choices,
        "importances": Importance.choices,
        "dimensions": dimension_choices(skill=page.task.is_skill),
        "wording": _wording(current, typed),
        "typed": typed or {},
        "errors": errors or {},
        "stage_label": _("In review, round %(n)s") % {"n": page.round}
        if page.open
        else _("Round %(n)s finished") % {"n": page.round},
    }


def _wording(current: ReviewLine | None, typed: Mapping[str, str] | None) -> dict[str, Any]:
    """Return the values of the suggestion's fields: typed, suggested, or those of the line."""
    if current is None:
        return {}
    shown = current.suggestion or current.content
    return {
        name: (typed or {}).get(f"suggest_{name}", getattr(shown, name))
        for name in ("text", "importance", "weight", "dimension")
    }


def _parts(
    request: HttpRequest,
    review: Review,
    criterion: Criterion,
    *,
    errors: Mapping[str, list[Any]] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the line, the bar and the counts for the page's script, with the ids they replace."""
    page = review_page(review)
    context = _context(page, None, errors=errors) | {
        "line": page.line(criterion.pk),
        "now": f"{timezone.localtime():%H:%M:%S}",
    }
    return render(request, "review/parts/answer.html", context, status=status)


def line(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Set a verdict; without scripts, go to the next line without one."""
    mine = access_review(request.user, pk)
    criterion = access_line(mine, line)
    verdict = request.POST.get("verdict", "")
    try:
        set_verdict(
            actor=request.user,
            round=latest_round(mine),
            criterion=criterion,
            verdict=verdict,
            aspect=request.POST.get("aspect", ""),
            comment=request.POST.get("comment", ""),
            suggestion=wording(request.POST),
        )
    except BadInput as refused:
        if wants_parts(request):
            return _parts(request, mine, criterion, errors=refused.fields, status=400)
        return show(
            request, mine, line=line, typed=request.POST.dict(), errors=refused.fields, status=400
        )
    except Conflict as refused:
        raise with_text(request, refused) from refused
    if wants_parts(request):
        return _parts(request, mine, criterion)
    page = review_page(mine)
    decided = page.line(criterion.pk)
    number = decided.n if decided else 0
    messages.success(
        request,
        _("Line %(n)s: change requested.") % {"n": number}
        if verdict == LineReview.Verdict.CHANGE
        else _("Line %(n)s approved.") % {"n": number},
        extra_tags="undo=" + reverse("review-line-undo", args=[mine.pk, criterion.pk]),
    )
    following = page.first_open(after=number)
    return redirect(address(mine, following.pk if following else criterion.pk))


def undo(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Remove a verdict while the round is open."""
    mine = access_review(request.user, pk)
    criterion = access_line(mine, line)
    clear_verdict(actor=request.user, round=latest_round(mine), criterion=criterion)
    if wants_parts(request):
        return _parts(request, mine, criterion)
    return go(
        request,
        _("The verdict is taken back. The line is open again."),
        address(mine, criterion.pk),
    )


def comment(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Add a remark without a verdict."""
    mine = access_review(request.user, pk)
    criterion = access_line(mine, line)
    try:
        comment_on_line(
            actor=request.user,
            task=Task(pk=mine.task_id),
            criterion=criterion,
            side=Comment.Side.REVIEWER,
            body=request.POST.get("comment", ""),
            round=latest_round(mine),
        )
    except BadInput as refused:
        if wants_parts(request):
            return _parts(request, mine, criterion, errors=refused.fields, status=400)
        return show(
            request, mine, line=line, typed=request.POST.dict(), errors=refused.fields, status=400
        )
    except Conflict as refused:
        raise with_text(request, refused) from refused
    if wants_parts(request):
        return _parts(request, mine, criterion)
    return redirect(address(mine, criterion.pk))


def finish(request: HttpRequest, pk: int) -> HttpResponse:
    """Finish the round, or go to the first line without a verdict."""
    mine = access_review(request.user, pk)
    current = latest_round(mine)
    try:
        finish_round(actor=request.user, round=current)
    except BadInput as refused:
        if refused.code != "lines_open":
            raise
        line = refused.data["lines"][0]
        url = reverse("review", args=[mine.pk])
        return redirect(f"{url}?line={line}&early=1#line-{line}")
    requested = current.lines.filter(verdict=LineReview.Verdict.CHANGE).count()
    stage = Task.objects.filter(pk=mine.task_id).values_list("stage", flat=True).get()
    if stage == Stage.DECIDING:
        said = _(
            "Round %(round)s was the last one and is finished. A senior of the domain settles the "
            "lines that are open; there is nothing more for you to do."
        ) % {"round": current.number}
    elif requested:
        said = ngettext(
            "Round %(round)s is finished. The author has your request on %(n)s line; we will "
            "tell you when the answer arrives.",
            "Round %(round)s is finished. The author has your requests on %(n)s lines; we will "
            "tell you when the answer arrives.",
            requested,
        ) % {"round": current.number, "n": requested}
    elif stage == Stage.IN_REVIEW:
        said = _("Round %(round)s is finished. The rubric is waiting for the other reviewer.") % {
            "round": current.number
        }
    else:
        said = _("Every line is approved. The rubric moves on; thank you.")
    return go(request, said, "reviews")

"""Staff's page of applications: the queue, and bulk decisions."""

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation.qualification import actions, staff_queries
from curation.qualification.forms import BulkForm, QueueFilter
from curation.web.forms import usable_values
from curation.web.step import refused_at, status_of

PER_PAGE = 50
_OUTCOME = "applications-decided"  # session key of the outcomes, for the page after a decision


def staff_applications(request: HttpRequest) -> HttpResponse:
    """Show all applications, those that wait for staff first; a POST decides the ticked ones."""
    form = BulkForm()
    ticked: set[int] = set()
    if request.method == "POST":
        form = BulkForm(request.POST)
        ticked = _ticked(request)
        if form.is_valid():
            with refused_at(form):
                done = actions.decide_each(
                    actor=request.user,
                    pks=sorted(ticked),
                    decision=request.POST.get("decision", ""),
                    reason_key=form.cleaned_data["reason"],
                    words=form.cleaned_data["words"],
                )
                request.session[_OUTCOME] = [asdict(row) for row in done]
                return redirect(request.get_full_path())
    return _page(request, form, ticked)


def _ticked(request: HttpRequest) -> set[int]:
    raw = request.POST.getlist("pk")
    return {int(pk) for pk in raw if pk.isascii() and pk.isdecimal() and len(pk) < 18}


def _page(request: HttpRequest, form: BulkForm, ticked: set[int]) -> HttpResponse:
    choice = QueueFilter(request.GET)
    wanted = usable_values(choice)
    page = Paginator(staff_queries.queue(wanted), PER_PAGE).get_page(request.GET.get("page"))
    outcome: list[dict[str, Any]] = request.session.pop(_OUTCOME, [])
    failed = [row for row in outcome if not row["done"]]
    if outcome and not failed:
        messages.success(
            request, _("Decided: %(n)s. Each applicant was told.") % {"n": len(outcome)}
        )
    rest = request.GET.copy()
    rest.pop("page", None)
    return render(
        request,
        "qualification/staff_applications.html",
        {
            "choice": choice,
            "form": form,
            "page": page,
            "query": f"{rest.urlencode()}&" if rest else "",
            "filtered": bool(set(wanted) - {"sort"}),
            "ticked": ticked,
            "failed": failed,
            "decided": len(outcome) - len(failed),
        },
        status=status_of(form),
    )

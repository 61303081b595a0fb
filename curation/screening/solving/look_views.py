"""Pages of second looks: for those who are asked, and for staff."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.web.forms import query_of, read_filter
from curation.base.web.step import go, refused_at, status_of
from curation.screening.solving.access import access_look
from curation.screening.solving.forms import CloseLookForm, LookFilter, SecondLookForm
from curation.screening.solving.models import SecondLook
from curation.screening.solving.second_looks import close_look, give_opinion
from curation.tasks.task.exact_queries import exact_page
from curation.tasks.task.fields import shown_parts

ON_A_PAGE = 50


def second_look(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the question with its answer and what models said; take one opinion."""
    look = access_look(request.user, pk)
    form = SecondLookForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        form.is_valid()
        with refused_at(form):
            give_opinion(
                actor=request.user,
                look=look,
                verdict=form.cleaned_data.get("verdict", ""),
                remarks=form.cleaned_data.get("remarks", ""),
            )
            return go(
                request,
                _("Noted. Staff read what everybody found, and then close the second look."),
                "second-look",
                look.pk,
            )
    mine = look.opinions.get(person=request.user.pk)
    return render(
        request,
        "screening/solving/second_look.html",
        {
            "look": look,
            "task": look.task,
            "parts": shown_parts(look.task),
            "exact": exact_page(look.task),
            "mine": mine,
            "form": form if look.open and not mine.verdict else None,
        },
        status=status_of(form),
    )


def staff_second_looks(request: HttpRequest) -> HttpResponse:
    """List the second looks, the newest first."""
    form = read_filter(LookFilter, request.GET)
    rows = SecondLook.objects.select_related("task__domain").annotate(
        asked=Count("opinions"), answered=Count("opinions", filter=~Q(opinions__verdict=""))
    )
    rows = rows.order_by("-pk")  # grouping drops the default order
    if form.cleaned_data["state"]:
        rows = rows.filter(state=form.cleaned_data["state"])
    return render(
        request,
        "screening/solving/second_looks.html",
        {
            "form": form,
            "page": Paginator(rows, ON_A_PAGE).get_page(form.cleaned_data["page"]),
            "query": query_of(request.GET.dict()),
        },
    )


def staff_second_look(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a second look with every opinion; staff close it here."""
    look = access_look(request.user, pk, "task.oversee")
    form = CloseLookForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        form.is_valid()
        with refused_at(form):
            close_look(
                actor=request.user,
                look=look,
                outcome=form.cleaned_data.get("outcome", ""),
                reason=form.cleaned_data.get("reason", ""),
            )
            return go(request, _("Closed."), "staff-second-look", look.pk)
    opinions: Any = look.opinions.select_related("person")
    return render(
        request,
        "screening/solving/staff_second_look.html",
        {
            "look": look,
            "task": look.task,
            "exact": exact_page(look.task),
            "opinions": opinions,
            "left": sum(not opinion.verdict for opinion in opinions),
            "form": form if look.open else None,
        },
        status=status_of(form),
    )

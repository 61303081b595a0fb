"""Pages of second looks: for those who are asked, and for staff; and their rows on Home."""

from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.process.waiting import Waiting
from curation.base.web.forms import PageForm, query_of, read_filter, reason_field
from curation.base.web.step import go, refused_at, status_of
from curation.screening.solving.models import SecondLook, SecondOpinion
from curation.screening.solving.queries import access_look
from curation.screening.solving.second_looks import close_look, give_opinion
from curation.screening.solving.views import VerdictForm
from curation.tasks.task.exact_queries import exact_page
from curation.tasks.task.fields import shown_parts
from curation.tasks.task.queries import domain_name

ON_A_PAGE = 50


class SecondLookForm(VerdictForm):
    """What one of those asked says at a second look."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["remarks"].help_text = _("How do you know, or where does a step fail?")


class CloseLookForm(forms.Form):
    """How a second look ends, by staff."""

    outcome = forms.ChoiceField(
        required=False,
        label=_("Outcome"),
        choices=SecondLook.Outcome.choices,
        widget=forms.RadioSelect,
    )
    reason = reason_field(help_text=_("The author and the solvers read it."))


class LookFilter(PageForm):
    """Narrow the list of second looks to open or closed ones."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("All")), *SecondLook.State.choices],
    )


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
                gettext("Noted. Staff read what everybody found, and then close the second look."),
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
            return go(request, gettext("Closed."), "staff-second-look", look.pk)
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


# --- on Home --------------------------------------------------------------------------------------
AT_MOST = 20  # on Home
_COLUMNS = ("task__title", "task__key", "task__domain__name", "task__domain__name_zh")


def waiting(user: Any) -> list[Waiting]:
    """Return second looks that a person has to answer, or that staff can close. Two queries."""
    found = []
    if user.qualified_domain_ids():
        asked = SecondOpinion.objects.filter(
            person=user, verdict="", look__state=SecondLook.State.OPEN
        ).order_by("pk")
        columns = ("look_id", *(f"look__{column}" for column in _COLUMNS))
        for row in asked.values(*columns)[:AT_MOST]:
            plain = {name.removeprefix("look__"): value for name, value in row.items()}
            found.append(
                _item(
                    plain,
                    gettext("Look at an exact answer again"),
                    reverse("second-look", args=[row["look_id"]]),
                    gettext("Open the second look"),
                    "screening",
                )
            )
    if user.has_duty("editing"):
        left = SecondOpinion.objects.filter(look=OuterRef("pk"), verdict="")
        ready = SecondLook.objects.filter(~Exists(left), state=SecondLook.State.OPEN).exclude(
            task__author=user
        )
        for row in ready.order_by("pk").values("pk", *_COLUMNS)[:AT_MOST]:
            found.append(
                _item(
                    row,
                    gettext("Close a second look"),
                    reverse("staff-second-look", args=[row["pk"]]),
                    gettext("Read the opinions"),
                    "staff-screening",
                )
            )
    return found


def _item(row: dict[str, Any], title: str, url: str, button: str, section: str) -> Waiting:
    return Waiting(
        due=None,
        title=title,
        detail=gettext("%(title)s · %(domain)s")
        % {
            "title": row["task__title"] or row["task__key"],
            "domain": domain_name(row, "task__domain__"),
        },
        url=url,
        button=button,
        blocks=True,
        section=section,
    )

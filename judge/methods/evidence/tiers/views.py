"""Staff's pages of the source tiers."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.web.forms import read_filter
from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from judge.methods.evidence.tiers.actions import set_tiers
from judge.methods.evidence.tiers.forms import AddressFilter, TiersForm
from judge.methods.evidence.tiers.queries import list_page, source, tiers_in_force


def staff_source_tiers(request: HttpRequest) -> HttpResponse:
    """Show the list in force with its history, and the tier of one address."""
    form = read_filter(AddressFilter, request.GET)
    address = form.cleaned_data["address"]
    return render(
        request,
        "source_tiers/tiers.html",
        {
            "p": list_page(),
            "form": form,
            "found": source(tiers_in_force().tier_of(address)) if address else None,
        },
    )


@once
def staff_source_tiers_edit(request: HttpRequest) -> HttpResponse:
    """Set the list."""
    form = TiersForm(request.POST if request.method == "POST" else None, page=list_page())
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            set_tiers(actor=request.user, **form.values())
            return go(
                request, _("Saved. Sources have these tiers from now on."), "staff-source-tiers"
            )
    return render(request, "source_tiers/edit.html", {"form": form}, status=status_of(form))

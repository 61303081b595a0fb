"""One step of a page: a form, an action, and then the way on or the refusal at the form.

    form = PriceForm(request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            set_price(actor=request.user, **form.values())
            return go(request, _("Stored."), "staff-prices")
    return render(request, "prices/prices.html", {"form": form}, status=status_of(form))

The action authorises the person (`curation/access/action.py`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from curation.web.forms import show_refusal
from curation.web.refusals import BadInput


@contextmanager
def refused_at(form: forms.BaseForm, *, names: Mapping[str, str] | None = None) -> Iterator[None]:
    """Show the refusal of an action at the form's fields and go on with the page.

    Args:
        names: the action's word for a field -> the form's, where they differ.
    """
    try:
        yield
    except BadInput as refusal:
        show_refusal(form, refusal, names=names)


def go(request: HttpRequest, said: Any, to: str, *args: Any) -> HttpResponse:
    """Go on to another page, which says what was done and what happens next.

    Args:
        to, args: as for `redirect`: a route with its arguments, or an address.
    """
    messages.success(request, said)
    return redirect(to, *args)


def status_of(form: forms.BaseForm) -> int:
    """400 for a page that shows what is wrong with its form."""
    return 400 if form.errors else 200

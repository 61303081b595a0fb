"""The pattern of views with a form: run an action, then redirect or show its refusal.

    form = PriceForm(request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            set_price(actor=request.user, **form.values())
            return go(request, _("Stored."), "staff-prices")
    return render(request, "asking/prices/prices.html", {"form": form}, status=status_of(form))

The action authorises the person (`curation/base/access/action.py`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from curation.base.web.forms import show_refusal
from curation.base.web.refusals import BadInput


@contextmanager
def refused_at(form: forms.BaseForm, *, names: Mapping[str, str] | None = None) -> Iterator[None]:
    """Add a BadInput raised inside to the errors of the form, and go on.

    Args:
        names: the action's name of a field -> the form's, where they differ.
    """
    try:
        yield
    except BadInput as refusal:
        show_refusal(form, refusal, names=names)


def go(request: HttpRequest, said: Any, to: str, *args: Any) -> HttpResponse:
    """Redirect to another page with a message on what was done.

    The message names the address of the form as well, so that the browser forgets what it kept of
    the form (static/js/lib/kept-forms.js).

    Args:
        said: the message.
        to, args: as for `redirect`: a route with its arguments, or an address.
    """
    messages.success(request, said, extra_tags=f"sent={request.path}")
    return redirect(to, *args)


def status_of(form: forms.BaseForm) -> int:
    """Return the status of a page with a form: 400 if the form has errors."""
    return 400 if form.errors else 200

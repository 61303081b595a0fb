"""A form that creates something creates it once, however often its button is pressed.

Each page that Django renders scrambles the token against forged requests (`csrfmiddlewaretoken`)
anew. So person, address and everything sent, the token included, name one press: they are equal for
a doubled click and for the same page sent again, and differ for the form on a page loaded again
and for one filled in differently. Programs send no such token, and are not concerned.

Where two people could add to the same row of things at once (the slots of an expert, the states of
a rule), the form also carries the number it was read with: `AsRead`.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.web.models import SentForm
from curation.web.refusals import Conflict

View = Callable[..., HttpResponse]
KEPT = timedelta(days=2)  # a page left open longer has lost its session


def once(view: View) -> View:
    """Carry out a sent form once; the same one again is led to what the first one made.

    The view runs in one transaction with the note that it ran. The database lets one such note
    in, and the others wait for it. A form that is refused leaves no note.

    Raises:
        Conflict: `sent_already`, where the first one led nowhere.
    """

    @wraps(view)
    def carried_out(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST" or "csrfmiddlewaretoken" not in request.POST:
            return view(request, *args, **kwargs)
        digest = _digest(request)
        user: Any = request.user
        with transaction.atomic():
            try:
                with transaction.atomic():
                    sent = SentForm.objects.create(user=user, digest=digest)
            except IntegrityError:
                return _as_the_first(request, digest)
            response = view(request, *args, **kwargs)
            if response.status_code >= 400:
                sent.delete()
            else:  # a page that says what it made names that address as its content's
                sent.result = response.get("Location") or response.get("Content-Location", "")
                sent.save(update_fields=["result"])
            return response

    return carried_out


def _digest(request: HttpRequest) -> str:
    fields = [[name, values] for name, values in sorted(request.POST.lists())]
    digest = hashlib.sha256(json.dumps([request.get_full_path(), fields]).encode())
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            digest.update(json.dumps([name, file.name, file.size]).encode())
            for chunk in file.chunks():
                digest.update(chunk)
            file.seek(0)
    return digest.hexdigest()


def _as_the_first(request: HttpRequest, digest: str) -> HttpResponse:
    user: Any = request.user
    result = SentForm.objects.values_list("result", flat=True).get(user=user, digest=digest)
    said = _("This form arrived twice. It was carried out once.")
    if not result:
        raise Conflict(said, code="sent_already")
    messages.info(request, said)
    return redirect(result)


class AsRead(forms.IntegerField):
    """What the page was read with, carried by the form: a step that came between is noticed.

    Raises Conflict for a page that carries none: it is older than this field.
    """

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(min_value=0, max_value=10**9)

    def clean(self, value: Any) -> int:
        try:
            return int(super().clean(value))
        except forms.ValidationError:
            raise Conflict(
                _("This page is out of date. Load it again and repeat the step."),
                code="changed_meanwhile",
            ) from None


def forget_sent_forms() -> int:
    """A chore: forget the forms whose pages nobody has open any more."""
    gone, _kinds = SentForm.objects.filter(at__lt=timezone.now() - KEPT).delete()
    return gone

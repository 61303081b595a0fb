"""Idempotent forms: a form that creates something creates it once, even if sent again.

Django masks the CSRF token (`csrfmiddlewaretoken`) differently in each page it renders. So person,
address and everything sent, token included, identify one form on one page: they are equal for a
double click and a repeated request, and differ for a page loaded again or filled in differently.
Programs send no such token and are not affected.

Where two people could add to the same series (the slots of an expert, the states of a rule), the
form also has the version it was read with: `ReadVersionField`.
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

from curation.base.web.models import SentForm
from curation.base.web.refusals import Conflict

View = Callable[..., HttpResponse]
KEPT = timedelta(days=2)  # how long sent forms are remembered


def once(view: View) -> View:
    """Decorate a view so that the same form runs once and is redirected afterwards.

    The view runs in one transaction with a unique `SentForm` row, so that a parallel request waits
    for the first. A refused form leaves no row.

    Raises:
        Conflict: `sent_already`, where the first response had no address to redirect to.
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
                return _redirect_to_first_result(request, digest)
            response = view(request, *args, **kwargs)
            if response.status_code >= 400:
                sent.delete()
            else:  # a rendered page can name the address of its result in Content-Location
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


def _redirect_to_first_result(request: HttpRequest, digest: str) -> HttpResponse:
    user: Any = request.user
    result = SentForm.objects.values_list("result", flat=True).get(user=user, digest=digest)
    said = _("This form arrived twice. It was carried out once.")
    if not result:
        raise Conflict(said, code="sent_already")
    messages.info(request, said)
    return redirect(result)


class ReadVersionField(forms.IntegerField):
    """A hidden field with the version that the page was read with, to detect changes since.

    `clean` raises Conflict if it is missing: the page was loaded before the field existed.
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
    """Delete the rows of forms sent long ago; return how many (a periodic job)."""
    gone, _kinds = SentForm.objects.filter(at__lt=timezone.now() - KEPT).delete()
    return gone

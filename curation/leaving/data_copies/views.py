"""Pages on which people download a copy of their data, and staff take one for somebody."""

from typing import IO, Any

from allauth.account.decorators import reauthentication_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from curation.base.web.forms import ReasonForm
from curation.base.web.once import once
from curation.base.web.step import refused_at, status_of
from curation.joining.people.access import access_person
from curation.joining.people.models import User
from curation.leaving.data_copies import actions


def your_data(request: HttpRequest) -> HttpResponse:
    """Say what a person's copy holds, and where to close the account."""
    return render(request, "leaving/data_copies/your_data.html")


@reauthentication_required
def copy_own(request: HttpRequest) -> FileResponse:
    """Download a copy of one's own data."""
    person: Any = request.user
    return _file(actions.copy_own_data(actor=person), person)


@once
def staff_copy(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a copy of a person's data, with a reason."""
    person = access_person(pk)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        with refused_at(form):
            archive = actions.copy_data(
                actor=request.user, person=person, reason=form.cleaned_data["reason"]
            )
            answer: Any = _file(archive, person)
            # Where a repeated press is redirected.
            answer["Content-Location"] = reverse("staff-closing", args=[person.pk])
            return answer
    context = {"person": person, "form": form}
    return render(request, "leaving/data_copies/copy.html", context, status=status_of(form))


def _file(archive: IO[bytes], person: User) -> FileResponse:
    answer = FileResponse(
        archive, as_attachment=True, filename=f"assay-data-{person.pk}.zip",
        content_type="application/zip",
    )  # fmt: skip
    answer["Cache-Control"] = "no-store"
    return answer

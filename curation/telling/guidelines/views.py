"""Pages of guidelines: the list, one with its versions, and staff's draft."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.forms import parse_int
from curation.base.web.once import ReadVersionField, once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.telling.guidelines import actions, queries
from curation.telling.guidelines.actions import CHANGE_LIMIT, TEXT_LIMIT
from curation.telling.guidelines.queries import access_guideline, guideline_named


class GuidelineForm(forms.Form):
    """The text, and what changed in it; the actions check both."""

    version = ReadVersionField()
    text = forms.CharField(
        label=gettext_lazy("Text"),
        error_messages={"required": gettext_lazy("Write the guideline first.")},
        help_text=gettext_lazy("In Markdown. Each heading is a rule that people can ask about."),
        widget=forms.Textarea(attrs={"rows": 24, "maxlength": TEXT_LIMIT}),
    )
    what_changed = forms.CharField(
        required=False,
        label=gettext_lazy("What changed"),
        help_text=gettext_lazy(
            "Needed to publish. Everybody who works by the guideline is told these words."
        ),
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": CHANGE_LIMIT}),
    )


def guidelines(request: HttpRequest) -> HttpResponse:
    """List the guidelines a person works by."""
    return render(
        request, "telling/guidelines/list.html", {"entries": queries.entries_for(request.user)}
    )


def guideline(request: HttpRequest, key: str) -> HttpResponse:
    """Show the version in force, and what changed since the reader's last one."""
    found = access_guideline(request.user, key)
    versions = queries.versions_of(found)
    read = queries.read_version(found, request.user)
    return render(
        request,
        "telling/guidelines/guideline.html",
        {
            "guideline": found,
            "version": versions[0],
            "versions": versions,
            "read": read,
            "changes": queries.differences(versions, read, found.current)
            if read < found.current
            else None,
        },
    )


def guideline_version(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Show a version, and how it differs from the one before."""
    found = access_guideline(request.user, key)
    versions = queries.versions_of(found)
    version = next((one for one in versions if one.number == number), None)
    if version is None:
        raise NotFound()
    return render(
        request,
        "telling/guidelines/version.html",
        {
            "guideline": found,
            "version": version,
            "versions": versions,
            "changes": queries.differences(versions, number - 1, number),
        },
    )


def guideline_read(request: HttpRequest, key: str) -> HttpResponse:
    """Note that the person has read a version."""
    found = access_guideline(request.user, key)
    number = parse_int(request.POST.get("number")) or 0
    actions.note_reading(actor=request.user, guideline=found, number=number)
    return go(request, _("Noted. You are told when the guideline changes."), "guideline", key)


@once
def staff_guideline(request: HttpRequest, key: str) -> HttpResponse:
    """Write the draft of a guideline; save it, or publish it as the next version."""
    found = guideline_named(key)
    form = GuidelineForm(
        request.POST or None, initial={"text": found.draft, "version": found.draft_version}
    )
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            given = form.cleaned_data
            if "publish" in request.POST:
                made = actions.publish_guideline(actor=request.user, guideline=found, **given)
                said = _("Version %(n)s is in force. Everybody who works by it is told.")
                return go(request, said % {"n": made.number}, "staff-guideline", key)
            actions.save_guideline(
                actor=request.user, guideline=found, version=given["version"], text=given["text"]
            )
            return go(request, _("The draft is saved. Readers do not see it yet."),
                      "staff-guideline", key)  # fmt: skip
    versions = queries.versions_of(found) if found.pk else []
    done, everybody = queries.readers_in_numbers(found)
    return render(
        request,
        "telling/guidelines/staff.html",
        {
            "guideline": found,
            "form": form,
            "versions": versions,
            "done": done,
            "everybody": everybody,
            "pending": bool(found.draft) and (not versions or versions[0].text != found.draft),
        },
        status=status_of(form),
    )

"""The page of all settings, their history, and the test e-mail."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from curation.base.web.refusals import NotFound
from curation.staff.programme_settings import queries
from curation.staff.programme_settings.declared import GROUPS
from curation.staff.programme_settings.mail_test import in_words, send_test_mail


def settings_page(request: HttpRequest) -> HttpResponse:
    """Show every setting with its value, who changed it last, and where it is changed."""
    return render(request, "staff/programme_settings/settings.html", {"groups": queries.by_group()})


def settings_history(request: HttpRequest) -> HttpResponse:
    """Show the changes of all settings, or of one group."""
    group = request.GET.get("group", "")
    if group and group not in GROUPS:
        raise NotFound()
    context = {"changes": queries.changes(group), "groups": GROUPS.items(), "group": group}
    return render(request, "staff/programme_settings/history.html", context)


def settings_mail_test(request: HttpRequest) -> HttpResponse:
    """Send a test e-mail to whoever presses the button.

    Not `once`: its transaction would stay open while the mail server answers.
    """
    test = send_test_mail(actor=request.user)
    say = messages.success if test.accepted else messages.warning
    say(request, in_words(test))
    return redirect("settings")

"""The page of all settings, their history, and the test e-mail."""

import smtplib
from collections.abc import Sequence
from heapq import nlargest
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.refusals import NotFound
from curation.staff.programme_settings.declared import GROUPS, Setting, SettingChanged, sources
from curation.staff.programme_settings.models import MailTest

LONGEST_ANSWER = 300  # characters kept of what the server said


@action("staff.administration")
def send_test_mail(*, actor: Any) -> MailTest:
    """Send an e-mail to the actor now, and record what the mail server answered.

    It waits for the server, at most `EMAIL_TIMEOUT` seconds; no transaction is open meanwhile.

    The address of the page is throttled: five in an hour (`ACCOUNT_RATE_LIMITS`).
    """
    accepted, answer = _send(actor.email)
    return MailTest.objects.create(
        actor=actor, accepted=accepted, answer=answer[:LONGEST_ANSWER].strip()
    )


def _send(address: str) -> tuple[bool, str]:
    """Return whether the mail server accepted the e-mail, and its answer where it refused."""
    try:
        send_mail(
            _("Assay: test e-mail"),
            _("This e-mail was sent from the page of settings. The mail server works."),
            settings.DEFAULT_FROM_EMAIL,
            [address],
        )
    except smtplib.SMTPRecipientsRefused as refused:
        code, words = next(iter(refused.recipients.values()), (0, b""))
        return False, f"{code} {_text(words)}"
    except smtplib.SMTPResponseException as refused:
        return False, f"{refused.smtp_code} {_text(refused.smtp_error)}"
    except (smtplib.SMTPException, OSError) as failed:
        return False, str(failed) or type(failed).__name__
    return True, ""


def _text(words: Any) -> str:
    found = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
    return " ".join(found.split())


def in_words(test: MailTest) -> str:
    """Say in one sentence what came of a test e-mail."""
    if not settings.MAIL_SERVER:
        return _(
            "No mail server is set (EMAIL_URL), so the e-mail was printed by the process that "
            "sent it."
        )
    if test.accepted:
        return _("The mail server accepted the e-mail. Look for it in your inbox.")
    return _("The mail server did not accept the e-mail. It said: %(answer)s") % {
        "answer": test.answer
    }


MOST_CHANGES = 200


def by_group() -> list[tuple[str, Any, Sequence[Setting]]]:
    """Return (key, title, settings) of each group."""
    return [
        (
            key,
            title,
            [row for source in sources() if source.group == key for row in source.settings()],
        )
        for key, title in GROUPS.items()
    ]


def changes(group: str = "") -> list[SettingChanged]:
    """Return the latest changes of all settings, or of a group, newest first."""
    rows = (
        row
        for source in sources()
        if not group or source.group == group
        for row in source.changes()
    )
    return nlargest(MOST_CHANGES, rows, key=lambda row: row.at)


def settings_page(request: HttpRequest) -> HttpResponse:
    """Show every setting with its value, who changed it last, and where it is changed."""
    return render(request, "staff/programme_settings/settings.html", {"groups": by_group()})


def settings_history(request: HttpRequest) -> HttpResponse:
    """Show the changes of all settings, or of one group."""
    group = request.GET.get("group", "")
    if group and group not in GROUPS:
        raise NotFound()
    context = {"changes": changes(group), "groups": GROUPS.items(), "group": group}
    return render(request, "staff/programme_settings/history.html", context)


def settings_mail_test(request: HttpRequest) -> HttpResponse:
    """Send a test e-mail to whoever presses the button.

    Not `once`: its transaction would stay open while the mail server answers.
    """
    test = send_test_mail(actor=request.user)
    say = messages.success if test.accepted else messages.warning
    say(request, in_words(test))
    return redirect("settings")

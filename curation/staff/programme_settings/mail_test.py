"""Send a test e-mail to oneself, and put the mail server's answer into a sentence."""

import smtplib
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.utils.translation import gettext as _

from curation.base.access.action import action
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

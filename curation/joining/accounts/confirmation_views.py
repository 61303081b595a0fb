"""Pages after signing up: the link is on its way, and the confirmation of the address."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.views import ConfirmEmailView
from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from curation.base.web.refusals import BadInput
from curation.joining.accounts import confirmation
from curation.joining.accounts.actions import drop_unconfirmed
from curation.joining.accounts.confirmation import PendingConfirmation


@never_cache
def verification_sent(request: HttpRequest) -> HttpResponse:
    """Show which address must be confirmed; send the link again, or start over with another."""
    pending = confirmation.pending_confirmation(request)
    if request.method == "POST":
        step = request.POST.get("step", "")
        if pending is None:
            return redirect("account_login")
        if step == "again":
            _send_again(request, pending)
            return redirect("account_email_verification_sent")
        if step == "wrong" and pending.again:
            return _start_over(request, pending)
        raise BadInput(_("Choose one of the steps shown."))
    confirmed = pending is not None and confirmation.is_confirmed(pending)
    return render(
        request,
        "account/verification_sent.html",
        {
            "pending": pending,
            "confirmed": confirmed,
            "printed": settings.EMAIL_BACKEND.endswith("console.EmailBackend"),
        },
    )


def _send_again(request: HttpRequest, pending: PendingConfirmation) -> None:
    """Send the link again.

    An address that had an account before gets a different e-mail, as after signing up; the page
    shows the same message, so that it does not reveal the account.
    """
    if not ratelimit.consume(request, action="confirm_email", key=pending.email):
        messages.warning(
            request,
            _(
                "Several links went to %(email)s in a short while. Look at your spam folder; in a "
                "few minutes you can send another one."
            )
            % {"email": pending.email},
        )
        return
    if pending.user is None:
        get_adapter(request).send_account_already_exists_mail(pending.email)
    else:
        address = EmailAddress.objects.filter(
            user_id=pending.user, email=pending.email, verified=False
        ).first()
        if address is not None:
            address.send_confirmation(request, signup=True)
    if getattr(request, "mail_failed", False):
        return
    messages.success(request, _("Sent again to %(email)s.") % {"email": pending.email})


def _start_over(request: HttpRequest, pending: PendingConfirmation) -> HttpResponse:
    if pending.user is not None:
        drop_unconfirmed(user_id=pending.user)
    request.session.flush()  # the session also holds the library's unfinished sign-in
    return redirect(pending.again)


class ConfirmEmail(ConfirmEmailView):
    """The library's page, which also recognises a link that was used already."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().post(*args, **kwargs)
        except Http404:  # used, too old or not ours
            self.object = None
            answer = self.render_to_response(self.get_context_data())
            if not self._used():
                answer.status_code = 404
            return answer

    def _used(self) -> bool:
        return confirmation.was_confirmed(self.request.GET.get("of", ""))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        used = self.object is None and self._used()
        return super().get_context_data(**kwargs) | {"used": used}


confirm_email = never_cache(ConfirmEmail.as_view())

"""After signing up: "Look at your e-mail", and the link that confirms the address."""

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

from curation.accounts import confirmation
from curation.accounts.actions import drop_unconfirmed
from curation.accounts.confirmation import Awaited
from curation.web.refusals import BadInput


@never_cache
def verification_sent(request: HttpRequest) -> HttpResponse:
    """Name the address that waits; send the link again, or start over with another address."""
    waits = confirmation.awaited(request)
    if request.method == "POST":
        step = request.POST.get("step", "")
        if waits is None:
            return redirect("account_login")
        if step == "again":
            _send_again(request, waits)
            return redirect("account_email_verification_sent")
        if step == "wrong" and waits.again:
            return _start_over(request, waits)
        raise BadInput(_("Choose one of the steps shown."))
    confirmed = waits is not None and confirmation.is_confirmed(waits)
    return render(
        request,
        "account/verification_sent.html",
        {
            "waits": waits,
            "confirmed": confirmed,
            "printed": settings.EMAIL_BACKEND.endswith("console.EmailBackend"),
        },
    )


def _send_again(request: HttpRequest, waits: Awaited) -> None:
    """Send the link once more. An address that had an account before gets its own e-mail, as it
    did after signing up, and the page says the same."""
    if not ratelimit.consume(request, action="confirm_email", key=waits.email):
        messages.warning(
            request,
            _(
                "Several links went to %(email)s in a short while. Look at your spam folder; in a "
                "few minutes you can send another one."
            )
            % {"email": waits.email},
        )
        return
    if waits.user is None:
        get_adapter(request).send_account_already_exists_mail(waits.email)
    else:
        address = EmailAddress.objects.filter(
            user_id=waits.user, email=waits.email, verified=False
        ).first()
        if address is not None:
            address.send_confirmation(request, signup=True)
    if getattr(request, "mail_failed", False):
        return
    messages.success(request, _("Sent again to %(email)s.") % {"email": waits.email})


def _start_over(request: HttpRequest, waits: Awaited) -> HttpResponse:
    if waits.user is not None:
        drop_unconfirmed(user_id=waits.user)
    request.session.flush()  # it also holds the library's half-finished sign-in
    return redirect(waits.again)


class ConfirmEmail(ConfirmEmailView):
    """The library's page, which also knows a link that has done its work."""

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

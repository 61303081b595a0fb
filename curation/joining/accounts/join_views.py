"""Signing up, openly or by an invitation."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.views import SignupView
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from curation.base.web.refusals import Gone, NotFound
from curation.joining.accounts.forms import JoinForm
from curation.joining.invitations.links import read_link, refuse_unless_open
from curation.joining.invitations.models import Invitation
from curation.joining.invitations.views import closed_page


class SignUp(SignupView):
    """Opens an account. A repeated press leads to the same page as the first."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            with transaction.atomic():
                return super().form_valid(form)
        except IntegrityError:  # a parallel request created the account
            return get_adapter().respond_email_verification_sent(self.request, None)


class Join(SignUp):
    """Opens an account by an invitation. The library throttles it like every sign-up."""

    form_class = JoinForm
    template_name = "account/join.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            self.link = read_link(kwargs["token"])
            refuse_unless_open(self.link.invitation)
        except (Gone, NotFound) as refusal:
            return closed_page(request, refusal)
        if request.user.is_authenticated:
            return render(request, "account/join_signed_in.html")
        return super().dispatch(request, *args, **kwargs)

    def is_open(self) -> bool:
        return True  # the invitation is the permission

    def get_form_class(self) -> type[JoinForm]:
        return self.form_class

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"link": self.link}

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return super().form_valid(form)
        except Gone as refusal:  # a parallel request used the invitation up
            return closed_page(self.request, refusal)

    def get_success_url(self) -> str:
        return reverse("apply")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        invitation = self.link.invitation
        return super().get_context_data(**kwargs) | {
            "invitation": invitation,
            "confirmed": self.link.mailed and invitation.kind == Invitation.Kind.PERSON,
        }


sign_up = SignUp.as_view()
join = Join.as_view()

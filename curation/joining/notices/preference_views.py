"""The page of a person's preferences."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _

from curation.base.web.step import status_of
from curation.joining.notices.forms import PreferencesForm
from curation.joining.notices.preferences import save_preferences


def preferences(request: HttpRequest) -> HttpResponse:
    """Show and save a person's language, shortcuts and e-mails."""
    form = PreferencesForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        save_preferences(actor=request.user, **form.cleaned_data)
        with translation.override(form.cleaned_data["language"]):
            messages.success(request, _("Saved."))
        answer = redirect("preferences")
        if settings.LANGUAGE_COOKIE_NAME in request.COOKIES:
            # Delete the cookie of the language menu: it would override the newer choice made here.
            answer.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
        return answer
    return render(request, "preferences.html", {"form": form}, status=status_of(form))

"""Pages of notices: the list, opening one, marking them read, stopping e-mails."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.csrf import csrf_exempt

from curation.base.access.action import action
from curation.base.web.forms import query_of, read_filter
from curation.base.web.step import status_of
from curation.joining.notices import actions, queries
from curation.joining.notices.actions import set_notice_mode
from curation.joining.notices.notify import Topic
from curation.joining.people import NoticeMode, User


@action("signed_in")
@transaction.atomic
def save_preferences(
    *, actor: Any, language: str, single_keys: bool, notice_mode: str = ""
) -> None:
    """Save the language, whether single keys are shortcuts, and how notices are mailed.

    Args:
        notice_mode: a `NoticeMode`; "" leaves it unchanged.
    """
    User.objects.filter(pk=actor.pk).update(language=language, single_keys=single_keys)
    if notice_mode:
        set_notice_mode(actor=actor, mode=notice_mode)


class NoticeFilter(forms.Form):
    """The parameters of the list; any other is refused."""

    show = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Show"),
        choices=[("", gettext_lazy("All, unread first")), ("unread", gettext_lazy("Only unread"))],
    )
    topic = forms.ChoiceField(
        required=False,
        label=gettext_lazy("About"),
        choices=[("", gettext_lazy("Everything")), *Topic.choices],
    )
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class PreferencesForm(forms.ModelForm):
    """A person's language, e-mails and keyboard shortcuts."""

    class Meta:
        model = User
        fields = ("language", "notice_mode", "single_keys")
        labels = {
            "language": gettext_lazy("Language of the workbench"),
            "notice_mode": gettext_lazy("Notices by e-mail"),
            "single_keys": gettext_lazy(
                "Single-key shortcuts work while no text box has the focus"
            ),
        }
        help_texts = {
            "notice_mode": gettext_lazy(
                "Whatever you choose, every notice is listed under Notices."
            ),
            "single_keys": gettext_lazy(
                "A to approve, R to request a change, J and K for lines. ? lists all."
            ),
        }
        widgets = {"language": forms.RadioSelect, "notice_mode": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.is_bound and "notice_mode" not in self.data:
            del self.fields["notice_mode"]  # keep the stored mode


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


PER_PAGE = 50


def notices(request: HttpRequest) -> HttpResponse:
    """List a person's notices by day, unread ones first."""
    form = read_filter(NoticeFilter, request.GET)
    wanted = form.cleaned_data
    rows = queries.notices_of(
        request.user, unread=wanted["show"] == "unread", topic=wanted["topic"]
    )
    page = Paginator(rows, PER_PAGE).get_page(wanted["page"] or 1)
    return render(
        request,
        "joining/notices/list.html",
        {
            "form": form,
            "page": page,
            "days": queries.by_day(page.object_list),
            "newest": queries.newest_unread(request.user),
            "query": query_of(wanted),
            "narrowed": bool(wanted["show"] or wanted["topic"]),
            "mode": NoticeMode(request.user.notice_mode).label,  # type: ignore[union-attr]
        },
    )


def notice_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a notice read and redirect to its page."""
    notice = queries.access_notice(request.user, pk)
    actions.mark_read(actor=request.user, notice=notice)
    return redirect(notice.url)


def notice_read(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a notice read and return to the list."""
    notice = queries.access_notice(request.user, pk)
    actions.mark_read(actor=request.user, notice=notice)
    return redirect("notices")


def notices_read(request: HttpRequest) -> HttpResponse:
    """Mark all notices read that the page showed or listed before."""
    typed = request.POST.get("upto", "")
    upto = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 19 else 0
    n = actions.mark_all_read(actor=request.user, upto=upto)
    if n:
        said = ngettext("%(n)s notice is marked read.", "%(n)s notices are marked read.", n)
        messages.success(request, said % {"n": n})
    return redirect("notices")


@csrf_exempt  # mail programs send the POST (one-click unsubscribe); the signed link authorises it
def notices_stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop a person's e-mails by the link in one of them: GET shows a button, POST acts."""
    person = queries.person_of_unsubscribe_token(token)
    if request.method == "POST":
        actions.set_notice_mode(actor=person, mode=NoticeMode.NEVER)
    person.refresh_from_db(fields=["notice_mode"])
    return render(
        request, "joining/notices/stop.html", {"stopped": person.notice_mode == NoticeMode.NEVER}
    )

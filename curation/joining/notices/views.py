"""Pages of notices: the list, opening one, marking them read, stopping e-mails."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt

from curation.base.web.forms import query_of, read_filter
from curation.joining.notices import actions, queries
from curation.joining.notices.forms import NoticeFilter
from curation.joining.people.models import NoticeMode

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

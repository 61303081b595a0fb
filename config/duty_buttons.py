"""Turn off what a member of staff cannot send for want of a duty, on every page at once.

The table of permissions knows which duty each address asks for, so no template repeats it.
"""

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.html import escape

from curation.base.access.duties import Duty, sentence_on_missing
from curation.base.access.permissions import duty_missing, permission_of

_FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
_POST = re.compile(r"""\bmethod=["']?post\b""", re.IGNORECASE)
_ACTION = re.compile(r'\baction="([^"]*)"')
_CONTROL = re.compile(r"<(button|textarea|select|input)\b(?![^>]*\btype=\"hidden\")")
_ID = re.compile(r'\bid="([^"]*)"')
_OUTSIDE = re.compile(r'<button\b(?=[^>]*\bform="([^"]*)")')  # a button beside its form
_MAIN = re.compile(r'<div id="notes">')


class DutyButtons:
    """Disables the controls of forms whose step needs a duty that the reader does not have.

    A note at the top of the page says which duty, and who has it. Only pages of staff who lack a
    duty are read; everybody else's responses pass untouched.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user: Any = request.user
        if not user.is_authenticated or not user.is_staff or len(user.duties) == len(Duty):
            return response
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        page = response.content.decode(response.charset)
        changed = turn_off(page, request.get_full_path(), user)
        if changed != page:
            response.content = changed.encode(response.charset)
            if response.has_header("Content-Length"):
                response["Content-Length"] = str(len(response.content))
        return response


def turn_off(page: str, address: str, user: Any) -> str:
    """Return a page with the forms turned off that lack a duty of this person, and a note on it.

    Args:
        address: of the page, for forms that are sent to it.
    """
    sentences: dict[str, str] = {}
    forms: dict[str, str] = {}  # id of a form that is off -> why

    def form(match: re.Match[str]) -> str:
        attributes, inside = match.groups()
        if not _POST.search(attributes):
            return match[0]
        action = _ACTION.search(attributes)
        duty = _missing(user, urljoin(address, unescape(action[1])) if action else address)
        if not duty:
            return match[0]
        if duty not in sentences:
            sentences[duty] = sentence_on_missing(duty)
        why = escape(sentences[duty])
        if named := _ID.search(attributes):
            forms[named[1]] = why
        off = _CONTROL.sub(lambda control: f'<{control[1]} disabled title="{why}"', inside)
        return f"<form{attributes}>{off}</form>"

    def beside(match: re.Match[str]) -> str:
        why = forms.get(match[1])
        return f'<button disabled title="{why}"' if why else match[0]

    changed = _OUTSIDE.sub(beside, _FORM.sub(form, page))
    if not sentences:
        return page
    note = render_to_string("components/duty_note.html", {"sentences": sentences.values()})
    return _MAIN.sub(lambda match: f"{match[0]}{note}", changed, count=1)


def _missing(user: Any, address: str) -> str:
    """Return the duty that sending to an address needs and the person lacks; "" for none."""
    try:
        match = resolve(urlsplit(address).path)
    except Resolver404:
        return ""
    permission = permission_of(match.view_name, "POST")
    return duty_missing(user, permission) if permission else ""

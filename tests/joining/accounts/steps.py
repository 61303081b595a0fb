"""What staff and those who come by a link do, as their browsers send it."""

from collections.abc import Callable
from typing import Any

from django.test import Client

from curation.joining.invitations.actions import invite_vendor
from curation.joining.invitations.models import Invitation
from curation.joining.people import User
from tests.joining.accounts.conftest import NEW_PASSWORD

SignIn = Callable[[User], Client]
WORDS = {"display_name": "Noor Expert", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}


def invite(browser: Client, **changes: Any) -> Any:
    data = {"email": "New.Expert@Example.test", "name": "Noor Expert", "language": "en", "days": 14}
    return browser.post("/staff/people/invite/", data | changes)


def vendor_link(staff: User, **changes: Any) -> Invitation:
    return invite_vendor(**{"actor": staff, "vendor": "Kestrel Staffing", "max_uses": 3, **changes})


def join(link: str, **changes: Any) -> Any:
    return Client().post(link, WORDS | {"email": "ana@example.test"} | changes)

"""Doors to accounts, as people use them."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.totp.internal import auth
from django.core import mail
from django.test import Client

from curation.joining.people import User
from tests.conftest import PASSWORD

NEW_PASSWORD = "four quiet herons wade"  # noqa: S105


@pytest.fixture
def sign_in_by_form() -> Callable[..., Client]:
    """Sign in on the sign-in page, where the door itself is what is tried."""

    def go(
        user: User, password: str = PASSWORD, client: Client | None = None, **extra: Any
    ) -> Client:
        client = client or Client(**extra)
        client.post("/account/login/", {"login": user.email, "password": password})
        return client

    return go


def mailed_link() -> str:
    """The path of the link in the newest e-mail."""
    found = re.search(r"http://testserver(/\S+)", mail.outbox[-1].body)
    assert found, mail.outbox[-1].body
    return found.group(1)


def code_of(secret: str, *, steps: int = 0) -> str:
    """What a code app shows now, or some steps of half a minute later."""
    counter = int(time.time()) // 30 + steps
    return auth.format_hotp_value(auth.hotp_value(secret, counter))


def set_up_codes(client: Client) -> str:
    """Set up a code app in the browser; its secret."""
    page = client.get("/account/second-factor/totp/activate/", follow=True)
    if "/reauthenticate/" in page.request["PATH_INFO"]:
        page = client.post(page.request["PATH_INFO"], {"password": PASSWORD}, follow=True)
        page = client.get("/account/second-factor/totp/activate/")
    secret: str = page.context["form"].secret
    done = client.post("/account/second-factor/totp/activate/", {"code": code_of(secret)})
    assert done.status_code == 302, done.content.decode()
    return secret

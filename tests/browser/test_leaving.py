"""Leaving in a browser: take one's data along, close the account, and try to come back."""

import json
import zipfile
from typing import Any

import pytest

from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)


def test_somebody_takes_their_data_along_and_closes_the_account(desk: Any, author: Any) -> None:
    window = desk(author.email)
    page = window.page
    window.open("/preferences/")
    page.get_by_role("link", name="Your data, and closing the account").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as a ZIP archive").click()
        if page.get_by_label("Password").count():
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_label("Password").press("Enter")
    with zipfile.ZipFile(download.value.path()) as archive:
        assert json.loads(archive.read("data.json"))["account"][0]["email"] == author.email
    window.open("/account/data/")
    page.get_by_role("link", name="Close your account …").click()
    page.get_by_label("Anything we should know").fill("I retire at the end of the month.")
    page.get_by_role("button", name="Close my account …").click()
    page.get_by_role("dialog").get_by_role("button", name="Close my account").click()
    window.reads("Your account is closed. Thank you for your work.")
    page.get_by_label("E-mail address").fill(author.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    window.reads("This account is closed")

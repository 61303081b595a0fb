"""Tokens for the API: made once shown, stored hashed, and ended by whatever ends the sessions."""

import re
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from curation.base.process.lifecycle import ApplicationStage
from curation.joining.accounts.adapter import end_sessions
from curation.joining.accounts.api_tokens import MOST_TOKENS, ApiToken, make_token
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.experts.suspension import suspend_expert
from tests.conftest import PASSWORD, make_staff
from tests.joining.accounts.conftest import NEW_PASSWORD, mailed_link
from tests.markup import one_line

pytestmark = pytest.mark.django_db
NEW = "/account/tokens/new/"
LIST = "/account/tokens/"


def ask(key: str) -> Any:
    return Client(headers={"Authorization": f"Token {key}"}).get("/api/v1/tasks/")


def key_of(user: User) -> str:
    return make_token(actor=user, name="nightly export")[1]


def in_days(number: int) -> str:
    return f"{timezone.localdate() + timedelta(days=number):%Y-%m-%d}"


@pytest.fixture
def browser(author: User, sign_in_by_form: Callable[..., Client]) -> Client:
    """The author, who has just typed the password once more."""
    browser = sign_in_by_form(author)
    browser.post("/account/reauthenticate/", {"password": PASSWORD})
    return browser


def test_a_token_is_made_shown_once_and_opens_the_api(browser: Client, author: User) -> None:
    form = browser.get(NEW).content.decode()
    assert f'value="{in_days(90)}"' in form
    made = browser.post(NEW, {"name": "nightly export", "until": in_days(30)})
    assert (made.status_code, made["Cache-Control"]) == (200, "no-store, private")
    found = re.search(r'id="key"[^>]* value="([\w-]{40,})"', one_line(made.content.decode()))
    assert found
    key = found.group(1)
    assert ask(key).status_code == 200
    token = ApiToken.objects.get()
    assert (token.user, token.name, token.state) == (author, "nightly export", "open")
    assert token.last_used_at is not None
    page = browser.get(LIST).content.decode()
    assert "nightly export" in page
    assert key not in page
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM curation_apitoken")
        assert key not in str(cursor.fetchall())


def test_making_one_asks_for_the_password_once_more(
    author: User, sign_in: Callable[[User], Client]
) -> None:
    browser = sign_in(author)
    for answer in (
        browser.get(NEW),
        browser.post(NEW, {"name": "x", "until": in_days(3)}),
    ):
        assert answer.status_code == 302
        assert answer.url.startswith("/account/reauthenticate/")
    assert browser.get(LIST).status_code == 200
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": ""}, "Please fill this in."),
        ({"name": "a" * 61}, "at most 60"),
        ({"until": ""}, "Please fill this in."),
        ({"until": "soon"}, "valid date"),
    ],
)
def test_a_name_and_a_day_are_needed(browser: Client, fields: dict[str, str], said: str) -> None:
    answer = browser.post(NEW, {"name": "nightly", "until": in_days(9)} | fields)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(("days", "said"), [(0, "from tomorrow on"), (366, "at most 365 days")])
def test_the_day_lies_within_a_year(browser: Client, days: int, said: str) -> None:
    answer = browser.post(NEW, {"name": "nightly", "until": in_days(days)})
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_twenty_work_at_the_same_time_and_no_more(browser: Client, author: User) -> None:
    tokens = [make_token(actor=author, name=f"t{n}")[0] for n in range(MOST_TOKENS)]
    more = {"name": "one more", "until": in_days(9)}
    assert browser.post(NEW, more).status_code == 409
    browser.post(f"{LIST}{tokens[0].pk}/end/")
    assert browser.post(NEW, more).status_code == 200


def test_its_person_ends_it_and_nobody_else_finds_it(
    browser: Client, author: User, peer: User, sign_in: Callable[[User], Client]
) -> None:
    token, key = make_token(actor=author, name="nightly export")
    address = f"{LIST}{token.pk}/end/"
    assert sign_in(peer).post(address).status_code == 404
    assert ask(key).status_code == 200
    assert browser.post(address).status_code == 302
    assert browser.post(address).status_code == 409
    refused = ask(key)
    assert refused.status_code == 401
    assert refused.json()["code"] == "authentication_failed"
    assert "has ended" in refused.json()["detail"]
    assert "Ended on" in browser.get(LIST).content.decode()


def test_staff_see_the_list_and_end_one_with_a_reason_its_owner_reads(
    browser: Client, author: User, peer: User, staff: User, sign_in: Callable[[User], Client]
) -> None:
    token, key = make_token(actor=author, name="nightly export")
    office, page = sign_in(staff), f"/staff/people/{author.pk}/account/"
    address = f"{page}tokens/{token.pk}/end/"
    assert "nightly export" in office.get(page).content.decode()
    assert office.post(address, {"reason": " "}).status_code == 400
    assert sign_in(peer).post(address, {"reason": "x"}).status_code == 403
    elsewhere = f"/staff/people/{peer.pk}/account/tokens/{token.pk}/end/"
    assert office.post(elsewhere, {"reason": "x"}).status_code == 404
    assert ask(key).status_code == 200
    assert office.post(address, {"reason": "Found in a public file."}).status_code == 302
    assert ask(key).status_code == 401
    for reader, where in ((browser, LIST), (office, page)):
        said = reader.get(where).content.decode()
        assert "Ended by the staff on" in said
        assert "Found in a public file." in said


def test_it_ends_with_its_date(author: User) -> None:
    token, key = make_token(actor=author, name="nightly export")
    now = timezone.now()
    ApiToken.objects.filter(pk=token.pk).update(
        made_at=now - timedelta(days=2), ends_at=now - timedelta(seconds=1)
    )
    refused = ask(key)
    assert refused.status_code == 401
    assert refused["WWW-Authenticate"] == "Token"
    assert ApiToken.objects.get().state == "over"


def by_a_new_password(user: User, browser: Client) -> None:
    words = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert browser.post("/account/password/change/", words).status_code == 302


def by_a_mailed_link(user: User, browser: Client) -> None:
    visitor = Client()
    visitor.post("/account/password/reset/", {"email": user.email})
    page = visitor.get(mailed_link(), follow=True)
    words = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    visitor.post(page.request["PATH_INFO"], words)
    assert User.objects.get(pk=user.pk).check_password(NEW_PASSWORD)


def on_the_command_line(user: User, browser: Client) -> None:
    user.set_password(NEW_PASSWORD)  # what `changepassword` and the admin do
    user.save()


def by_closing_the_account(user: User, browser: Client) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def by_suspension(user: User, browser: Client) -> None:
    domain = Domain.objects.get(key="finance")
    Application.objects.create(user=user, domain=domain, years=5, stage=ApplicationStage.QUALIFIED)
    office = User.objects.create_user("office@example.test", None, is_staff=True)
    suspend_expert(actor=office, person=user, domain=domain, reason="Careless reviews.")


def by_ending_the_sessions(user: User, browser: Client) -> None:
    end_sessions(user)


def by_another_role(user: User, browser: Client) -> None:
    make_staff(user)


@pytest.mark.parametrize(
    "what",
    [
        by_a_new_password,
        by_a_mailed_link,
        on_the_command_line,
        by_closing_the_account,
        by_suspension,
        by_ending_the_sessions,
        by_another_role,
    ],
)
def test_it_ends_with_what_ends_every_session(
    what: Callable[[User, Client], None], browser: Client, author: User
) -> None:
    key = key_of(author)
    assert ask(key).status_code == 200
    what(author, browser)
    assert ask(key).status_code == 401
    assert ApiToken.objects.get().state == "closed"


def test_an_account_opened_again_does_not_bring_back_what_was_ended(
    browser: Client, author: User
) -> None:
    key = key_of(author)
    by_a_new_password(author, browser)
    author.refresh_from_db()
    later = key_of(author)
    assert (ask(key).status_code, ask(later).status_code) == (401, 200)


def test_the_use_is_noted_at_most_every_five_minutes(author: User) -> None:
    key = key_of(author)
    ask(key)
    first = ApiToken.objects.get().last_used_at
    ask(key)
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=6))
    ask(key)
    assert ApiToken.objects.get().last_used_at >= first


def test_whoever_sends_nothing_is_told_what_to_send(client: Client) -> None:
    answer = client.get("/api/v1/tasks/")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert "Authorization: Token" in answer.json()["detail"]


def test_the_command_prints_a_token_that_works(author: User) -> None:
    out = StringIO()
    call_command("drf_create_token", author.email.upper(), "--days", "7", stdout=out)
    key = out.getvalue().split()[2]
    assert ask(key).status_code == 200
    assert ApiToken.objects.get().until == timezone.localdate() + timedelta(days=7)


@pytest.mark.parametrize(
    "given",
    [
        ["nobody@example.test"],
        ["author@example.test", "--days", "0"],
        ["author@example.test", "--days", "366"],
        ["author@example.test", "--name", "a\nb"],
    ],
)
def test_the_command_refuses_in_one_sentence(author: User, given: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("drf_create_token", *given)
    assert not ApiToken.objects.exists()

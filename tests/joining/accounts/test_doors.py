"""What strangers try at the doors: guessing, enumerating, redirecting, forging hosts."""

import io
import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.test import Client

from curation.joining.accounts.models import CacheRow
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from tests.conftest import PASSWORD
from tests.joining.accounts.conftest import NEW_PASSWORD, mailed_link

pytestmark = pytest.mark.django_db


def sign_in(client: Client, email: str, password: str = PASSWORD, **more: Any) -> Any:
    return client.post("/account/login/", {"login": email, "password": password, **more})


# --- sign-up ------------------------------------------------------------------------------------
def test_nobody_signs_up_without_an_invitation_unless_the_installation_opens_it(
    client: Client, settings: Any
) -> None:
    form = {"email": "ana@example.test", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert (
        "Accounts are by invitation only" in client.post("/account/signup/", form).content.decode()
    )
    assert not User.objects.exists()
    settings.OPEN_SIGNUP = True
    assert client.post("/account/signup/", form)["Location"] == "/account/confirm-email/"
    assert client.get("/").status_code == 302  # not before the address is confirmed
    assert client.post("/account/login/", {"login": "ana@example.test", "password": NEW_PASSWORD})
    assert client.get("/").status_code == 302
    client.post(mailed_link())
    sign_in(client, "ana@example.test", NEW_PASSWORD)
    assert client.get("/").status_code == 200


def test_signing_up_with_a_known_address_looks_the_same_and_writes_to_its_owner(
    client: Client, settings: Any, author: User
) -> None:
    settings.OPEN_SIGNUP = True
    form = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    known = client.post("/account/signup/", form | {"email": author.email})
    fresh = Client().post("/account/signup/", form | {"email": "ana@example.test"})
    assert (known.status_code, known["Location"]) == (fresh.status_code, fresh["Location"])
    assert "It already has one" in mail.outbox[0].body
    assert "confirm it here" in mail.outbox[1].body
    assert author.check_password(PASSWORD)


def test_who_is_made_by_the_command_line_can_sign_in(client: Client, monkeypatch: Any) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command(
        "createsuperuser", "--noinput", "--email", "first@example.test", stdout=io.StringIO()
    )
    sign_in(client, "first@example.test")
    assert client.get("/").status_code == 200


def test_the_link_that_sets_a_password_also_confirms_the_address(client: Client) -> None:
    user = User.objects.create_user("old@example.test", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    client.post("/account/password/reset/", {"email": user.email})
    form = client.get(mailed_link(), follow=True)
    client.post(form.request["PATH_INFO"], {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    sign_in(client, user.email, NEW_PASSWORD)
    assert client.get("/").status_code == 200


# --- enumeration --------------------------------------------------------------------------------
def normal(answer: Any) -> str:
    """A page without the token of its form and what was typed."""
    import re

    text = re.sub(r'"[A-Za-z0-9]{64}"', '"token"', answer.content.decode())
    return re.sub(r"[a-z]+@example\.test", "somebody", text)


def test_a_wrong_password_and_an_unknown_address_answer_alike(author: User) -> None:
    known, unknown = (sign_in(Client(), e, "wrong") for e in (author.email, "no@example.test"))
    assert known.status_code == unknown.status_code == 200
    assert normal(known) == normal(unknown)


def test_resetting_answers_alike_for_known_and_unknown_addresses(author: User) -> None:
    answers = [
        Client().post("/account/password/reset/", {"email": email}, follow=True)
        for email in (author.email, "no@example.test")
    ]
    assert normal(answers[0]) == normal(answers[1])
    assert "Choose a new password" in mail.outbox[0].subject
    assert "There is no account with it" in mail.outbox[1].body


# --- reset links --------------------------------------------------------------------------------
def test_a_reset_link_works_once_and_not_after_another_password(author: User) -> None:
    client = Client()
    client.post("/account/password/reset/", {"email": author.email})
    client.post("/account/password/reset/", {"email": author.email})
    first = mail.outbox[0].body.split("http://testserver")[1].split()[0]
    link = mailed_link()
    form = client.get(link, follow=True)
    words = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert client.post(form.request["PATH_INFO"], words).status_code == 302
    for used in (link, first):
        page = Client().get(used, follow=True).content.decode()
        assert "This link no longer works" in page
        assert "password1" not in page


def test_a_reset_link_never_carries_a_host_the_visitor_chose(author: User) -> None:
    for header in ({"HTTP_HOST": "evil.example"}, {"HTTP_X_FORWARDED_HOST": "evil.example"}):
        Client().post("/account/password/reset/", {"email": author.email}, **header)
    assert all("evil.example" not in m.body + m.subject for m in mail.outbox)
    answer = Client().post(
        "/account/password/reset/", {"email": "x@example.test"}, HTTP_HOST="evil.example"
    )
    assert answer.status_code == 400


# --- where a sign-in leads ----------------------------------------------------------------------
@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "javascript:alert(1)",
        "http:evil.example",
    ],
)
def test_next_never_leads_out_of_the_product(author: User, target: str) -> None:
    answer = sign_in(Client(), author.email, next=target)
    assert answer["Location"] == "/"
    answer = Client().post(
        f"/account/login/?next={target}", {"login": author.email, "password": PASSWORD}
    )
    assert answer["Location"] == "/"


def test_next_leads_to_the_page_that_was_asked_for(author: User) -> None:
    assert sign_in(Client(), author.email, next="/tasks/")["Location"] == "/tasks/"


# --- throttles ----------------------------------------------------------------------------------
def test_guessing_a_password_closes_the_account_to_guesses_even_from_many_networks(
    author: User,
) -> None:
    for n in range(5):
        sign_in(Client(REMOTE_ADDR=f"198.51.100.{n}"), author.email, "wrong")
    right = Client(REMOTE_ADDR="198.51.100.99")
    answer = sign_in(right, author.email)
    assert "Too many attempts in a short time" in answer.content.decode()
    assert right.get("/").status_code == 302


def test_many_sign_ins_from_one_network_get_a_page_that_says_why(person: Any) -> None:
    client = Client()
    answers = [sign_in(client, f"p{n}@example.test", "wrong") for n in range(31)]
    assert answers[-1].status_code == 429
    assert "Too many attempts in a short time" in answers[-1].content.decode()
    assert 0 < int(answers[-1]["Retry-After"]) <= 60


def test_a_forged_forwarding_header_is_no_way_around(author: User) -> None:
    for n in range(30):
        sign_in(Client(), f"p{n}@example.test", "wrong")
    answer = Client().post(
        "/account/login/",
        {"login": author.email, "password": PASSWORD},
        headers={"X-Forwarded-For": "203.0.113.5"},
    )
    assert answer.status_code == 429


def test_resets_are_throttled_by_address(author: User) -> None:
    for n in range(7):
        Client(REMOTE_ADDR=f"198.51.100.{n}").post(
            "/account/password/reset/", {"email": author.email}
        )
    assert len(mail.outbox) == 5


def test_invitations_are_throttled_by_person(staff: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"invite": "2/m/user"}
    client = Client()
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    data = {"name": "Noor", "language": "en", "days": 3}
    codes = [
        client.post("/staff/people/invite/", data | {"email": f"p{n}@example.test"}).status_code
        for n in range(3)
    ]
    assert codes == [302, 302, 429]


def test_starting_an_exam_is_throttled(applicant: User, finance: Domain, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"exam": "2/m/user"}
    application = Application.objects.create(
        user=applicant, domain=finance, affiliation="x", degree="x", years=5, credentials="x"
    )
    client = Client()
    client.force_login(applicant, backend="django.contrib.auth.backends.ModelBackend")
    path = f"/applications/{application.pk}/exam/"
    codes = [client.post(path).status_code for _n in range(3)]
    assert codes == [409, 409, 429]
    assert client.get(path).status_code != 429  # reading is never counted
    told = client.post(path, headers={"Accept": "application/json"})
    assert told.json()["code"] == "too_many"
    assert 0 < int(told["Retry-After"]) <= 60


def test_a_throttle_says_when_it_opens_at_the_latest_and_then_it_does(
    staff: User, settings: Any, monkeypatch: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"invite": "2/h/user"}
    client = Client()
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    clock, address = time.time(), "/staff/people/invite/"
    for minutes in (0, 10):
        monkeypatch.setattr(time, "time", lambda at=clock + 60 * minutes: at)
        assert client.post(address, {}).status_code == 400
    monkeypatch.setattr(time, "time", lambda: clock + 60 * 15)
    refused = client.post(address, {})
    assert (refused.status_code, refused["Retry-After"]) == (429, str(60 * 60))
    monkeypatch.setattr(time, "time", lambda: clock + 60 * 60)
    assert client.post(address, {}).status_code == 400


def test_what_throttles_remember_is_one_memory_for_all_processes(author: User) -> None:
    sign_in(Client(), author.email, "wrong")
    rows = CacheRow.objects.values_list("cache_key", "value")
    assert rows
    assert not any(author.email in key + value for key, value in rows)


# --- cookies ------------------------------------------------------------------------------------
def test_the_session_cookie_is_closed_to_scripts_and_other_sites(author: User) -> None:
    client = Client()
    sign_in(client, author.email)
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_cookies_travel_over_https_only_unless_it_is_ones_own_machine(tmp_path: Any) -> None:
    import subprocess
    import sys

    from django.conf import settings as now

    show = (
        "import django; from django.conf import settings as s; "
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0, "
        "s.REQUIRE_SECOND_FACTOR, s.OPEN_SIGNUP, s.ALLAUTH_TRUSTED_PROXY_COUNT)"
    )
    done = subprocess.run(
        [sys.executable, "-c", show],
        cwd=now.BASE_DIR,
        env={
            "PATH": "",
            "VAR_DIR": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "a-secret-of-more-than-thirty-two-characters",
            "ALLOWED_HOSTS": "example.test",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "True", "True", "True", "False", "1"]


def test_a_session_is_new_after_signing_in(author: User) -> None:
    client = Client()
    client.get("/account/login/")
    client.session.save()
    before = client.session.session_key
    sign_in(client, author.email)
    assert client.session.session_key != before


def test_every_form_of_an_account_needs_its_token(author: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(author, backend="django.contrib.auth.backends.ModelBackend")
    for path in (
        "/account/password/change/",
        "/account/email/",
        "/account/sessions/",
        "/account/logout/",
        "/account/second-factor/recovery-codes/generate/",
        "/preferences/referral/",
    ):
        assert client.post(path, {"end": "others"}).status_code == 403, path

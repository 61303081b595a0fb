"""Where one is signed in, and what ends it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from curation.base.access.duties import columns_of
from curation.base.process.lifecycle import ApplicationStage
from curation.joining.accounts.queries import device_in_words, shortened_address
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from tests.conftest import PASSWORD
from tests.joining.accounts.conftest import NEW_PASSWORD, mailed_link

pytestmark = pytest.mark.django_db

MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605.1 Version/17.0 Safari/605.1"
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


def is_in(client: Client) -> bool:
    return client.get("/preferences/").status_code == 200


@pytest.fixture
def two(author: User, sign_in_by_form: Any) -> tuple[Client, Client]:
    """The author on a Mac and on a phone."""
    return (
        sign_in_by_form(author, HTTP_USER_AGENT=MAC, REMOTE_ADDR="203.0.113.77"),
        sign_in_by_form(author, HTTP_USER_AGENT=PHONE, REMOTE_ADDR="2001:db8:7:1234::9"),
    )


def test_the_list_names_the_device_and_a_shortened_network_and_marks_this_one(
    two: tuple[Client, Client],
) -> None:
    page = two[0].get("/account/sessions/").content.decode()
    assert "You are signed in on 2 devices" in page
    assert "Safari on macOS" in page
    assert "Chrome on Android" in page
    assert "203.0.113.…" in page
    assert "2001:0db8:0007:…" in page
    assert "203.0.113.77" not in page
    assert ":1234" not in page
    assert page.index("now, here") < page.index("Chrome on Android")


def test_one_is_ended_and_all_others_are_ended(two: tuple[Client, Client], sign_in_by_form: Any,
                                               author: User) -> None:  # fmt: skip
    mac, phone = two
    places = mac.get("/account/sessions/").context["sessions"]
    there, here = (next(p.pk for p in places if p.current is at) for at in (False, True))
    assert mac.post("/account/sessions/", {"end": here}).status_code == 409
    assert mac.post("/account/sessions/", {"end": there}).status_code == 302
    assert is_in(mac)
    assert not is_in(phone)
    third = sign_in_by_form(author)
    assert mac.post("/account/sessions/", {"end": "others"}).status_code == 302
    assert is_in(mac)
    assert not is_in(third)


def test_nobody_ends_or_sees_anothers_session(
    two: tuple[Client, Client], peer: User, sign_in_by_form: Any
) -> None:
    stranger = sign_in_by_form(peer)
    pk = two[0].get("/account/sessions/").context["sessions"][0].pk
    for end in (pk, 0, "x", "9" * 40, ""):
        assert stranger.post("/account/sessions/", {"end": end}).status_code == 404
    assert is_in(two[0])
    assert "Android" not in stranger.get("/account/sessions/").content.decode()


def test_a_changed_password_ends_every_session(two: tuple[Client, Client]) -> None:
    mac, phone = two
    words = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert mac.post("/account/password/change/", words).status_code == 302
    assert not is_in(phone)
    assert not is_in(mac)


def test_a_password_reset_by_mail_ends_every_session(
    two: tuple[Client, Client], author: User
) -> None:
    visitor = Client()
    visitor.post("/account/password/reset/", {"email": author.email})
    form = visitor.get(mailed_link(), follow=True)
    words = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert visitor.post(form.request["PATH_INFO"], words).status_code == 302
    assert not any(is_in(client) for client in two)


def test_losing_the_staff_role_ends_every_session_even_if_a_shell_took_it(
    staff: User, sign_in_by_form: Any, sign_in: Callable[[User], Client]
) -> None:
    browser, unnoted = sign_in_by_form(staff), sign_in(staff)
    assert browser.get("/staff/people/").status_code == 200
    User.objects.filter(pk=staff.pk).update(is_staff=False, **columns_of(()))
    assert browser.get("/staff/people/").status_code == 302
    assert not is_in(browser)
    assert not is_in(unnoted)


def test_losing_seniority_ends_every_session(
    senior: User, staff: User, finance: Domain, sign_in: Callable[[User], Client]
) -> None:
    browser = sign_in(senior)
    assert browser.get("/seniors/trials/").status_code == 200
    change = {"domain": finance.pk, "senior": "0", "reason": "Asked for less work."}
    assert sign_in(staff).post(f"/staff/people/{senior.pk}/senior/", change).status_code == 302
    assert not is_in(browser)


@pytest.mark.parametrize("applied", [True, False])
def test_a_suspension_ends_every_session_whether_or_not_the_expert_ever_applied(
    author: User, staff: User, finance: Domain, sign_in: Callable[[User], Client], applied: bool
) -> None:
    if applied:
        Application.objects.create(
            user=author, domain=finance, stage=ApplicationStage.QUALIFIED, affiliation="x",
            degree="x", years=5, credentials="x",
        )  # fmt: skip
    browser = sign_in(author)
    assert is_in(browser)
    change = {"domain": finance.pk, "active": "0", "reason": "Inconsistent."}
    assert sign_in(staff).post(f"/staff/people/{author.pk}/standing/", change).status_code == 302
    assert not is_in(browser)


def test_when_it_was_last_used_is_noted_but_not_with_every_request(
    two: tuple[Client, Client], django_assert_num_queries: Any
) -> None:
    from allauth.usersessions.models import UserSession

    mac = two[0]
    mac.get("/preferences/")
    old = timezone.now() - timezone.timedelta(hours=2)
    UserSession.objects.update(last_seen_at=old)
    mac.get("/preferences/")
    assert UserSession.objects.filter(last_seen_at=old).count() == 2
    session = mac.session
    session["seen"] -= 400
    session.save()
    mac.get("/preferences/")
    assert UserSession.objects.filter(last_seen_at=old).count() == 1


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (MAC, "Safari on macOS"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge on Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0", "Firefox on Linux"),
        ("Mozilla/5.0 (iPhone; iPhone OS 17 like Mac OS X) Safari/605.1", "Safari on iPhone"),
        ("", "Unknown device"),
        ("<script>alert(1)</script>", "Unknown device"),
    ],
)  # fmt: skip
def test_devices_are_told_in_words(agent: str, words: str) -> None:
    assert device_in_words(agent) == words


def test_an_address_is_never_shown_whole() -> None:
    assert shortened_address("198.51.100.23") == "198.51.100.…"
    assert shortened_address("::ffff:198.51.100.23") == "198.51.100.…"
    assert shortened_address("nonsense") == ""


def test_a_form_from_before_the_last_sign_in_is_refused_with_the_way_on(person: Any) -> None:
    user = person("ana")
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    refused = client.post(
        "/preferences/", {}, headers={"referer": "http://testserver/preferences/"}
    )
    page = refused.content.decode()
    assert refused.status_code == 403
    assert "<h1>Load the page again</h1>" in page
    assert "The page was opened before you last signed in" in page
    assert 'href="http://testserver/preferences/"' in page
    assert "You do not have access to this page" not in page


@pytest.mark.parametrize(
    "sender", ["https://elsewhere.example/", "javascript:alert(1)", "//elsewhere.example", ""]
)
def test_a_form_another_site_sent_gets_no_link_back_to_it(sender: str) -> None:
    refused = Client(enforce_csrf_checks=True).post(
        "/preferences/", {}, headers={"referer": sender}
    )
    assert refused.status_code == 403
    page = refused.content.decode()
    assert "Load the page as it is now" not in page
    assert "elsewhere" not in page
    assert "javascript:" not in page

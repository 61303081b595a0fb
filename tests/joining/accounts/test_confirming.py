"""From signing up to a confirmed address: found, sent again, corrected, clicked twice."""

import re
from smtplib import SMTPException
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from curation.joining.accounts import models as accounts
from curation.joining.invitations.links import path_of
from curation.joining.invitations.models import Arrival, Invitation
from curation.joining.people import User
from tests.joining.accounts.conftest import NEW_PASSWORD, mailed_link
from tests.joining.accounts.steps import SignIn, invite, join, vendor_link

pytestmark = pytest.mark.django_db
SENT = "/account/confirm-email/"
FORM = {"email": "Nina@Example.test", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}


@pytest.fixture
def nina(settings: Any) -> Client:
    """Somebody who has just signed up, on an installation open to everybody."""
    settings.OPEN_SIGNUP = True
    client = Client()
    assert client.post("/account/signup/", FORM)["Location"] == SENT
    return client


def page_of(client: Client) -> str:
    return client.get(SENT).content.decode()


# --- finding the way in ---------------------------------------------------------------------------
def test_the_sign_in_page_leads_to_signing_up_only_where_everybody_may(
    client: Client, settings: Any
) -> None:
    page = client.get("/account/login/").content.decode()
    assert "You can join by invitation only." in page
    assert "/account/signup/" not in page
    settings.OPEN_SIGNUP = True
    page = client.get("/account/login/?next=/tasks/").content.decode()
    assert "No account yet?" in page
    assert "invitation" not in page
    found = re.search(r'href="(/account/signup/[^"]*)"', page)
    assert found
    assert client.get(found.group(1)).status_code == 200


# --- look at your e-mail --------------------------------------------------------------------------
def test_the_page_after_signing_up_names_the_address_once_and_says_what_to_do(nina: Client) -> None:
    page = page_of(nina)
    assert page.count("nina@example.test") == 1
    assert "Send again" in page
    assert "Wrong address" in page


def test_the_link_can_be_sent_again_but_not_without_end(nina: Client) -> None:
    for _n in range(8):
        nina.post(SENT, {"step": "again"})
    assert len(mail.outbox) == 3  # the first one included
    assert "In a few minutes you can send another one".lower() in page_of(nina).lower()
    assert {m.to[0] for m in mail.outbox} == {"nina@example.test"}
    nina.post(mailed_link())
    assert EmailAddress.objects.get().verified


def test_an_address_that_has_an_account_looks_the_same_and_its_owner_is_told_again(
    nina: Client, author: User
) -> None:
    known = Client()
    known.post("/account/signup/", FORM | {"email": author.email})
    before = len(mail.outbox)
    answers = [
        re.sub(r'"[A-Za-z0-9]{64}"|[a-z]+@example\.test', "", page)
        for client in (nina, known)
        for page in (page_of(client), client.post(SENT, {"step": "again"}, follow=True))
        for page in (page if isinstance(page, str) else page.content.decode(),)
    ]
    assert answers[:2] == answers[2:]
    assert [m.to for m in mail.outbox[before:]] == [["nina@example.test"], [author.email]]
    assert "It already has one" in mail.outbox[-1].body
    wrong = [c.post(SENT, {"step": "wrong"})["Location"] for c in (nina, known)]
    assert wrong == ["/account/signup/"] * 2
    assert User.objects.filter(pk=author.pk).exists()


def test_nobody_without_a_sign_up_has_anything_sent(client: Client, author: User) -> None:
    assert client.post(SENT, {"step": "again"})["Location"] == "/account/login/"
    assert client.post(SENT, {"step": "wrong"})["Location"] == "/account/login/"
    page = page_of(client)
    assert "Send again" not in page
    assert "sign in: we send it again" in page
    assert mail.outbox == []


def test_a_wrong_address_is_given_up_and_another_one_signs_up(nina: Client) -> None:
    assert nina.post(SENT, {"step": "wrong"})["Location"] == "/account/signup/"
    assert not User.objects.exists()
    nina.post("/account/signup/", FORM | {"email": "nina.right@example.test"})
    assert "nina.right@example.test" in page_of(nina)
    nina.post(mailed_link())
    assert User.objects.get().email == "nina.right@example.test"


def test_a_refused_sign_in_does_not_keep_a_wrong_address(nina: Client) -> None:
    refused = {"login": "nina@example.test", "password": "mistyped"}
    assert Client().post("/account/login/", refused).status_code == 200
    assert accounts.SignIn.objects.filter(user__isnull=False).exists()
    assert nina.post(SENT, {"step": "wrong"})["Location"] == "/account/signup/"
    assert not User.objects.exists()


def test_a_wrong_address_gives_the_place_of_a_vendors_link_back(staff: User) -> None:
    invitation = vendor_link(staff, max_uses=1)
    link, client = path_of(invitation), Client()
    words = FORM | {"display_name": "Nina"}
    client.post(link, words)
    assert Client().get(link).status_code == 410
    assert client.post(SENT, {"step": "wrong"})["Location"] == link
    assert not Arrival.objects.exists()
    client.post(link, words | {"email": "right@example.test"})
    assert Arrival.objects.get().user.email == "right@example.test"
    assert Invitation.objects.get().uses == 1


def test_a_confirmed_account_is_never_given_up(nina: Client) -> None:
    Client().post(mailed_link())  # on the phone
    assert "Your address is confirmed" in page_of(nina)
    nina.post(SENT, {"step": "wrong"})
    assert User.objects.get().email == "nina@example.test"


def test_the_address_staff_chose_is_theirs_to_correct(sign_in: SignIn, staff: User) -> None:
    invite(sign_in(staff))
    client = Client()
    client.post(path_of(Invitation.objects.get()), {**FORM, "display_name": "Noor"})
    page = page_of(client)
    assert "new.expert@example.test" in page
    assert "nina@example.test" not in page  # the form's address is not asked
    assert "invite the right one" in page
    assert client.post(SENT, {"step": "wrong"}).status_code == 400
    assert User.objects.filter(email="new.expert@example.test").exists()


def test_whoever_signs_in_before_confirming_gets_the_same_page(staff: User) -> None:
    link = path_of(vendor_link(staff))
    join(link)
    client = Client()
    login = {"login": "Ana@example.test", "password": NEW_PASSWORD}
    assert client.post("/account/login/", login)["Location"] == SENT
    assert "ana@example.test" in page_of(client)
    assert client.post(SENT, {"step": "wrong"})["Location"] == link
    assert not User.objects.filter(email="ana@example.test").exists()


def test_a_mail_server_that_is_down_is_said_and_the_link_can_be_sent_later(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPEN_SIGNUP = True

    def down(*args: Any, **kwargs: Any) -> int:
        raise SMTPException("down")

    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", down)
        page = client.post("/account/signup/", FORM, follow=True).content.decode()
        assert "The e-mail could not be sent" in page
        page = client.post(SENT, {"step": "again"}, follow=True).content.decode()
        assert "The e-mail could not be sent" in page
        assert "Sent again" not in page
    client.post(SENT, {"step": "again"})
    client.post(mailed_link())
    assert EmailAddress.objects.get().verified


def test_without_a_mail_server_the_page_says_that_nothing_was_mailed(
    nina: Client, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert "no mail server is set" in page_of(nina)


# --- the link itself ------------------------------------------------------------------------------
def test_a_second_click_on_the_link_says_that_the_address_is_confirmed(nina: Client) -> None:
    link = mailed_link()
    assert "Confirm that nina@example.test is your address." in nina.get(link).content.decode()
    nina.post(link)
    for client in (nina, Client()):  # the same browser, and another one
        for answer in (client.get(link), client.post(link)):
            page = answer.content.decode()
            assert answer.status_code == 200
            assert "Your address is confirmed" in page
            assert 'href="/account/login/"' in page
            assert "nina@example.test" not in page
    nina.post("/account/login/", {"login": "nina@example.test", "password": NEW_PASSWORD})
    page = nina.get(link).content.decode()
    assert "Go to your home page" in page


def test_an_older_link_to_a_confirmed_address_says_so_as_well(nina: Client) -> None:
    first = mailed_link()
    nina.post(SENT, {"step": "again"})
    nina.post(mailed_link())
    assert "Your address is confirmed" in nina.get(first).content.decode()


def test_a_link_that_is_none_of_ours_tells_nothing_about_anybody(nina: Client) -> None:
    link = mailed_link()
    nina.post(link)
    key, signature = re.match(r"(.*)/\?of=(.*)", link).groups()  # type: ignore[union-attr]
    other = EmailAddress.objects.get().pk + 1
    answers = [
        Client().get(address)
        for address in (
            f"{SENT}nonsense/",
            f"{SENT}nonsense/?of={EmailAddress.objects.get().pk}",
            f"{SENT}nonsense/?of={other}{signature[signature.index('%3A') :]}",
            f"{key}/",  # a used key without its signature
            f"{key}/?of=" + "x" * 5000,
            f"{key}/?of=%00",
        )
    ]
    pages = {re.findall(r"<main.*</main>", a.content.decode(), re.S)[0] for a in answers}
    assert len(pages) == 1
    assert "This link does not work" in pages.pop()
    assert Client().post(f"{SENT}nonsense/").status_code == 404

"""Signed links that let one person in, how they end, and what the list of links shows."""

import threading
from datetime import timedelta
from smtplib import SMTPException
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.invitations.actions import invite_person
from curation.joining.invitations.links import path_of, token_of
from curation.joining.invitations.models import Arrival, Invitation
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from tests.joining.accounts.conftest import NEW_PASSWORD, mailed_link
from tests.joining.accounts.steps import WORDS, SignIn, invite, join, vendor_link
from tests.markup import one_line
from tests.qualifying.qualification.conftest import FORM


@pytest.mark.django_db
class TestOnePerson:
    def test_without_a_mail_server_staff_are_told_to_send_the_link_themselves(
        self, sign_in: SignIn, staff: User, settings: Any
    ) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
        browser = sign_in(staff)
        page = browser.get(invite(browser)["Location"]).content.decode()
        assert "No e-mail was sent: no mail server is set (EMAIL_URL)" in page
        assert "Sent to" not in page
        assert "Copy the link" in page

    def test_the_mailed_link_opens_an_account_with_a_confirmed_address_and_signs_in(
        self, sign_in: SignIn, staff: User
    ) -> None:
        answer = invite(sign_in(staff))
        invitation = Invitation.objects.get()
        assert answer["Location"] == f"/staff/invitations/{invitation.pk}/"
        assert not User.objects.filter(email="new.expert@example.test").exists()
        assert mail.outbox[0].to == ["new.expert@example.test"]
        browser, link = Client(), mailed_link()
        page = browser.get(link).content.decode()
        assert 'value="new.expert@example.test"' in page
        assert 'value="Noor Expert"' in page
        arrived = browser.post(link, WORDS | {"email": "other@example.test"}, follow=True)
        person = User.objects.get(email="new.expert@example.test")  # the field cannot be changed
        assert arrived.request["PATH_INFO"] == "/apply/"
        assert EmailAddress.objects.get(user=person).verified
        assert Arrival.objects.get(user=person).invitation == invitation
        again = Client().get(link)
        assert again.status_code == 410
        assert "has been used" in again.content.decode()

    def test_a_refused_password_is_not_said_to_be_kept(self, sign_in: SignIn, staff: User) -> None:
        invite(sign_in(staff))
        refused = Client().post(mailed_link(), WORDS | {"password2": "another one"})
        page = refused.content.decode()
        assert "Passwords are not kept: type them again." in page
        assert "everything you typed is kept" not in page
        assert 'value="Noor Expert"' in page

    def test_a_copied_link_proves_no_mailbox_so_the_address_is_confirmed_afterwards(
        self, sign_in: SignIn, staff: User
    ) -> None:
        invite(sign_in(staff))
        browser, copied = Client(), path_of(Invitation.objects.get())
        assert copied != mailed_link()
        browser.post(copied, WORDS)
        assert not EmailAddress.objects.get(email="new.expert@example.test").verified
        assert browser.get("/").status_code == 302  # not signed in yet
        browser.post(mailed_link())
        login = {"login": "new.expert@example.test", "password": NEW_PASSWORD}
        browser.post("/account/login/", login)
        assert browser.get("/").status_code == 200

    def test_an_invited_person_is_by_invitation_on_every_page_and_in_the_staffs_filter(
        self, sign_in: SignIn, staff: User, applicant: User, finance: Domain
    ) -> None:
        browser = sign_in(staff)
        invite(browser)
        Client().post(mailed_link(), WORDS)
        noor = User.objects.get(email="new.expert@example.test")
        own = sign_in(noor)
        for who in (own, sign_in(applicant)):
            assert who.post("/apply/", {**FORM, "domain": finance.pk}).status_code == 302
        invited = Application.objects.get(user=noor)
        assert invited.route == "invitation"
        for page in (
            own.get(f"/applications/{invited.pk}/"),
            browser.get(f"/staff/applications/{invited.pk}/"),
        ):
            assert "By invitation" in page.content.decode()
            assert "Directly" not in page.content.decode()
        listed = {
            route: browser.get(f"/staff/applications/?route={route}").content.decode()
            for route in ("invitation", "direct")
        }
        link = f'/staff/applications/{invited.pk}/"'
        assert link in listed["invitation"]
        assert link not in listed["direct"]

    def test_an_address_with_an_account_or_an_open_invitation_is_named_and_nothing_is_sent(
        self, sign_in: SignIn, staff: User, author: User
    ) -> None:
        browser = sign_in(staff)
        page = invite(browser, email="AUTHOR@example.test", name="Somebody").content.decode()
        assert "has an account already" in page
        assert author.pseudonym in page
        assert 'value="Somebody"' in page
        assert mail.outbox == []
        invite(browser)
        assert "already an open invitation" in invite(browser).content.decode()
        assert len(mail.outbox) == 1

    def test_every_field_that_needs_a_change_is_named_at_once(
        self, sign_in: SignIn, staff: User, author: User
    ) -> None:
        browser = sign_in(staff)
        page = invite(browser, email="not an address", name="", days=400).content.decode()
        assert "Type a complete e-mail address" in page
        assert "Type the person&#x27;s name." in page
        assert "Choose from 1 to 365 days." in page
        page = invite(browser, email=author.email, name="").content.decode()
        assert "has an account already" in page
        assert "Type the person&#x27;s name." in page
        form = {"vendor": "", "email": "no address", "max_uses": 0, "language": "en", "days": 14}
        page = browser.post("/staff/invitations/vendor/", form).content.decode()
        assert "Type a complete e-mail address" in page
        assert "Type the vendor&#x27;s name." in page
        assert "Choose a number from 1 to 1,000." in page
        assert not Invitation.objects.exists()

    @pytest.mark.parametrize(
        "changes",
        [
            {"email": ""},
            {"email": "no address"},
            {"email": "a@b.test\r\nBcc: all@example.test"},
            {"name": " "},
            {"language": "tlh"},
            {"days": "0"},
            {"days": "400"},
            {"days": "x"},
        ],
    )
    def test_what_cannot_be_sent_is_refused(
        self, sign_in: SignIn, staff: User, changes: dict[str, str]
    ) -> None:
        assert invite(sign_in(staff), **changes).status_code == 400
        assert not Invitation.objects.exists()
        assert mail.outbox == []

    def test_the_invitation_speaks_the_language_of_the_invited(
        self, sign_in: SignIn, staff: User
    ) -> None:
        invite(sign_in(staff), language="zh-hans")
        Client().post(mailed_link(), WORDS)
        assert User.objects.get(email="new.expert@example.test").language == "zh-hans"

    def test_a_mail_server_that_is_down_loses_nothing_and_the_link_is_sent_again(
        self, sign_in: SignIn, staff: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from curation.joining.invitations import mailing as invitations

        def down(*args: Any, **kwargs: Any) -> None:
            raise SMTPException("down")

        browser = sign_in(staff)
        with monkeypatch.context() as patch:
            patch.setattr(invitations, "send_mail", down)
            answer = invite(browser)
        assert "could not be sent" in browser.get(answer["Location"]).content.decode()
        assert browser.post(answer["Location"], {"step": "again"}).status_code == 302
        assert mail.outbox[-1].to == ["new.expert@example.test"]

    def test_a_weak_password_is_refused_and_the_invitation_stays(
        self, sign_in: SignIn, staff: User
    ) -> None:
        invite(sign_in(staff))
        answer = Client().post(
            mailed_link(), WORDS | {"password1": "12345678", "password2": "12345678"}
        )
        assert answer.status_code == 200
        assert Invitation.objects.get().uses == 0


@pytest.mark.django_db
class TestEndedLinks:
    @pytest.mark.parametrize(
        ("change", "says"),
        [
            (
                {"expires_at": timezone.now() - timedelta(seconds=1)},
                "This invitation has expired",
            ),
            ({"revoked_at": timezone.now()}, "was taken back"),
            ({"uses": 3}, "used by as many people as it allows"),
        ],
    )
    def test_each_end_has_its_page_and_lets_nobody_in(
        self, staff: User, change: dict[str, Any], says: str
    ) -> None:
        invitation = vendor_link(staff)
        Invitation.objects.filter(pk=invitation.pk).update(**change)
        link = path_of(invitation)
        for answer in (Client().get(link), join(link)):
            assert answer.status_code == 410
            assert says in answer.content.decode()
        assert not User.objects.filter(email="ana@example.test").exists()

    def test_wrong_links_look_alike_whatever_is_wrong(self, staff: User) -> None:
        good = token_of(vendor_link(staff))
        unknown = token_of(Invitation(pk=987_654))
        body, signature = good.rsplit(":", 1)
        for token in (
            good[:-2],
            f"{body}:{signature[::-1]}",
            "x",
            "a" * 5000,
            unknown,
            "%00",
            "1:1",
        ):
            answer = Client().get(f"/join/{token}/")
            assert answer.status_code == 404
            assert "This link is not complete" in answer.content.decode()

    def test_a_link_signed_for_something_else_opens_nothing(self, staff: User) -> None:
        from django.core import signing

        for forged in (
            signing.Signer().sign_object([vendor_link(staff).pk, 1]),
            signing.Signer(salt="curation.invitations").sign_object({"pk": 1}),
            signing.Signer(salt="curation.invitations").sign_object(["x", 1]),
        ):
            assert Client().get(f"/join/{forged}/").status_code == 404

    def test_the_link_is_stored_nowhere(self, staff: User) -> None:
        invitation = vendor_link(staff)
        stored = " ".join(map(str, Invitation.objects.values_list().get(pk=invitation.pk)))
        assert token_of(invitation) not in stored
        assert token_of(invitation).rsplit(":", 1)[1] not in stored

    def test_staff_take_a_link_back_and_renew_an_expired_one(
        self, sign_in: SignIn, staff: User
    ) -> None:
        browser, invitation = sign_in(staff), vendor_link(staff)
        address = f"/staff/invitations/{invitation.pk}/"
        assert path_of(invitation) in browser.get(address).content.decode()
        Invitation.objects.update(expires_at=timezone.now())
        assert browser.post(address, {"step": "again"}).status_code == 302
        assert Client().get(path_of(invitation)).status_code == 200
        assert browser.post(address, {"step": "revoke"}).status_code == 302
        assert Client().get(path_of(invitation)).status_code == 410
        for step in ("revoke", "again"):
            assert browser.post(address, {"step": step}).status_code == 409
        assert browser.post(address, {"step": "burn"}).status_code == 400
        assert path_of(invitation) not in browser.get(address).content.decode()

    def test_somebody_signed_in_uses_nothing_up(
        self, sign_in: SignIn, staff: User, author: User
    ) -> None:
        invitation = vendor_link(staff)
        browser = sign_in(author)
        assert "You have an account already" in browser.get(path_of(invitation)).content.decode()
        browser.post(path_of(invitation), WORDS | {"email": "ana@example.test"})
        invitation.refresh_from_db()
        assert invitation.uses == 0


@pytest.mark.django_db
def test_the_list_shows_every_state_and_costs_the_same_for_three_and_for_eight(
    sign_in: SignIn, staff: User
) -> None:
    browser, counted = sign_in(staff), []
    for upto in (range(3), range(3, 8)):
        for n in upto:
            vendor_link(staff, vendor=f"Vendor {n}")
        with CaptureQueriesContext(connection) as queries:
            browser.get("/staff/invitations/")
        counted.append(len(queries))
    assert counted[0] == counted[1] < 10
    Invitation.objects.filter(vendor="Vendor 1").update(revoked_at=timezone.now())
    Invitation.objects.filter(vendor="Vendor 2").update(uses=3)
    Invitation.objects.filter(vendor="Vendor 4").update(expires_at=timezone.now())
    for state, shown in (("revoked", 1), ("used", 2), ("expired", 4), ("open", 5)):
        page = one_line(browser.get("/staff/invitations/", {"state": state}).content.decode())
        found = [n for n in (1, 2, 4, 5) if f">Vendor {n}<" in page]
        assert found == [shown], state
    assert browser.get("/staff/invitations/", {"kind": "x"}).status_code == 200
    person = browser.get("/staff/invitations/", {"kind": "person"}).content.decode()
    assert "No invitations match" in person


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["vendor", "person"])
def test_parallel_arrivals_never_pass_the_number(staff: User, kind: str) -> None:
    if kind == "vendor":
        invitation = vendor_link(staff, max_uses=3)
    else:
        invitation = invite_person(actor=staff, email="ana@example.test", name="Ana")
    link = path_of(invitation)
    start, codes = threading.Barrier(8), []

    def come(n: int) -> None:
        try:
            start.wait(timeout=60)
            codes.append(join(link, email=f"p{n}@example.test").status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=come, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    invitation.refresh_from_db()
    places = 3 if kind == "vendor" else 1
    assert invitation.uses == places == Arrival.objects.count()
    assert User.objects.filter(arrival__isnull=False).count() == places
    # Whoever sends a person's link after the account exists is answered like anybody whose
    # address is known: with a letter.
    assert codes.count(302) == places or kind == "person"
    assert set(codes) <= {302, 410}

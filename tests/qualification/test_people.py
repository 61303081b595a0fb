"""The people's record and the invitation."""

import re
from collections.abc import Callable
from smtplib import SMTPException
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.models import Application, Domain, Qualification, SeniorityChange, SlotGrant, User

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]


# --- people --------------------------------------------------------------------------------------
def test_people_are_found_by_name_address_affiliation_and_pseudonym(
    sign_in: SignIn, staff: User, person: Any, author: User
) -> None:
    ana = person("ana", affiliation="Harbour Bank")
    browser = sign_in(staff)
    for words in ("Ana", "ana@example", "harbour", f"Expert {ana.pk}", str(ana.pk)):
        page = browser.get("/staff/people/", {"q": words}).content.decode()
        assert f"/staff/people/{ana.pk}/" in page
    page = browser.get("/staff/people/", {"q": "ana"}).content.decode()
    assert f"/staff/people/{author.pk}/" not in page
    page = browser.get("/staff/people/", {"domain": "finance"}).content.decode()
    assert f"/staff/people/{author.pk}/" in page
    assert f"/staff/people/{ana.pk}/" not in page
    page = browser.get("/staff/people/", {"q": "' OR 1=1 --"}).content.decode()
    assert "Nobody fits this search" in page


def test_the_list_costs_the_same_for_three_and_for_thirty_people(
    sign_in: SignIn, staff: User, person: Any, finance: Domain, law: Domain
) -> None:
    browser = sign_in(staff)
    counted = []
    for upto in (range(3), range(3, 30)):
        for n in upto:
            person(f"p{n}", finance, law)
        with CaptureQueriesContext(connection) as queries:
            browser.get("/staff/people/")
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_a_slot_is_granted_with_a_reason_on_the_record(
    sign_in: SignIn, staff: User, author: User
) -> None:
    browser = sign_in(staff)
    address = f"/staff/people/{author.pk}/"
    answer = browser.post(f"{address}slot/", {"slot-reason": " "})
    assert answer.status_code == 400
    assert "Say why" in answer.content.decode()
    assert browser.post(f"{address}slot/", {"slot-reason": "Rare field."}).status_code == 302
    assert SlotGrant.objects.get().granted_by == staff
    page = browser.get(address).content.decode()
    assert "Rare field." in page
    assert "0 of 4 taken" in page


def test_a_senior_is_made_and_unmade_with_a_reason_on_the_record(
    sign_in: SignIn, staff: User, author: User, finance: Domain
) -> None:
    browser = sign_in(staff)
    address = f"/staff/people/{author.pk}/senior/"
    make = {"domain": finance.pk, "senior": "1", "reason": "Ten good reviews."}
    answer = browser.post(address, make | {"reason": ""})
    assert answer.status_code == 400
    assert "Say why. It stays on the record." in answer.content.decode()
    assert browser.post(address, make).status_code == 302
    assert User.objects.get(pk=author.pk).senior_domain_ids() == {finance.pk}
    assert browser.post(address, make).status_code == 409  # it is so already
    browser.post(address, make | {"senior": "0", "reason": "Asked for less work."})
    assert User.objects.get(pk=author.pk).senior_domain_ids() == frozenset()
    assert [c.senior for c in SeniorityChange.objects.all()] == [True, False]
    page = browser.get(f"/staff/people/{author.pk}/").content.decode()
    assert "Ten good reviews." in page


def test_only_an_active_expert_becomes_a_senior(
    sign_in: SignIn, staff: User, author: User, law: Domain, finance: Domain
) -> None:
    browser = sign_in(staff)
    address = f"/staff/people/{author.pk}/senior/"
    data = {"senior": "1", "reason": "Because."}
    assert browser.post(address, data | {"domain": law.pk}).status_code == 409
    Qualification.objects.filter(user=author).update(active=False)
    assert browser.post(address, data | {"domain": finance.pk}).status_code == 409
    for nonsense in ({"domain": "x"}, {"domain": finance.pk, "senior": "2"}):
        assert browser.post(address, data | nonsense).status_code == 400


# --- invitations ---------------------------------------------------------------------------------
def invite(browser: Client, **changes: str) -> Any:
    data = {"email": "New.Expert@Example.test", "display_name": "Noor Expert", "language": "en"}
    return browser.post("/staff/people/invite/", data | changes)


def link() -> str:
    found = re.search(r"http://testserver(/\S+)", mail.outbox[-1].body)
    assert found
    return found.group(1)


def test_an_invited_person_sets_a_password_with_a_link_that_works_once_and_signs_in(
    sign_in: SignIn, staff: User, client: Client
) -> None:
    answer = invite(sign_in(staff))
    person = User.objects.get(email="new.expert@example.test")
    assert answer["Location"] == f"/staff/people/{person.pk}/"
    assert not person.has_usable_password()
    assert mail.outbox[0].to == ["new.expert@example.test"]
    address = link()
    form = client.get(address, follow=True)
    assert form.status_code == 200
    words = {"password1": "four quiet herons wade", "password2": "four quiet herons wade"}
    assert client.post(form.request["PATH_INFO"], words).status_code == 302
    person.refresh_from_db()
    assert person.check_password("four quiet herons wade")
    login = {"login": "new.expert@example.test", "password": "four quiet herons wade"}
    assert "placeholder" not in client.get("/account/login/").content.decode()  # labels stand above
    assert client.post("/account/login/", login).status_code == 302
    arrived = client.get("/apply/")
    assert arrived.status_code == 200
    assert "uccessfully" not in arrived.content.decode()
    used = Client().get(address, follow=True)
    assert "password1" not in used.content.decode()


def test_inviting_an_address_that_has_an_account_says_so_and_sends_nothing(
    sign_in: SignIn, staff: User, author: User
) -> None:
    answer = invite(sign_in(staff), email="AUTHOR@example.test", display_name="Somebody")
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "has an account already" in page
    assert author.pseudonym in page
    assert 'value="Somebody"' in page
    assert mail.outbox == []


@pytest.mark.parametrize(
    "changes",
    [
        {"email": ""},
        {"email": "no address"},
        {"email": "a@b.test\r\nBcc: all@example.test"},
        {"display_name": " "},
        {"language": "tlh"},
    ],
)
def test_an_invitation_that_cannot_be_sent_names_the_field(
    sign_in: SignIn, staff: User, changes: dict[str, str]
) -> None:
    before = User.objects.count()
    assert invite(sign_in(staff), **changes).status_code == 400
    assert User.objects.count() == before
    assert mail.outbox == []


def test_the_invitation_speaks_the_language_of_the_invited(sign_in: SignIn, staff: User) -> None:
    invite(sign_in(staff), language="zh-hans")
    assert User.objects.get(email="new.expert@example.test").language == "zh-hans"
    assert len(mail.outbox) == 1


def test_a_mail_server_that_is_down_does_not_undo_the_account_and_the_link_is_sent_again(
    sign_in: SignIn, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from curation.views import people

    def down(*args: Any, **kwargs: Any) -> None:
        raise SMTPException("down")

    browser = sign_in(staff)
    with monkeypatch.context() as patch:
        patch.setattr(people, "send_mail", down)
        answer = invite(browser)
    page = browser.get(answer["Location"]).content.decode()
    assert "could not be sent" in page
    person = User.objects.get(email="new.expert@example.test")
    again = browser.post("/staff/people/invite/", {"again": person.pk})
    assert again.status_code == 302
    assert mail.outbox[-1].to == [person.email]


def test_a_link_is_never_sent_again_to_somebody_who_has_a_password(
    sign_in: SignIn, staff: User, author: User
) -> None:
    browser = sign_in(staff)
    assert browser.post("/staff/people/invite/", {"again": author.pk}).status_code == 409
    assert browser.post("/staff/people/invite/", {"again": "x"}).status_code == 404
    assert mail.outbox == []

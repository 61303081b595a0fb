"""The people's record."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, SeniorityChange, User
from curation.qualifying.applications.models import Application
from curation.tasks.task.models import Slot, SlotGrant, Task

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
    assert "Nobody matches this search" in page


def test_the_list_costs_the_same_for_three_and_for_eight_people(
    sign_in: SignIn, staff: User, person: Any, finance: Domain, law: Domain
) -> None:
    browser = sign_in(staff)
    counted = []
    for upto in (range(3), range(3, 8)):
        for n in upto:
            person(f"p{n}", finance, law)
        with CaptureQueriesContext(connection) as queries:
            browser.get("/staff/people/")
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_the_record_costs_the_same_for_a_newcomer_and_for_somebody_with_a_history(
    sign_in: SignIn, staff: User, author: User, law: Domain, django_assert_max_num_queries: Any
) -> None:
    browser = sign_in(staff)
    address = f"/staff/people/{author.pk}/"
    browser.get(address)
    with django_assert_max_num_queries(26) as few:
        assert browser.get(address).status_code == 200
    held = Qualification.objects.create(user=author, domain=law, senior=True)
    for n in range(6):
        SlotGrant.objects.create(expert=author, number=n, granted_by=staff, reason=f"Grant {n}")
        SeniorityChange.objects.create(qualification=held, senior=True, actor=staff, reason="Good.")
        task = Task.objects.create(author=author, domain=law, title=f"Task {n}", key=f"task-{n}")
        Slot.objects.create(expert=author, number=n + 1, task=task)
    with django_assert_max_num_queries(26) as many:
        page = browser.get(address).content.decode()
    assert len(many) == len(few)
    assert "Grant 5" in page
    assert "Task 5" in page


def test_a_slot_is_granted_with_a_reason_on_the_record(
    sign_in: SignIn, staff: User, author: User
) -> None:
    browser = sign_in(staff)
    address = f"/staff/people/{author.pk}/"
    form = {"slot-reason": "Rare field.", "slot-number": 1}
    answer = browser.post(f"{address}slot/", form | {"slot-reason": " "})
    assert answer.status_code == 400
    assert "Say why" in answer.content.decode()
    assert browser.post(f"{address}slot/", form).status_code == 302
    assert SlotGrant.objects.get().granted_by == staff
    page = browser.get(address).content.decode()
    assert "Rare field." in page
    assert "0 of 4 taken" in page


def test_a_slot_is_given_by_the_number_the_page_was_read_with(
    sign_in: SignIn, staff: User, author: User
) -> None:
    browser = sign_in(staff)
    address = f"/staff/people/{author.pk}/"
    assert 'name="slot-number" value="1"' in browser.get(address).content.decode()
    form = {"slot-reason": "Rare field.", "slot-number": 1}
    assert browser.post(f"{address}slot/", form).status_code == 302
    late = browser.post(f"{address}slot/", form | {"slot-reason": "A colleague's page."})
    assert late.status_code == 409
    assert "none was added" in late.content.decode()
    for number in ("", "two", "-1"):
        old = browser.post(f"{address}slot/", form | {"slot-number": number})
        assert old.status_code == 409
        assert "This page is out of date." in old.content.decode()
    assert SlotGrant.objects.count() == 1
    assert 'name="slot-number" value="2"' in browser.get(address).content.decode()


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

"""Queries written once answer, refuse and store as the same queries of Django do."""

from datetime import UTC, datetime
from threading import Thread
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F
from django.test import Client

from curation.actions.tokens import make_token
from curation.models import Domain, Qualification, User
from curation.prepared import Prepared, PreparedInsert, PreparedUpdate, Slot

pytestmark = pytest.mark.django_db
NUMBER = models.BigIntegerField
SINCE = datetime(2026, 1, 2, 3, 4, 5, 6000, tzinfo=UTC)
TOO_LARGE = (2**63, 10**30)


@pytest.fixture
def program(person: Any, finance: Domain) -> Client:
    """A program of an expert who is staff too, so that every address is open to it."""
    _token, key = make_token(actor=person("prog", finance, is_staff=True), name="tests")
    return Client(headers={"Authorization": f"Token {key}"})


def held(person: Any) -> Any:
    return (
        Qualification.objects.filter(user_id=person, active=True)
        .select_related("domain")
        .annotate(address=F("user__email"))
        .order_by("-domain__position")
    )


HELD = Prepared(lambda: held(Slot("person", NUMBER())))
NAMES = Prepared(
    lambda: Domain.objects.filter(key=Slot("key", models.CharField())).values_list("pk", "name")
)


def test_rows_are_those_of_the_same_query(person: Any, finance: Domain, law: Domain) -> None:
    both, one = person("both", finance, law), person("one", law)
    for who in (both, one, both):
        rows, same = HELD.rows(person=who.pk), list(held(who.pk))
        assert rows == same
        for row, twin in zip(rows, same, strict=True):
            assert (row.since, row.active, row.address) == (twin.since, True, who.email)
            assert vars(row.domain).keys() == vars(twin.domain).keys()
    assert NAMES.rows(key="law") == [(law.pk, "Law")]
    assert NAMES.first(key="nothing") is None


def test_a_related_row_comes_with_the_same_query(
    person: Any, finance: Domain, django_assert_num_queries: Any
) -> None:
    who = person("one", finance)
    with django_assert_num_queries(1):
        assert HELD.first(person=who.pk).domain.name == "Finance"


@pytest.mark.parametrize("number", TOO_LARGE)
def test_a_number_no_column_holds_finds_nothing(number: int) -> None:
    assert HELD.rows(person=number) == HELD.rows(person=-number - 1) == []


@pytest.mark.parametrize("number", TOO_LARGE)
@pytest.mark.parametrize("address", ["tasks/{}/", "sheets/{}/", "sheets/{}/lines/c1/"])
def test_an_address_with_such_a_number_is_a_missing_page(
    program: Client, address: str, number: int
) -> None:
    verb = program.put if "lines" in address else program.get
    answer = verb(f"/api/v1/{address.format(number)}", {"met": True}, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_an_inserted_row_is_the_one_that_save_would_store(
    person: Any, finance: Domain, law: Domain
) -> None:
    who = person("one", law)
    insert = PreparedInsert(Qualification)
    values = {"user_id": who.pk, "senior": True, "active": False, "since": SINCE}
    made = insert.run(domain_id=finance.pk, **values)
    stored = Qualification.objects.get(pk=made.pk)
    assert made == stored
    assert (stored.since, stored.senior, stored.active) == (SINCE, True, False)
    made.senior = False
    made.save()
    assert Qualification.objects.filter(user=who).count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        insert.run(domain_id=law.pk, **values)


def test_an_update_changes_the_rows_it_names_and_counts_them(
    person: Any, finance: Domain, law: Domain
) -> None:
    who, other = person("one", finance, law), person("other", law)
    suspend = PreparedUpdate(
        lambda: (
            Qualification.objects.filter(user_id=Slot("person", NUMBER()), active=True),
            {"active": False, "since": Slot("since", models.DateTimeField())},
        )
    )
    assert [suspend.run(person=who.pk, since=SINCE) for _n in range(2)] == [2, 0]
    assert {q.since for q in Qualification.objects.filter(active=False)} == {SINCE}
    assert other.qualifications.get().active


@pytest.mark.django_db(transaction=True)
def test_threads_share_a_query_and_none_its_connection(person: Any, finance: Domain) -> None:
    people = [person(f"p{n}", finance) for n in range(4)]
    shared = Prepared(lambda: held(Slot("person", NUMBER())))
    found: dict[int, list[int]] = {}

    def read(pk: int) -> None:
        try:
            found[pk] = [row.user_id for _n in range(20) for row in shared.rows(person=pk)]
        finally:
            connection.close()

    threads = [Thread(target=read, args=[who.pk]) for who in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {who.pk: [who.pk] * 20 for who in people}


def test_only_what_can_be_read_is_prepared(finance: Domain) -> None:
    dicts = Prepared(lambda: Domain.objects.values("key"))
    with pytest.raises(TypeError):
        dicts.rows()


def test_a_person_is_found_by_number_as_django_finds_any_row(person: Any) -> None:
    one, group = person("one"), Group.objects.create(name="Some")
    found = User.objects.get(pk=one.pk)
    assert found == one == User.objects.get(pk=str(one.pk))
    assert vars(found).keys() == vars(User.objects.filter(pk=one.pk).get()).keys()
    for nobody in (one.pk + 10**6, 2**63, None):
        with pytest.raises(User.DoesNotExist):
            User.objects.get(pk=nobody)
    with pytest.raises(ValueError):
        User.objects.get(pk="one")
    with pytest.raises(User.DoesNotExist):
        group.user_set.get(pk=one.pk)  # of these people, there is none
    group.user_set.add(one)
    assert group.user_set.get(pk=one.pk) == one
    with pytest.raises(User.DoesNotExist):
        User.objects.get(pk=one.pk, is_active=False)


def test_the_person_of_a_request_is_one_query(person: Any, django_assert_num_queries: Any) -> None:
    one = person("one")
    with django_assert_num_queries(1):
        assert User.objects.get(pk=one.pk).email == one.email

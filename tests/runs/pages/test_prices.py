"""The price table: staff enter what models cost, and what runs have cost follows."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price, PriceEvent
from judge.asking.calls.price_queries import price_rows
from judge.asking.candidates.models import Candidate
from judge.runs.engine.models import JudgeRun
from judge.runs.pages import lifecycle

pytestmark = pytest.mark.django_db
URL = "/staff/prices/"
LARCH = {"provider": "openai", "model": "larch-4", "input": "2.5", "cached": "", "output": "10"}


@pytest.fixture
def office(sign_in, staff):
    return sign_in(staff)


@pytest.fixture
def run():
    """A run that read 2,000 tokens, half of them cached, and wrote 100; nobody knows its price."""
    run = JudgeRun.objects.create(
        method="one_shot", provider="openai", model="larch-4", state="finished",
        started_at=timezone.now(), finished_at=timezone.now(),
    )  # fmt: skip
    Call.objects.create(
        purpose="judge", provider="openai", model="larch-4", run=run, attempt=1, request={},
        input_tokens=2_000, cached_tokens=1_000, output_tokens=100, seconds=1.0,
    )  # fmt: skip
    return run


def words(office, path):
    return office.get(path).content.decode()


def test_a_price_entered_on_the_page_prices_what_was_run_before(office, staff, run):
    page = words(office, f"/staff/runs/{run.pk}/")
    assert "The price of this model is not known." in page
    assert f"{URL}?provider=openai&amp;model=larch-4#price" in page
    page = words(office, f"{URL}?provider=openai&model=larch-4")
    assert "price not known" in page
    assert 'value="larch-4"' in page
    assert office.post(URL, LARCH | {"cached": "0.25"}).url == URL
    # 1,000 fresh at 2.5, 1,000 cached at 0.25 and 100 out at 10 dollars a million
    assert "The price of this model is not known." not in words(office, f"/staff/runs/{run.pk}/")
    run_cost = lifecycle.summary(run)["cost_usd"]
    assert run_cost == pytest.approx(0.00375)
    page = words(office, URL)
    assert "price not known" not in page
    assert "$2.50 in, $0.25 from the cache, $10.00 out" in page
    assert str(staff) in page
    assert Call.objects.count() == 1


def test_a_model_that_a_run_asks_only_in_a_further_role_asks_for_its_price_too(office, run):
    oak = {"provider": "openai", "model": "oak-2", "parameters": {}, "setup": {}}
    judge = oak | {"model": "larch-4"}
    for roles in ({"verify": oak, "generate": oak}, {"verify": oak, "generate": judge}):
        JudgeRun.objects.create(
            method="jade_report", provider="openai", model="larch-4", further_models=roles
        )
    rows = {row.model: row for row in price_rows()}
    assert (rows["oak-2"].known, rows["oak-2"].runs) == (False, 2)
    assert rows["larch-4"].runs == 3
    page = words(office, URL)
    assert "oak-2" in page
    assert "price not known" in page


def test_a_price_that_is_changed_keeps_what_it_was_on_record(office, staff):
    office.post(URL, LARCH)
    page = words(office, f"{URL}?provider=openai&model=larch-4")
    assert 'value="2.5"' in page
    assert 'value="10"' in page
    office.post(URL, LARCH | {"output": "0.075"})
    office.post(URL, LARCH | {"output": "0.075"})  # the same once more is no change
    first, price = Price.objects.order_by("pk")
    assert (first.since, first.output_micro) == (None, 10_000_000)
    assert (price.input_micro, price.cached_micro, price.output_micro) == (
        2_500_000, 2_500_000, 75_000,
    )  # fmt: skip
    assert [(e.actor, e.output_micro) for e in PriceEvent.objects.all()] == [
        (staff, 75_000),
        (staff, 10_000_000),
    ]


def test_a_price_from_the_command_line_stands_on_the_page_too(office):
    call_command("set_price", "anthropic", "larch-5", "--input=3", "--output=15", "--cached=0.3")
    page = words(office, URL)
    assert "Anthropic larch-5" in page
    assert "on the command line" in page


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"input": ""}, "Please fill this in."),
        ({"input": "two"}, "Type a number."),
        ({"output": "-1"}, "Type a number of at least 0."),
        ({"output": "100000.1"}, "Type a number of at most 100000."),
        ({"cached": "NaN"}, "Type a number."),
        ({"input": "0.0000001"}, "Type at most 6 digits after the point."),
        ({"provider": "offline"}, "offline is not one of the available choices"),
        ({"model": "  "}, "Please fill this in."),
        ({"model": "larch\u200b\u202e"}, "control characters"),
        ({"model": "x" * 121}, "at most 120 characters"),
    ],
)
def test_what_is_no_price_is_said_at_its_field_and_nothing_is_stored(office, values, said):
    answer = office.post(URL, LARCH | values)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert said in page
    assert 'value="10"' in page or "output" in values  # what was typed stays
    assert not Price.objects.exists()
    assert not PriceEvent.objects.exists()


@pytest.mark.parametrize("query", ["?provider=%00&model=%ed%a0%80", "?model=" + "x" * 5_000])
def test_an_address_with_odd_names_only_fills_the_form(office, query):
    assert office.get(URL + query).status_code == 200


def test_the_page_asks_as_much_of_eight_models_as_of_one(office, run, django_assert_num_queries):
    words(office, URL)
    with CaptureQueriesContext(connection) as captured:
        words(office, URL)
        one = len(captured)
    for n in range(8):
        Candidate.objects.create(name=f"Larch {n}", provider="openai", model=f"larch-{n}")
        office.post(URL, LARCH | {"model": f"other-{n}"})
    words(office, URL)
    with django_assert_num_queries(one):
        words(office, URL)


def test_experts_and_seniors_read_no_prices(sign_in, author, senior):
    for person in (author, senior):
        assert sign_in(person).get(URL).status_code == 403
        assert sign_in(person).post(URL, LARCH).status_code == 403
    assert not Price.objects.exists()


def test_too_many_digits_after_the_point_are_refused_in_plain_words_and_kept(office):
    answer = office.post(URL, LARCH | {"input": "0.00000015"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Type at most 6 digits after the point." in page
    assert 'value="0.00000015"' in page
    assert not Price.objects.exists()

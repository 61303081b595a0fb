"""Indexes that the worker computes: no request fits one, and none is shown as new that is not."""

import errno
import html
import json
import re
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from judge.base.queue.models import MachineWork
from judge.base.stats import irt
from judge.jobs.jobs import compute_index, due
from judge.results.product_index import stored
from judge.results.product_index.actions import add_period
from judge.results.product_index.cells import Cell
from judge.results.product_index.index import build
from judge.results.product_index.models import StoredIndex
from judge.results.product_index.stored import restored, waiting_indexes
from tests.results.product_index.test_index import as_csv, cells
from tests.results.product_index.test_pages import imported

pytestmark = pytest.mark.django_db
OTHERS = {"group": "matrix:Others"}


@pytest.fixture
def fits(monkeypatch: Any) -> list[int]:
    """One entry for each fit."""
    found, original = [], irt.fit

    def fit(*args: Any) -> Any:
        found.append(1)
        return original(*args)

    monkeypatch.setattr(irt, "fit", fit)
    return found


@pytest.fixture
def office(sign_in, staff):
    browser = sign_in(staff)
    imported(browser, text=as_csv(cells(tasks=40)))
    return browser


def work():
    """Do what the sweep would queue of indexes."""
    return [job(pk) for job, pk in due() if job is compute_index]


def page(office, **query):
    reply = office.get(reverse("product-index"), OTHERS | query)
    assert reply.status_code == 200
    return " ".join(reply.content.decode().split())


def test_the_page_and_its_files_share_one_fit_of_the_worker(office, fits):
    assert "The index is being computed" in page(office)
    assert "being computed" not in page(office, reference="2025-08").replace(
        "The index is being computed", ""
    )
    for name in ("product-index-json", "product-index-csv"):
        assert office.get(reverse(name), OTHERS).status_code == 409
    assert not fits
    assert work() == [True, True]
    assert len(fits) == 2
    assert "Abilities over time" in page(office)
    for name in ("product-index-json", "product-index-csv"):
        assert office.get(reverse(name), OTHERS).status_code == 200
    assert work() == []
    assert len(fits) == 2


def waits_at(text):
    """Return the address at which the page asks for a new index; None if it asks for none."""
    found = re.search(r'data-refresh="([^"]*)" data-refresh-every="5"', text)
    return reverse("product-index") + html.unescape(found[1]) if found else None


def test_a_page_that_waits_for_an_index_is_loaded_again_when_it_is_there(office, staff, fits):
    def asks(address):
        answer = office.get(address, headers={"X-Parts": "1"})
        return answer.status_code, answer.headers.get("X-Reload")

    first = waits_at(page(office, reference="2025-08"))
    assert asks(first) == (204, None)
    work()
    assert asks(first) == (200, "1")
    assert waits_at(page(office, reference="2025-08")) is None
    add_period(actor=staff, key="2025-05", starts_on="2025-05-10", ends_on="2025-05-20")
    second = waits_at(page(office, reference="2025-08"))
    assert asks(second) == (204, None)
    work()
    assert asks(second) == (200, "1")
    assert len(fits) == 2


def test_a_changed_date_shows_the_last_index_and_makes_a_new_one(office, staff, fits):
    page(office)
    work()
    add_period(actor=staff, key="2025-05", starts_on="2025-05-10", ends_on="2025-05-20")
    stale = page(office)
    assert "This is the last index; a new one is being computed." in stale
    assert "Abilities over time" in stale
    assert office.get(reverse("product-index-json"), OTHERS).status_code == 409
    assert work() == [True]
    assert "being computed" not in page(office)
    assert len(fits) == 2


def test_an_index_of_an_earlier_model_is_not_read_but_made_anew(office, monkeypatch):
    page(office)
    work()
    StoredIndex.objects.update(result={"rows": "as an earlier release stored them"})
    monkeypatch.setattr(stored, "MODEL", "another")
    assert "The index is being computed" in page(office)
    assert work() == [True]
    assert "being computed" not in page(office)


def test_the_last_index_is_shown_though_no_new_one_can_be_asked_for(office, staff, monkeypatch):
    page(office)
    work()
    add_period(actor=staff, key="2025-05", starts_on="2025-05-10", ends_on="2025-05-20")

    def full(**choice):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(StoredIndex.objects, "update_or_create", full)
        assert "Abilities over time" in page(office)
        assert "The index is being computed" in page(office, reference="2025-08")
    assert StoredIndex.objects.count() == 1


def test_an_index_that_could_not_be_computed_is_said_until_its_scores_change(
    office, staff, monkeypatch
):
    def asks(address):
        return office.get(address, headers={"X-Parts": "1"}).headers.get("X-Reload")

    def fails():
        with monkeypatch.context() as patched:
            patched.setattr(irt, "fit", lambda *_: 1 / 0)
            for _time in range(3):
                work()
                MachineWork.objects.update(updated_at=timezone.now() - timedelta(hours=1))

    waiting = waits_at(page(office))
    assert asks(waiting) is None
    fails()
    assert asks(waiting) == "1"
    first = page(office)
    assert "The index could not be computed" in first
    assert reverse("staff-jobs") in first
    assert waits_at(first) is None
    answer = office.get(reverse("product-index-json"), OTHERS)
    assert (answer.status_code, "could not be computed" in answer.content.decode()) == (409, True)
    add_period(actor=staff, key="2025-05", starts_on="2025-05-10", ends_on="2025-05-20")
    assert "The index is being computed" in page(office)
    assert work() == [True]
    add_period(actor=staff, key="2025-06", starts_on="2025-06-10", ends_on="2025-06-20")
    page(office)
    fails()
    stale = page(office)
    assert "This is the last index; the new one could not be computed." in stale
    assert "Abilities over time" in stale
    assert waits_at(stale) is None


def test_an_index_whose_scores_are_gone_waits_no_more(office):
    page(office)
    StoredIndex.objects.update(group="matrix:Nothing")
    assert work() == [True]
    assert not StoredIndex.objects.exists()


@pytest.mark.parametrize("query", [{"reference": "1999"}, {"group": "matrix:Nothing"}])
def test_a_choice_that_does_not_exist_is_refused_and_not_stored(office, query):
    assert office.get(reverse("product-index"), OTHERS | query).status_code == 400
    assert not waiting_indexes().exists()


def test_a_stored_index_is_the_computed_one():
    all_right = [Cell(f"t{n:02}", "Oak", "v1", "2025-05", 1.0) for n in range(40)]
    found = build([*cells(tasks=40), *all_right], released={("Cedar", "v1"): 1.0})
    again = restored(json.loads(json.dumps(asdict(found))))
    assert again == found
    rows = {id(row) for row in again.rows}
    assert {id(one.after) for one in again.steps} <= rows

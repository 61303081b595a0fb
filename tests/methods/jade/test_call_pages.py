"""What pages of calls say of those in further roles, which judge nothing."""

import re

import pytest
from django.urls import reverse

from tests.methods.jade.pages import folder_of
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db

FACTS = ("Acme sells cups.", "Plates are dear.")
DID = {"generate": "response taken apart", "verify": "claim verified"}


@pytest.fixture
def run(stub, judge, tmp_path):
    """One response of two facts: it is taken apart, each fact is verified, then it is judged."""
    body = "\n".join(f"Fact: {fact}" for fact in FACTS)
    factory.respond(factory.external_task(lines=0), "Ash", f"{body}\nBuy cups.")
    documents = folder_of(tmp_path / "pages", FACTS)
    found, result = judge(method="jade_report", search=documents)
    assert result["judged"] == 1
    return found


@pytest.fixture
def browser(sign_in, staff):
    return sign_in(staff)


def rows_of(browser, address):
    """Return call -> the text of its row in a table that links to it."""
    page = browser.get(address).content.decode()
    found = {}
    for row in re.findall(r"<tr>.*?</tr>|<tr .*?</tr>", page, re.DOTALL):
        if call := re.search(r'href="/staff/calls/(\d+)/"', row):
            found[int(call.group(1))] = " ".join(re.sub(r"<[^>]+>", " ", row).split())
    return found


def test_a_runs_calls_say_what_they_did_and_only_the_judges_own_is_called_judged(run, browser):
    rows = rows_of(browser, reverse("staff-run", args=[run.pk]))
    calls = {call.pk: call.role for call in run.calls.all()}
    assert sorted(calls.values()) == ["generate", "judge", "verify", "verify"]
    assert rows.keys() == calls.keys()
    for call, role in calls.items():
        assert DID.get(role, "judged") in rows[call]
        assert ("judged" in rows[call]) == (role == "judge")


def test_the_list_of_calls_and_its_file_say_what_they_did(run, browser):
    address = f"{reverse('staff-calls')}?run={run.pk}"
    rows = rows_of(browser, address)
    for call in run.calls.all():
        assert DID.get(call.role, "answered") in rows[call.pk]
    file = browser.get(f"{address}&format=csv")
    text = b"".join(file.streaming_content).decode("utf-8-sig")
    assert text.count(DID["generate"]) == 1
    assert text.count(DID["verify"]) == 2


def test_a_calls_page_says_what_it_and_those_beside_it_did(run, browser):
    for call in run.calls.all():
        page = browser.get(reverse("staff-call", args=[call.pk])).content.decode()
        assert DID.get(call.role, "answered").capitalize() in page
        beside = page.split("All calls on this response")[1]
        assert beside.count(DID["verify"]) == 2
        assert beside.count(DID["generate"]) == 1
        assert beside.count(">answered<") == 1

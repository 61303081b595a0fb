"""A person's page of their own work: what it shows, the time of work, the payee reference."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.base.web.refusals import BadInput
from curation.joining.people import Qualification
from curation.screening.panels.models import ScreeningVote
from curation.staff.honoraria.actions import approve, state_minutes
from curation.staff.honoraria.models import Honorarium, Payee
from curation.staff.honoraria.rates import take_back_rate
from curation.staff.honoraria.sources import collect_finished_work
from tests.conftest import browser_of, new_domain, new_person
from tests.staff.honoraria.conftest import entry, pay

PAGE = "/honoraria/"


def text_of(answer: Any) -> str:
    assert answer.status_code == 200, answer.status_code
    return " ".join(answer.content.decode().split())


def test_without_a_rate_there_is_no_page_no_entry_and_no_link(work_world, author):
    assert collect_finished_work() == 0
    assert not Honorarium.objects.exists()
    browser = browser_of(author)
    assert browser.get(PAGE).status_code == 404
    assert browser.post(PAGE, {}).status_code == 404
    assert browser.post(f"{PAGE}payee/", {"reference": "P-1"}).status_code == 404
    assert PAGE not in browser.get("/").content.decode()


def test_a_rate_taken_back_before_anything_was_decided_hides_the_page_again(author, staff):
    rate = pay(staff, "vote", "15.00")
    assert browser_of(author).get(PAGE).status_code == 200
    assert f'href="{PAGE}"' in browser_of(author).get("/").content.decode()
    take_back_rate(actor=staff, rate=rate)
    assert browser_of(author).get(PAGE).status_code == 404


def test_a_person_sees_their_own_pieces_with_amounts_and_nobody_elses(paid, author, voter):
    paid()
    page = text_of(browser_of(author).get(PAGE))
    assert "Task that passed screening" in page
    assert "Covenant headroom" in page
    assert "120.00 EUR" in page
    assert "Screening vote" not in page.split("What is paid")[0]
    assert "Screening vote" in text_of(browser_of(voter).get(PAGE))


def test_what_work_is_paid_is_told_before_any_is_done(work_world, author, staff):
    """The rates of today that count for the person: their domain's own before that of all."""
    law = new_domain("law")
    pay(staff, "vote", "15.00")
    pay(staff, "vote", "18.00", domain=work_world["finance"])
    pay(staff, "vote", "21.00", domain=law)
    pay(staff, "round", "60.00", unit="hour", cap_minutes=90)
    pay(staff, "sheet", "30.00", since=timezone.localdate() + timedelta(days=9))
    pay(staff, "task", None)
    shown = text_of(browser_of(author).get(PAGE)).split("What is paid")[1]
    assert re.findall(r"[0-9.]+ EUR", shown) == ["18.00 EUR", "60.00 EUR"]
    assert "at most 90 minutes of a piece" in shown
    assert "Task that passed screening" not in shown
    pay(staff, "vote", None, domain=work_world["finance"], since=timezone.localdate())
    shown = text_of(browser_of(author).get(PAGE)).split("What is paid")[1]
    assert re.findall(r"[0-9.]+ EUR", shown) == ["60.00 EUR"]
    assert "nothing is paid" in shown
    everybody = text_of(browser_of(new_person("stranger")).get(PAGE)).split("What is paid")[1]
    assert re.findall(r"[0-9.]+ EUR", everybody) == ["15.00 EUR", "60.00 EUR"]


def test_what_a_domain_does_not_pay_is_told_before_what_the_others_pay(work_world, author, staff):
    Qualification.objects.create(user=author, domain=new_domain("law"))
    pay(staff, "vote", "15.00")
    pay(staff, "vote", None, domain=work_world["finance"])
    pay(staff, "round", "60.00")
    with CaptureQueriesContext(connection) as asked:
        shown = text_of(browser_of(author).get(PAGE)).split("What is paid")[1].split("</table>")[0]
    words = " ".join(re.sub(r"<[^>]+>", " ", shown).split())
    assert "Screening vote Finance nothing is paid" in words
    assert "Screening vote your other domains 15.00 EUR" in words
    assert "Review round all domains 60.00 EUR" in words
    table = Honorarium._meta.db_table
    assert not [q for q in asked if f'JOIN "{table}"' in q["sql"]], "it counts no one's work"


def test_work_without_a_rate_says_so_and_counts_as_unknown_never_as_nothing(author, staff):
    pay(staff, "vote", "15.00")
    collect_finished_work()
    page = text_of(browser_of(author).get(PAGE))
    assert "no rate was set for this work on that day" in page
    assert "and 1 piece whose amount is unknown" in page
    assert "0.00" not in page


def test_stated_minutes_are_stored_and_change_the_amount_by_the_hour(author, staff):
    pay(staff, "task", "60.00", unit="hour", cap_minutes=90)
    collect_finished_work()
    browser, piece = browser_of(author), entry("task")
    assert "the time it took is not stated yet" in text_of(browser.get(PAGE))
    answer = browser.post(PAGE, {f"minutes-{piece.pk}": "40"}, follow=True)
    assert "40.00 EUR" in text_of(answer)
    browser.post(PAGE, {f"minutes-{piece.pk}": "400"})
    page = text_of(browser.get(PAGE))
    assert "90.00 EUR" in page
    assert "90 minutes count at most" in page
    browser.post(PAGE, {f"minutes-{piece.pk}": ""})
    assert entry("task").minutes is None


@pytest.mark.parametrize("typed", ["0", "-3", "half an hour", "28801"])
def test_a_time_that_is_none_is_refused_at_its_field(paid, author, typed):
    paid()
    name = f"minutes-{entry('task').pk}"
    answer = browser_of(author).post(PAGE, {name: typed})
    assert answer.status_code == 400
    assert answer.context["form"].errors[name]
    assert entry("task").minutes is None


def test_what_the_product_measured_is_offered_and_counts_only_once_it_is_stored(author, staff):
    pay(staff, "task", "60.00", unit="hour", cap_minutes=90)
    collect_finished_work()
    Honorarium.objects.update(measured_minutes=30)
    browser, piece = browser_of(author), entry("task")
    page = text_of(browser.get(PAGE))
    assert 'value="30"' in page
    assert "30 measured" in page
    assert "30.00 EUR" not in page
    browser.post(PAGE, {f"minutes-{piece.pk}": "30"})
    assert "30.00 EUR" in text_of(browser.get(PAGE))


def test_the_time_of_anothers_work_cannot_be_stated(paid, author):
    paid()
    other = entry("vote")
    browser_of(author).post(PAGE, {f"minutes-{other.pk}": "40"})
    assert entry("vote").minutes is None


def test_the_time_of_approved_work_stays(paid, author, staff):
    paid()
    piece = entry("task")
    approve(actor=staff, entry=piece)
    answer = browser_of(author).post(PAGE, {f"minutes-{piece.pk}": "40"})
    assert answer.status_code == 409
    assert "Staff decided on this work meanwhile" in answer.content.decode()
    assert entry("task").minutes is None


def test_a_time_is_stored_though_its_piece_moved_to_another_page(paid, author, monkeypatch):
    paid()
    piece = entry("task")
    Honorarium.objects.create(
        person=author, kind="other", description="A talk", finished_at=timezone.now()
    )
    monkeypatch.setattr("curation.staff.honoraria.views.PER_PAGE", 1)
    browser = browser_of(author)
    assert f"minutes-{piece.pk}" not in text_of(browser.get(PAGE))
    browser.post(PAGE, {f"minutes-{piece.pk}": "40", "minutes-": "1", f"minutes-{'9' * 40}": "1"})
    assert entry("task").minutes == 40


def test_a_piece_goes_when_its_record_does_and_comes_once_however_often_it_is_looked_for(
    paid, voter
):
    paid()
    assert collect_finished_work() == 0
    assert Honorarium.objects.count() == 2
    vote = ScreeningVote.objects.get()
    vote.delete()
    assert collect_finished_work() == 1
    assert not Honorarium.objects.filter(kind="vote").exists()


def test_work_on_imported_domains_is_nobodys_paid_work(work_world, staff):
    domain = work_world["finance"]
    type(domain).objects.filter(pk=domain.pk).update(external=True)
    pay(staff, "vote", "15.00")
    assert collect_finished_work() == 0


class TestPayeeReference:
    def test_a_person_gives_changes_and_removes_it(self, paid, author):
        paid()
        browser = browser_of(author)
        browser.post(f"{PAGE}payee/", {"reference": "  P-2041 "})
        assert Payee.objects.get().reference == "P-2041"
        assert 'value="P-2041"' in text_of(browser.get(PAGE))
        browser.post(f"{PAGE}payee/", {"reference": "Staff no. 7"})
        assert Payee.objects.get().reference == "Staff no. 7"
        browser.post(f"{PAGE}payee/", {"reference": ""})
        assert not Payee.objects.exists()

    @pytest.mark.parametrize(
        "typed",
        ["DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819", "6222 0212 3456 7890", "x" * 61],
    )
    def test_an_account_at_a_bank_is_refused(self, paid, author, typed):
        paid()
        answer = browser_of(author).post(f"{PAGE}payee/", {"reference": typed})
        assert answer.status_code == 400
        assert not Payee.objects.exists()


@pytest.mark.parametrize("minutes", [0, -1, 28_801])
def test_no_caller_states_minutes_out_of_range(paid, author, minutes):
    paid()
    name = f"minutes-{entry('task').pk}"
    with pytest.raises(BadInput) as refused:
        state_minutes(actor=author, minutes={entry("task").pk: minutes})
    assert list(refused.value.fields) == [name]
    assert entry("task").minutes is None

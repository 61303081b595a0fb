"""Staff edit the work map of a domain in the browser."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from curation.tasks.work_map.models import WorkMap, WorkMapChange, WorkType
from curation.tasks.work_map.queries import map_of


def page(browser, finance) -> str:
    return browser.get(reverse("work-map", args=[finance.key])).content.decode()


def sent(finance, **more):
    """The form of a work type as a browser sends it."""
    return {
        "version": map_of(finance).version,
        "category": "collecting",
        "name": "Public talent search",
        "feasible": "yes",
        "evaluable": "yes",
        "share": "22.5",
        "importance": "4",
        "interviews": "12",
        "interviewed_on": "2026-02-01",
        "interview_source": "Twelve recruiters of three firms",
        **more,
    }


def test_a_work_type_is_added_changed_and_shown_with_its_history(
    sign_in, staff, finance, collecting
):
    browser = sign_in(staff)
    answer = browser.post(reverse("work-type-new", args=[finance.key]), sent(finance))
    assert answer.status_code == 302
    made = WorkType.objects.get()
    assert (made.key, made.share, made.benchmarked) == ("public-talent-search", 22.5, True)
    assert "Public talent search" in page(browser, finance)

    browser.post(
        reverse("work-type", args=[made.pk]), sent(finance, share="25", name="Talent search")
    )
    made.refresh_from_db()
    assert (made.name, made.key, made.share) == ("Talent search", "public-talent-search", 25)
    shown = page(browser, finance)
    assert "22.5 → 25" in shown
    assert staff.email not in shown or staff.display_name in shown


def test_what_nobody_was_asked_stays_unknown(sign_in, staff, finance, collecting):
    empty = sent(finance, share="", importance="", feasible="", evaluable="", interviews="")
    empty["interviewed_on"] = ""
    sign_in(staff).post(reverse("work-type-new", args=[finance.key]), empty)
    made = WorkType.objects.get()
    assert made.share is made.importance is made.feasible is made.interviews is None
    shown = page(sign_in(staff), finance)
    assert "Nobody was asked yet" in shown
    assert "Not sorted yet" in shown


def test_shares_above_the_whole_are_refused_and_nothing_typed_is_lost(
    sign_in, staff, finance, add, collecting
):
    add("Screening", share=80)
    answer = sign_in(staff).post(reverse("work-type-new", args=[finance.key]), sent(finance))
    said = answer.content.decode()
    assert answer.status_code == 400
    assert "add up to 102.5 %" in said
    assert "Twelve recruiters of three firms" in said
    assert WorkType.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("share", "100.5"),
        ("share", "-1"),
        ("importance", "6"),
        ("importance", "0"),
        ("interviews", "0"),
    ],
)
def test_numbers_out_of_range_are_refused_at_their_field(
    sign_in, staff, finance, collecting, field, typed
):
    answer = sign_in(staff).post(
        reverse("work-type-new", args=[finance.key]), sent(finance, **{field: typed})
    )
    assert answer.status_code == 400
    assert answer.context["form"].errors[field]


def test_a_second_change_of_the_same_page_is_refused(sign_in, staff, finance, collecting):
    old = sent(finance, name="One")
    sign_in(staff).post(reverse("work-type-new", args=[finance.key]), old)
    late = {**old, "name": "Two"}
    answer = sign_in(staff).post(reverse("work-type-new", args=[finance.key]), late)
    assert answer.status_code == 409
    assert WorkType.objects.count() == 1


def test_a_work_type_is_moved(sign_in, staff, finance, add):
    first, second = add("First"), add("Second")
    browser = sign_in(staff)
    version = map_of(finance).version
    move = reverse("work-type-move", args=[second.pk])
    assert browser.post(move, {"version": version, "by": "up"}).status_code == 302
    assert list(WorkType.objects.all()) == [second, first]
    assert browser.post(move, {"version": version, "by": "up"}).status_code == 409
    browser.post(move, {"version": map_of(finance).version, "by": "up"})
    assert list(WorkType.objects.all()) == [second, first]  # it is on top already


def test_a_work_type_is_retired_with_a_reason_and_brought_back(sign_in, staff, finance, add):
    made = add("Interviews", share=60)
    browser = sign_in(staff)
    address = reverse("work-type-retire", args=[made.pk])
    version = map_of(finance).version
    refused = browser.post(address, {"version": version, "reason": " "})
    assert refused.status_code == 400
    assert "Say in a sentence why it is retired." in refused.content.decode()
    browser.post(address, {"version": version, "reason": "Nobody does it by hand any more."})
    made.refresh_from_db()
    assert made.retired_at is not None
    assert "Nobody does it by hand any more." in page(browser, finance)

    add("Search", share=50)  # its share counts no longer
    version = map_of(finance).version
    refused = browser.post(address, {"version": version})
    assert refused.status_code == 400  # with it the shares would exceed the whole
    made.refresh_from_db()
    assert made.retired_at is not None


def test_the_facts_of_a_domain_need_a_source_for_the_market(sign_in, staff, finance):
    browser = sign_in(staff)
    address = reverse("work-map-facts", args=[finance.key])
    facts = {
        "version": map_of(finance).version,
        "market_size": "11900000000",
        "market_currency": "usd",
        "market_year": "2024",
        "market_source": "",
        "time_bins": "30, 60, 120",
        "reverify_days": "14",
    }
    refused = browser.post(address, facts)
    assert refused.status_code == 400
    assert refused.context["form"].errors["market_source"]
    assert browser.post(address, facts | {"market_source": "A survey of 2024"}).status_code == 302
    held = WorkMap.objects.get()
    assert (held.market_currency, held.time_bins, held.reverify_days) == ("USD", [30, 60, 120], 14)
    assert "11,900,000,000 USD" in page(browser, finance)
    for typed in ("5, 5", "20, 10", "", "a", "0, 5", "5,10001"):
        again = facts | {"version": map_of(finance).version, "time_bins": typed}
        refused = browser.post(address, again | {"market_source": "A survey"})
        assert refused.context["form"].errors["time_bins"], typed


def test_the_database_keeps_the_rules_too(finance, collecting):
    given = {"domain": finance, "category": collecting, "name": "x"}
    for wrong in (
        {"share": 101},
        {"share": -1},
        {"importance": 6},
        {"interviews": 0},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            WorkType.objects.create(key="k", **given, **wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        WorkMap.objects.create(domain=finance, market_size=5)
    with pytest.raises(IntegrityError), transaction.atomic():
        WorkMapChange.objects.create(domain=finance, kind="retired")


def test_experts_read_no_work_map(sign_in, author, finance, add):
    made = add("Search")
    for address in (
        reverse("work-maps"),
        reverse("work-map", args=[finance.key]),
        reverse("work-type", args=[made.pk]),
        reverse("work-map-csv", args=[finance.key]),
    ):
        assert sign_in(author).get(address).status_code == 403

"""The search by itself: words, alphabets, bad input, cost, and the page without scripts."""

import re
from typing import Any

import pytest
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.authoring.actions import create_task
from curation.tasks.task.models import Task
from judge.scoring.agreement.meta_actions import take_meta
from judge.scoring.sheets.actions import fill_sheet
from tests.markup import one_line
from tests.scoring.pages.conftest import (
    BASELINE_MODEL,
    anchor,
    approve,
    approved_world,
    checker,
    desk,
    high_desk,
    nothing_is_drawn,
    rival,
    scorer,
    sheet,
    task,
    verdicts,
)

__all__ = [
    "anchor", "approve", "approved_world", "checker", "desk", "high_desk", "nothing_is_drawn",
    "rival", "scorer", "sheet", "task",
]  # fmt: skip

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(sign_in: Any, staff: User) -> Any:
    return sign_in(staff)


@pytest.fixture
def written(author: User, finance: Any) -> Any:
    """Make drafts of the author by their titles."""

    def make(*titles: str) -> list[Task]:
        return [create_task(actor=author, domain=finance, title=title) for title in titles]

    return make


def read(browser: Any, typed: str, **more: Any) -> str:
    page = browser.get(reverse("search"), {"q": typed, **more})
    assert page.status_code == 200, page.content.decode()
    return one_line(page.content.decode())


def titles(page: str) -> list[str]:
    listed = "".join(re.findall(r'<ul class="hits">(.*?)</ul>', page, re.DOTALL))
    return re.findall(r"<a [^>]*>(.*?)</a>", listed)


@pytest.mark.parametrize(
    ("title", "typed"),
    [
        ("Äquivalenz der Übertragung", "ÄQUIVALENZ"),
        ("ÄQUIVALENZ DER ÜBERTRAGUNG", "übertragung äqui"),
        ("Баланс предприятия", "БАЛАНС"),
        ("ΙΣΟΛΟΓΙΣΜΌΣ", "ισολογισμό"),
        ("八年级期中数学试卷", "期中 数学"),
        ("Lease of 100 % of_the Café", "100 % OF_THE CAFÉ"),
    ],
)
def test_the_case_of_no_alphabet_matters(written, office, sign_in, author, title, typed):
    written(title, "Something else")
    for browser in (office, sign_in(author)):
        assert titles(read(browser, typed)) == [title]
    listed = office.get(reverse("staff-tasks"), {"q": typed}).content.decode()
    assert title in listed
    assert "Something else" not in listed


def test_lists_of_people_ignore_the_case_of_every_alphabet_too(person, office):
    User.objects.filter(pk=person("ana").pk).update(display_name="Željko Ångström")
    assert "Željko" in office.get(reverse("staff-people"), {"q": "ŽELJKO ÅNG"}).content.decode()


def test_signs_of_a_pattern_are_letters(written, office):
    written("Plain words")
    for typed in ("%", "_", "\\", "pl_in", "%words"):
        assert titles(read(office, typed)) == []


def test_every_word_has_to_be_found_and_an_exact_title_comes_first(written, office):
    written("Lease", "The lease of a shop", "Lease of a car", "Shop")
    assert titles(read(office, "shop lease")) == ["The lease of a shop"]
    assert titles(read(office, "lease"))[:2] == ["Lease", "Lease of a car"]


def test_what_is_typed_and_what_is_found_is_text(written, office):
    written("<b>bold</b> title")
    page = read(office, "<b>bold</b>")
    assert titles(page) == ["&lt;b&gt;bold&lt;/b&gt; title"]
    assert "<b>bold" not in page
    found = office.get(reverse("search-found"), {"q": '"><script>x'}).content.decode()
    assert "<script" not in found


@pytest.mark.parametrize("query", ["q=%00", "q=" + "x" * 201, "q=a&page=2", "q=a&sort=b"])
@pytest.mark.parametrize("route", ["search", "search-found"])
def test_what_cannot_be_searched_for_is_refused_with_a_sentence(office, route, query):
    answer = office.get(f"{reverse(route)}?{query}")
    assert answer.status_code == 400
    assert "Traceback" not in answer.content.decode()


@pytest.mark.parametrize("typed", ["", "   ", "\u3000"])
def test_nothing_typed_finds_nothing_and_says_what_to_type(office, typed):
    page = read(office, typed)
    assert titles(page) == []
    assert "Type a part of a title" in page
    assert "listbox" not in office.get(reverse("search-found"), {"q": typed}).content.decode()


def test_more_than_fit_lead_to_the_list_or_ask_for_another_word(written, office, sign_in, author):
    written(*(f"Contract {n}" for n in range(25)))
    page = read(office, "contract")
    assert len(titles(page)) == 20
    assert f'href="{reverse("staff-tasks")}?q=contract"' in page
    own = read(sign_in(author), "contract")
    assert len(titles(own)) == 20
    assert "Add a word to narrow them down" in own
    assert (
        office.get(reverse("search-found"), {"q": "contract"}).content.decode().count("Contract ")
        == 5
    )


def test_the_search_costs_the_same_for_three_tasks_and_for_thousands(
    office, sign_in, author, finance, django_assert_max_num_queries
):
    def make(first: int, last: int) -> None:
        Task.objects.bulk_create(
            Task(key=f"k{n}", title=f"Lease {n}", domain=finance, author=author)
            for n in range(first, last)
        )

    for browser, most in ((office, 14), (sign_in(author), 14)):
        make(*((0, 3) if browser is office else (3_000, 3_003)))
        with django_assert_max_num_queries(most) as few:
            read(browser, "lease")
        if browser is office:
            make(3, 3_000)
        with django_assert_max_num_queries(most) as many:
            read(browser, "lease")
        assert len(few) == len(many)
    with django_assert_max_num_queries(10):
        office.get(reverse("search-found"), {"q": "lease"})


def test_a_returned_draft_and_another_persons_draft_are_not_found(written, sign_in, peer):
    written("Somebody's secret draft")
    assert titles(read(sign_in(peer), "secret draft")) == []


def test_a_scorer_and_a_senior_find_their_work_and_no_name(
    sheet, rival, anchor, scorer, desk, high_desk, checker, author
):
    title = sheet.response.task.title
    User.objects.filter(pk=author.pk).update(display_name="Zz-Author")
    page = read(desk, title)
    assert reverse("sheet", args=[sheet.pk]) in page
    for secret in (BASELINE_MODEL, "Zz-Author", author.email, "anchor", "baseline", "rival"):
        assert titles(read(desk, secret)) == []
        assert secret not in page.lower()

    fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet))
    assert titles(read(high_desk, title)) == []  # nothing is theirs before they take it
    take_meta(actor=checker, anchor=anchor)
    page = read(high_desk, title)
    assert reverse("meta", args=[anchor.pk]) in page
    for secret in (BASELINE_MODEL, "Zz-Author", scorer.email, scorer.pseudonym):
        assert titles(read(high_desk, secret)) == []
        assert secret not in page


def test_whoever_lost_their_standing_finds_no_work_they_may_not_open(sheet, scorer, desk):
    scorer.qualifications.update(active=False)
    assert reverse("sheet", args=[sheet.pk]) not in read(desk, sheet.response.task.title)


def test_without_scripts_the_bar_leads_to_the_page(office, applicant, sign_in):
    for browser in (office, sign_in(applicant)):
        home = one_line(browser.get("/").content.decode())
        assert f'id="search-open" href="{reverse("search")}"' in home
        assert f'action="{reverse("search")}" role="search"' in home

"""Staff enter profiles and check certificates; the page of the programme in numbers shows both."""

import html
from datetime import timedelta

import pytest
from django.db.models import Model
from django.urls import reverse
from django.utils import timezone

from curation.leaving.closed_accounts.actions import close_account, remove_name
from curation.qualifying.applications.degrees import level_of
from curation.qualifying.applications.models import Application, Certification
from curation.qualifying.applications.profiles import (
    CertificateCheck,
    ExpertProfile,
    certificates,
    panel,
)
from tests.conftest import browser_of, new_domain, new_person
from tests.worlds import World


@pytest.fixture(scope="module")
def panel_world(world_database: None) -> World:
    """Four experts in finance, one of whom applied here with a certificate, and staff."""
    finance = new_domain("finance")
    staff = new_person("staff", is_staff=True)
    people = {f"expert{n}": new_person(f"expert{n}", finance) for n in range(1, 5)}
    application = Application.objects.create(
        user=people["expert1"],
        domain=finance,
        affiliation="Harbour Bank",
        degree="MSc in finance",
        years=7,
        credentials="Seven years in lending.",
        languages=["en", "de"],
        stage="qualified",
    )
    certification = Certification.objects.create(
        application=application, title="Chartered accountant", issuer="Guild", year=2019
    )
    return World(finance=finance, staff=staff, certification=certification, **people)


def shown(answer: object) -> str:
    return " ".join(html.unescape(answer.content.decode()).split())


def profile(world: World, **values: object) -> object:
    person: Model = world["expert2"]
    given = {"degree": "PhD in economics", "practising_since": "2001", "language_1": "fr"}
    address = reverse("staff-profile", args=[person.pk])
    return browser_of(world["staff"]).post(address, {**given, **values}, follow=True)


def check(world: World, **values: object) -> object:
    pk = world["certification"].pk
    today = timezone.localdate()
    given = {
        "outcome": "confirmed",
        "checked_on": today.isoformat(),
        "valid_until": (today + timedelta(days=365)).isoformat(),
        "how": "Register of the Guild, entry 4711.",
    }
    sent = {f"check-{pk}-{name}": value for name, value in {**given, **values}.items()}
    address = reverse("staff-certificate-check", args=[pk])
    return browser_of(world["staff"]).post(address, sent, follow=True)


def test_a_profile_counts_before_the_application_and_its_history_stays(panel_world):
    assert "is stored" in shown(profile(panel_world))
    profile(panel_world, degree="", practising_since="", language_1="", language_2="de")
    assert ExpertProfile.objects.count() == 2
    found = panel()
    assert (found.experts, found.seniors) == (4, 0)
    degrees = dict(found.degrees)
    assert (degrees["Doctorate"], degrees["Master's degree"], degrees["not known"]) == (0, 1, 3)


def test_years_go_on_and_unknown_is_a_row_of_its_own(panel_world):
    profile(panel_world, practising_since=str(timezone.localdate().year - 12))
    years = dict(panel().years)
    assert (years["6–10"], years["11–15"], years["not known"]) == (1, 1, 2)
    assert panel().domains[0].median_years == 9.5


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"practising_since": "1492"}, "Give a year from 1940"),
        ({"practising_since": "soon"}, "with four digits"),
        ({"language_2": "fr"}, "Choose each language once"),
        ({"degree": "", "practising_since": "", "language_1": ""}, "at least one of the fields"),
    ],
)
def test_a_wrong_profile_is_refused_in_words_and_keeps_what_was_typed(panel_world, values, said):
    answer = profile(panel_world, **values)
    assert answer.status_code == 400
    assert said in shown(answer)
    assert not ExpertProfile.objects.exists()


def test_a_check_says_by_whom_on_which_day_and_until_when(panel_world):
    answer = check(panel_world)
    until = timezone.localdate() + timedelta(days=365)
    assert f"valid until {until}" in shown(answer)
    row = certificates()[0]
    assert (row.state, row.check.checked_by, row.expert) == ("in_force", panel_world["staff"], True)
    page = shown(browser_of(panel_world["staff"]).get(reverse("composition")))
    assert "1 confirmed and in force" in page
    assert "4 experts in 1 domain." in page


def test_the_newest_check_counts_and_an_ended_certificate_is_no_longer_in_force(panel_world):
    check(panel_world)
    long_ago = timezone.localdate() - timedelta(days=400)
    check(
        panel_world,
        checked_on=long_ago.isoformat(),
        valid_until=(long_ago + timedelta(days=30)).isoformat(),
    )
    assert certificates()[0].state == "ended"
    assert panel().with_certificate_in_force == 0
    check(panel_world, outcome="not_confirmed", valid_until="")
    assert certificates()[0].state == "not_confirmed"
    assert CertificateCheck.objects.count() == 3


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"how": " "}, "Say where you looked"),
        ({"checked_on": ""}, "on which day"),
        ({"checked_on": "2999-01-01"}, "cannot lie in the future"),
        ({"valid_until": "2001-01-01"}, "ended before the check"),
        ({"outcome": "not_confirmed"}, "was not confirmed"),
    ],
)
def test_a_wrong_check_is_refused_in_words(panel_world, values, said):
    answer = check(panel_world, **values)
    assert answer.status_code == 400
    assert said in shown(answer)
    assert not CertificateCheck.objects.exists()


def test_the_page_in_numbers_asks_a_fixed_number_of_queries(
    panel_world, django_assert_max_num_queries
):
    browser = browser_of(panel_world["staff"])
    address = reverse("composition")
    browser.get(address)
    with django_assert_max_num_queries(32):
        browser.get(address)


def test_the_table_of_prompts_is_a_download(panel_world):
    answer = browser_of(panel_world["staff"]).get(reverse("composition-csv"))
    said = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert b"prompt_characters_median" in said


def test_a_removed_name_takes_its_profile_along(panel_world):
    profile(panel_world)
    person, staff = panel_world["expert2"], panel_world["staff"]
    close_account(actor=staff, person=person, reason="They asked for it.")
    person.refresh_from_db()
    remove_name(actor=staff, person=person, reason="They asked for it.")
    assert not ExpertProfile.objects.exists()


@pytest.mark.parametrize(
    ("degree", "level"),
    [
        ("PhD in law and economics", "doctorate"),
        ("LL.M. in commercial law; MSc in finance", "master"),
        ("MD; MEng in biomedical engineering", "doctorate"),
        ("教育硕士（课程与教学论）", "master"),
        ("BEng in chemical engineering", "bachelor"),
        *((words, "doctorate") for words in ("Ph. D.", "DPhil", "PharmD", "Dr. med.", "法学PhD")),
        *((words, "master") for words in ("M.Sc.", "M.A.", "M.Eng.", "MS", "M.S.", "LL. M.")),
        *((words, "bachelor") for words in ("B.Sc.", "B.A.", "BS", "BBA", "MBBS", "LL.B.")),
        ("Photograph design", "licence"),
        ("Geograph dept certificate", "licence"),
        ("Hallmark certificate", "licence"),
        ("Doctoral student", "licence"),
        ("MSc, PhD candidate", "master"),
        ("硕士，博士生", "master"),
        ("教授，博士生导师", "doctorate"),
        ("Barrister-at-Law", "licence"),
        ("", ""),
    ],
)
def test_a_degree_is_read_from_its_words(degree, level):
    assert level_of(degree) == level

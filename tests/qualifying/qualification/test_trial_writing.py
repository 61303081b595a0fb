"""The trial task, written and saved like the real work."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation.joining.people import User
from curation.qualifying.qualification.actions import reject
from curation.qualifying.trials.models import Trial
from tests.qualifying.qualification.conftest import FACTS, TEXT

pytestmark = pytest.mark.django_db
HandedIn = Callable[..., Trial]
SignIn = Callable[[User], Client]
JSON = {"Accept": "application/json"}
LANGUAGE = {"language": "en"}  # the editor always sends it


def save(browser: Client, trial: Trial, version: Any, **parts: str) -> Any:
    return browser.post(
        f"/trials/{trial.pk}/save/", {"version": version, **LANGUAGE, **parts}, headers=JSON
    )


def test_what_is_typed_is_saved_with_its_time_and_version(
    sign_in: SignIn, applicant: User, trial: Trial
) -> None:
    browser = sign_in(applicant)
    answer = save(browser, trial, 1, title="Ferry", scenario="Line one\r\nline two")
    assert answer.status_code == 200
    assert answer.json()["version"] == 2
    assert len(answer.json()["saved_at"]) == len("12:30:59")
    trial.refresh_from_db()
    assert trial.scenario == "Line one\nline two"
    page = browser.get(f"/trials/{trial.pk}/").content.decode()
    assert "Line one\nline two</textarea>" in page
    assert 'name="version" value="2"' in page


def test_a_stale_save_is_refused_with_both_texts_and_loses_neither(
    sign_in: SignIn, applicant: User, trial: Trial
) -> None:
    browser = sign_in(applicant)
    save(browser, trial, 1, title="From the other tab")
    answer = save(browser, trial, 1, title="From this tab")
    body = answer.json()
    assert answer.status_code == 409
    assert body["code"] == "stale"
    assert body["theirs"] == LANGUAGE | {"title": "From the other tab"}
    assert body["yours"] == LANGUAGE | {"title": "From this tab"}
    assert body["version"] == 2
    trial.refresh_from_db()
    assert trial.title == "From the other tab"
    assert save(browser, trial, body["version"], title="From this tab").status_code == 200


def test_the_same_text_sent_twice_is_no_conflict(
    sign_in: SignIn, applicant: User, trial: Trial
) -> None:
    browser = sign_in(applicant)
    save(browser, trial, 1, scenario="a\r\nb")
    assert save(browser, trial, 1, scenario="a\r\nb").status_code == 200


def test_without_a_script_a_stale_save_shows_both_texts_on_a_page(
    sign_in: SignIn, applicant: User, trial: Trial
) -> None:
    browser = sign_in(applicant)
    save(browser, trial, 1, scenario="The saved scenario of the other tab.")
    mine = TEXT | FACTS | {"version": "1", "scenario": "My own scenario of this tab."}
    answer = browser.post(f"/trials/{trial.pk}/hand-in/", mine)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "The saved scenario of the other tab." in page
    assert "My own scenario of this tab.</textarea>" in page
    assert TEXT["materials"] in page
    assert 'name="version" value="2"' in page
    trial.refresh_from_db()
    assert trial.submitted_at is None
    assert browser.post(f"/trials/{trial.pk}/hand-in/", mine | {"version": "2"}).status_code == 302
    trial.refresh_from_db()
    assert trial.scenario == "My own scenario of this tab."


def test_saving_by_button_comes_back_to_the_editor(
    sign_in: SignIn, applicant: User, trial: Trial
) -> None:
    data = {"version": "1", "title": "Half a title", "then": "stay", **LANGUAGE}
    answer = sign_in(applicant).post(f"/trials/{trial.pk}/hand-in/", data)
    assert answer["Location"] == f"/trials/{trial.pk}/"
    trial.refresh_from_db()
    assert trial.title == "Half a title"
    assert trial.submitted_at is None


@pytest.mark.parametrize("missing", sorted(TEXT))
def test_a_trial_with_an_empty_part_is_not_handed_in_and_nothing_is_lost(
    sign_in: SignIn, applicant: User, trial: Trial, missing: str
) -> None:
    data = TEXT | FACTS | {"version": "1", missing: " \u200b\n"}
    answer = sign_in(applicant).post(f"/trials/{trial.pk}/hand-in/", data)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Not handed in." in page
    assert "What is missing is listed when you submit" not in page
    assert f'href="#id_{missing}"' in page
    assert 'name="version" value="2"' in page
    assert all(TEXT[name] in page for name in TEXT if name != missing)
    trial.refresh_from_db()
    assert trial.submitted_at is None


@pytest.mark.parametrize(
    "data",
    [
        {"version": "x", "title": "a"},
        {"title": "a"},
        {"version": "1", "title": "a" * 201},
        {"version": "1", "scenario": "nul \x00 inside"},
        {"version": "1", "materials": "a" * 200_001},
    ],
)
def test_what_cannot_be_stored_is_refused_by_field(
    sign_in: SignIn, applicant: User, trial: Trial, data: dict[str, str]
) -> None:
    answer = sign_in(applicant).post(f"/trials/{trial.pk}/save/", data, headers=JSON)
    assert answer.status_code == 400
    assert answer.json()["fields"]
    trial.refresh_from_db()
    assert trial.version == 1


def test_handing_in_moves_the_text_to_the_seniors_and_closes_the_editor(
    sign_in: SignIn, applicant: User, trial: Trial
) -> None:
    browser = sign_in(applicant)
    answer = browser.post(f"/trials/{trial.pk}/hand-in/", TEXT | FACTS | {"version": "1"})
    assert answer["Location"] == f"/applications/{trial.application_id}/"
    page = browser.get(answer["Location"]).content.decode()
    assert "A senior is reading your trial task" in page
    assert "Trial task handed in, version 1." in page
    read = browser.get(f"/trials/{trial.pk}/").content.decode()
    assert TEXT["scenario"] in read
    assert "<textarea" not in read.split("</main>")[0]
    assert save(browser, trial, 2, title="Too late").status_code == 409
    again = browser.post(f"/trials/{trial.pk}/hand-in/", TEXT | FACTS | {"version": "2"})
    assert again.status_code == 409


def test_a_closed_application_closes_its_trial(
    sign_in: SignIn, applicant: User, staff: User, trial: Trial
) -> None:
    reject(actor=staff, application=trial.application, reason="Withdrew by letter.")
    browser = sign_in(applicant)
    assert save(browser, trial, 1, title="a").status_code == 409
    assert (
        browser.post(f"/trials/{trial.pk}/hand-in/", TEXT | FACTS | {"version": "1"}).status_code
        == 409
    )


def test_another_persons_trial_does_not_exist(
    sign_in: SignIn, peer: User, staff: User, senior: User, trial: Trial
) -> None:
    for other in (peer, staff, senior):
        browser = sign_in(other)
        assert browser.get(f"/trials/{trial.pk}/").status_code == 404
        assert save(browser, trial, 1, title="a").status_code == 404
        assert browser.post(f"/trials/{trial.pk}/hand-in/", TEXT).status_code == 404


def test_typed_markup_stays_text(sign_in: SignIn, handed_in: HandedIn, applicant: User) -> None:
    bad = "<script>alert(1)</script> [x](javascript:alert(2)) <img src=x onerror=alert(3)>"
    trial = handed_in(applicant, scenario=bad, title="</textarea><script>")
    page = sign_in(applicant).get(f"/trials/{trial.pk}/").content.decode()
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    assert "<img" not in page

"""The trial task: written and saved like the real work, read and decided by a senior."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.actions.qualification import turn_down
from curation.actions.trials import decide_trial
from curation.models import Application, Domain, Qualification, Trial, User
from tests.qualification.conftest import TEXT

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
HandedIn = Callable[..., Trial]
SignIn = Callable[[User], Client]
JSON = {"Accept": "application/json"}


@pytest.fixture
def trial(at_trial: Go, applicant: User) -> Trial:
    return at_trial(applicant).trials.get()


def save(browser: Client, trial: Trial, version: Any, **parts: str) -> Any:
    return browser.post(f"/trials/{trial.pk}/save/", {"version": version, **parts}, headers=JSON)


# --- writing -------------------------------------------------------------------------------------
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
    assert body["theirs"] == {"title": "From the other tab"}
    assert body["yours"] == {"title": "From this tab"}
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
    mine = TEXT | {"version": "1", "scenario": "My own scenario of this tab."}
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
    data = {"version": "1", "title": "Half a title", "then": "stay"}
    answer = sign_in(applicant).post(f"/trials/{trial.pk}/hand-in/", data)
    assert answer["Location"] == f"/trials/{trial.pk}/"
    trial.refresh_from_db()
    assert trial.title == "Half a title"
    assert trial.submitted_at is None


@pytest.mark.parametrize("missing", sorted(TEXT))
def test_a_trial_with_an_empty_part_is_not_handed_in_and_nothing_is_lost(
    sign_in: SignIn, applicant: User, trial: Trial, missing: str
) -> None:
    data = TEXT | {"version": "1", missing: " \u200b\n"}
    answer = sign_in(applicant).post(f"/trials/{trial.pk}/hand-in/", data)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "This part is still empty." in page
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
    answer = browser.post(f"/trials/{trial.pk}/hand-in/", TEXT | {"version": "1"})
    assert answer["Location"] == f"/applications/{trial.application_id}/"
    page = browser.get(answer["Location"]).content.decode()
    assert "A senior is reading your trial task" in page
    assert "Trial task handed in, version 1." in page
    read = browser.get(f"/trials/{trial.pk}/").content.decode()
    assert TEXT["scenario"] in read
    assert "<textarea" not in read.split("</main>")[0]
    assert save(browser, trial, 2, title="Too late").status_code == 409
    again = browser.post(f"/trials/{trial.pk}/hand-in/", TEXT | {"version": "2"})
    assert again.status_code == 409


def test_a_closed_application_closes_its_trial(
    sign_in: SignIn, applicant: User, staff: User, trial: Trial
) -> None:
    turn_down(actor=staff, application=trial.application, reason="Withdrew by letter.")
    browser = sign_in(applicant)
    assert save(browser, trial, 1, title="a").status_code == 409
    assert browser.post(f"/trials/{trial.pk}/hand-in/", TEXT | {"version": "1"}).status_code == 409


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


# --- deciding ------------------------------------------------------------------------------------
def test_a_senior_sees_the_trial_of_the_own_domain_by_pseudonym_only(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn
) -> None:
    trial = handed_in(applicant)
    browser = sign_in(senior)
    queue = browser.get("/seniors/trials/").content.decode()
    sheet = browser.get(f"/seniors/trials/{trial.pk}/").content.decode()
    assert TEXT["title"] in queue
    assert TEXT["reference_answer"] in sheet
    for page in (queue, sheet):
        assert applicant.pseudonym in page
        for hidden in (applicant.email, applicant.display_name, "Harbour Bank", "MSc Finance"):
            assert hidden not in page


def test_an_accepted_applicant_is_an_expert_and_reads_the_remarks(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn, finance: Domain
) -> None:
    trial = handed_in(applicant)
    data = {"verdict": "accepted", "remarks": "A **fine** case."}
    answer = sign_in(senior).post(f"/seniors/trials/{trial.pk}/", data)
    assert answer["Location"] == "/seniors/trials/"
    assert Qualification.objects.get(user=applicant).domain == finance
    page = sign_in(applicant).get(f"/applications/{trial.application_id}/").content.decode()
    assert "You are an expert in Finance" in page
    assert "<strong>fine</strong>" in page
    assert senior.pseudonym not in page


def test_a_returned_trial_comes_back_with_remarks_and_as_a_second_version_with_its_changes(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn
) -> None:
    first = handed_in(applicant)
    data = {"verdict": "returned", "remarks": "State the length in words."}
    sign_in(senior).post(f"/seniors/trials/{first.pk}/", data)
    second = Trial.objects.get(number=2)
    browser = sign_in(applicant)
    editor = browser.get(f"/trials/{second.pk}/").content.decode()
    assert "State the length in words." in editor
    assert TEXT["materials"] in editor
    changed = TEXT | {"version": "1", "requirements": TEXT["requirements"].replace("200", "250")}
    browser.post(f"/trials/{second.pk}/hand-in/", changed)
    sheet = sign_in(senior).get(f"/seniors/trials/{second.pk}/").content.decode()
    assert "State the length in words." in sheet  # the earlier remarks
    assert "<del>" in sheet
    assert "250" in sheet
    assert sheet.count("tag-wait") == 1  # one part changed
    # the version that was returned can be read, not decided again
    assert sign_in(senior).post(f"/seniors/trials/{first.pk}/", data).status_code == 409


def test_a_rejected_trial_closes_the_application(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn
) -> None:
    trial = handed_in(applicant)
    data = {"verdict": "rejected", "remarks": "The figures are a real client's."}
    sign_in(senior).post(f"/seniors/trials/{trial.pk}/", data)
    page = sign_in(applicant).get(f"/applications/{trial.application_id}/").content.decode()
    assert "Trial task rejected." in page
    assert "The figures are a real client&#x27;s." in page or "a real client's" in page
    assert not Qualification.objects.filter(user=applicant).exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"verdict": "accepted", "remarks": " "}, "Write to the applicant why you decide so."),
        ({"verdict": "", "remarks": "Kept remarks"}, "Choose: accept, return or reject."),
        ({"verdict": "maybe", "remarks": "Kept remarks"}, "Kept remarks"),
    ],
)
def test_a_decision_needs_a_verdict_and_remarks(
    sign_in: SignIn,
    senior: User,
    applicant: User,
    handed_in: HandedIn,
    data: dict[str, str],
    sentence: str,
) -> None:
    trial = handed_in(applicant)
    answer = sign_in(senior).post(f"/seniors/trials/{trial.pk}/", data)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    trial.refresh_from_db()
    assert trial.verdict == ""


def test_only_seniors_of_the_domain_decide_and_never_on_their_own(
    sign_in: SignIn,
    person: Any,
    senior: User,
    peer: User,
    staff: User,
    law: Domain,
    finance: Domain,
    applicant: User,
    handed_in: HandedIn,
) -> None:
    trial = handed_in(applicant)
    address, data = f"/seniors/trials/{trial.pk}/", {"verdict": "accepted", "remarks": "Good."}
    lawyer = person("lawyer", law, senior=True)
    for nobody in (peer, staff, applicant):
        assert sign_in(nobody).post(address, data).status_code == 403
        assert sign_in(nobody).get("/seniors/trials/").status_code == 403
    assert sign_in(lawyer).get(address).status_code == 404
    assert sign_in(lawyer).post(address, data).status_code == 404
    assert TEXT["title"] not in sign_in(lawyer).get("/seniors/trials/").content.decode()
    # somebody who became a senior by another way cannot decide on the own trial
    Qualification.objects.create(user=applicant, domain=finance, senior=True)
    own = User.objects.get(pk=applicant.pk)
    assert sign_in(own).post(address, data).status_code == 404
    assert TEXT["title"] not in sign_in(own).get("/seniors/trials/").content.decode()
    assert Client().get(address).status_code == 302


def test_a_draft_is_not_shown_to_seniors(sign_in: SignIn, senior: User, trial: Trial) -> None:
    assert sign_in(senior).get(f"/seniors/trials/{trial.pk}/").status_code == 404


def test_a_trial_of_a_closed_application_waits_for_nobody(
    sign_in: SignIn, senior: User, staff: User, applicant: User, handed_in: HandedIn
) -> None:
    trial = handed_in(applicant)
    turn_down(actor=staff, application=trial.application, reason="Closed by letter.")
    browser = sign_in(senior)
    assert "No trial task waits for you" in browser.get("/seniors/trials/").content.decode()
    for verdict in ("accepted", "returned", "rejected"):
        data = {"verdict": verdict, "remarks": "Late."}
        assert browser.post(f"/seniors/trials/{trial.pk}/", data).status_code == 409
    assert Trial.objects.count() == 1


def test_two_seniors_decide_once(person: Any, senior: User, applicant: User, finance: Domain,
                                 handed_in: HandedIn, sign_in: SignIn) -> None:  # fmt: skip
    trial = handed_in(applicant)
    other = person("other-senior", finance, senior=True)
    decide_trial(actor=other, trial=trial, verdict="returned", remarks="Shorter.")
    data = {"verdict": "rejected", "remarks": "No."}
    assert sign_in(senior).post(f"/seniors/trials/{trial.pk}/", data).status_code == 409
    trial.application.refresh_from_db()
    assert trial.application.stage == "trial"


def test_the_queue_costs_the_same_for_three_and_for_thirty(
    sign_in: SignIn, person: Any, senior: User, handed_in: HandedIn
) -> None:
    browser = sign_in(senior)
    counted = []
    for upto in (range(3), range(3, 12)):
        for n in upto:
            handed_in(person(f"trainee{n}"))
        with CaptureQueriesContext(connection) as queries:
            browser.get("/seniors/trials/")
        counted.append(len(queries))
    assert counted[0] == counted[1]

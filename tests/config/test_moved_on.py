"""A button whose thing moved on leads to the thing as it is now, with one sentence on top."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.test import Client

from config.errors import SECRET_FIELDS, TEXT_FIELD_PREFIXES, TEXT_FIELDS
from curation.joining.invitations.models import Invitation
from curation.joining.people import User
from curation.qualifying.applications.actions import apply
from curation.qualifying.applications.models import Application
from judge.asking.candidates.generation_models import Generation
from judge.asking.candidates.models import Candidate
from judge.results.registry.actions import add_candidate
from judge.runs.engine.models import JudgeRun
from tests.joining.accounts.steps import vendor_link
from tests.qualifying.qualification.conftest import PROFILE
from tests.run_states import in_state
from tests.runs.engine.factory import external_task, respond

pytestmark = pytest.mark.django_db
HERE = "http://testserver"
JSON = "application/json"


@pytest.fixture
def office(sign_in: Any, staff: User) -> Client:
    return sign_in(staff)


@pytest.fixture
def run(office: Client) -> JudgeRun:
    """A run that ended a moment ago."""
    respond(external_task("task-1", lines=4), "Cedar 3")
    office.post(
        "/staff/runs/new/",
        {"method": "one_shot", "provider": "offline", "calls_mode": "per_response",
         "concurrency": 4},
    )  # fmt: skip
    JudgeRun.objects.update(**in_state("finished"))
    return JudgeRun.objects.get()


@pytest.fixture
def larch(staff: User) -> Candidate:
    return add_candidate(actor=staff, name="Larch 4", provider="openai", model="larch-4")


def press(browser: Client, action: str, on: str, **sent: Any) -> Any:
    """Press a button of a page, as a browser sends it, and go where that leads."""
    return browser.post(action, sent, headers={"referer": HERE + on}, follow=True)


def lands(answer: Any, on: str, sentence: str) -> None:
    """The press led, by one 303, to this page, which says this sentence once."""
    assert answer.redirect_chain == [(on, 303)] or answer.redirect_chain == [(HERE + on, 303)]
    assert answer.status_code == 200
    page = answer.content.decode()
    assert page.count(sentence) == 1
    assert "moved on in the meantime" not in page


@pytest.mark.parametrize("step", ["pause", "cancel"])
def test_steering_a_run_that_has_just_ended_shows_the_finished_run(office, run, step):
    page = f"/staff/runs/{run.pk}/"
    answer = press(office, f"{page}{step}/", page)
    lands(answer, page, "This run is no longer under way.")
    assert "Finished" in answer.content.decode()
    run.refresh_from_db()
    assert run.state == "finished"


def test_starting_a_run_twice_shows_the_run_that_is_under_way(office, run):
    JudgeRun.objects.update(**in_state("waiting"))
    page = f"/staff/runs/{run.pk}/"
    lands(press(office, f"{page}resume/", page), page, "This run is under way already.")
    run.refresh_from_db()
    assert (run.state, JudgeRun.objects.count()) == ("waiting", 1)


def test_steering_an_order_that_is_over_shows_the_order(office, larch, staff):
    made = Generation.objects.create(
        candidate=larch, provider="openai", model="larch-4", samples=1, concurrency=1,
        state="cancelled", created_by=staff,
    )  # fmt: skip
    page = f"/staff/generations/{made.pk}/"
    for step in ("pause", "resume", "cancel"):
        answer = press(office, page, page, step=step)
        lands(answer, page, f"Order {made.pk} is at “Cancelled” now, so nothing was changed.")
        made.refresh_from_db()
        assert made.state == "cancelled"


def test_retiring_a_candidate_twice_shows_the_retired_candidate(office, larch):
    page = f"/staff/candidates/{larch.pk}/"
    assert press(office, f"{page}retire/", page).status_code == 200
    lands(press(office, f"{page}retire/", page), page, "This candidate is retired already.")


def test_taking_an_invitation_back_twice_shows_the_ended_invitation(office, staff):
    made = vendor_link(staff)
    page = f"/staff/invitations/{made.pk}/"
    press(office, page, page, step="revoke")
    lands(press(office, page, page, step="revoke"), page, "This invitation has ended already.")
    assert Invitation.objects.get().revoked_at is not None


class TestWhatIsNotRedirected:
    def test_a_program_and_a_page_in_the_background_get_409(self, office, run):
        page = f"/staff/runs/{run.pk}/"
        for headers in ({"accept": JSON}, {"x-parts": "1"}):
            answer = office.post(f"{page}pause/", headers={"referer": HERE + page, **headers})
            assert answer.status_code == 409
        told = office.post(f"{page}pause/", headers={"accept": JSON}).json()
        assert (told["code"], told["detail"]) == (
            "wrong_stage",
            "This run is no longer under way.",
        )

    @pytest.mark.parametrize("referer", ["", "https://elsewhere.test/staff/runs/1/"])
    def test_a_form_that_no_page_of_ours_sent_gets_409_and_no_link_elsewhere(
        self, office, run, referer
    ):
        headers = {"referer": referer} if referer else {}
        answer = office.post(f"/staff/runs/{run.pk}/pause/", headers=headers)
        assert answer.status_code == 409
        page = answer.content.decode()
        assert "This run is no longer under way." in page
        assert "elsewhere" not in page

    @pytest.mark.parametrize("reason", ["They left the firm in May.", "Duplicate", "重复"])
    def test_what_was_typed_is_shown_with_the_refusal(self, office, person, finance, reason):
        someone = person("somebody", finance)
        page = f"/staff/people/{someone.pk}/"
        answer = press(office, f"{page}senior/", page, domain=finance.pk, senior="0", reason=reason)
        assert answer.status_code == 409
        said = answer.content.decode()
        assert "This was decided already." in said
        assert f">{reason}</textarea>" in said
        assert f'href="{HERE}{page}"' in said

    def test_a_password_is_never_shown(self, office, run):
        page = f"/staff/runs/{run.pk}/"
        answer = office.post(
            f"{page}pause/",
            {"reason": "typed text", **dict.fromkeys(SECRET_FIELDS, "a long secret sentence")},
            headers={"referer": HERE + page},
        )
        assert answer.status_code == 409
        assert "typed text" in answer.content.decode()
        assert "long secret" not in answer.content.decode()


class TestApplicants:
    def test_withdrawing_an_application_twice_shows_the_withdrawn_application(
        self, sign_in, applicant, finance
    ):
        made = apply(actor=applicant, domain=finance, **PROFILE)
        browser, page = sign_in(applicant), f"/applications/{made.pk}/"
        press(browser, f"{page}withdraw/", page)
        answer = press(browser, f"{page}withdraw/", page)
        assert answer.redirect_chain[0] == (HERE + page, 303)
        assert answer.status_code == 200
        assert Application.objects.get().stage == "withdrawn"

    def test_a_page_that_refuses_as_well_leads_on_and_the_sentence_stands_once(
        self, sign_in, applicant, finance
    ):
        made = apply(actor=applicant, domain=finance, **PROFILE)  # its exam is not open
        browser, page = sign_in(applicant), f"/applications/{made.pk}/exam/"
        answer = press(browser, page, page)
        assert answer.redirect_chain == [(HERE + page, 303), (f"/applications/{made.pk}/", 303)]
        said = answer.content.decode()
        assert said.count("The exam is not open for this application now.") == 1


def _forms() -> Callable[[], Any]:
    found = [
        importlib.import_module(".".join(path.relative_to(settings.BASE_DIR).with_suffix("").parts))
        for app in ("curation", "rubrics", "review", "judge")
        for path in (settings.BASE_DIR / app).rglob("*forms.py")
    ]
    return lambda: (
        form
        for module in found
        for form in vars(module).values()
        if isinstance(form, type) and issubclass(form, forms.BaseForm)
    )


# Boxes of forms that only look something up, are read from a choice, or are known to the browser.
# `key` is that of a period, such as 2026-05.
NOT_TEXT = {
    "flag",
    "key",
    "other",
    "page",
    "person",
    "provider",
    "q",
    "ruling",
    "verdict",
    "version",
}


def test_every_box_that_people_write_in_is_known_as_one():
    boxes = {
        name
        for form in _forms()()
        for name, field in form.base_fields.items()
        if type(field.widget) in (forms.Textarea, forms.TextInput, forms.EmailInput)
    }
    unknown = {
        name for name in boxes - TEXT_FIELDS - set(SECRET_FIELDS) - NOT_TEXT
        if not name.startswith(TEXT_FIELD_PREFIXES)
    }  # fmt: skip
    assert not unknown

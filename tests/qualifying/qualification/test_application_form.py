"""The application form: certifications, languages, terms, drafts; and taking it back."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation.joining.accounts import terms
from curation.joining.accounts.models import TermsConsent
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.actions import withdraw
from curation.qualifying.applications.models import Application, ApplicationDraft, Certification
from curation.qualifying.exams.actions import hand_in, start_sitting
from curation.tasks.attachments.models import Attachment
from tests.qualifying.qualification.conftest import FORM
from tests.tasks.attachments.files import pdf, upload

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "files"


def typed(domain: Domain, **changes: Any) -> dict[str, Any]:
    return {
        **FORM,
        "domain": domain.pk,
        "language_1": "nl",
        "language_2": "en",
        "cert-0-title": "Analyst charter",
        "cert-0-issuer": "Guild of Analysts",
        "cert-0-year": "2019",
        "cert-1-title": "",
        "cert-1-issuer": "",
        "cert-1-year": "",
        **changes,
    }


def test_an_application_holds_languages_certifications_evidence_and_consent(
    sign_in: SignIn, applicant: User, finance: Domain
) -> None:
    data = typed(finance) | {"cert-0-file": upload("charter.pdf", pdf())}
    page = sign_in(applicant).post("/apply/", data, follow=True).content.decode()
    application = Application.objects.get()
    assert application.languages == ["nl", "en"]
    assert application.terms_version == terms.current_version()
    assert application.consented_at is not None
    row = application.certifications.get()
    assert (row.title, row.issuer, row.year) == ("Analyst charter", "Guild of Analysts", 2019)
    assert row.evidence is not None
    assert row.evidence.name == "charter.pdf"
    assert "Dutch" in page
    assert f"/attachments/{row.evidence_id}/" in page
    assert TermsConsent.objects.get().user == applicant


def test_everything_that_is_wrong_is_said_at_once_and_where_it_stands(
    sign_in: SignIn, applicant: User, finance: Domain
) -> None:
    wrong = {"years": "2", "language_2": "nl", "cert-0-year": "2119"}
    answer = sign_in(applicant).post("/apply/", typed(finance, **wrong))
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "A certification is missing something: its row below says what." in page
    assert '<a href="#id_years">' in page
    assert '<a href="#id_language_2">' in page
    assert "You chose this language already." in page
    assert page.count("Give the year the certification was granted") == 1
    marked = re.findall(r'<input[^>]*name="(cert-[^"]*)"[^>]*aria-invalid="true"', page)
    assert marked == ["cert-0-year"]
    assert 'id="cert-0-error"' in page
    assert not Application.objects.exists()


def test_nobody_applies_without_agreeing_to_the_terms(
    sign_in: SignIn, applicant: User, finance: Domain
) -> None:
    data = typed(finance)
    del data["consent"]
    answer = sign_in(applicant).post("/apply/", data)
    assert answer.status_code == 400
    assert "agree to its terms" in answer.content.decode()
    answer = sign_in(applicant).post("/apply/", typed(finance, terms_version="2020-01"))
    assert answer.status_code == 400
    assert "The terms have changed since you opened this page" in answer.content.decode()
    assert not Application.objects.exists()


def test_too_few_years_are_refused_kindly_with_everything_typed_kept(
    sign_in: SignIn, applicant: User, finance: Domain
) -> None:
    data = typed(finance, years="2") | {"cert-0-file": upload("charter.pdf", pdf())}
    answer = sign_in(applicant).post("/apply/", data)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "at least 3 years of practice" in page
    for kept in ("Analyst charter", "Guild of Analysts", 'value="2019"', "Five years in lending."):
        assert kept in page
    assert "Choose the file again" in page
    assert '<option value="nl" selected>' in page
    assert not Application.objects.exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cert-0-title": ""}, "Give each certification its title"),
        ({"cert-0-year": "19"}, "with four digits"),
        ({"cert-0-year": "3019"}, "with four digits"),
        ({"cert-0-year": "二〇一九"}, "with four digits"),
        ({"language_1": ""}, "Please fill this in."),
        ({"language_2": "nl"}, "You chose this language already."),
        ({"language_1": "klingon"}, "Select a valid choice"),
    ],
)
def test_what_is_wrong_with_a_row_or_a_language_is_said(
    sign_in: SignIn, applicant: User, finance: Domain, change: dict[str, str], words: str
) -> None:
    answer = sign_in(applicant).post("/apply/", typed(finance, **change))
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not Application.objects.exists()


def test_rows_come_and_go_without_scripts_and_keep_what_is_typed(
    sign_in: SignIn, applicant: User, finance: Domain
) -> None:
    browser = sign_in(applicant)
    page = browser.post("/apply/", typed(finance, then="row")).content.decode()
    assert 'name="cert-2-title"' in page
    assert 'value="Analyst charter"' in page
    assert "Harbour Bank" in page
    assert "Please fill this in." not in page
    page = browser.post("/apply/", typed(finance, then="drop-0")).content.decode()
    assert 'value="Analyst charter"' not in page
    assert not Application.objects.exists()


def test_a_refused_file_never_undoes_the_application(
    sign_in: SignIn, applicant: User, finance: Domain
) -> None:
    data = typed(finance) | {"cert-0-file": upload("page.pdf", b"<html>")}
    page = sign_in(applicant).post("/apply/", data, follow=True).content.decode()
    assert "The evidence for “Analyst charter” was not accepted" in page
    assert Application.objects.count() == 1
    assert not Attachment.objects.exists()


def test_what_was_typed_is_kept_on_the_server_and_filled_in_again(
    sign_in: SignIn, applicant: User, finance: Domain, peer: User
) -> None:
    browser = sign_in(applicant)
    reply = browser.post("/apply/draft/", typed(finance, version="0", is_staff="1"))
    assert reply.json()["version"] == 1
    kept = ApplicationDraft.objects.get(user=applicant).fields
    assert "is_staff" not in kept
    assert "consent" not in kept
    page = browser.get("/apply/").content.decode()
    assert "is filled in" in page
    assert 'value="Analyst charter"' in page
    assert '<option value="nl" selected>' in page
    assert "Analyst charter" not in sign_in(peer).get("/apply/").content.decode()
    browser.post("/apply/", typed(finance))
    assert not ApplicationDraft.objects.exists()


def test_a_draft_saved_in_two_tabs_shows_both(
    sign_in: SignIn, applicant: User, finance: Domain
) -> None:
    browser = sign_in(applicant)
    browser.post("/apply/draft/", typed(finance, version="0"))
    assert browser.post("/apply/draft/", typed(finance, version="1", degree="A")).status_code == 200
    reply = browser.post(
        "/apply/draft/",
        typed(finance, version="1", degree="C"),
        headers={"Accept": "application/json"},
    )
    assert reply.status_code == 409
    assert reply.json()["theirs"]["degree"] == "A"
    assert reply.json()["yours"]["degree"] == "C"


def test_a_draft_larger_than_an_application_is_refused(
    sign_in: SignIn, applicant: User, finance: Domain
) -> None:
    reply = sign_in(applicant).post("/apply/draft/", typed(finance, credentials="x" * 70_000))
    assert reply.status_code == 400
    assert not ApplicationDraft.objects.exists()


# --- completing ----------------------------------------------------------------------------------
def test_evidence_can_be_added_until_the_staff_have_decided(
    sign_in: SignIn, applicant: User, at_exam: Go, applied: Go, peer: User, stranger: User
) -> None:
    application = applied(applicant)
    browser = sign_in(applicant)
    address = f"/applications/{application.pk}/"
    browser.post(
        f"{address}certifications/",
        {"title": "Charter", "issuer": "", "year": "", "file": upload("a.pdf", pdf())},
    )
    row = Certification.objects.get()
    assert row.evidence is not None
    browser.post(f"/certifications/{row.pk}/evidence/", {"file": upload("b.pdf", pdf(b"2"))})
    row.refresh_from_db()
    assert row.evidence.name == "b.pdf"
    assert Attachment.objects.filter(removed_at__isnull=True).count() == 1
    for path in (f"/certifications/{row.pk}/evidence/", f"/certifications/{row.pk}/remove/"):
        assert sign_in(peer).post(path).status_code == 404
    assert browser.post(f"{address}certifications/", {"title": " "}).status_code == 400
    browser.post(f"/certifications/{row.pk}/remove/")
    assert not Certification.objects.exists()
    assert not Attachment.objects.filter(removed_at__isnull=True).exists()
    late = at_exam(stranger)
    refused = sign_in(stranger).post(f"/applications/{late.pk}/certifications/", {"title": "Late"})
    assert refused.status_code == 409


# --- withdrawing ---------------------------------------------------------------------------------
def test_a_withdrawn_application_can_be_sent_again_and_counts_its_attempts_on(
    sign_in: SignIn, applicant: User, at_exam: Go, finance: Domain
) -> None:
    application = at_exam(applicant)
    sitting = start_sitting(actor=applicant, application=application)
    browser = sign_in(applicant)
    address = f"/applications/{application.pk}/withdraw/"
    assert browser.post(address).status_code == 409  # the exam is running
    hand_in(actor=applicant, sitting=sitting)
    page = browser.post(address, follow=True).content.decode()
    assert "You withdrew this application" in page
    assert f'<option value="{finance.pk}"' in browser.get("/apply/").content.decode()
    browser.post("/apply/", typed(finance, affiliation="Lantern Bank"))
    again = Application.objects.get()
    assert (again.pk, again.stage, again.affiliation) == (application.pk, "applied", "Lantern Bank")
    assert again.sittings.count() == 1
    assert not again.attachments.filter(removed_at__isnull=True).exists()
    assert browser.post(address).status_code == 302


def test_only_its_owner_withdraws_and_only_before_the_exam_is_passed(
    sign_in: SignIn, applicant: User, staff: User, peer: User, at_training: Go
) -> None:
    application = at_training(applicant)
    address = f"/applications/{application.pk}/withdraw/"
    for other in (peer, staff):
        assert sign_in(other).post(address).status_code == 404
    assert sign_in(applicant).post(address).status_code == 409


def test_a_withdrawn_application_waits_for_nobody(
    sign_in: SignIn, applicant: User, staff: User, applied: Go
) -> None:
    application = applied(applicant)
    withdraw(actor=applicant, application=application)
    browser = sign_in(staff)
    page = browser.get(f"/staff/applications/{application.pk}/").content.decode()
    assert "Admit to the exam" not in page
    assert "Application withdrawn." in page


# --- terms ---------------------------------------------------------------------------------------
def test_the_terms_are_read_by_anybody_in_both_languages(client: Client, db: Any) -> None:
    assert "Confidentiality" in client.get("/terms/").content.decode()
    page = client.get("/terms/", headers={"Accept-Language": "zh-hans"}).content.decode()
    assert "保密" in page


def test_new_terms_are_asked_for_at_the_next_sign_in_before_new_work(
    sign_in: SignIn, author: User, applicant: User
) -> None:
    TermsConsent._base_manager.all().delete()
    TermsConsent.objects.create(user=author, version="2020-01")
    browser = sign_in(author)
    assert browser.get("/").status_code == 200
    answer = browser.get("/tasks/")
    assert answer.status_code == 302
    assert answer["Location"] == "/terms/?next=%2Ftasks%2F"
    page = browser.get(answer["Location"]).content.decode()
    assert "The terms have changed." in page
    agreed = browser.post("/terms/", {"version": terms.current_version(), "next": "/tasks/"})
    assert agreed["Location"] == "/tasks/"
    assert browser.get("/tasks/").status_code == 200
    assert sign_in(author).get("/tasks/").status_code == 200
    assert sign_in(applicant).get("/apply/").status_code == 200  # who never agreed is asked there


def test_who_was_qualified_without_an_application_is_asked_at_the_next_sign_in(
    sign_in: SignIn, author: User, staff: User
) -> None:
    TermsConsent._base_manager.all().delete()
    browser = sign_in(author)
    answer = browser.get("/tasks/", follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain == [("/terms/?next=%2Ftasks%2F", 302)]
    assert "You have not agreed to the terms yet." in page
    assert "The terms have changed." not in page
    agreed = browser.post("/terms/", {"version": terms.current_version(), "next": "/tasks/"})
    assert agreed["Location"] == "/tasks/"
    assert browser.get("/tasks/").status_code == 200
    assert (
        sign_in(staff).get("/staff/pipeline/").status_code == 200
    )  # who only runs it is not asked


def test_agreeing_to_other_terms_than_the_current_ones_is_refused(
    sign_in: SignIn, author: User
) -> None:
    assert sign_in(author).post("/terms/", {"version": "2020-01"}).status_code == 409
    answer = sign_in(author).post(
        "/terms/", {"version": terms.current_version(), "next": "//evil.test/"}
    )
    assert answer["Location"] == "/"

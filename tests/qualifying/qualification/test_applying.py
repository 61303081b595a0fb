"""Applying for a domain, and the application's own page."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.qualification.actions import reject
from tests.qualifying.qualification.conftest import FORM

pytestmark = pytest.mark.django_db


def sent(domain: Domain, **changes: Any) -> dict[str, Any]:
    return {**FORM, "domain": domain.pk, **changes}


def test_an_application_leads_to_its_page_which_says_what_comes_next(
    sign_in: Callable[[User], Client], applicant: User, finance: Domain
) -> None:
    browser = sign_in(applicant)
    answer = browser.post("/apply/", sent(finance))
    application = Application.objects.get(user=applicant)
    assert answer.status_code == 302
    assert answer["Location"] == f"/applications/{application.pk}/"
    page = browser.get(answer["Location"]).content.decode()
    assert "The staff are reading your application" in page
    assert "Application sent." in page
    applicant.refresh_from_db()
    assert applicant.affiliation == "Harbour Bank"


def test_fewer_than_three_years_are_refused_and_can_be_corrected(
    sign_in: Callable[[User], Client], applicant: User, finance: Domain
) -> None:
    browser = sign_in(applicant)
    answer = browser.post("/apply/", sent(finance, years=2, credentials="Two years <b>only</b>"))
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "at least 3 years of practice" in page
    assert "Two years &lt;b&gt;only&lt;/b&gt;" in page  # everything typed is kept
    assert 'value="2"' in page
    assert not Application.objects.exists()
    assert browser.post("/apply/", sent(finance, years=3)).status_code == 302


@pytest.mark.parametrize("field", ["domain", "affiliation", "degree", "years", "credentials"])
def test_a_missing_field_is_named_and_the_rest_is_kept(
    sign_in: Callable[[User], Client], applicant: User, finance: Domain, field: str
) -> None:
    answer = sign_in(applicant).post("/apply/", {**sent(finance), field: ""})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Please fill this in." in page
    assert f'href="#id_{field}"' in page  # the summary links to the field
    kept = {"affiliation": "Harbour Bank", "degree": "MSc Finance"}
    assert all(value in page for name, value in kept.items() if name != field)


@pytest.mark.parametrize("years", ["-1", "2024", "many", "3.5", "99999999999999999999"])
def test_nonsense_years_are_refused(
    sign_in: Callable[[User], Client], applicant: User, finance: Domain, years: str
) -> None:
    assert sign_in(applicant).post("/apply/", sent(finance, years=years)).status_code == 400
    assert not Application.objects.exists()


def test_there_is_one_application_per_domain(
    sign_in: Callable[[User], Client],
    applicant: User,
    finance: Domain,
    law: Domain,
    applied: Callable[[User], Application],
) -> None:
    applied(applicant)
    browser = sign_in(applicant)
    assert f'<option value="{finance.pk}"' not in browser.get("/apply/").content.decode()
    answer = browser.post("/apply/", sent(finance))
    assert answer.status_code == 409
    assert "applied for this domain already" in answer.content.decode()
    assert browser.post("/apply/", sent(law)).status_code == 302
    assert "You have applied for every domain" in browser.get("/apply/").content.decode()


def test_an_expert_cannot_apply_for_the_own_domain(
    sign_in: Callable[[User], Client], author: User, finance: Domain
) -> None:
    answer = sign_in(author).post("/apply/", sent(finance))
    assert answer.status_code == 409
    assert "expert of this domain already" in answer.content.decode()


def test_nobody_qualifies_in_the_domain_of_an_imported_benchmark(
    sign_in: Callable[[User], Client], applicant: User
) -> None:
    external = Domain.objects.create(key="their-bench", name="Theirs", external=True)
    answer = sign_in(applicant).post("/apply/", sent(external))
    assert answer.status_code == 400
    assert not Application.objects.exists()


def test_how_somebody_came_is_never_typed(
    sign_in: Callable[[User], Client], applicant: User, peer: User, finance: Domain
) -> None:
    told = {"route": "referral", "referred_by": peer.pk, "colleague": peer.email, "invitation": 1}
    assert sign_in(applicant).post("/apply/", sent(finance, **told)).status_code == 302
    application = Application.objects.get(user=applicant)
    assert application.route == "direct"
    assert application.referred_by is None
    assert application.invitation is None


def test_applying_needs_a_sign_in(client: Client, db: Any) -> None:
    answer = client.get("/apply/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/account/login/")


def test_an_application_is_seen_by_nobody_but_its_owner(
    sign_in: Callable[[User], Client],
    applicant: User,
    peer: User,
    senior: User,
    applied: Callable[[User], Application],
) -> None:
    application = applied(applicant)
    for path in ("", "exam/"):
        for other in (peer, senior):
            assert sign_in(other).get(f"/applications/{application.pk}/{path}").status_code == 404
    assert sign_in(applicant).get("/applications/987654/").status_code == 404


def test_a_turned_down_applicant_reads_the_reason_but_not_who_decided(
    sign_in: Callable[[User], Client],
    applicant: User,
    staff: User,
    applied: Callable[[User], Application],
) -> None:
    application = applied(applicant)
    reject(actor=staff, application=application, reason="The practice was not in *finance*.")
    page = sign_in(applicant).get(f"/applications/{application.pk}/").content.decode()
    assert "This application is closed" in page
    assert "<em>finance</em>" in page
    assert staff.pseudonym not in page
    assert staff.email not in page


def test_the_page_speaks_chinese_to_a_chinese_reader(
    sign_in: Callable[[User], Client], person: Any, applied: Callable[[User], Application]
) -> None:
    zh = person("zh", language="zh-hans")
    page = sign_in(zh).get(f"/applications/{applied(zh).pk}/").content.decode()
    assert "金融" in page
    assert 'lang="zh-hans"' in page

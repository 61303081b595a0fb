"""Staff decide on applications, keep the people's record and invite."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import start_sitting
from curation.qualifying.exams.bank_models import Exam
from curation.qualifying.qualification.actions import admit
from curation.qualifying.qualification.waiting import waiting
from curation.qualifying.trials.models import Trial

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]

STAFF_PAGES = ("/staff/applications/", "/staff/people/", "/staff/people/invite/")


# --- applications --------------------------------------------------------------------------------
def test_admitting_opens_the_exam(
    sign_in: SignIn, staff: User, applicant: User, applied: Go, exam: Exam
) -> None:
    application = applied(applicant)
    browser = sign_in(staff)
    page = browser.get(f"/staff/applications/{application.pk}/").content.decode()
    assert "Five years in lending." in page
    answer = browser.post(f"/staff/applications/{application.pk}/", {"decision": "admit"})
    assert answer.status_code == 302
    application.refresh_from_db()
    assert application.stage == "exam"


def test_nobody_is_admitted_to_an_exam_without_questions(
    sign_in: SignIn, staff: User, applicant: User, applied: Go, finance: Domain
) -> None:
    application = applied(applicant)
    address = f"/staff/applications/{application.pk}/"
    browser = sign_in(staff)
    assert "no exam with questions yet" in browser.get(address).content.decode()
    assert browser.post(address, {"decision": "admit"}).status_code == 409
    Exam.objects.create(domain=finance, title="Empty")
    assert browser.post(address, {"decision": "admit"}).status_code == 409


@pytest.mark.parametrize("decision", ["reject", "suspend", "reinstate"])
def test_a_decision_against_somebody_needs_a_reason(
    sign_in: SignIn, staff: User, applicant: User, applied: Go, decision: str
) -> None:
    application = applied(applicant)
    answer = sign_in(staff).post(
        f"/staff/applications/{application.pk}/", {"decision": decision, "reason": "  "}
    )
    assert answer.status_code == 400
    assert "reads it." in answer.content.decode()
    application.refresh_from_db()
    assert application.stage == "applied"


@pytest.mark.parametrize("decision", ["suspend", "reinstate"])
def test_a_decision_that_does_not_fit_the_stage_is_a_conflict(
    sign_in: SignIn, staff: User, applicant: User, applied: Go, exam: Exam, decision: str
) -> None:
    application = applied(applicant)
    data = {"decision": decision, "reason": "Because."}
    answer = sign_in(staff).post(f"/staff/applications/{application.pk}/", data)
    assert answer.status_code == 409
    assert not Qualification.objects.filter(user=applicant).exists()


def test_staff_do_not_decide_on_themselves(
    sign_in: SignIn, staff: User, finance: Domain, applied: Go, exam: Exam
) -> None:
    browser = sign_in(staff)
    address = f"/staff/applications/{applied(staff).pk}/"
    for decision in ("admit", "reject"):
        data = {"decision": decision, "reason": "Me."}
        assert browser.post(address, data).status_code == 403
    Qualification.objects.create(user=staff, domain=finance)
    data = {"domain": finance.pk, "senior": "1", "reason": "Me."}
    assert browser.post(f"/staff/people/{staff.pk}/senior/", data).status_code == 403


def test_an_unknown_decision_is_refused(
    sign_in: SignIn, staff: User, applicant: User, applied: Go
) -> None:
    address = f"/staff/applications/{applied(applicant).pk}/"
    assert sign_in(staff).post(address, {"decision": "crown"}).status_code == 400


def test_suspending_closes_the_domain_and_reinstating_opens_it_again(
    sign_in: SignIn,
    staff: User,
    senior: User,
    applicant: User,
    handed_in: Callable[..., Trial],
    finance: Domain,
) -> None:
    trial = handed_in(applicant)
    sign_in(senior).post(
        f"/seniors/trials/{trial.pk}/", {"verdict": "accepted", "remarks": "Good."}
    )
    address = f"/staff/applications/{trial.application_id}/"
    browser = sign_in(staff)
    browser.post(address, {"decision": "suspend", "reason": "Contradictory *verdicts*."})
    assert User.objects.get(pk=applicant.pk).qualified_domain_ids() == frozenset()
    page = sign_in(applicant).get(f"/applications/{trial.application_id}/").content.decode()
    assert "Your work in Finance is suspended" in page
    assert "<em>verdicts</em>" in page
    browser.post(address, {"decision": "reinstate", "reason": "Explained."})
    assert User.objects.get(pk=applicant.pk).qualified_domain_ids() == {finance.pk}
    assert browser.post(address, {"decision": "reinstate", "reason": "Again."}).status_code == 409


def test_the_list_filters_by_stage_and_domain_and_puts_waiting_ones_first(
    sign_in: SignIn, staff: User, person: Any, applied: Go, exam: Exam
) -> None:
    admitted = admit(actor=staff, application=applied(person("ana")))
    waits = applied(person("ben"))
    browser = sign_in(staff)
    page = browser.get("/staff/applications/").content.decode()
    assert page.index(f"/staff/applications/{waits.pk}/") < page.index(
        f"/staff/applications/{admitted.pk}/"
    )
    page = browser.get("/staff/applications/?stage=exam&domain=finance").content.decode()
    assert f"/staff/applications/{admitted.pk}/" in page
    assert f"/staff/applications/{waits.pk}/" not in page
    page = browser.get("/staff/applications/?stage=suspended").content.decode()
    assert "No applications match" in page
    assert browser.get("/staff/applications/?stage=nonsense&domain=%00").status_code == 400


def test_the_staff_see_who_referred_the_applicant(
    sign_in: SignIn, staff: User, applicant: User, peer: User, applied: Go
) -> None:
    from curation.joining.invitations.actions import record_arrival, renew_referral

    record_arrival(invitation=renew_referral(actor=peer), user=applicant)
    application = applied(applicant)
    page = sign_in(staff).get(f"/staff/applications/{application.pk}/").content.decode()
    assert "By a colleague" in page
    assert f"/staff/people/{peer.pk}/" in page


def test_the_list_of_applications_costs_the_same_for_three_and_for_eight(
    sign_in: SignIn, staff: User, person: Any, applied: Go
) -> None:
    browser = sign_in(staff)
    counted = []
    for upto in (range(3), range(3, 8)):
        for n in upto:
            applied(person(f"p{n}"))
        with CaptureQueriesContext(connection) as queries:
            browser.get("/staff/applications/")
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_staff_pages_are_for_staff(
    sign_in: SignIn, author: User, senior: User, applicant: User, applied: Go
) -> None:
    application = applied(applicant)
    pages = (*STAFF_PAGES, f"/staff/applications/{application.pk}/", f"/staff/people/{author.pk}/")
    for nobody in (author, senior, applicant):
        browser = sign_in(nobody)
        for page in pages:
            assert browser.get(page).status_code == 403
        assert browser.post(f"/staff/people/{author.pk}/slot/", {}).status_code == 403
        assert browser.post(f"/staff/people/{author.pk}/senior/", {}).status_code == 403
        assert browser.post("/staff/people/invite/", {}).status_code == 403
    for page in pages:
        assert Client().get(page).status_code == 302


def test_who_does_not_exist_is_not_found(sign_in: SignIn, staff: User) -> None:
    browser = sign_in(staff)
    assert browser.get("/staff/people/987654/").status_code == 404
    assert browser.post("/staff/people/987654/slot/", {"slot-reason": "x"}).status_code == 404
    assert browser.get("/staff/applications/987654/").status_code == 404


# --- what waits ----------------------------------------------------------------------------------
def titles(user: User) -> list[str]:
    return [str(item.title) for item in waiting(User.objects.get(pk=user.pk))]


def test_what_waits_follows_the_application(
    applicant: User, staff: User, senior: User, applied: Go, exam: Exam, handed_in: Any
) -> None:
    application = applied(applicant)
    assert titles(applicant) == []
    assert titles(staff) == ["Decide on applications"]
    admit(actor=staff, application=application)
    assert titles(applicant) == ["Sit the exam"]
    assert titles(staff) == []
    sitting = start_sitting(actor=applicant, application=application)
    item = waiting(applicant)[0]
    assert (item.title, item.url, item.due) == (
        "Finish the exam",
        f"/exams/{sitting.pk}/",
        sitting.deadline,
    )


def test_a_trial_waits_for_its_author_then_for_a_senior_then_for_its_author_again(
    applicant: User, senior: User, person: Any, handed_in: Callable[..., Trial], sign_in: SignIn
) -> None:
    trial = handed_in(applicant)
    assert titles(applicant) == []
    assert titles(senior) == ["Decide on a trial task"]
    sign_in(senior).post(
        f"/seniors/trials/{trial.pk}/", {"verdict": "returned", "remark_scenario": "Shorter."}
    )
    assert titles(applicant) == ["Correct your trial task"]
    assert titles(senior) == []


# --- the admin -----------------------------------------------------------------------------------
def test_staff_edit_domains_in_the_admin_and_nothing_the_process_owns(
    sign_in: SignIn, staff: User, author: User, finance: Domain
) -> None:
    browser = sign_in(staff)
    for name in ("domain", "category"):
        assert browser.get(f"/admin/curation/{name}/").status_code == 200
    for name in ("user", "application", "task", "qualification", "trial", "exam", "question"):
        assert browser.get(f"/admin/curation/{name}/").status_code == 404
    assert browser.get("/admin/auth/group/").status_code in (403, 404)
    assert sign_in(author).get("/admin/curation/domain/").status_code == 403
    assert browser.post(f"/admin/curation/domain/{finance.pk}/delete/").status_code == 403

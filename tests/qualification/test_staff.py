"""Staff decide on applications, keep the people's record and invite."""

import re
from collections.abc import Callable
from smtplib import SMTPException
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.actions.exams import start_sitting
from curation.actions.qualification import admit
from curation.models import (
    Application,
    Domain,
    Exam,
    Qualification,
    SeniorityChange,
    SlotGrant,
    Trial,
    User,
)
from curation.queries.qualification import waiting

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


@pytest.mark.parametrize("decision", ["turn_down", "suspend", "reinstate"])
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
    assert "No application fits this choice" in page
    assert browser.get("/staff/applications/?stage=nonsense&domain=%00").status_code == 200


def test_the_staff_see_who_was_named_as_referrer(
    sign_in: SignIn, staff: User, applicant: User, finance: Domain
) -> None:
    from tests.qualification.conftest import PROFILE

    data = PROFILE | {"domain": finance.pk, "route": "referral", "colleague": "ghost@example.test"}
    sign_in(applicant).post("/apply/", data)
    application = Application.objects.get()
    page = sign_in(staff).get(f"/staff/applications/{application.pk}/").content.decode()
    assert "ghost@example.test" in page
    assert "no account with this address" in page


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


# --- people --------------------------------------------------------------------------------------
def test_people_are_found_by_name_address_affiliation_and_pseudonym(
    sign_in: SignIn, staff: User, person: Any, author: User
) -> None:
    ana = person("ana", affiliation="Harbour Bank")
    browser = sign_in(staff)
    for words in ("Ana", "ana@example", "harbour", f"Expert {ana.pk}", str(ana.pk)):
        page = browser.get("/staff/people/", {"q": words}).content.decode()
        assert f"/staff/people/{ana.pk}/" in page
    page = browser.get("/staff/people/", {"q": "ana"}).content.decode()
    assert f"/staff/people/{author.pk}/" not in page
    page = browser.get("/staff/people/", {"domain": "finance"}).content.decode()
    assert f"/staff/people/{author.pk}/" in page
    assert f"/staff/people/{ana.pk}/" not in page
    page = browser.get("/staff/people/", {"q": "' OR 1=1 --"}).content.decode()
    assert "Nobody fits this search" in page


def test_the_list_costs_the_same_for_three_and_for_thirty_people(
    sign_in: SignIn, staff: User, person: Any, finance: Domain, law: Domain
) -> None:
    browser = sign_in(staff)
    counted = []
    for upto in (range(3), range(3, 30)):
        for n in upto:
            person(f"p{n}", finance, law)
        with CaptureQueriesContext(connection) as queries:
            browser.get("/staff/people/")
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_the_list_of_applications_costs_the_same_for_three_and_for_thirty(
    sign_in: SignIn, staff: User, person: Any, applied: Go
) -> None:
    browser = sign_in(staff)
    counted = []
    for upto in (range(3), range(3, 30)):
        for n in upto:
            applied(person(f"p{n}"))
        with CaptureQueriesContext(connection) as queries:
            browser.get("/staff/applications/")
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_a_slot_is_granted_with_a_reason_on_the_record(
    sign_in: SignIn, staff: User, author: User
) -> None:
    browser = sign_in(staff)
    address = f"/staff/people/{author.pk}/"
    answer = browser.post(f"{address}slot/", {"slot-reason": " "})
    assert answer.status_code == 400
    assert "Say why" in answer.content.decode()
    assert browser.post(f"{address}slot/", {"slot-reason": "Rare field."}).status_code == 302
    assert SlotGrant.objects.get().granted_by == staff
    page = browser.get(address).content.decode()
    assert "Rare field." in page
    assert "0 of 4 taken" in page


def test_a_senior_is_made_and_unmade_with_a_reason_on_the_record(
    sign_in: SignIn, staff: User, author: User, finance: Domain
) -> None:
    browser = sign_in(staff)
    address = f"/staff/people/{author.pk}/senior/"
    make = {"domain": finance.pk, "senior": "1", "reason": "Ten good reviews."}
    answer = browser.post(address, make | {"reason": ""})
    assert answer.status_code == 400
    assert "Say why. It stays on the record." in answer.content.decode()
    assert browser.post(address, make).status_code == 302
    assert User.objects.get(pk=author.pk).senior_domain_ids() == {finance.pk}
    assert browser.post(address, make).status_code == 409  # it is so already
    browser.post(address, make | {"senior": "0", "reason": "Asked for less work."})
    assert User.objects.get(pk=author.pk).senior_domain_ids() == frozenset()
    assert [c.senior for c in SeniorityChange.objects.all()] == [True, False]
    page = browser.get(f"/staff/people/{author.pk}/").content.decode()
    assert "Ten good reviews." in page


def test_only_an_active_expert_becomes_a_senior(
    sign_in: SignIn, staff: User, author: User, law: Domain, finance: Domain
) -> None:
    browser = sign_in(staff)
    address = f"/staff/people/{author.pk}/senior/"
    data = {"senior": "1", "reason": "Because."}
    assert browser.post(address, data | {"domain": law.pk}).status_code == 409
    Qualification.objects.filter(user=author).update(active=False)
    assert browser.post(address, data | {"domain": finance.pk}).status_code == 409
    for nonsense in ({"domain": "x"}, {"domain": finance.pk, "senior": "2"}):
        assert browser.post(address, data | nonsense).status_code == 400


# --- invitations ---------------------------------------------------------------------------------
def invite(browser: Client, **changes: str) -> Any:
    data = {"email": "New.Expert@Example.test", "display_name": "Noor Expert", "language": "en"}
    return browser.post("/staff/people/invite/", data | changes)


def link() -> str:
    found = re.search(r"http://testserver(/\S+)", mail.outbox[-1].body)
    assert found
    return found.group(1)


def test_an_invited_person_sets_a_password_with_a_link_that_works_once_and_signs_in(
    sign_in: SignIn, staff: User, client: Client
) -> None:
    answer = invite(sign_in(staff))
    person = User.objects.get(email="new.expert@example.test")
    assert answer["Location"] == f"/staff/people/{person.pk}/"
    assert not person.has_usable_password()
    assert mail.outbox[0].to == ["new.expert@example.test"]
    address = link()
    form = client.get(address, follow=True)
    assert form.status_code == 200
    words = {"password1": "four quiet herons wade", "password2": "four quiet herons wade"}
    assert client.post(form.request["PATH_INFO"], words).status_code == 302
    person.refresh_from_db()
    assert person.check_password("four quiet herons wade")
    login = {"login": "new.expert@example.test", "password": "four quiet herons wade"}
    assert client.post("/account/login/", login).status_code == 302
    assert client.get("/apply/").status_code == 200
    used = Client().get(address, follow=True)
    assert "password1" not in used.content.decode()


def test_inviting_an_address_that_has_an_account_says_so_and_sends_nothing(
    sign_in: SignIn, staff: User, author: User
) -> None:
    answer = invite(sign_in(staff), email="AUTHOR@example.test", display_name="Somebody")
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "has an account already" in page
    assert author.pseudonym in page
    assert 'value="Somebody"' in page
    assert mail.outbox == []


@pytest.mark.parametrize(
    "changes",
    [
        {"email": ""},
        {"email": "no address"},
        {"email": "a@b.test\r\nBcc: all@example.test"},
        {"display_name": " "},
        {"language": "tlh"},
    ],
)
def test_an_invitation_that_cannot_be_sent_names_the_field(
    sign_in: SignIn, staff: User, changes: dict[str, str]
) -> None:
    before = User.objects.count()
    assert invite(sign_in(staff), **changes).status_code == 400
    assert User.objects.count() == before
    assert mail.outbox == []


def test_the_invitation_speaks_the_language_of_the_invited(sign_in: SignIn, staff: User) -> None:
    invite(sign_in(staff), language="zh-hans")
    assert User.objects.get(email="new.expert@example.test").language == "zh-hans"
    assert len(mail.outbox) == 1


def test_a_mail_server_that_is_down_does_not_undo_the_account_and_the_link_is_sent_again(
    sign_in: SignIn, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from curation.views import people

    def down(*args: Any, **kwargs: Any) -> None:
        raise SMTPException("down")

    browser = sign_in(staff)
    with monkeypatch.context() as patch:
        patch.setattr(people, "send_mail", down)
        answer = invite(browser)
    page = browser.get(answer["Location"]).content.decode()
    assert "could not be sent" in page
    person = User.objects.get(email="new.expert@example.test")
    again = browser.post("/staff/people/invite/", {"again": person.pk})
    assert again.status_code == 302
    assert mail.outbox[-1].to == [person.email]


def test_a_link_is_never_sent_again_to_somebody_who_has_a_password(
    sign_in: SignIn, staff: User, author: User
) -> None:
    browser = sign_in(staff)
    assert browser.post("/staff/people/invite/", {"again": author.pk}).status_code == 409
    assert browser.post("/staff/people/invite/", {"again": "x"}).status_code == 404
    assert mail.outbox == []


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
        f"/seniors/trials/{trial.pk}/", {"verdict": "returned", "remarks": "Shorter."}
    )
    assert titles(applicant) == ["Correct your trial task"]
    assert titles(senior) == []


# --- the admin -----------------------------------------------------------------------------------
def test_staff_edit_domains_and_exams_in_the_admin_and_nothing_the_process_owns(
    sign_in: SignIn, staff: User, author: User, finance: Domain, exam: Exam
) -> None:
    browser = sign_in(staff)
    for name in ("domain", "category", "exam", "question"):
        assert browser.get(f"/admin/curation/{name}/").status_code == 200
    for name in ("user", "application", "task", "qualification", "trial"):
        assert browser.get(f"/admin/curation/{name}/").status_code == 404
    assert browser.get("/admin/auth/group/").status_code in (403, 404)
    assert sign_in(author).get("/admin/curation/domain/").status_code == 403
    assert browser.post(f"/admin/curation/domain/{finance.pk}/delete/").status_code == 403


def test_a_key_that_cannot_mark_its_question_is_not_stored(
    sign_in: SignIn, staff: User, exam: Exam
) -> None:
    question = exam.questions.get(key_id="q1")
    data = {
        "position": "1",
        "kind": "single",
        "topic": "Leases",
        "text": "Changed?",
        "options": '["a", "b"]',
        "unit": "",
        "key": "[5]",
        "points": "1",
        "study": "",
    }
    browser = sign_in(staff)
    address = f"/admin/curation/question/{question.pk}/change/"
    assert "cannot mark a question" in browser.post(address, data).content.decode()
    assert browser.post(address, data | {"key": "[1]"}).status_code == 302
    question.refresh_from_db()
    assert (question.key, question.key_id) == ([1], "q1")

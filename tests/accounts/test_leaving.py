"""Leaving: a closed account, a copy of one's data, and a name that is removed for good."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.accounts.models import AccountChange, DataCopy, NameRemoval
from curation.api_tokens.actions import make_token
from curation.applications.actions import qualify
from curation.applications.conflicts import in_conflict
from curation.applications.models import Application, Certification
from curation.attachments.actions import add_attachment
from curation.closed_accounts.actions import close_account, open_account, remove_name
from curation.data_copies.parts import all_parts
from curation.exams.models import ExamSitting, SittingQuestion
from curation.experts.suspension import reinstate_expert
from curation.invitations.actions import invite_person, record_arrival
from curation.people.models import Qualification, User
from curation.process.lifecycle import ApplicationStage
from curation.process.periodic_jobs import run
from curation.question_bank.models import Exam, Question
from curation.web.refusals import Conflict, Denied
from review.conflicts.actions import declare_conflict, propose_conflict
from tests.attachments.files import pdf, upload
from tests.conftest import PASSWORD
from tests.markup import words_of
from tests.rubrics.walk import to_refining

pytestmark = pytest.mark.django_db
CLOSE, COPY = "/account/close/", "/account/data/copy/"
NAME, HOUSE = "Ottoline Quexbury", "Brindlemere Partners"
ADDRESS = "ottoline.quexbury@brindlemere.test"
REASON = "She asked for it by letter."


@pytest.fixture
def browser(author: User, sign_in_by_form: Callable[..., Client]) -> Client:
    """The author, who has just typed the password once more."""
    browser = sign_in_by_form(author)
    browser.post("/account/reauthenticate/", {"password": PASSWORD})
    return browser


@pytest.fixture
def at(sign_in: Any, staff: User) -> Any:
    """Staff press a button of somebody's page of closing."""

    def press(route: str, person: User, reason: str = REASON) -> Any:
        return sign_in(staff).post(reverse(route, args=[person.pk]), {"reason": reason})

    return press


class TestClosing:
    def test_somebody_closes_their_own_account_and_cannot_sign_in_again(self, browser, author):
        key = make_token(actor=author, name="nightly export")[1]
        assert browser.post(CLOSE, {"reason": ""}).status_code == 302
        author.refresh_from_db()
        assert not author.is_active
        assert browser.get("/").status_code == 302
        answer = Client().post("/account/login/", {"login": author.email, "password": PASSWORD})
        assert answer.url == "/account/inactive/"
        asked = Client(headers={"Authorization": f"Token {key}"}).get("/api/v1/tasks/")
        assert asked.status_code == 401
        assert not Qualification.objects.filter(user=author, active=True).exists()
        (change,) = AccountChange.objects.filter(user=author)
        assert (change.actor, change.closed) == (author, True)

    def test_closing_asks_for_the_password_first(self, author, sign_in):
        answer = sign_in(author).post(CLOSE, {"reason": ""})
        assert answer.url.startswith("/account/reauthenticate/")
        author.refresh_from_db()
        assert author.is_active

    def test_open_work_goes_to_a_colleague_and_the_work_done_stays(
        self, at, author, peer, person, finance
    ):
        from review.assignment.models import Review
        from rubrics.sending.actions import send_to_review

        task = to_refining(author, person("screener", finance), finance)
        send_to_review(actor=author, task=task)
        held = Review.objects.get(task=task, state="assigned").reviewer
        colleague = person("colleague", finance)
        answer = at("staff-close-account", held)
        assert answer.status_code == 302
        assert Review.objects.get(task=task, state="assigned").reviewer == colleague
        assert Review.objects.filter(task=task, reviewer=held).count() == 1

    def test_an_application_before_the_trial_is_withdrawn(self, author, staff, law):
        application = Application.objects.create(
            user=author, domain=law, affiliation="A", degree="B", years=5, credentials="C"
        )
        close_account(actor=staff, person=author, reason=REASON)
        application.refresh_from_db()
        assert application.stage == ApplicationStage.WITHDRAWN

    def test_no_e_mail_reaches_a_closed_account(self, at, author, peer, person, finance):
        to_refining(author, person("screener", finance), finance)
        at("staff-close-account", author)
        mail.outbox.clear()
        run()
        assert author.email not in [to for one in mail.outbox for to in one.to]

    def test_staff_say_why_and_close_an_account_once(self, at, author):
        assert at("staff-close-account", author, " ").status_code == 400
        assert at("staff-close-account", author).status_code == 302
        assert at("staff-close-account", author).status_code == 409
        assert at("staff-open-account", author).status_code == 302
        assert at("staff-open-account", author).status_code == 409

    def test_an_opened_account_signs_in_but_stays_suspended(self, at, author):
        at("staff-close-account", author)
        at("staff-open-account", author)
        answer = Client().post("/account/login/", {"login": author.email, "password": PASSWORD})
        assert answer.url == "/"
        assert User.objects.get(pk=author.pk).qualified_domain_ids() == frozenset()

    def test_a_closed_account_is_neither_qualified_nor_reinstated(
        self, staff, author, law, finance
    ):
        application = Application.objects.create(
            user=author, domain=law, affiliation="A", degree="B", years=5, credentials="C"
        )
        Application.objects.filter(pk=application.pk).update(stage=ApplicationStage.TRIAL)
        close_account(actor=staff, person=author, reason=REASON)
        application = Application.objects.get(pk=application.pk)
        assert application.stage == ApplicationStage.TRIAL
        with pytest.raises(Conflict):
            qualify(actor=staff, application=application, reason="Accepted.")
        with pytest.raises(Conflict):
            reinstate_expert(actor=staff, person=author, domain=finance, reason=REASON)
        assert not Qualification.objects.filter(user=author, active=True).exists()

    def test_the_last_account_of_staff_stays_open(self, staff):
        with pytest.raises(Conflict) as refused:
            close_account(actor=staff, person=staff)
        assert refused.value.code == "last_staff"
        staff.refresh_from_db()
        assert staff.is_active

    def test_nobody_closes_or_opens_the_account_of_somebody_else(self, author, peer):
        with pytest.raises(Denied):
            close_account(actor=peer, person=author, reason=REASON)
        for step in (open_account, remove_name):
            with pytest.raises(Denied):
                step(actor=peer, person=author, reason=REASON)


# --- the copy -------------------------------------------------------------------------------------
# Why rows that point at a person are no part of that person's copy.
BY_STAFF = "records what staff did, with reasons that concern others"
NOT_COPIED = {
    **dict.fromkeys(
        (
            *("curation.SeniorityChange.actor", "curation.StandingChange.actor"),
            *("curation.SecondFactorReset.actor", "curation.AccountChange.actor"),
            *("curation.NameRemoval.actor", "curation.DataCopy.actor"),
            *("curation.SlotGrant.granted_by", "curation.PolicyChange.actor"),
            *("curation.ApiToken.ended_by", "curation.ApplicationEvent.actor"),
            *("review.ReviewPolicyChange.actor", "review.SpotCheckRelease.released_by"),
            *("review.Review.assigned_by", "review.Declaration.dismissed_by"),
            "judge.VerdictFlag.withdrawn_by",
            *("rubrics.RubricPolicyChange.actor", "admin.LogEntry.user"),
            *("judge.CandidateEvent.actor", "judge.TrustThresholds.set_by"),
            *("judge.AlignmentSet.created_by", "judge.AnchorPolicy.set_by"),
            *("judge.MonthlyBudget.set_by", "judge.JudgeRun.created_by"),
            *("judge.Generation.created_by", "judge.PriceEvent.actor"),
            *("rubrics.RubricHandover.by", "judge.EndpointEvent.actor"),
            *("judge.ServedModelEvent.actor", "judge.GoldSplit.by", "judge.HalfOpening.by"),
            *("judge.HeldOutLook.by", "judge.ProgrammeModels.set_by"),
            *("judge.GoldDraw.created_by", "judge.GoldRelease.created_by"),
        ),
        BY_STAFF,
    ),
    "curation.SentForm.user": "hashes of forms, deleted after two days",
    "curation.Trial.senior": "part of the applicant's trial, whose data it is",
    "curation.Trial.reader": "a hint for colleagues while a trial is read",
    "curation.SittingQuestion.marked_by": "part of the candidate's exam, whose data it is",
    "judge.AnchorEvent.actor": "the step itself is among the sheets and checks",
    "review.ConflictOfInterest.declared_by": "is one of the two",
}


def contents(answer: Any) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))


class TestCopying:
    def test_every_row_about_a_person_is_copied_or_left_out_for_a_reason(self):
        copied = {f"{part.model._meta.label}.{part.by.split('__')[0]}" for part in all_parts()}
        pointing = {
            f"{model._meta.label}.{field.name}"
            for model in apps.get_models()
            for field in model._meta.concrete_fields
            if field.related_model is User
        }
        assert pointing - copied - NOT_COPIED.keys() == set()
        assert NOT_COPIED.keys() - pointing == set()
        assert NOT_COPIED.keys() & copied == set()

    def test_somebody_downloads_their_own_work_and_files(self, browser, author, person, finance):
        task = to_refining(author, person("screener", finance), finance)
        from curation.authoring.actions import create_task

        draft = create_task(actor=author, domain=finance)
        add_attachment(actor=author, thing=draft, upload=upload("terms.pdf", pdf()))
        archive = contents(browser.get(COPY))
        data = json.loads(archive.read("data.json"))
        assert data["account"][0]["email"] == author.email
        assert task.key in [row["key"] for row in data["tasks"]]
        assert data["rubric_lines"]
        (file,) = [name for name in archive.namelist() if name.startswith("files/")]
        assert archive.read(file) == pdf()

    def test_a_file_that_the_storage_lost_is_named_and_the_rest_is_copied(
        self, browser, author, finance
    ):
        from curation.authoring.actions import create_task

        draft = create_task(actor=author, domain=finance)
        row = add_attachment(actor=author, thing=draft, upload=upload("terms.pdf", pdf()))
        default_storage.delete(row.file.name)
        archive = contents(browser.get(COPY))
        assert f"{row.pk}-terms.pdf" in archive.read("files/missing.txt").decode()
        assert json.loads(archive.read("data.json"))["attachments"]

    def test_a_copy_holds_no_secret_and_nothing_of_others(self, browser, author, peer):
        key = make_token(actor=author, name="nightly export")[1]
        text = contents(browser.get(COPY)).read("data.json").decode()
        assert key not in text
        assert author.password not in text
        assert peer.email not in text

    def test_a_copy_tells_no_right_answer_of_an_exam(self, browser, author, law):
        application = Application.objects.create(
            user=author, domain=law, affiliation="A", degree="B", years=5, credentials="C"
        )
        exam = Exam.objects.create(domain=law, pass_percent=60, attempts=2, wait_hours=1)
        question = Question.objects.create(
            exam=exam, kind="single", text="Which?", options=["This", "That"], key=[0], points=1,
            topic="Cash", difficulty=1, position=1,
        )  # fmt: skip
        at = timezone.now()
        sitting = ExamSitting.objects.create(
            application=application, attempt=1, deadline=at, submitted_at=at, passed=False
        )
        paper = SittingQuestion.objects.create(
            sitting=sitting, question=question, position=1, answer=[1], points=0
        )
        data = json.loads(contents(browser.get(COPY)).read("data.json"))
        assert [row["answer"] for row in data["exam_answers"]] == [[1]]
        assert "points" not in data["exam_answers"][0]
        assert data["exam_remarks"] == []
        paper.remark = "Name the clause."
        paper.save()
        data = json.loads(contents(browser.get(COPY)).read("data.json"))
        assert [row["points"] for row in data["exam_remarks"]] == [0]

    def test_a_copy_does_not_tell_a_declarer_who_is_a_member(self, browser, author, peer):
        EmailAddress.objects.update_or_create(
            user=peer, email=peer.email, defaults={"verified": True, "primary": True}
        )
        declare_conflict(actor=author, kind="family", name="A stranger", email="no@example.test")
        declare_conflict(actor=author, kind="advisor", name="Ben", email=peer.email)
        assert in_conflict(author, peer)
        data = json.loads(contents(browser.get(COPY)).read("data.json"))
        assert len(data["declarations"]) == 2
        assert data["conflicts_as_one"] == data["conflicts_as_other"] == []

    def test_a_copy_holds_decisions_on_an_application_but_no_note_of_staff(
        self, browser, author, staff, law
    ):
        application = Application.objects.create(
            user=author, domain=law, affiliation="A", degree="B", years=5, credentials="C"
        )
        application.note("mark_changed", actor=staff, reason="First I thought otherwise.")
        application.advance(ApplicationStage.REJECTED, actor=staff, reason="Too short a practice.")
        text = contents(browser.get(COPY)).read("data.json").decode()
        assert "Too short a practice." in text
        assert "First I thought otherwise." not in text

    def test_a_copy_asks_for_the_password_first(self, author, sign_in):
        assert sign_in(author).get(COPY).url.startswith("/account/reauthenticate/")

    def test_staff_take_a_copy_with_a_reason_that_stays_on_the_record(
        self, at, author, staff, sign_in
    ):
        assert at("staff-copy-data", author, " ").status_code == 400
        assert not DataCopy.objects.exists()
        data = json.loads(contents(at("staff-copy-data", author)).read("data.json"))
        assert data["account"][0]["email"] == author.email
        assert DataCopy.objects.get().actor == staff
        page = sign_in(staff).get(reverse("staff-closing", args=[author.pk])).content.decode()
        assert "A copy of the data was taken." in page


# --- the name -------------------------------------------------------------------------------------
def everything_stored() -> Iterator[tuple[str, str]]:
    """Each row of each table with all its values, as text."""
    for model in (*apps.get_models(), Session):
        names = [field.attname for field in model._meta.concrete_fields]
        for row in model._base_manager.values_list(*names):
            yield model._meta.label, " ".join(map(str, row)).casefold()


class TestRemovingTheName:
    @pytest.fixture
    def leaver(self, person, finance, law, staff, author):
        invite_person(actor=staff, email=ADDRESS.title(), name=NAME)
        leaver = person("leaver", finance)
        User.objects.filter(pk=leaver.pk).update(
            email=ADDRESS, display_name=NAME, affiliation=HOUSE
        )
        leaver.refresh_from_db()
        EmailAddress.objects.filter(user=leaver).delete()
        EmailAddress.objects.create(user=leaver, email=ADDRESS, verified=True, primary=True)
        application = Application.objects.create(
            user=leaver, domain=law, affiliation=HOUSE, degree=f"LLM, {NAME}", years=5,
            credentials=f"Ask {HOUSE} for {NAME}.",
        )  # fmt: skip
        evidence = add_attachment(
            actor=leaver,
            thing=application,
            upload=upload("Quexbury licence.pdf", pdf()),
        )
        Certification.objects.create(
            application=application, title=f"Bar of {NAME}", issuer=HOUSE, evidence=evidence
        )
        declare_conflict(actor=author, kind="coauthor", name=NAME, email=ADDRESS, note=HOUSE)
        to_refining(leaver, person("screener", finance), finance)
        close_account(actor=staff, person=leaver, reason=REASON)
        leaver.refresh_from_db()
        self.file = evidence.file.name
        return leaver

    def test_nothing_in_any_table_tells_who_it_was(
        self, at, leaver, django_capture_on_commit_callbacks
    ):
        told = [word.casefold() for word in (NAME, HOUSE, ADDRESS, "Quexbury")]
        assert any(word in text for _label, text in everything_stored() for word in told)
        with django_capture_on_commit_callbacks(execute=True):
            assert at("staff-remove-name", leaver).status_code == 302
        found = {label for label, text in everything_stored() if any(word in text for word in told)}
        assert found == set()
        assert not default_storage.exists(self.file)

    def test_what_the_person_wrote_stays_under_the_pseudonym(self, at, leaver, sign_in, staff):
        at("staff-remove-name", leaver)
        assert leaver.tasks.count() == 1
        page = words_of(
            sign_in(staff).get(reverse("staff-closing", args=[leaver.pk])).content.decode()
        )
        assert "The name was removed." in page
        assert leaver.pseudonym in page

    def test_an_invitation_under_an_earlier_address_loses_the_name_too(
        self, at, leaver, staff, author
    ):
        earlier = invite_person(actor=staff, email="o.quexbury@old.test", name=NAME)
        record_arrival(invitation=earlier, user=leaver)
        at("staff-remove-name", leaver)
        earlier.refresh_from_db()
        assert earlier.name == ""
        assert "quexbury" not in earlier.email

    def test_former_colleagues_still_do_not_judge_the_work_that_goes_on(
        self, at, leaver, person, finance
    ):
        colleague = person("former-colleague", finance)
        User.objects.filter(pk=colleague.pk).update(affiliation=f" {HOUSE.upper()}")
        assert in_conflict(leaver, colleague)
        at("staff-remove-name", leaver)
        assert in_conflict(leaver, User.objects.get(pk=colleague.pk))

    def test_the_other_party_of_a_conflict_does_not_learn_the_pseudonym(
        self, at, leaver, author, sign_in, staff
    ):
        propose_conflict(actor=staff, person=leaver, other=author, kind="business")
        assert NAME in sign_in(author).get("/conflicts/").content.decode()
        at("staff-remove-name", leaver)
        page = sign_in(author).get("/conflicts/").content.decode()
        assert "(name removed)" in page
        assert f"expert-{leaver.pk}" not in page

    def test_the_page_lists_the_texts_that_hold_the_name(self, at, leaver, sign_in, staff):
        task = leaver.tasks.get()
        type(task).objects.filter(pk=task.pk).update(title="A lease", scenario=f"Write to {NAME}.")
        page = sign_in(staff).get(reverse("staff-closing", args=[leaver.pk])).content.decode()
        assert reverse("staff-task", args=[task.pk]) in page
        assert "A lease" in page

    def test_a_name_is_removed_once_and_the_account_stays_closed(self, at, leaver):
        assert at("staff-remove-name", leaver, "").status_code == 400
        assert at("staff-remove-name", leaver).status_code == 302
        assert at("staff-remove-name", leaver).status_code == 409
        assert at("staff-open-account", leaver).status_code == 409
        assert NameRemoval.objects.count() == 1

    def test_an_open_account_keeps_its_name(self, at, author):
        answer = at("staff-remove-name", author)
        assert answer.status_code == 409
        author.refresh_from_db()
        assert author.email != ""

    def test_staff_cannot_remove_their_own_name(self, staff):
        with pytest.raises(Denied):
            remove_name(actor=staff, person=staff, reason=REASON)

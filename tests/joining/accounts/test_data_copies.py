"""A copy of one's data: what it holds, what it must not tell, and who takes it."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.base.process.lifecycle import ApplicationStage
from curation.joining.accounts.api_tokens import make_token
from curation.joining.accounts.models import DataCopy
from curation.joining.people import User, in_conflict
from curation.leaving.data_copies.parts import all_parts
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.models import ExamSitting, SittingQuestion
from curation.tasks.attachments.actions import add_attachment
from review.conflicts.actions import declare_conflict
from tests.conftest import PASSWORD
from tests.rubrics.walk import to_refining
from tests.tasks.attachments.files import pdf, upload

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


# --- the copy -------------------------------------------------------------------------------------
# Why rows that point at a person are no part of that person's copy.
BY_STAFF = "records what staff did, with reasons that concern others"
NOT_COPIED = {
    **dict.fromkeys(
        (
            *("curation.SeniorityChange.actor", "curation.StandingChange.actor"),
            *("curation.DutyChange.actor", "curation.SettingChange.actor"),
            "curation.MailTest.actor",
            "judge.RunAct.actor",
            *("curation.SecondFactorReset.actor", "curation.AccountChange.actor"),
            *("curation.NameRemoval.actor", "curation.DataCopy.actor"),
            *("curation.SlotGrant.granted_by", "curation.PolicyChange.actor"),
            *("curation.ApiToken.ended_by", "curation.ApplicationEvent.actor"),
            *("review.ReviewPolicyChange.actor", "review.SpotCheckRelease.released_by"),
            *("review.Review.assigned_by", "review.Declaration.dismissed_by"),
            *("judge.VerdictFlag.withdrawn_by", "judge.Retirement.by"),
            "judge.Retirement.ended_by",
            *("judge.OperatorChange.actor", "judge.CollectionOrder.by", "judge.ScoreMatrix.by"),
            *("rubrics.RubricPolicyChange.actor", "admin.LogEntry.user"),
            *("judge.CandidateEvent.actor", "judge.TrustThresholds.set_by"),
            *("judge.AlignmentSet.created_by", "judge.AnchorPolicy.set_by"),
            *("judge.MonthlyBudget.set_by", "judge.JudgeRun.created_by"),
            *("judge.Generation.created_by", "judge.PriceEvent.actor"),
            *("rubrics.RubricHandover.by", "judge.EndpointEvent.actor"),
            *("judge.ServedModelEvent.actor", "judge.GoldSplit.by", "judge.HalfOpening.by"),
            *("curation.RefusedSource.added_by", "curation.RefusedSource.removed_by"),
            *("curation.SecondLook.opened_by", "curation.SecondLook.closed_by"),
            "judge.ShareRules.set_by",
            *("judge.HeldOutLook.by", "judge.ProgrammeModels.set_by"),
            *("judge.ListDemand.set_by", "judge.BandTable.set_by", "judge.GradeScale.set_by"),
            *("judge.DataImport.by", "judge.DataImport.asked_by", "judge.KeptMapping.by"),
            *("judge.PoolImport.by", "judge.SourceTiers.set_by"),
            *("judge.GoldDraw.created_by", "judge.GoldRelease.created_by"),
            *("curation.Collection.entered_by", "curation.WorkMapChange.actor"),
            *("curation.Deidentification.done_by", "curation.Deidentification.second"),
            "curation.Reverification.asked_by",
            *("judge.TaskPrice.by", "judge.DemandCurve.by", "judge.BoardRemoval.by"),
            *("curation.CategorySuitability.set_by", "curation.SkillChange.actor"),
            *("curation.LabelOnTask.removed_by", "curation.EffortEntry.entered_by"),
            "curation.EffortEntry.taken_back_by",
            *("judge.ErrorCodeChange.actor", "judge.CodedError.decided_by"),
            *("judge.CodeRequest.asked_by", "curation.ExpertProfile.entered_by"),
            "curation.CertificateCheck.checked_by",
            *("curation.Announcement.ended_by", "curation.AnnouncementWording.by"),
            *("curation.Guideline.draft_by", "curation.GuidelineVersion.published_by"),
            *("curation.HonorariumRate.entered_by", "curation.HonorariumRate.taken_back_by"),
            *("curation.Honorarium.entered_by", "curation.Honorarium.decided_by"),
            *("curation.HonorariumStep.actor", "curation.PayrollFile.made_by"),
            "curation.Payee.set_by",
            *("judge.ScorerPolicyChange.actor", "judge.ScorerStep.by"),
            "judge.PracticeSheet.added_by",
            *("judge.BoardRemoval.put_back_by", "judge.Erratum.decided_by", "judge.Edition.by"),
        ),
        BY_STAFF,
    ),
    "judge.KnownSheet.user": "would tell which sheets are known; the sheets are copied with others",
    "curation.SentForm.user": "hashes of forms, deleted after two days",
    "curation.SharedAnswer.by": "words for a domain, of a question and answers that are copied",
    "curation.SharedAnswer.ended_by": "words for a domain, of a question that is copied",
    "curation.Trial.senior": "part of the applicant's trial, whose data it is",
    "judge.QueryChecklist.ended_by": "dropped it, or put the next one in use, which is copied",
    "curation.Trial.reader": "a hint for colleagues while a trial is read",
    "curation.SittingQuestion.marked_by": "part of the candidate's exam, whose data it is",
    "judge.DataImport.author": "says whose drafts the tasks became, which are copied",
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
        from curation.tasks.authoring.actions import create_task

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
        from curation.tasks.authoring.actions import create_task

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

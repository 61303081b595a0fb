"""Staff take a rejection, a withdrawal, a discard or a turned-down application back."""

from typing import Any

import pytest

from curation.base.process.lifecycle import ApplicationStage, Stage
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.notices.models import Notice
from curation.qualifying.applications.models import Application
from curation.qualifying.qualification.actions import reject, take_back_rejection
from curation.screening.panels.actions import join_panel
from curation.screening.panels.models import PanelPlace, Screening, ScreeningVote
from curation.screening.panels.voting_actions import open_screening, vote
from curation.tasks.authoring.actions import create_task, submit_task, withdraw_task
from curation.tasks.task.models import Slot, Task
from review.rounds.actions import finish_round, set_verdict
from review.senior_seats.models import seniors_with_the_seat
from review.spot_checks.actions import decide_spot_check, discard, take_spot_check
from review.spot_checks.findings import findings
from review.staff.taking_back import take_back
from rubrics.sending.actions import send_to_review
from tests.conftest import make_staff
from tests.markup import words_of
from tests.rubrics.walk import PARTS, to_refining
from tests.scoring.pages.conftest import approved

pytestmark = pytest.mark.django_db
WHY = "The vote rested on a misprint in the annex."


@pytest.fixture(autouse=True)
def nothing_is_drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 0.0


@pytest.fixture
def screener(person: Any, finance: Any) -> Any:
    return person("screener", finance)


@pytest.fixture
def rejected(author: Any, screener: Any, finance: Any) -> Task:
    task = create_task(actor=author, domain=finance, title="Covenant headroom", **PARTS)
    submit_task(actor=author, task=task)
    open_screening(task=task, finding="hard", probing={"samples": 3})
    join_panel(actor=screener, task=task)
    vote(
        actor=screener,
        task=task,
        difficult=False,
        representative=True,
        gradable=True,
        decision="reject",
        reasons="Too easy.",
    )
    task.refresh_from_db()
    assert task.stage == Stage.REJECTED
    return task


def url_of(task: Task) -> str:
    return f"/staff/tasks/{task.pk}/take-back/"


class TestARejectedPrompt:
    def test_is_screened_anew_by_the_page(self, rejected, screener, staff, author, sign_in):
        client = sign_in(staff)
        assert url_of(rejected) in client.get(f"/staff/tasks/{rejected.pk}/").content.decode()
        assert client.get(url_of(rejected)).status_code == 200
        assert client.post(url_of(rejected), {"reason": WHY}).status_code == 302
        rejected.refresh_from_db()
        assert (rejected.stage, rejected.screening_round) == (Stage.SCREENING, 2)
        fresh = Screening.objects.get(task=rejected, round=2)
        assert (fresh.finding, fresh.probing) == ("hard", {"samples": 3})
        assert ScreeningVote.objects.filter(task=rejected).count() == 1  # the old one stays
        assert PanelPlace.objects.get(task=rejected, round=2).member == screener
        assert Slot.objects.filter(task=rejected).count() == 1
        assert Notice.objects.filter(recipient=author, kind="task_taken_back").count() == 1
        story = words_of(sign_in(author).get(f"/tasks/{rejected.pk}/").content.decode())
        assert "Staff took the rejection back: a panel votes again." in story
        assert WHY in story

    def test_can_be_kept_by_the_new_vote(self, rejected, screener, staff):
        take_back(actor=staff, task=rejected, reason=WHY)
        vote(
            actor=screener,
            task=rejected,
            difficult=True,
            representative=True,
            gradable=True,
            decision="keep",
            reasons="Without the misprint it is hard.",
        )
        rejected.refresh_from_db()
        assert rejected.stage == Stage.DRAFTING

    def test_needs_a_reason_and_a_member_of_staff_who_did_not_write_it(
        self, rejected, staff, author, sign_in
    ):
        assert sign_in(staff).post(url_of(rejected), {"reason": " "}).status_code == 400
        with pytest.raises(BadInput):
            take_back(actor=staff, task=rejected, reason="")
        make_staff(author)
        with pytest.raises(Denied):
            take_back(actor=author, task=rejected, reason=WHY)
        assert sign_in(author).post(url_of(rejected), {"reason": WHY}).status_code == 403

    def test_is_taken_back_once(self, rejected, staff, sign_in):
        take_back(actor=staff, task=rejected, reason=WHY)
        with pytest.raises(Conflict):
            take_back(actor=staff, task=rejected, reason=WHY)
        assert sign_in(staff).get(url_of(rejected)).status_code == 409


class TestAWithdrawnTask:
    def test_that_was_a_draft_is_a_draft_again(self, author, finance, staff):
        task = create_task(actor=author, domain=finance, title="New", **PARTS)
        withdraw_task(actor=author, task=task, reason="By mistake.")
        take_back(actor=staff, task=task, reason=WHY)
        assert task.stage == Stage.DRAFT
        submit_task(actor=author, task=task)

    def test_whose_rubric_was_being_refined_goes_on_there(self, author, screener, finance, staff):
        task = to_refining(author, screener, finance)
        withdraw_task(actor=author, task=task, reason="By mistake.")
        take_back(actor=staff, task=task, reason=WHY)
        task.refresh_from_db()
        assert task.stage == Stage.REFINING
        send_to_review(actor=author, task=task)


class TestADiscardedTask:
    def test_that_staff_discarded_is_approved_again(self, author, screener, peer, finance, staff):
        task = approved(author, screener, peer, finance)
        discard(actor=staff, task=task, reason="Too old.")
        take_back(actor=staff, task=task, reason=WHY)
        assert task.stage == Stage.APPROVED

    def test_that_a_senior_discarded_waits_for_another_senior(
        self, author, screener, peer, finance, staff, person, settings
    ):
        settings.SPOT_CHECK_RATE = 1.0
        task = to_refining(author, screener, finance)
        send_to_review(actor=author, task=task)
        review = task.reviews.get()
        opened = review.rounds.get()
        for line in opened.version.criteria.all():
            set_verdict(actor=peer, round=opened, criterion=line, verdict="approve")
        finish_round(actor=peer, round=opened)
        task.refresh_from_db()
        first, second = (person(n, finance, senior=True) for n in ("first", "second"))
        tests = {"consistent": True, "aligned": True}
        take_spot_check(actor=first, task=task)
        decide_spot_check(
            actor=first, task=task, evaluable=False, verdict="discard", remarks="No.", **tests
        )
        take_back(actor=staff, task=task, reason=WHY)
        assert task.stage == Stage.SPOT_CHECK
        assert seniors_with_the_seat(task) == set()
        assert findings().total("decided") == 0
        take_spot_check(actor=second, task=task)
        decide_spot_check(
            actor=second, task=task, evaluable=True, verdict="accept", remarks="Fine.", **tests
        )
        assert task.stage == Stage.APPROVED
        assert findings().total("decided") == 1


class TestATurnedDownApplication:
    @pytest.fixture
    def application(self, applicant: Any, finance: Any) -> Application:
        made = Application.objects.create(
            user=applicant, domain=finance, years=5, credentials="CFA", affiliation="Elm"
        )
        made.record_start(actor=applicant)
        return made

    def test_goes_on_where_it_had_stopped(self, application, staff, applicant, sign_in):
        reject(actor=staff, application=application, reason="No evidence.")
        url, client = f"/staff/applications/{application.pk}/", sign_in(staff)
        assert 'value="take_back"' in client.get(url).content.decode()
        assert client.post(url, {"decision": "take_back", "reason": ""}).status_code == 400
        assert client.post(url, {"decision": "take_back", "reason": WHY}).status_code == 302
        application.refresh_from_db()
        assert application.stage == ApplicationStage.APPLIED
        assert Notice.objects.filter(recipient=applicant, kind="application_reopened").exists()
        page = sign_in(applicant).get(f"/applications/{application.pk}/").content.decode()
        assert "Staff took the decision back." in page
        with pytest.raises(Conflict):
            take_back_rejection(actor=staff, application=application, reason=WHY)

    def test_that_failed_the_exam_needs_an_attempt_left(self, application, staff, finance):
        from django.utils import timezone

        from curation.qualifying.exams.bank_models import Exam
        from curation.qualifying.exams.models import ExamSitting

        exam = Exam.objects.create(domain=finance, attempts=1)
        application.advance(ApplicationStage.EXAM, actor=staff)
        ExamSitting.objects.create(
            application=application,
            attempt=1,
            deadline=timezone.now(),
            submitted_at=timezone.now(),
            passed=False,
        )
        application.advance(ApplicationStage.REJECTED, actor=None, attempts=1)
        with pytest.raises(Conflict) as refused:
            take_back_rejection(actor=staff, application=application, reason=WHY)
        assert refused.value.code == "attempts_used"
        Exam.objects.filter(pk=exam.pk).update(attempts=2)
        application = Application.objects.get(pk=application.pk)
        take_back_rejection(actor=staff, application=application, reason=WHY)
        assert application.stage == ApplicationStage.EXAM

    def test_whose_trial_was_rejected_writes_its_next_version(self, application, staff):
        from django.utils import timezone

        from curation.qualifying.trials.models import Trial

        for stage in (ApplicationStage.EXAM, ApplicationStage.TRAINING, ApplicationStage.TRIAL):
            application.advance(stage, actor=staff)
        now = timezone.now()
        Trial.objects.create(
            application=application,
            number=1,
            title="Trial",
            submitted_at=now,
            decided_at=now,
            senior=staff,
            verdict="rejected",
            remarks="No.",
        )
        application.advance(ApplicationStage.REJECTED, actor=staff, reason="No.", trial=1)
        take_back_rejection(actor=staff, application=application, reason=WHY)
        latest = application.trials.order_by("-number").first()
        assert (latest.number, latest.verdict, latest.title) == (2, "", "Trial")

"""Every kind is really told, in the sample programme and a few steps more, and leads its reader
to a page they may open. What must stay hidden is in no notice and no e-mail."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.db.models import F
from django.test import TestCase, override_settings
from django.utils import timezone

from config.sample import read_task
from config.sample.people import walk_to_trial
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.domains.models import Domain
from curation.joining.notices import email_digest, notify
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import hand_in, start_sitting
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.experts.views import set_senior
from curation.qualifying.qualification import actions as qualification
from curation.qualifying.training.models import TrainingUnitPass
from curation.qualifying.trials.actions import decide_trial, hand_in_trial, save_trial
from curation.qualifying.trials.models import Trial
from curation.screening.panels.models import PanelPlace
from curation.tasks.authoring.actions import grant_slot
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from curation.telling.activity import reminders
from judge.scoring.anchors.notices import remind_scorers
from judge.scoring.sheets.models import Sheet
from judge.suggesting.drafts.actions import ask_for_draft
from judge.suggesting.drafts.generate import end_request
from judge.suggesting.drafts.models import DraftRequest
from review.decisions.actions import (
    close_decisions,
    decide_line,
    lines_to_decide,
    one_more_round,
    take_decision,
)
from review.policy.models import ReviewTerms
from review.rounds.actions import answer_request, finish_round, set_verdict
from review.rounds.assignment_models import Review, Round
from review.rounds.expiry import expire_overdue, resume
from review.rounds.notices import remind_reviewers
from review.spot_checks.actions import decide_spot_check, reopen, take_spot_check
from rubrics.drafts.actions import record_further_draft
from rubrics.sending.actions import send_to_review
from rubrics.versions.actions import record_draft
from rubrics.versions.models import RubricVersion
from tests.base.access.asking import asker_of, handler, route_of
from tests.base.access.counting import counted_once
from tests.joining.notices.corrections import corrections
from tests.joining.notices.desk import honoraria, imports, practice
from tests.joining.notices.exact_answers import exact_answers
from tests.joining.notices.nudges import nudges
from tests.joining.notices.scoring import conflicts, scoring
from tests.joining.notices.skills import skills
from tests.joining.notices.talk import talk
from tests.programme import sample_programme

WHY = "For reasons of the test."
PLANTED = "planted-7f3a"  # in everything no notice may hold
FACTS = {"minutes": 90, "rate_band": "100_200", "change": "static"}  # of a prompt


class World(SimpleNamespace):
    """The sample programme and its people by name."""

    def __getattr__(self, name: str) -> Any:
        return User.objects.get(email=f"{name}@example.test")


def applications(w: World) -> None:
    finance = Domain.objects.get(key="finance")
    row = {
        "applicant_in": "finance",
        "affiliation": "Lantern",
        "degree": "MSc",
        "years": 5,
        "credentials": PLANTED,
    }

    def writer(name: str) -> Trial:
        person = User.objects.create_user(f"{name}@example.test", display_name=f"{PLANTED} {name}")
        application = walk_to_trial(person, row, w.staff)
        trial = Trial.objects.get(application=application)
        parts = dict.fromkeys(("title", "scenario", "materials", "requirements"), PLANTED)
        saved = save_trial(
            actor=person,
            trial=trial,
            version=1,
            **parts,
            reference_answer=PLANTED,
            category=application.domain.categories.first(),
            **FACTS,
        )
        return hand_in_trial(actor=person, trial=saved)

    for verdict in (Trial.Verdict.RETURNED, Trial.Verdict.REJECTED):
        decide_trial(
            actor=w.senior,
            trial=writer(verdict),
            verdict=verdict,
            remarks=PLANTED,
            parts={"scenario": PLANTED},
        )
    accepted = Application.objects.filter(stage="qualified").latest("pk")
    person = accepted.user
    qualification.suspend(actor=w.staff, application=accepted, reason=WHY)
    qualification.reinstate(actor=w.staff, application=accepted, reason=WHY)
    for senior in (True, False):
        set_senior(actor=w.staff, person=person, domain=finance, senior=senior, reason=WHY)
        w.open_all()
    grant_slot(actor=w.staff, expert=person, reason=WHY)
    passed = TrainingUnitPass._base_manager.filter(user=person)
    passed.exclude(unit="task").update(edition="an older edition")
    late = User.objects.create_user("late@example.test")
    turned_down = Application.objects.create(
        user=late, domain=finance, affiliation="x", degree="x", years=4, credentials="x"
    )
    turned_down.record_start(actor=late)
    qualification.reject(actor=w.staff, application=turned_down, reason=WHY)
    waits = User.objects.create_user("waits@example.test")
    Application.objects.create(
        user=waits, domain=finance, affiliation="x", degree="x", years=4, credentials="x"
    ).record_start(actor=waits)


def exams(w: World) -> None:
    application = Application.objects.get(user=w.applicant)
    Exam.objects.filter(pk=application.domain.exam.pk).update(wait_hours=0, attempts=2)
    Question.objects.update(study=PLANTED)
    hand_in(actor=None, sitting=start_sitting(actor=w.applicant, application=application))
    Exam.objects.filter(pk=application.domain.exam.pk).update(wait_hours=24)
    reminders.remind_people(timezone.now() + timedelta(hours=25))
    Exam.objects.filter(pk=application.domain.exam.pk).update(wait_hours=0)
    application = Application.objects.get(pk=application.pk)
    hand_in(actor=None, sitting=start_sitting(actor=w.applicant, application=application))


def overdue(w: World) -> None:
    """An answer nobody marks in time; its candidate is somebody new in the domain of the senior."""
    domain = Domain.objects.get(pk=min(w.senior.senior_domain_ids()))
    person = User.objects.create_user("slow@example.test")
    application = Application.objects.create(
        user=person, domain=domain, affiliation="x", degree="x", years=4, credentials="x"
    )
    application.record_start(actor=person)
    qualification.admit(actor=w.staff, application=application)
    ExamSitting.objects.create(
        application=application,
        attempt=1,
        deadline=timezone.now() - timedelta(days=30),
        submitted_at=timezone.now() - timedelta(days=30),
    )
    reminders.remind_people()


def panels(w: World) -> None:
    """As the draw gives places, and the sweep ends them."""
    task = Task.objects.filter(stage=Stage.SCREENING).exclude(author=w.scorer).latest("pk")
    now = timezone.now()

    def event(name: str, member: User) -> None:
        data = {"event": name, "member": member.pk}
        task.history.create(actor=None, from_stage=task.stage, to_stage=task.stage, data=data)

    def place(member: User, role: str, kind: str) -> PanelPlace:
        take_seat(task=task, user=member, role=role)
        return PanelPlace.objects.create(
            task=task,
            round=task.screening_round,
            member=member,
            kind=kind,
            given_at=now - timedelta(days=4),
            due_at=now + timedelta(hours=20),
        )

    given = place(w.reviewer, Role.SCREENER, "vote")
    event("place_given", w.reviewer)
    place(w.scorer, Role.CHECKER, "check")
    event("check_given", w.scorer)
    w.check(task)
    reminders.remind_people(now)
    PanelPlace.objects.filter(pk=given.pk).update(state="expired", closed_at=now)
    event("place_expired", w.reviewer)


def drafts(w: World) -> None:
    tasks = Task.objects.filter(stage=Stage.DRAFT, author=w.author)
    line = {"text": PLANTED, "importance": "important", "weight": 5, "dimension": "accuracy"}
    for lines, task in zip(([line], []), [tasks.first(), _another(w)], strict=True):
        assert task is not None
        Task.objects.filter(pk=task.pk).update(stage=Stage.DRAFTING)
        task.refresh_from_db()
        record_draft(task=task, lines=lines, drafted_by="openai a-model", reason="")
    for wanted in ("Write more on the figures.", "Nothing of this is in any text: zqx."):
        ask_for_draft(actor=w.author, task=task, remarks=wanted, by_rule=True)
        request = DraftRequest.objects.latest("pk")
        if wanted.startswith("Nothing"):
            end_request(request, failure=DraftRequest.Failure.NOTHING)
        else:
            further = record_further_draft(task=task, lines=[line], drafted_by="openai a-model")
            end_request(request, version=further)


def _another(w: World) -> Task:
    domain = Domain.objects.get(pk=min(w.author.qualified_domain_ids()))
    return Task.objects.create(key="another", title="Another", domain=domain, author=w.author)


def reviews(w: World) -> None:
    open_one = Review.objects.filter(task__stage=Stage.IN_REVIEW, state="assigned").first()
    assert open_one is not None
    remind_reviewers(open_one.due_at - timedelta(hours=30))
    checked = take_spot_check(actor=w.senior, task=Task.objects.get(stage=Stage.SPOT_CHECK))
    decide_spot_check(
        actor=w.senior,
        task=checked,
        consistent=False,
        aligned=True,
        evaluable=True,
        verdict="send_back",
        remarks=PLANTED,
    )
    approved = Task.objects.filter(stage=Stage.APPROVED, anchor__isnull=True).first()
    approved = approved or Task.objects.filter(stage=Stage.APPROVED).last()
    assert approved is not None
    reopen(actor=w.staff, task=approved, reason=WHY)
    decisions(w, open_one)


def decisions(w: World, review: Review) -> None:
    """A line is open after the last round: one more, which expires; then a senior decides."""
    task, reviewer = Task.objects.get(pk=review.task_id), review.reviewer
    ReviewTerms.objects.filter(task=task).update(rounds=1, draw=False)

    def ask(n: int) -> Any:
        current = Round.objects.get(review=review, finished_at__isnull=True)
        for line in current.version.criteria.order_by("position"):
            change = {"verdict": "change", "aspect": "clarity", "comment": PLANTED}
            how = change if line.position == 10 else {"verdict": "approve"}
            set_verdict(actor=reviewer, round=current, criterion=line, **how)
        finish_round(actor=reviewer, round=current)
        task.refresh_from_db()
        assert task.stage == Stage.DECIDING, n

    ask(1)
    w.open_all()
    one_more_round(actor=w.staff, task=task, reason=WHY)
    line = RubricVersion.objects.get(task=task, frozen_at=None).criteria.order_by("position")[0]
    answer_request(actor=task.author, task=task, line=line, words=PLANTED)
    send_to_review(actor=task.author, task=task)
    w.open_all()
    expire_overdue(timezone.now() + timedelta(days=40))
    w.open_all()
    resume(actor=reviewer, review=Review.objects.get(pk=review.pk))
    ask(2)
    take_decision(actor=w.senior, task=task)
    (waiting,) = lines_to_decide(task)
    decide_line(actor=w.senior, task=task, criterion=waiting, outcome="keep", reason=PLANTED)
    with override_settings(SPOT_CHECK_RATE=1.0):
        close_decisions(actor=w.senior, task=task)


@override_settings(SPOT_CHECK_RATE=0.3)
class TestTheWorld(TestCase):
    """Loaded once; the steps run one after the other, and each new notice is opened at once."""

    @classmethod
    def setUpTestData(cls) -> None:
        sample_programme()
        Notice.objects.filter(read_at__isnull=False).update(read_at=None)

    def setUp(self) -> None:
        self.product = handler()
        self.enterContext(counted_once())

    def open_all(self) -> None:
        """Each notice not opened yet leads its reader to a page.

        Of one kind, one for each reader and each address is opened; the words of all are read.
        """
        unread = Notice.objects.filter(read_at__isnull=True).select_related("recipient")
        alike = {
            (one.kind, one.recipient_id, route_of(urlsplit(one.url).path)): one for one in unread
        }
        for notice in alike.values():
            client = asker_of(notice.recipient, self.product)
            opened = client.post(f"/notices/{notice.pk}/open/")
            assert opened.headers.get("Location") == notice.url, (notice.kind, opened.status_code)
            there, _where = client.follow(notice.url)
            assert there.status_code == 200, (notice.kind, notice.url, there.status_code)
        for notice in unread:
            words = notify.words(notice)
            assert "–" not in words.title + words.text, (notice.kind, notice.data)
        Notice.objects.filter(pk__in=[one.pk for one in unread]).update(read_at=timezone.now())

    def test_every_kind_is_told_and_leads_to_a_page_its_reader_may_open(self) -> None:
        world = World(open_all=self.open_all, check=reference_check)
        self.open_all()
        every = (applications, exams, overdue, panels, drafts, reviews, scoring, conflicts)
        for steps in (nudges, *every, corrections, exact_answers, skills, talk):
            steps(world)
            self.open_all()
        for steps in (honoraria, imports, practice):
            steps(world)
            self.open_all()
        Task.objects.filter(stage=Stage.REFINING).update(
            stage_since=F("stage_since") - timedelta(days=40)
        )
        reminders.remind_people()
        self.open_all()
        told = set(Notice.objects.values_list("kind", flat=True))
        assert set(notify.KINDS) - told == set()
        self.nothing_hidden_is_told()
        before = Notice.objects.count()
        assert reminders.remind_people() + remind_reviewers() + remind_scorers() == 0
        assert Notice.objects.count() == before

    def nothing_hidden_is_told(self) -> None:
        """No notice, no page of notices and no e-mail holds a text, a key, a name or an address."""
        names = {
            text
            for person in User.objects.all()
            for text in (person.display_name, person.affiliation)
            if len(text) > 4
        }
        secrets = {PLANTED, *names, "cost_micro", "Dogwood", "Cedar"}
        for task in Task.objects.exclude(reference_answer=""):
            secrets |= {text[:60] for text in (task.reference_answer, task.scenario) if text}
        Notice.objects.update(mailed_at=None, read_at=None)
        User.objects.update(notice_mode="at_once")
        for _run in range(50):
            if not email_digest.send_due():
                break
        assert not Notice.objects.filter(mailed_at__isnull=True).exists()
        texts = [
            f"{m.subject}\n{m.body}\n{m.alternatives[0][0]}\n{m.extra_headers}" for m in mail.outbox
        ]
        for person in User.objects.filter(notices__isnull=False).distinct():
            texts.append(asker_of(person, self.product).get("/notices/").content.decode())
        assert len(texts) > 150
        addresses = [p.email for p in User.objects.all()]
        for text in texts:
            found = [secret for secret in secrets if secret in text]
            assert found == [], text[:500]
            assert not any(address in text for address in addresses)


def reference_check(task: Task) -> None:
    """The row behind a checker's place."""
    from curation.screening.panels.models import ReferenceCheck

    checker = task.seats.get(role=Role.CHECKER).user
    ReferenceCheck.objects.update_or_create(
        task=task, round=task.screening_round, defaults={"checker": checker}
    )


@pytest.mark.django_db
def test_a_finished_sheet_that_is_imported_is_told_to_nobody() -> None:
    sample_programme()
    assert read_task("law-lease-break")
    assert not Notice.objects.filter(kind="sheet_assigned").exists()
    assert Sheet.objects.filter(purpose="alignment").exists()

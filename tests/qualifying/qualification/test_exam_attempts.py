"""Attempts: how many, how far apart, and from which paper."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from curation.base.web.refusals import Conflict
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import hand_in, start_sitting
from curation.qualifying.exams.bank_models import BlueprintRow, Exam, Question
from curation.qualifying.exams.models import ExamSitting

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]


def handed_in_ago(sitting: ExamSitting, hours: float) -> None:
    hand_in(actor=None, sitting=sitting)
    ExamSitting.objects.filter(pk=sitting.pk).update(
        submitted_at=timezone.now() - timedelta(hours=hours)
    )


def test_the_next_attempt_opens_when_the_waiting_time_is_over_and_the_pages_say_when(
    sign_in: SignIn, applicant: User, exam: Exam, sitting: ExamSitting
) -> None:
    Exam.objects.filter(pk=exam.pk).update(wait_hours=48)
    handed_in_ago(sitting, hours=1)
    browser, pk = sign_in(applicant), sitting.application_id
    opens = timezone.now() + timedelta(hours=47)
    day = f"{opens:%a} {opens.day} {opens:%b}"
    for address in (f"/exams/{sitting.pk}/", f"/applications/{pk}/exam/", f"/applications/{pk}/"):
        page = browser.get(address).content.decode()
        assert day in page, address
        assert "You reached 0 of 5 points; 3 are needed to pass." in page, address
        assert "Go to the next attempt" not in page
    home = browser.get("/").content.decode()
    assert "You reached 0 of 5 points; 3 are needed to pass. The next attempt opens on" in home
    assert "Sit the exam" not in home
    refused = browser.post(f"/applications/{pk}/exam/", headers={"Accept": "application/json"})
    assert refused.status_code == 409
    assert refused.json()["code"] == "too_early"
    assert day in refused.json()["detail"]
    assert ExamSitting.objects.count() == 1

    handed_in_ago(sitting, hours=0)
    ExamSitting.objects.filter(pk=sitting.pk).update(
        submitted_at=timezone.now() - timedelta(hours=49)
    )
    home = browser.get("/").content.decode()
    assert "Sit the exam" in home
    assert "You reached 0 of 5 points; 3 are needed to pass. The next attempt is open" in home
    assert "You reached 0 of 5 points" in browser.get(f"/applications/{pk}/exam/").content.decode()
    assert browser.post(f"/applications/{pk}/exam/").status_code == 302
    assert ExamSitting.objects.count() == 2


def test_after_a_failed_exam_home_says_what_to_study_and_when_by_the_readers_clock(
    sign_in: SignIn, applicant: User, exam: Exam, sitting: ExamSitting
) -> None:
    Exam.objects.filter(pk=exam.pk).update(wait_hours=48)
    handed_in_ago(sitting, hours=1)
    browser = sign_in(applicant)
    browser.cookies["zone"] = "Asia/Shanghai"
    opens = sitting.application.sittings.get().next_opens_at(Exam.objects.get())
    there = opens.astimezone(ZoneInfo("Asia/Shanghai"))
    clock = f"{there:%a} {there.day} {there:%b} {there:%H:%M} UTC+8"
    home = browser.get("/").content.decode()
    waits, standing = home.split("Your application in Finance")
    assert "One thing is waiting for you" in waits
    assert "Study for the next attempt" in waits
    for part in (waits, standing):
        assert clock in part
        assert "Expected loss, Leases, Valuation" in part
        assert f'href="/exams/{sitting.pk}/"' in part

    ExamSitting.objects.update(submitted_at=timezone.now() - timedelta(hours=49))
    home = browser.get("/").content.decode()
    waits, standing = home.split("Your application in Finance")
    assert "Sit the exam" in waits
    assert "Study for the next attempt" not in waits
    assert "Topics to study: Expected loss, Leases, Valuation." in standing


def test_an_expert_of_another_domain_who_failed_is_told_as_well(
    sign_in: SignIn, exam: Exam, at_exam: Go, stranger: User
) -> None:
    Exam.objects.filter(pk=exam.pk).update(wait_hours=48)
    sitting = start_sitting(actor=stranger, application=at_exam(stranger))
    handed_in_ago(sitting, hours=1)
    home = sign_in(stranger).get("/").content.decode()
    assert "Study for the next attempt" in home
    assert "Expected loss, Leases, Valuation" in home


def bank(exam: Exam, topic: str, count: int, **more: Any) -> None:
    start = exam.questions.count()
    Question.objects.bulk_create(
        Question(
            exam=exam, key_id=f"{topic}-{n}", position=start + n, kind="single", topic=topic,
            text=f"{topic} {n}?", options=["a", "b", "c"], key=[0], **more,
        )
        for n in range(count)
    )  # fmt: skip


def test_a_paper_holds_what_the_blueprint_says_and_the_next_one_other_questions(
    applicant: User, exam: Exam, at_exam: Go
) -> None:
    Exam.objects.filter(pk=exam.pk).update(shuffle=True)
    exam.questions.update(active=False)
    bank(exam, "Bonds", 6)
    bank(exam, "Loans", 3, difficulty=3)
    BlueprintRow.objects.create(exam=exam, topic="Bonds", count=3)
    BlueprintRow.objects.create(exam=exam, topic="Loans", difficulty=3, count=2)
    application = at_exam(applicant)
    first = start_sitting(actor=applicant, application=application)
    topics = sorted(first.paper.values_list("question__topic", flat=True))
    assert topics == ["Bonds"] * 3 + ["Loans"] * 2
    assert list(first.paper.values_list("position", flat=True)) == [1, 2, 3, 4, 5]
    assert all(sorted(order) == [0, 1, 2] for order in first.paper.values_list("order", flat=True))
    hand_in(actor=None, sitting=first)
    second = start_sitting(actor=applicant, application=Application.objects.get(pk=application.pk))
    seen = set(first.paper.values_list("question", flat=True))
    again = second.paper.filter(question__in=seen)
    assert again.filter(question__topic="Bonds").count() == 0  # six were enough for two papers
    assert again.filter(question__topic="Loans").count() == 1  # three were not


def test_a_bank_that_cannot_fill_the_blueprint_uses_no_attempt(
    sign_in: SignIn, applicant: User, staff: User, exam: Exam, at_exam: Go, applied: Go, person: Any
) -> None:
    application = at_exam(applicant)
    BlueprintRow.objects.create(exam=exam, topic="Leases", count=2)
    browser = sign_in(applicant)
    address = f"/applications/{application.pk}/exam/"
    assert "The exam is not ready yet" in browser.get(address).content.decode()
    assert browser.post(address).status_code == 409
    assert not ExamSitting.objects.exists()
    other = applied(person("other"))
    reply = sign_in(staff).post(f"/staff/applications/{other.pk}/", {"decision": "admit"})
    assert reply.status_code == 409
    with pytest.raises(Conflict):
        start_sitting(actor=applicant, application=application)

"""Experts verify dynamic answers again before they expire; expired ones are drawn no more."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import Conflict
from curation.qualifying.experts.suspension import suspend_expert
from curation.tasks.amendments.actions import (
    agree_to_amendment,
    propose_amendment,
    refuse_amendment,
)
from curation.tasks.business.reverification_actions import (
    ask_for_due,
    ask_for_reverification,
    take_reverification,
)
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.task.models import Task
from curation.tasks.work_map.models import WorkMap
from judge.gold.releases.pool import pool
from tests.conftest import browser_of, new_domain, new_person
from tests.rubrics.walk import PARTS
from tests.scoring.pages.conftest import approved
from tests.worlds import World

State = Reverification.State
WHY = "The register was reorganised."


def in_days(days: int) -> Any:
    return timezone.localdate() + timedelta(days=days)


@pytest.fixture(scope="module")
def dynamic_world(world_database: None) -> World:
    """An approved task whose answer changes with time, and the people of its domain."""
    finance = new_domain("finance")
    people = {name: new_person(name, finance) for name in ("author", "screener", "reviewer")}
    with override_settings(SPOT_CHECK_RATE=0.0):
        task = approved(people["author"], people["screener"], people["reviewer"], finance)
    people["verifier"] = new_person("verifier", finance)
    people["senior"] = new_person("senior", finance, senior=True)
    people["staff"] = new_person("staff", is_staff=True)
    Task.objects.filter(pk=task.pk).update(change="dynamic", valid_until=in_days(40))
    return World(finance=finance, task=task, **people)


@pytest.fixture
def task(given: World) -> Task:
    return given["task"]


@pytest.fixture
def verifier(given: World) -> Any:
    return given["verifier"]


@pytest.fixture
def taken(dynamic_world, task, staff, verifier) -> Reverification:
    row = ask_for_reverification(actor=staff, task=task, reason=WHY)
    return take_reverification(actor=verifier, row=row)


def answer(task: Task, **more: Any) -> dict[str, Any]:
    return {
        "version": task.version,
        "outcome": "holds",
        "valid_until": f"{in_days(200)}",
        "finding": "I read the register of today.",
        **more,
    }


def test_a_request_is_made_when_the_last_day_comes_near_and_only_once(dynamic_world, task):
    assert ask_for_due(in_days(9)) == 0  # 31 days before the last one
    assert ask_for_due(in_days(10)) == 1
    assert ask_for_due(in_days(10)) == 0
    row = Reverification.objects.get()
    assert (row.why, row.state, row.task) == ("due", State.OPEN, task)


def test_staff_set_the_days_for_each_domain(dynamic_world, task, finance):
    WorkMap.objects.create(domain=finance, reverify_days=39)
    assert ask_for_due(in_days(0)) == 0
    assert ask_for_due(in_days(1)) == 1


def test_a_static_or_unfinished_task_is_not_asked_for(dynamic_world, task, staff):
    Task.objects.filter(pk=task.pk).update(change="static")
    assert ask_for_due(in_days(39)) == 0
    with pytest.raises(Conflict, match="whose right answer changes"):
        ask_for_reverification(actor=staff, task=task, reason=WHY)


def test_staff_ask_with_a_reason_and_an_expert_confirms(dynamic_world, task, staff, verifier):
    address = reverse("task-reverify", args=[task.pk])
    assert browser_of(staff).post(address, {"reason": ""}).status_code == 400
    assert browser_of(staff).post(address, {"reason": WHY}).status_code == 302
    assert browser_of(staff).post(address, {"reason": "Once more."}).status_code == 409
    row = Reverification.objects.get()
    browser = browser_of(verifier)
    assert "Verify a dynamic answer again" in browser.get("/").content.decode()
    page = browser.get(reverse("reverification", args=[row.pk])).content.decode()
    assert WHY in page
    assert PARTS["reference_answer"] not in page  # reading it is a role
    assert browser.post(reverse("reverification-take", args=[row.pk])).status_code == 302
    assert task.seats.get(user=verifier).role == "verifier"
    page = browser.get(reverse("reverification", args=[row.pk])).content.decode()
    assert "Net debt rises to EUR 134.4 million." in page
    for wrong in ({"valid_until": ""}, {"valid_until": f"{in_days(0)}"}, {"finding": " "}):
        refused = browser.post(reverse("reverification", args=[row.pk]), answer(task, **wrong))
        assert refused.status_code == 400
        assert "Answer" in refused.content.decode()
    done = browser.post(reverse("reverification", args=[row.pk]), answer(task))
    assert done.status_code == 302
    row.refresh_from_db()
    task.refresh_from_db()
    assert (row.state, task.valid_until) == (State.CONFIRMED, in_days(200))
    again = browser.post(reverse("reverification", args=[row.pk]), answer(task))
    assert again.status_code == 409


def test_who_verifies_reads_no_rubric_by_the_api_either(taken, task, verifier, given):
    told = browser_of(verifier).get(f"/api/v1/tasks/{task.pk}/").json()
    assert (told["title"], told["rubric"]) == (task.title, None)
    assert browser_of(verifier).get(f"/api/v1/tasks/{task.pk}/rubric/").status_code == 403
    assert browser_of(given["author"]).get(f"/api/v1/tasks/{task.pk}/").json()["rubric"]


def test_an_answer_to_an_amended_text_is_refused(taken, task, verifier):
    Task.objects.filter(pk=task.pk).update(version=task.version + 1)
    refused = browser_of(verifier).post(reverse("reverification", args=[taken.pk]), answer(task))
    assert refused.status_code == 409


def test_an_expert_hands_it_back_and_a_colleague_takes_it(taken, given, verifier):
    back = reverse("reverification-hand-back", args=[taken.pk])
    assert browser_of(given["reviewer"]).post(back).status_code == 404
    assert browser_of(verifier).post(back).status_code == 302
    taken.refresh_from_db()
    assert (taken.state, taken.expert) == (State.OPEN, None)
    take = reverse("reverification-take", args=[taken.pk])
    assert browser_of(given["author"]).post(take).status_code == 404  # whoever wrote it
    assert browser_of(given["reviewer"]).post(take).status_code == 302
    assert taken.task.seats.get(user=given["reviewer"]).role == "reviewer"  # keeps the role


def amended(task: Task, verifier: Any) -> Any:
    text = task.reference_answer.replace("134.4", "140.1")
    return propose_amendment(
        actor=verifier,
        task=task,
        version=task.version,
        reason="The register changed.",
        parts={"reference_answer": text},
    )


def test_a_changed_answer_is_amended_and_then_valid_anew(taken, task, verifier, senior):
    browser = browser_of(verifier)
    amend = reverse("task-amend", args=[task.pk])
    assert browser.get(amend).status_code == 403
    done = browser.post(reverse("reverification", args=[taken.pk]), answer(task, outcome="changed"))
    assert (done.status_code, done.url) == (302, amend)
    assert browser.get(amend).status_code == 200
    amendment = amended(task, verifier)
    assert not amendment.by_staff
    task.refresh_from_db()
    assert task.valid_until == in_days(40)  # until the senior agrees
    agree_to_amendment(actor=senior, amendment=amendment, rubric_affected=False, reason="Right.")
    taken.refresh_from_db()
    task.refresh_from_db()
    assert (taken.state, task.valid_until) == (State.AMENDED, in_days(200))
    assert task.stage == Stage.APPROVED


def test_a_refused_amendment_gives_it_back_to_the_expert(taken, task, verifier, senior):
    browser_of(verifier).post(
        reverse("reverification", args=[taken.pk]), answer(task, outcome="changed")
    )
    refuse_amendment(actor=senior, amendment=amended(task, verifier), reason="It did not change.")
    taken.refresh_from_db()
    assert (taken.state, taken.expert) == (State.TAKEN, verifier)
    done = browser_of(verifier).post(reverse("reverification", args=[taken.pk]), answer(task))
    assert done.status_code == 302


def test_a_suspended_expert_keeps_no_request(taken, staff, verifier, finance):
    suspend_expert(actor=staff, person=verifier, domain=finance, reason="Under examination.")
    taken.refresh_from_db()
    assert (taken.state, taken.expert) == (State.OPEN, None)


def test_staff_cancel_a_request_with_a_reason(taken, staff, verifier):
    address = reverse("reverification-cancel", args=[taken.pk])
    assert browser_of(verifier).post(address, {"reason": "x"}).status_code == 404
    assert browser_of(staff).post(address, {"reason": ""}).status_code == 400
    assert browser_of(staff).post(address, {"reason": "The law is repealed."}).status_code == 302
    taken.refresh_from_db()
    assert taken.state == State.CANCELLED


def test_an_expired_answer_is_left_out_of_new_draws_and_counted(
    dynamic_world, task, staff, verifier, author
):
    assert [entry.pk for entry in pool().entries] == [task.pk]
    assert pool(today=in_days(40)).expired == 0  # its last day
    late = pool(today=in_days(41))
    assert (late.entries, late.expired) == ((), 1)
    Task.objects.filter(pk=task.pk).update(valid_until=in_days(-1))
    page = browser_of(staff).get(reverse("gold")).content.decode()
    builder = browser_of(staff).get(reverse("reverifications")).content.decode()
    assert "1 approved task has expired." in builder
    assert "whose dynamic answer has expired" in page or "expired" in builder
    Task.objects.filter(pk=task.pk).update(valid_until=None)  # not known is not expired
    assert pool().expired == 0


def test_the_list_shows_experts_only_what_concerns_them(taken, given, person, law):
    stranger = new_person("stranger", law)
    for user, seen in ((given["verifier"], True), (given["author"], False), (stranger, False)):
        page = browser_of(user).get(reverse("reverifications")).content.decode()
        assert ("Covenant headroom" in page) is seen
        found = browser_of(user).get(reverse("reverification", args=[taken.pk])).status_code
        assert found == (200 if seen else 404)

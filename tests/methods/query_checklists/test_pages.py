"""Staff and seniors compose checklists on their pages, overrule parts, and put them in use."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.methods.query_checklists.compose import compose
from judge.methods.query_checklists.models import ChecklistOverrule, QueryChecklist
from judge.methods.query_checklists.queries import frozen_for
from rubrics.versions.models import Criterion, RubricVersion
from tests.conftest import browser_of
from tests.methods.query_checklists.conftest import in_use, proposed
from tests.methods.query_checklists.labelled import label_all

STATES = QueryChecklist.State


@pytest.fixture
def desk(senior: User) -> Client:
    return browser_of(senior)


def read(browser: Client, name: str, *args: Any) -> str:
    answer = browser.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_senior_composes_reads_and_puts_a_checklist_in_use(checklist_world, task, desk, senior):
    before = read(desk, "query-checklist", task.pk)
    assert "2 skills are active, and there is no checklist yet." in before
    answer = desk.post(reverse("query-checklist", args=[task.pk]), follow=True)
    shown = answer.content.decode()
    assert "Checklist 1 waits for somebody to read its 5 lines." in shown
    assert "active: its label stands on the task" in shown
    assert "Not counted twice: the skill “Compare offers” says the same." in shown
    made = QueryChecklist.objects.get()
    sha256 = compose(task).sha256
    assert f'name="sha256" value="{sha256}"' in shown
    desk.post(reverse("checklist-use", args=[made.pk]), {"sha256": sha256})
    shown = read(desk, "query-checklist", task.pk)
    assert "Checklist 1 is in use, with 5 lines." in shown
    assert "What is new since it was put in use" not in shown
    assert frozen_for([task.pk])[task.pk].sha256 == sha256
    made.refresh_from_db()
    assert (made.used_by, made.proposed_by) == (senior, senior)
    trail = read(browser_of(checklist_world["staff"]), "staff-task", task.pk)
    assert "Checklist 1 is in use, with 5 lines." in trail


def test_the_page_says_what_is_new_and_composing_again_replaces_it(
    checklist_world, task, desk, staff
):
    in_use(staff, task)
    label_all(staff, task, checklist_world["supplier"], checklist_world["rules"])
    shown = read(desk, "query-checklist", task.pk)
    assert "What is new since it was put in use" in shown
    assert "Names the rule that forbids the import.</ins>" in shown
    assert "Compares offers whose terms differ as if equal.</del>" in shown
    desk.post(reverse("query-checklist", args=[task.pk]))
    shown = read(desk, "query-checklist", task.pk)
    assert "What differs from checklist 1, which is in use" in shown
    in_use(staff, task, QueryChecklist.objects.get(state="proposed"))
    assert "Checklist 2 is in use" in read(desk, "query-checklist", task.pk)
    earlier = read(desk, "query-checklist-number", task.pk, 1)
    assert "Checklist 1 was replaced. Its 5 lines stay with what it judged." in earlier
    missing = desk.get(reverse("query-checklist-number", args=[task.pk, 7]))
    assert missing.status_code == 404


def test_a_line_that_a_later_version_of_the_skill_words_otherwise_is_shown_with_the_difference(
    checklist_world, task, desk, staff
):
    in_use(staff, task)
    skill = checklist_world["supplier"].skill
    first = skill.rubric_versions.get()
    lines = list(first.criteria.all())
    second = RubricVersion.objects.create(
        task=skill, number=2, origin="expert", frozen_at=timezone.now(), sha256="0" * 64
    )
    for line in lines:
        line.pk, line.version = None, second
        line.text = line.text.replace("how long", "how many weeks")
        line.save()
    shown = read(desk, "query-checklist", task.pk)
    assert "long</del>" in shown
    assert "many weeks</ins>" in shown
    assert frozen_for([task.pk])[task.pk].lines[1].text == "Says how long delivery takes."


def test_a_line_and_a_skill_are_left_out_with_a_reason_and_taken_back(
    checklist_world, task, desk, staff
):
    made = proposed(staff, task)
    supplier = checklist_world["supplier"]
    line = Criterion.objects.get(text="Says how long delivery takes.")
    address = reverse("checklist-overrule", args=[made.pk, supplier.pk, line.pk])
    assert "Says how long delivery takes." in desk.get(address).content.decode()
    refused = desk.post(address, {"reason": " "})
    assert refused.status_code == 400
    assert "Say why, in a sentence." in refused.content.decode()
    desk.post(address, {"reason": "The reader has a warehouse."})
    shown = read(desk, "query-checklist", task.pk)
    assert "The reader has a warehouse." in shown
    assert "read its 4 lines" in shown
    row = ChecklistOverrule.objects.get()
    desk.post(reverse("checklist-take-back", args=[row.pk]))
    assert "read its 5 lines" in read(desk, "query-checklist", task.pk)
    whole = reverse("checklist-overrule", args=[made.pk, supplier.pk, 0])
    desk.post(whole, {"reason": "Suppliers are given."})
    shown = read(desk, "query-checklist", task.pk)
    assert "left out by a person although its label stands on the task" in shown
    in_use(staff, task, made)
    assert "Suppliers are given." in read(desk, "query-checklist", task.pk)
    assert desk.get(whole).status_code == 404  # it is no proposal any more
    assert desk.post(whole, {"reason": "Late."}).status_code == 409


def test_a_skill_is_added_with_a_reason(checklist_world, task, desk, staff):
    made = proposed(staff, task)
    rules = checklist_world["rules"]
    address = reverse("checklist-add-skill", args=[made.pk])
    refused = desk.post(address, {"label": str(rules.pk), "reason": ""})
    assert refused.status_code == 400
    wrong = desk.post(address, {"label": str(checklist_world["offers"].pk), "reason": "Twice."})
    assert wrong.status_code == 400
    desk.post(address, {"label": str(rules.pk), "reason": "It crosses a border."})
    shown = read(desk, "query-checklist", task.pk)
    assert "added by a person: its label does not stand on the task" in shown
    assert "Advises to break a law." in shown


def test_a_dropped_proposal_leaves_the_one_in_use(task, desk, staff):
    used = in_use(staff, task)
    made = proposed(staff, task)
    desk.post(reverse("checklist-drop", args=[made.pk]))
    made.refresh_from_db()
    assert made.state == STATES.DROPPED
    assert frozen_for([task.pk])[task.pk].pk == used.pk
    again = desk.post(reverse("checklist-drop", args=[made.pk]))
    assert again.status_code == 409


def test_the_list_shows_who_has_one_and_what_waits(checklist_world, task, desk, staff):
    bare = checklist_world["bare"]
    assert bare.title not in read(desk, "query-checklists")
    label_all(staff, bare, checklist_world["rules"])
    proposed(staff, task)
    shown = read(desk, "query-checklists")
    assert task.title in shown
    assert bare.title in shown
    waiting = desk.get(reverse("query-checklists"), {"show": "waiting"}).content.decode()
    assert (task.title in waiting, bare.title in waiting) == (True, False)
    without = desk.get(reverse("query-checklists"), {"show": "without"}).content.decode()
    assert (task.title in without, bare.title in without) == (False, True)


def test_pages_ask_as_many_queries_for_more_lines_and_tasks(checklist_world, task, desk, staff):
    in_use(staff, task)
    read(desk, "query-checklist", task.pk)
    with CaptureQueriesContext(connection) as few:
        read(desk, "query-checklist", task.pk)
    bare = checklist_world["bare"]
    label_all(staff, bare, checklist_world["rules"])
    in_use(staff, bare)
    with CaptureQueriesContext(connection) as other:
        read(desk, "query-checklist", bare.pk)
    assert len(few) == len(other)
    with CaptureQueriesContext(connection) as both:
        read(desk, "query-checklists")
    Task.objects.filter(pk=bare.pk).update(stage="draft")
    with CaptureQueriesContext(connection) as one:
        read(desk, "query-checklists")
    assert len(both) == len(one)


def test_a_task_without_labels_says_so(checklist_world, desk):
    shown = read(desk, "query-checklist", checklist_world["bare"].pk)
    assert "No skill is active: none of the task’s labels has an approved skill." in shown
    assert "Compose a checklist" not in shown


def test_who_may_not_read_or_change_one(checklist_world, task, staff, person, law):
    made = proposed(staff, task)
    supplier = checklist_world["supplier"]
    addresses = [
        reverse("query-checklist", args=[task.pk]),
        reverse("checklist-overrule", args=[made.pk, supplier.pk, 0]),
    ]
    others = [checklist_world["writer"], person("lawyer", law, senior=True)]
    for somebody in others:
        browser = browser_of(somebody)
        for address in addresses:
            assert browser.get(address).status_code in (403, 404)
            assert browser.post(address, {"reason": "Mine."}).status_code in (403, 404)
        use = reverse("checklist-use", args=[made.pk])
        sha256 = compose(task).sha256
        assert browser.post(use, {"sha256": sha256}).status_code in (403, 404)
    assert frozen_for([task.pk]) == {}
    assert not ChecklistOverrule.objects.exists()
    stale = browser_of(staff).post(reverse("checklist-use", args=[made.pk]), {"sha256": "0"})
    assert stale.status_code == 409


def test_home_says_that_a_proposal_waits_to_whoever_may_read_it(checklist_world, task, desk, staff):
    assert "skill checklist waits" not in read(desk, "home")
    checklist = proposed(staff, task)
    for browser in (desk, browser_of(staff)):
        assert "1 skill checklist waits to be read" in read(browser, "home")
    assert "skill checklist waits" not in read(browser_of(checklist_world["writer"]), "home")
    User.objects.filter(pk=staff.pk).update(does_editing=False)
    assert "skill checklist waits" not in read(browser_of(staff), "home")
    in_use(staff, task, checklist)
    assert "skill checklist waits" not in read(desk, "home")

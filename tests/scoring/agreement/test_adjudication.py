"""Who may read the disputed lines, and how a senior settles one: on record, changing no verdict."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.base.process.roles import Role
from curation.tasks.task.models import Seat, Task
from judge.scoring.agreement.models import Adjudication
from judge.scoring.sheets.models import SheetLine
from review.conflicts.models import ConflictOfInterest
from review.rounds.assignment_models import LineReview
from tests.scoring.agreement.test_figures import rows_of, text_of
from tests.tasks.authoring.parallel import in_parallel


def page_of(browser: Client, task: Task) -> Any:
    return browser.get(reverse("agreement-task", args=[task.pk]))


def take(browser: Client, task: Task) -> Any:
    return browser.post(reverse("agreement-take", args=[task.pk]))


def rule(browser: Client, task: Task, **changes: Any) -> Any:
    line = LineReview.objects.filter(
        round__review__task=task, criterion__key="c5", verdict="change"
    ).get()
    form = {
        "kind": "review",
        "criterion": line.criterion_id,
        "response": "",
        "seen": 0,
        "ruling": "approve",
        "reason": "The figure stands in the second table.",
    }
    return browser.post(reverse("agreement-settle", args=[task.pk]), form | changes)


@pytest.fixture
def task(ten: Any) -> Task:
    return ten()


@pytest.fixture
def bench_of_seniors(sign_in: Any, senior: Any) -> Client:
    return sign_in(senior)


def test_staff_read_both_sides_without_a_name(task, staff, sign_in):
    page = page_of(sign_in(staff), task)
    words = text_of(page)
    assert "States figure 5 of headroom." in words
    assert "States figure 0 of headroom." not in words  # they agree on it
    assert "Reviewer 1" in words
    assert "Reviewer 2" in words
    assert "Two requirements in one line." in words
    assert "Clarity" in words
    for name in ("Ruth", "Rolf", "ruth@", "rolf@"):
        assert name not in page.content.decode()


def test_a_senior_sees_figures_first_and_the_lines_once_seated(task, bench_of_seniors, senior):
    words = text_of(page_of(bench_of_seniors, task))
    assert "80 % of the pairs agree" in words
    assert "States figure 5" not in words
    assert bench_of_seniors.get(reverse("agreement-lines", args=[task.pk])).status_code == 403
    assert rule(bench_of_seniors, task).status_code == 409
    assert take(bench_of_seniors, task).status_code == 302
    assert take(bench_of_seniors, task).status_code == 302  # a doubled click
    assert Seat.objects.get(task=task, user=senior).role == Role.ADJUDICATOR
    assert "States figure 5 of headroom." in text_of(page_of(bench_of_seniors, task))
    rows = rows_of(bench_of_seniors.get(reverse("agreement-lines", args=[task.pk])))
    assert [(r["line"], r["who"], r["verdict"]) for r in rows] == [
        ("c5", "Reviewer 1", "approved"),
        ("c5", "Reviewer 2", "change requested"),
        ("c6", "Reviewer 1", "change requested"),
        ("c6", "Reviewer 2", "approved"),
    ]
    # and the rubric beside its task is open to them
    assert bench_of_seniors.get(reverse("rubric", args=[task.pk])).status_code == 200


def test_a_ruling_is_on_record_and_changes_no_verdict(
    task, bench_of_seniors, senior, staff, sign_in
):
    take(bench_of_seniors, task)
    before = list(LineReview.objects.order_by("pk").values())
    assert rule(bench_of_seniors, task).status_code == 302
    (ruling,) = Adjudication.objects.all()
    assert (ruling.ruling, ruling.senior, ruling.number) == ("approve", senior, 1)
    assert list(LineReview.objects.order_by("pk").values()) == before
    words = text_of(page_of(sign_in(staff), task))
    assert "A senior ruled" in words
    assert "The figure stands in the second table." in words
    assert "1 ruled by a senior, 1 open" in words
    with pytest.raises(TypeError):
        ruling.save()
    with pytest.raises(TypeError):
        ruling.delete()


def test_a_ruling_is_corrected_by_another_and_never_overwritten_unseen(task, bench_of_seniors):
    take(bench_of_seniors, task)
    rule(bench_of_seniors, task)
    stale = rule(bench_of_seniors, task, ruling="change", reason="I misread it.")
    assert stale.status_code == 409
    assert "I misread it." in stale.content.decode()  # nothing typed is lost
    assert (
        rule(bench_of_seniors, task, seen=1, ruling="change", reason="Misread.").status_code == 302
    )
    assert list(Adjudication.objects.values_list("number", "ruling")) == [
        (1, "approve"),
        (2, "change"),
    ]


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"reason": "  "}, 400, "Give your reason"),
        ({"ruling": "met"}, 400, "Choose one of the two."),
        ({"ruling": ""}, 400, "The figure stands in the second table."),  # what was typed
        ({"criterion": 99_999}, 404, ""),
        ({"kind": "other"}, 400, ""),
        ({"seen": "x"}, 400, ""),
    ],
)
def test_an_unusable_ruling_is_refused_with_its_reason(
    task, bench_of_seniors, changes, status, said
):
    take(bench_of_seniors, task)
    reply = rule(bench_of_seniors, task, **changes)
    assert reply.status_code == status
    assert said in reply.content.decode()
    assert not Adjudication.objects.exists()


def test_who_holds_a_seat_that_is_blind_learns_nothing_of_the_task(
    task, person, finance, law, author, readers, sign_in
):
    boss = person("boss", finance, senior=True)
    Seat.objects.create(task=task, user=boss, role=Role.SCORER)
    tied = person("tied", finance, senior=True)
    low, high = sorted((author, tied), key=lambda user: user.pk)
    ConflictOfInterest.objects.create(one=low, other=high, kind="coauthor", declared_by=boss)
    elsewhere = person("elsewhere", law, senior=True)
    writes = person("writes", is_staff=True)
    Task.objects.filter(pk=task.pk).update(author=writes)
    for somebody in (boss, elsewhere, writes):
        browser = sign_in(somebody)
        assert page_of(browser, task).status_code == 404, somebody
        assert task.title not in browser.get("/staff/agreement/").content.decode()
    Task.objects.filter(pk=task.pk).update(author=author)
    assert page_of(sign_in(tied), task).status_code == 404
    assert page_of(sign_in(readers[0]), task).status_code == 403  # no senior at all


def test_the_seat_keeps_an_adjudicator_from_judging_the_task_later(task, bench_of_seniors):
    take(bench_of_seniors, task)
    Task.objects.filter(pk=task.pk).update(stage="spot_check")
    reply = bench_of_seniors.post(reverse("spot-check-take", args=[task.pk]))
    assert reply.status_code == 409
    assert "another seat" in reply.content.decode()


def test_scores_are_settled_with_the_response_at_hand_and_no_model_named(
    bench, person, finance, sign_in
):
    task = bench.task("one", weights=(4, 3))
    bench.response("one", "zz-planted-model")
    bench.sheet("one", "zz-planted-model", "expert-a", (1, 1), why="Paragraph 2 says so.")
    bench.sheet("one", "zz-planted-model", "expert-b", (1, 0), why="It never gives the price.")
    senior = person("sen", finance, senior=True)
    browser = sign_in(senior)
    assert take(browser, task).status_code == 302
    page = page_of(browser, task)
    words = text_of(page)
    assert "Scorer 1" in words
    assert "It never gives the price." in words
    assert "zz-planted-model" not in words.replace("zz-planted-model on one", "")  # its own text
    assert "expert-a" not in page.content.decode()
    line = SheetLine.objects.filter(met=False).get()
    form = {"kind": "sheet", "criterion": line.criterion_id, "response": line.sheet.response_id}
    form |= {"seen": 0, "ruling": "unmet", "reason": "No price in the text."}
    assert browser.post(reverse("agreement-settle", args=[task.pk]), form).status_code == 302
    assert "The response does not meet the line." in text_of(page_of(browser, task))
    assert list(SheetLine.objects.order_by("pk").values_list("met", flat=True)) == [
        True,
        True,
        True,
        False,
    ]


def test_where_nobody_disagrees_there_is_no_seat_to_take(ten, bench_of_seniors):
    task = ten(one="1" * 10, other="1" * 10)
    assert take(bench_of_seniors, task).status_code == 409
    assert not Seat.objects.filter(role=Role.ADJUDICATOR).exists()


def test_staff_are_told_where_no_senior_is_free_to_settle(task, staff, senior, sign_in):
    office = sign_in(staff)
    told = "can settle these lines now"
    assert told not in page_of(office, task).content.decode()
    Seat.objects.create(task=task, user=senior, role=Role.SCREENER)
    page = page_of(office, task).content.decode()
    assert told in page
    assert "Make another expert a senior" in page


@pytest.mark.django_db(transaction=True)
def test_the_seat_taken_by_ten_presses_at_once_stands_once_in_the_history(task, senior):
    address = reverse("agreement-take", args=[task.pk])
    assert in_parallel([(senior, address)] * 10) == [302] * 10
    assert Seat.objects.filter(task=task, user=senior).count() == 1
    assert task.history.filter(data__event="adjudication_taken").count() == 1

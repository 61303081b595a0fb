"""A senior settles the lines that the set number of rounds left open."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.people import Qualification, User
from curation.tasks.task.models import Seat, Task
from review.decisions.models import LineDecision
from review.rounds.assignment_models import Comment, Review, Suggestion
from rubrics.versions.models import LineChange, RubricVersion
from rubrics.versions.queries import version_that_counts
from tests.conftest import browser_of, new_person
from tests.review.conftest import begin_review, set_rules
from tests.review.steps import (
    approve_all,
    finish,
    lines,
    newest_round,
    page_url,
    request_change,
    send,
    suggest,
)
from tests.worlds import World

BETTER = "States net debt after the purchase as EUR 134.4 million."


def stage(task: Task) -> str:
    task.refresh_from_db()
    return task.stage


@pytest.fixture(scope="module")
def stuck_world(world_database: None) -> World:
    """Two lines are open after the only round: one with a suggestion, one without."""
    staff = new_person("staff", is_staff=True)
    set_rules(staff, rounds=1)
    with override_settings(SPOT_CHECK_RATE=0.0):
        things = begin_review()
        review = Review.objects.get(task=things["task"])
        desk = browser_of(things["peer"])
        one, two, *_rest = lines(review)
        assert "This is the last round." in desk.get(page_url(review)).content.decode()
        suggest(desk, review, one, text=BETTER, weight="9")
        request_change(desk, review, two, comment="Which figure exactly?", aspect="")
        approve_all(desk, review, but=2)
        finish(desk, review)
        assert "A senior of the domain settles the lines" in desk.get(reverse("reviews")).text
    return World(staff=staff, **things)


@pytest.fixture
def stuck(stuck_world: World) -> Task:
    return stuck_world["task"]


@pytest.fixture
def chair(stuck: Task, senior: User, sign_in: Any) -> Client:
    """The senior's browser, with the decision taken."""
    browser = sign_in(senior)
    assert stuck.title in browser.get(reverse("spot-checks")).content.decode()
    assert browser.post(reverse("decision-take", args=[stuck.pk])).status_code == 302
    return browser


def open_ones(task: Task) -> list[Any]:
    version = version_that_counts(task)
    assert version is not None
    return list(version.criteria.order_by("position", "id")[:2])


def decide(browser: Client, task: Task, line: Any, outcome: str, **more: str) -> Any:
    url = reverse("decision-line", args=[task.pk, line.pk])
    return browser.post(url, {"outcome": outcome, "reason": "The table says so.", **more})


def close(browser: Client, task: Task) -> Any:
    return browser.post(reverse("decision-close", args=[task.pk]))


def test_the_rounds_are_over_and_the_rubric_goes_to_a_senior_not_to_its_author(
    stuck: Task, study: Client
) -> None:
    assert stage(stuck) == Stage.DECIDING
    assert not RubricVersion.objects.filter(task=stuck, frozen_at__isnull=True).exists()
    told = study.get(reverse("task", args=[stuck.pk])).content.decode()
    assert "a senior of the domain decides" in told


def test_open_decisions_stand_on_the_home_of_seniors_free_or_taken(
    stuck: Task, senior: User, sign_in: Any, desk: Client
) -> None:
    browser, home = sign_in(senior), reverse("home")
    assert "1 rubric is waiting for a senior&#x27;s decision" in browser.get(home).content.decode()
    browser.post(reverse("decision-take", args=[stuck.pk]))
    page = browser.get(home).content.decode()
    assert "Decide the open lines of a rubric" in page
    assert reverse("decision", args=[stuck.pk]) in page
    assert "decision" not in desk.get(home).content.decode()


def test_two_rounds_come_first_where_nobody_set_anything(
    in_review: Callable[..., Task], desk: Client, study: Client
) -> None:
    task = in_review()
    review = task.reviews.get()
    line = lines(review)[0]
    request_change(desk, review, line)
    approve_all(desk, review, but=1)
    finish(desk, review)
    assert stage(task) == Stage.REFINING
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": line.key, "comment": "No."})
    send(study, task)
    request_change(desk, review, lines(review)[0], comment="Still not.")
    finish(desk, review)
    assert stage(task) == Stage.DECIDING


def test_the_senior_settles_each_line_with_a_reason_and_the_task_goes_on(
    stuck: Task, chair: Client, senior: User, study: Client
) -> None:
    one, two = open_ones(stuck)
    html = chair.get(reverse("decision", args=[stuck.pk])).content.decode()
    assert "2 lines are open after 1 round." in html
    assert "Reviewer 1: Clarity" in html
    assert "Reviewer 1 asks for a change" in html
    assert "13 settled lines" in html
    early = close(chair, stuck)
    assert early["Location"].endswith(f"?line={one.pk}&early=1#line-{one.pk}")
    taken = Suggestion.objects.get()
    answer = decide(chair, stuck, one, f"suggestion:{taken.pk}")
    assert f"?line={two.pk}" in answer["Location"]
    own = {"suggest_text": "Names the covenant that is breached first.", "suggest_weight": "4"}
    decide(chair, stuck, two, "own", **own)
    decide(chair, stuck, two, "own", **{**own, "suggest_weight": "6"})  # changed one's mind
    assert LineDecision.objects.count() == 2
    done = chair.get(reverse("decision", args=[stuck.pk])).content.decode()
    assert "Every open line is decided." in done
    assert "lines are open" not in done
    assert close(chair, stuck).status_code == 302
    assert stage(stuck) == Stage.APPROVED
    version = version_that_counts(stuck)
    assert version is not None
    first, second = version.criteria.order_by("position", "id")[:2]
    assert (first.text, first.weight) == (BETTER, 9)
    assert (second.text, second.weight) == (own["suggest_text"], 6)
    assert version.content_sha256() == version.sha256
    steps = LineChange.objects.filter(version=version)
    assert [(step.kind, step.actor) for step in steps] == [("decided", senior)] * 2
    assert Comment.objects.filter(side="senior", person=senior).count() == 2
    moved = stuck.history.latest("id")
    assert moved.actor == senior
    assert moved.data["decided"] == {one.key: "suggestion", two.key: "own"}
    assert close(chair, stuck).status_code == 409  # a second click
    assert decide(chair, stuck, one, "keep").status_code == 409


def test_a_line_that_is_kept_needs_no_new_version(stuck: Task, chair: Client) -> None:
    before = version_that_counts(stuck)
    for line in open_ones(stuck):
        decide(chair, stuck, line, "keep")
    close(chair, stuck)
    assert stage(stuck) == Stage.APPROVED
    assert version_that_counts(stuck) == before


def test_a_drawn_task_is_spot_checked_by_another_senior(
    stuck: Task, chair: Client, settings: Any, person: Any, finance: Any, sign_in: Any
) -> None:
    settings.SPOT_CHECK_RATE = 1.0
    for line in open_ones(stuck):
        decide(chair, stuck, line, "keep")
    close(chair, stuck)
    assert stage(stuck) == Stage.SPOT_CHECK
    take = reverse("spot-check-take", args=[stuck.pk])
    assert chair.post(take).status_code == 409  # one seat per person
    assert sign_in(person("late", finance, senior=True)).post(take).status_code == 302


@pytest.mark.parametrize(
    ("outcome", "more"),
    [
        ("keep", {"reason": "  "}),
        ("maybe", {}),
        ("suggestion:999999", {}),
        ("own", {}),  # the author's words again
        ("own", {"suggest_text": ""}),
        ("own", {"suggest_text": "Names it.", "suggest_weight": "11"}),
    ],
)
def test_a_decision_that_says_too_little_is_refused_and_what_was_typed_is_kept(
    stuck: Task, chair: Client, outcome: str, more: dict[str, str]
) -> None:
    line = open_ones(stuck)[0]
    page = decide(chair, stuck, line, outcome, **more)
    assert page.status_code == 400
    assert more.get("reason", "The table says so.").strip() in page.content.decode()
    assert not LineDecision.objects.exists()


def test_two_lines_never_end_up_the_same(stuck: Task, chair: Client) -> None:
    one, two = open_ones(stuck)
    version = version_that_counts(stuck)
    assert version is not None
    settled = version.criteria.order_by("position", "id").last()
    assert settled is not None
    decide(chair, stuck, one, "keep")
    decide(chair, stuck, two, "own", suggest_text=settled.text.upper())
    page = close(chair, stuck)
    assert page.status_code == 400
    assert "would say the same" in page.content.decode()
    assert stage(stuck) == Stage.DECIDING


def test_it_is_taken_by_one_senior_of_the_domain_without_a_seat_or_a_tie(
    stuck: Task,
    chair: Client,
    sign_in: Any,
    author: User,
    desk: Client,
    reviewer: User,
    stranger: User,
    person: Any,
    finance: Any,
) -> None:
    take, page = (reverse(name, args=[stuck.pk]) for name in ("decision-take", "decision"))
    late = person("late", finance, senior=True)
    assert sign_in(late).post(take).status_code == 409  # a colleague has it
    assert sign_in(late).get(page).status_code == 404
    assert sign_in(stranger).post(take).status_code == 403
    Qualification.objects.filter(user=reviewer).update(senior=True)
    assert sign_in(reviewer).post(take).status_code == 409  # reviewed it
    assert sign_in(reviewer).get(page).status_code == 403
    assert sign_in(author).get(page).status_code == 403
    User.objects.filter(pk__in=[author.pk, late.pk]).update(affiliation="Same Bank")
    assert sign_in(late).post(take).status_code == 404  # a reason would name the author
    settled = stuck.reviews.get().rounds.get().version.criteria.order_by("position").last()
    assert decide(chair, stuck, settled, "keep").status_code == 409
    assert (
        chair.post(
            reverse("decision-line", args=[stuck.pk, 999999]), {"outcome": "keep", "reason": "x"}
        ).status_code
        == 404
    )


def test_staff_take_it_back_or_give_one_more_round(
    stuck: Task, chair: Client, senior: User, staff: User, sign_in: Any, study: Client, desk: Client
) -> None:
    office = sign_in(staff)
    decide(chair, stuck, open_ones(stuck)[0], "keep")
    release = reverse("staff-spot-check-release", args=[stuck.pk])
    assert release in office.get(reverse("staff-task", args=[stuck.pk])).content.decode()
    assert office.post(release, {"reason": "On leave."}).status_code == 302
    assert chair.get(reverse("decision", args=[stuck.pk])).status_code == 403
    assert Seat.objects.filter(task=stuck, user=senior, role="decider").exists()
    again = reverse("staff-one-more-round", args=[stuck.pk])
    assert again in office.get(reverse("staff-task", args=[stuck.pk])).content.decode()
    assert office.post(again, {"reason": " "}).status_code == 400
    assert office.post(again, {"reason": "The author was away."}).status_code == 302
    assert stage(stuck) == Stage.REFINING
    assert not LineDecision.objects.exists()
    assert office.post(again, {"reason": "Twice."}).status_code == 409
    assert "The author was away." in study.get(reverse("rubric", args=[stuck.pk])).content.decode()
    for line in open_ones(stuck):
        study.post(
            reverse("rubric-comment", args=[stuck.pk]), {"key": line.key, "comment": "As it is."}
        )
    assert send(study, stuck).status_code == 302
    review = stuck.reviews.get()
    for line in lines(review)[:2]:
        request_change(desk, review, line, comment="Still open.")
    assert newest_round(review).number == 2
    finish(desk, review)
    assert stage(stuck) == Stage.DECIDING  # it was one more, not a fresh start

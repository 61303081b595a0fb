"""The spot check of a drawn rubric, as the senior's and the author's browsers meet it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.people import User
from curation.qualifying.experts.record import facts_about
from curation.tasks.task.models import Seat, Task
from review.rounds.assignment_models import Review
from review.senior_seats.models import SpotCheck, SpotCheckMark
from review.staff.waiting import waiting as review_waiting
from rubrics.sending.waiting import waiting as rubric_waiting
from tests.conftest import browser_of, new_person
from tests.review.steps import (
    answer,
    approve,
    approve_all,
    finish,
    lines,
    newest_round,
    send,
    stage,
)
from tests.worlds import World


@pytest.fixture
def drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 1.0


def verdict(browser: Client, task: Task, **fields: str) -> Any:
    data = {
        "consistent": "yes",
        "aligned": "yes",
        "evaluable": "yes",
        "remarks": "Every requirement has its line.",
        "verdict": "accept",
        **fields,
    }
    return browser.post(reverse("spot-check", args=[task.pk]), data)


@pytest.fixture(scope="module")
def checking_world(review_world: World) -> World:
    """A senior took the spot check of the approved rubric."""
    task = review_world["task"]
    review = Review.objects.get(task=task)
    desk = browser_of(review_world["peer"])
    senior = new_person("senior", review_world["finance"], senior=True)
    with override_settings(SPOT_CHECK_RATE=1.0):
        approve_all(desk, review)
        finish(desk, review)
    assert stage(task) == Stage.SPOT_CHECK
    taken = browser_of(senior).post(reverse("spot-check-take", args=[task.pk]))
    assert taken.status_code == 302
    return World(senior=senior)


@pytest.fixture
def checking(checking_world: World, drawn: None, senior: User, sign_in: Any) -> Client:
    """The browser of the senior."""
    return sign_in(senior)


def test_an_accepted_spot_check_puts_the_task_into_the_benchmark(
    task: Task, checking: Client, senior: User
) -> None:
    page = checking.get(reverse("spot-check", args=[task.pk])).content.decode()
    assert "Three tests" in page
    assert "approved after 1 round" in page
    assert "Continue" in [w.button for w in review_waiting(senior)]
    assert verdict(checking, task).status_code == 302
    assert stage(task) == Stage.APPROVED
    assert SpotCheck.objects.get(task=task).verdict == "accept"
    assert verdict(checking, task).status_code == 409


def test_a_failed_test_cannot_be_accepted_and_everything_typed_is_kept(
    task: Task, checking: Client
) -> None:
    page = verdict(checking, task, evaluable="no", remarks="Lines 3 and 4 cannot be marked.")
    assert page.status_code == 400
    html = page.content.decode()
    assert "This one does not." in html
    assert "Lines 3 and 4 cannot be marked." in html
    assert stage(task) == Stage.SPOT_CHECK


@pytest.mark.parametrize(
    "fields", [{"remarks": " "}, {"consistent": ""}, {"verdict": "maybe"}, {"verdict": ""}]
)
def test_a_spot_check_needs_all_three_tests_remarks_and_a_verdict(
    task: Task, checking: Client, fields: dict[str, str]
) -> None:
    assert verdict(checking, task, **fields).status_code == 400
    assert stage(task) == Stage.SPOT_CHECK


def test_a_rubric_sent_back_reaches_its_author_with_the_remarks_and_comes_again(
    task: Task, checking: Client, study: Client, desk: Client, review: Review
) -> None:
    verdict(checking, task, verdict="send_back", aligned="no", remarks="No line on the earn-out.")
    assert stage(task) == Stage.REFINING
    page = study.get(reverse("rubric", args=[task.pk])).content.decode()
    assert "No line on the earn-out." in page
    home = study.get(reverse("home")).content.decode()
    assert "Improve a returned rubric" in home
    assert "Read the remarks" in home
    study.post(reverse("rubric-line-add", args=[task.pk]), {"text": "Counts the earn-out as debt."})
    assert send(study, task).status_code == 302
    assert newest_round(review).lines.filter(carried_over=True).count() == 15
    approve(desk, review, lines(review)[-1])
    finish(desk, review)
    assert stage(task) == Stage.SPOT_CHECK  # the draw is fixed by the task
    assert verdict(checking, task).status_code == 302
    assert stage(task) == Stage.APPROVED


def test_discarding_asks_first(task: Task, checking: Client) -> None:
    asked = verdict(checking, task, verdict="discard", remarks="Solved by a search engine.")
    assert asked.status_code == 200
    html = asked.content.decode()
    assert "Discard this task?" in html
    assert "Solved by a search engine." in html
    assert stage(task) == Stage.SPOT_CHECK
    verdict(checking, task, verdict="discard", remarks="Solved by a search engine.", confirmed="1")
    assert stage(task) == Stage.DISCARDED


def test_only_a_free_senior_of_the_domain_takes_a_spot_check(
    drawn: None,
    task: Task,
    review: Review,
    desk: Client,
    sign_in: Any,
    person: Any,
    finance: Any,
    law: Any,
    author: User,
    senior: User,
) -> None:
    approve_all(desk, review)
    finish(desk, review)
    take = reverse("spot-check-take", args=[task.pk])
    tied = person("tied", finance, senior=True, affiliation=" Bank A ")
    author.affiliation = "bank a"
    author.save(update_fields=["affiliation"])
    other = person("lawsenior", law, senior=True)
    late = person("late", finance, senior=True)
    assert desk.post(take).status_code == 403  # no senior at all
    assert sign_in(other).post(take).status_code == 404
    assert sign_in(tied).post(take).status_code == 404  # a reason would tell who the author is
    assert task.title not in sign_in(tied).get(reverse("spot-checks")).content.decode()
    page = reverse("spot-check", args=[task.pk])
    assert sign_in(late).get(page).status_code == 404  # not taken yet
    assert sign_in(senior).post(take).status_code == 302
    assert sign_in(late).post(take).status_code == 409
    assert task.title not in sign_in(late).get(reverse("spot-checks")).content.decode()
    assert verdict(sign_in(late), task).status_code == 404


def test_a_senior_who_reviewed_the_task_cannot_check_it(
    drawn: None, refining: Callable[..., Task], senior: User, sign_in: Any, study: Client
) -> None:
    task = refining()
    send(study, task)
    review = Review.objects.get(task=task)
    assert review.reviewer == senior  # the only eligible person
    browser = sign_in(senior)
    approve_all(browser, review)
    finish(browser, review)
    assert stage(task) == Stage.SPOT_CHECK
    assert browser.post(reverse("spot-check-take", args=[task.pk])).status_code == 409
    assert task.title not in browser.get(reverse("spot-checks")).content.decode()


# --- staff ---------------------------------------------------------------------------------------
def test_staff_read_on_the_task_that_no_senior_is_free_to_check_it(
    task: Task, review: Review, desk: Client, drawn: None, senior: User, staff: User, sign_in: Any
) -> None:
    office, told = sign_in(staff), "no senior of the domain is free"
    approve_all(desk, review)
    finish(desk, review)
    address = reverse("staff-task", args=[task.pk])
    assert told not in office.get(address).content.decode()  # one may take it
    Seat.objects.create(task=task, user=senior, role=Role.SCREENER)
    page = office.get(address).content.decode()
    assert told in page
    assert "Make another expert a senior" in page


def test_a_marked_line_reaches_its_author_as_an_open_request_and_its_reviewer_anew(
    task: Task, checking: Client, study: Client, desk: Client, review: Review
) -> None:
    line, other = lines(review)[3:5]
    marks = {f"mark-{line.pk}": "evaluability", f"remark-{line.pk}": "Two would differ."}
    page = verdict(checking, task, **marks)  # accepted with a mark?
    assert page.status_code == 400
    html = page.content.decode()
    assert "Two would differ." in html
    assert "A rubric with a marked line cannot be accepted." in html[html.index("Not sent.") :]
    half = {f"mark-{other.pk}": "", f"remark-{other.pk}": "Which test?"}
    page = verdict(checking, task, verdict="send_back", **marks, **half)
    assert page.status_code == 400
    html = page.content.decode()
    assert "Choose which of the three tests the line fails." in html
    summary = html[html.index("Not sent.") : html.index("</ul>", html.index("Not sent."))]
    assert f'href="#mark-{other.pk}"' in summary
    assert "Line 5" in summary
    foreign = {f"mark-{line.pk + 999}": "alignment", f"remark-{line.pk + 999}": "Not here."}
    assert verdict(checking, task, verdict="send_back", **foreign).status_code == 409
    assert stage(task) == Stage.SPOT_CHECK
    assert verdict(checking, task, verdict="send_back", evaluable="no", **marks).status_code == 302
    assert SpotCheckMark.objects.get().criterion == line
    (wait,) = rubric_waiting(task.author)
    assert wait.title == "Answer 1 request on your rubric"
    html = study.get(wait.url).content.decode()
    assert "Evaluability" in html
    assert "Senior" in html
    assert send(study, task).status_code == 400
    answer(study, task, line.key, "The table decides it.")
    assert send(study, task).status_code == 302
    current = newest_round(review)
    assert current.lines.filter(carried_over=True).count() == 14  # all but the marked one
    html = desk.get(reverse("review", args=[review.pk])).content.decode()
    assert "The spot check marked it: Evaluability" in html
    assert "Two would differ." in html


def test_staff_read_what_spot_checks_found_by_domain_and_by_reviewer(
    task: Task,
    checking: Client,
    review: Review,
    reviewer: User,
    staff: User,
    sign_in: Any,
    django_assert_max_num_queries: Any,
) -> None:
    office, address = sign_in(staff), reverse("staff-reviews")
    before = office.get(address).content.decode()
    assert "1 of 1 reviewed rubric was drawn for a spot check. None of them is decided" in before
    line = lines(review)[0]
    marks = {f"mark-{line.pk}": "alignment", f"remark-{line.pk}": "Nobody asked for it."}
    verdict(checking, task, verdict="send_back", aligned="no", **marks)
    with django_assert_max_num_queries(14):
        page = office.get(address)
    html = page.content.decode()
    assert "1 of 1 decided spot check overturned the review." in html
    assert reviewer.display_name in html
    assert html.count("1 of 1") == 4  # the two sentences, the domain, the reviewer
    assert checking.get(address).status_code == 403
    for person, whose in ((reviewer, "rubrics this person had approved"), (task.author, "own")):
        told = [fact for fact in facts_about(person) if "marked in a spot check" in fact.sentence]
        assert [(fact.n, fact.of) for fact in told] == [(1, 15)]
        assert whose in told[0].sentence
        assert told[0].evidence[0].label == str(task)

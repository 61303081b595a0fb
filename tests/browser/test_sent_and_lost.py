"""The back button after a step that ends something, and a connection that goes while one types."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Comment, LineReview, Review
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import RubricVersion
from tests.browser.rubric_day import at, on
from tests.review.steps import approve_all, finish, lines, request_change
from tests.rubrics.walk import lines_of, to_refining

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "#line-text"


@pytest.fixture
def task(author: User, peer: User, person: Any, finance: Domain) -> Task:
    return to_refining(author, person("screener", finance), finance, lines=15)


@pytest.fixture
def review(task: Task, author: User, peer: User) -> Review:
    send_to_review(actor=author, task=task)
    return Review.objects.get(task=task, reviewer=peer)


def test_going_back_after_sending_shows_what_was_sent_and_sends_nothing_again(
    desk: Any, author: User, peer: User, task: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{task.pk}/")  # so that there is a page to come from
    ana.open(f"/tasks/{task.pk}/rubric/")
    ana.press("Control+Shift+Enter")
    ana.click("Send it as it is")
    ana.reads("Sent. You will hear from your reviewer")
    ana.page.go_back()
    ana.reads("IN REVIEW")
    assert ana.page.locator(TEXT).count() == 0, "a box to type in, though nothing is open"
    assert RubricVersion.objects.filter(task=task, origin="expert").count() == 1

    review = Review.objects.get(task=task, reviewer=peer)
    ben = desk(peer.email)
    ben.open("/reviews/")
    ben.open(f"/reviews/{review.pk}/")
    for n, _line in enumerate(lines(review), start=1):
        ben.page.wait_for_function(f"() => !!({on(n)})")
        ben.press("a")
        ben.page.wait_for_function(f"() => {at(n)}.dataset.state === 'approve'")
    ben.press("Control+Shift+Enter")
    ben.reads("Every line is approved.")
    ben.page.go_back()
    ben.reads("Round 1 is finished.")
    ben.press("r", "a", "Control+Shift+Enter")
    assert ben.page.locator(".review-editor").count() == 0
    assert set(LineReview.objects.values_list("verdict", flat=True)) == {"approve"}


def test_a_remark_typed_without_a_connection_stays_in_its_box_and_is_sent_once(
    desk: Any, peer: User, review: Review
) -> None:
    ben = desk(peer.email)
    ben.open(f"/reviews/{review.pk}/")
    first, second, *_rest = lines(review)
    ben.press("r")
    ben.page.locator("#remark:focus").wait_for()
    ben.page.keyboard.type("Name the quarter.")
    ben.page.locator(".line.is-current").get_by_label("Clarity").check(force=True)
    ben.page.locator("#remark").focus()
    ben.context.set_offline(True)
    ben.press("Control+Enter")
    ben.reads("That step did not go through.")
    assert ben.page.locator("#remark").input_value() == "Name the quarter."
    # The window is closed on the train, and opened again at home.
    ben.page.goto("about:blank")
    ben.context.set_offline(False)
    ben.open(f"/reviews/{review.pk}/?line={second.pk}")
    ben.press("k")
    ben.page.wait_for_function(
        "() => (document.getElementById('remark') || {}).value === 'Name the quarter.'"
    )
    ben.page.locator(".line.is-current").get_by_label("Clarity").check(force=True)
    ben.page.locator("#remark").focus()
    with ben.page.expect_response(lambda r: "/lines/" in r.url) as answer:
        ben.press("Control+Enter")
    assert answer.value.status == 200
    assert list(Comment.objects.values_list("criterion", "text")) == [
        (first.pk, "Name the quarter.")
    ]
    ben.problems[:] = [p for p in ben.problems if "ERR_INTERNET_DISCONNECTED" not in p]


def test_an_answer_typed_without_a_connection_is_there_when_the_author_comes_back(
    desk: Any, author: User, peer: User, review: Review, task: Task, sign_in: Any
) -> None:
    client = sign_in(peer)
    request_change(client, review, lines(review)[0], comment="Which figure exactly?")
    approve_all(client, review, but=1)
    finish(client, review)
    ana = desk(author.email)
    ana.open(f"/tasks/{task.pk}/rubric/?line={lines_of(task)[0].pk}")
    ana.context.set_offline(True)
    ana.page.locator(".line.is-current textarea[name=comment]").fill("The third quarter.")
    ana.press("Control+Enter")
    ana.reads("That step did not go through.")
    assert (
        ana.page.locator(".line.is-current textarea[name=comment]").input_value()
        == "The third quarter."
    )
    ana.page.goto("about:blank")
    ana.context.set_offline(False)
    ana.open(f"/tasks/{task.pk}/rubric/?line={lines_of(task)[0].pk}")
    ana.page.wait_for_function(
        "() => document.querySelector('.line.is-current textarea[name=comment]').value"
        " === 'The third quarter.'"
    )
    with ana.page.expect_response(lambda r: r.url.endswith("/comments/")):
        ana.page.locator(".line.is-current textarea[name=comment]").focus()
        ana.press("Control+Enter")
    assert Comment.objects.filter(text="The third quarter.").count() == 1
    ana.problems[:] = [p for p in ana.problems if "ERR_INTERNET_DISCONNECTED" not in p]

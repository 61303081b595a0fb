"""What somebody typed goes along with the step they take next, and is never left behind."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.policy.models import ReviewTerms
from review.rounds.assignment_models import Comment, LineReview, Review
from rubrics.lines.threads import answer
from rubrics.sending.actions import send_to_review
from rubrics.versions.actions import open_version_of
from tests.review.steps import approve, approve_all, finish, lines, request_change
from tests.rubrics.walk import to_refining

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def in_review(author: User, peer: User, person: Any, finance: Domain) -> Task:
    task = to_refining(author, person("screener", finance), finance)
    send_to_review(actor=author, task=task)
    task.refresh_from_db()
    return task


@pytest.fixture
def asked(in_review: Task, peer: User, sign_in: Any) -> list[int]:
    """Two lines came back with a request; their numbers in the rubric."""
    review = Review.objects.get(task=in_review, reviewer=peer)
    first, second, *_rest = lines(review)
    client = sign_in(peer)
    request_change(client, review, first, comment="Which figure exactly?")
    request_change(client, review, second, comment="Twice the same.", aspect="atomicity")
    approve_all(client, review, but=2)
    finish(client, review)
    return [1, 2]


def test_answers_typed_and_not_sent_go_with_the_next_line_and_with_the_rubric(
    desk: Any, author: User, in_review: Task, asked: list[int]
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{in_review.pk}/rubric/")
    box = ana.page.locator(".line.is-current textarea[name=comment]")
    box.fill("The one of the third quarter.")
    with ana.page.expect_response(lambda r: r.url.endswith("/comments/")):
        ana.press("Control+Enter")

    ana.page.locator("#requests").get_by_text("Line 2").click()
    box = ana.page.locator(".line.is-current textarea[name=comment]")
    box.fill("They are two readers, so two lines.")
    ana.press("Control+Shift+Enter")
    ana.reads("In review")
    said = Comment.objects.filter(side=Comment.Side.AUTHOR).values_list("text", flat=True)
    assert sorted(said) == ["The one of the third quarter.", "They are two readers, so two lines."]
    in_review.refresh_from_db()
    assert in_review.stage == "in_review"


def test_an_old_thread_is_read_when_its_line_is_opened_and_what_was_typed_stays(
    desk: Any, author: User, peer: User, in_review: Task, asked: list[int], sign_in: Any
) -> None:
    ReviewTerms.objects.update(rounds=3)
    version = open_version_of(in_review)
    for line in version.criteria.order_by("position")[:2]:
        answer(actor=author, task=in_review, line=line, words="It is the third quarter.")
    in_review.refresh_from_db()
    send_to_review(actor=author, task=in_review)
    review = Review.objects.get(task=in_review, reviewer=peer)
    client = sign_in(peer)
    first, second, *_rest = lines(review)
    approve(client, review, first)
    request_change(client, review, second, comment="Still twice.", aspect="atomicity")
    finish(client, review)

    ana = desk(author.email)
    ana.open(f"/tasks/{in_review.pk}/rubric/")
    assert "Which figure exactly?" not in ana.page.content()
    ana.press("k")  # from the line that is asked about to the one that was
    current = ana.page.locator(".line.is-current")
    current.get_by_text("Which figure exactly?").wait_for()
    current.locator("textarea[name=comment]").fill("And the fourth.")
    ana.press("Escape", "j", "k")
    assert current.locator("textarea[name=comment]").input_value() == "And the fourth."
    assert current.get_by_text("Which figure exactly?").count() == 1


def test_a_change_is_requested_from_the_box_without_leaving_the_keyboard(
    desk: Any, peer: User, in_review: Task
) -> None:
    review = Review.objects.get(task=in_review, reviewer=peer)
    ben = desk(peer.email)
    ben.open(f"/reviews/{review.pk}/")
    ben.press("r")
    ben.page.locator("#remark:focus").wait_for()
    ben.page.keyboard.type("Name the quarter.")
    ben.page.locator(".line.is-current").get_by_label("Clarity").check(force=True)
    ben.page.locator("#remark").focus()
    with ben.page.expect_response(lambda r: "/lines/" in r.url) as answer:
        ben.press("Control+Enter")
    assert answer.value.status == 200
    assert LineReview.objects.filter(round__review=review, verdict="change").count() == 1

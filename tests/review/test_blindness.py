"""What author, reviewers and seniors never learn of each other."""

from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.policy.models import ReviewTerms
from review.rounds.assignment_models import Review
from tests.review.steps import (
    PARTS,
    approve,
    approve_all,
    finish,
    line_url,
    lines,
    page_url,
    request_change,
    send,
)


def secrets_of(user: User) -> list[str]:
    return [user.email, user.display_name, user.pseudonym]


def test_neither_side_ever_learns_who_the_other_is(
    task: Task, review: Review, desk: Client, study: Client, author: User, reviewer: User
) -> None:
    author.display_name, reviewer.display_name = "Annabel Quill", "Rowan Ledger"
    for user in (author, reviewer):
        user.save(update_fields=["display_name"])
    first = lines(review)[0]
    seen_by_reviewer = [desk.get(reverse("reviews")), desk.get(page_url(review))]
    seen_by_reviewer.append(desk.post(line_url(review, first), {"verdict": "approve"}, **PARTS))
    request_change(desk, review, first)
    approve_all(desk, review, but=1)
    seen_by_reviewer.append(finish(desk, review))
    task.refresh_from_db()
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": first.key, "comment": "So."})
    seen_by_author = [
        study.get(reverse(name, args=[task.pk]))
        for name in ("rubric", "rubric-draft", "rubric-versions")
    ]
    seen_by_author.append(send(study, task))
    seen_by_author.append(study.get(reverse("rubric", args=[task.pk])))
    seen_by_reviewer += [desk.get(page_url(review)), desk.get(reverse("reviews"))]
    seen_by_reviewer += [
        desk.get(reverse(name, args=[task.pk]))
        for name in ("rubric", "rubric-draft", "rubric-versions")
    ]
    rubric = [
        *(reverse(name, args=[task.pk]) for name in ("task", "api-task", "rubric-versions")),
        reverse("rubric-export", args=[task.pk, "csv"]),
        reverse("api-rubric", args=[task.pk]),
    ]
    for browser, seen in ((desk, seen_by_reviewer), (study, seen_by_author)):
        seen += [browser.get(url) for url in (*rubric, "/", reverse("notices"), reverse("tasks"))]
    for answers, hidden in ((seen_by_reviewer, author), (seen_by_author, reviewer)):
        for answer in answers:
            everything = answer.content.decode() + str(answer.headers)
            for secret in secrets_of(hidden):
                assert secret not in everything
    assert "Author" in seen_by_reviewer[4].content.decode()


def test_a_senior_sees_roles_only(
    task: Task,
    review: Review,
    desk: Client,
    sign_in: Any,
    senior: User,
    author: User,
    reviewer: User,
    settings: Any,
) -> None:
    settings.SPOT_CHECK_RATE = 1.0
    author.display_name, reviewer.display_name = "Annabel Quill", "Rowan Ledger"
    for user in (author, reviewer):
        user.save(update_fields=["display_name"])
    approve(desk, review, lines(review)[0], comment="Agreed, with the source.")
    approve_all(desk, review, but=1)
    finish(desk, review)
    browser = sign_in(senior)
    queue = browser.get(reverse("spot-checks")).content.decode()
    browser.post(reverse("spot-check-take", args=[task.pk]))
    page = browser.get(reverse("spot-check", args=[task.pk])).content.decode()
    assert "Agreed, with the source." in page
    for hidden in (author, reviewer):
        for secret in secrets_of(hidden):
            assert secret not in page + queue


def test_a_colleagues_remarks_stay_hidden_until_both_have_finished(
    rules: Any,
    refining: Callable[..., Task],
    reviewer: User,
    senior: User,
    sign_in: Any,
    study: Client,
) -> None:
    rules(reviewers=2, quorum=2)
    task = refining()
    send(study, task)
    mine, other = (Review.objects.get(task=task, reviewer=person) for person in (reviewer, senior))
    desk, other_desk = sign_in(reviewer), sign_in(senior)
    line = lines(mine)[0]
    request_change(other_desk, other, line, comment="The figure is gross.")
    approve_all(other_desk, other, but=1)
    finish(other_desk, other)
    assert "The figure is gross." not in desk.get(page_url(mine)).content.decode()
    assert (
        "The figure is gross." not in study.get(reverse("rubric", args=[task.pk])).content.decode()
        or Stage(task.stage) == Stage.REFINING
    )
    approve_all(desk, mine)
    finish(desk, mine)
    task.refresh_from_db()
    assert task.stage == Stage.REFINING
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": line.key, "comment": "Net."})
    send(study, task)
    page = desk.get(page_url(mine)).content.decode()
    assert "The figure is gross." in page
    assert f"Reviewer {other.number}" in page


def test_names_are_shown_to_both_sides_where_the_terms_say_so_and_only_there(
    task: Task, review: Review, desk: Client, study: Client, author: User, reviewer: User
) -> None:
    author.display_name, reviewer.display_name = "Annabel Quill", "Rowan Ledger"
    for user in (author, reviewer):
        user.save(update_fields=["display_name"])
    ReviewTerms.objects.filter(task=task).update(hide_names=False)
    request_change(desk, review, lines(review)[0])
    approve_all(desk, review, but=1)
    page = desk.get(page_url(review)).content.decode()
    assert "Written by Annabel Quill, who sees your name" in page
    assert author.email not in page
    finish(desk, review)
    page = study.get(reverse("rubric", args=[task.pk])).content.decode()
    assert "Reviewer 1, Rowan Ledger" in page
    assert reviewer.email not in page

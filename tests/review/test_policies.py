"""The rules of review: set by staff, on the record, for the reviews that begin afterwards."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.task.models import Task
from review.policy.models import ReviewPolicy, ReviewPolicyChange, ReviewTerms

FORM = {
    "reviewers": "2",
    "quorum": "1",
    "rounds": "3",
    "days": "10",
    "draw": "on",
    "colleagues": "own_round",
    "hide_names": "on",
}


@pytest.fixture
def office(sign_in: Any, staff: User) -> Client:
    return sign_in(staff)


def set_rules(office: Client, key: str, **changed: str) -> Any:
    return office.post(reverse("staff-review-policy", args=[key]), {**FORM, **changed})


def test_staff_set_the_rules_of_one_domain_and_of_all_others_on_the_record(
    office: Client, finance: Any, law: Any, staff: User
) -> None:
    assert set_rules(office, "all-others", reviewers="1").status_code == 302
    assert set_rules(office, "finance").status_code == 302
    assert set_rules(office, "finance").status_code == 302  # the same again changes nothing
    assert ReviewPolicy.objects.get(domain=finance).days == 10
    assert ReviewPolicyChange.objects.filter(actor=staff).count() == 2
    page = office.get(reverse("staff-review-policies")).content.decode()
    assert "as all others" in page  # law
    assert "Rounds before a senior decides" in page
    assert office.get(reverse("staff-review-policy", args=["finance"])).status_code == 200
    assert office.get(reverse("staff-review-policy", args=["nowhere"])).status_code == 404


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"quorum": "3"}, "A line cannot need more approvals than there are reviewers."),
        ({"reviewers": "0"}, "A whole number from 1 to 9."),
        ({"rounds": "10"}, "A whole number from 1 to 9."),
        ({"days": "61"}, "A whole number from 1 to 60."),
        ({"colleagues": "always"}, "always"),
    ],
)
def test_rules_out_of_range_are_refused_and_nothing_is_changed(
    office: Client, finance: Any, changed: dict[str, str], said: str
) -> None:
    page = set_rules(office, "finance", **changed)
    assert page.status_code == 400
    assert said in page.content.decode()
    assert not ReviewPolicy.objects.filter(domain=finance).exists()


def test_the_database_refuses_a_quorum_above_the_reviewers(finance: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        ReviewPolicy.objects.create(domain=finance, reviewers=1, quorum=2)


def test_a_review_keeps_the_rules_it_began_with(
    in_review: Callable[..., Task], rules: Any, office: Client
) -> None:
    rules(days=3)
    task = in_review()
    review = task.reviews.get()
    assert (review.due_at - review.assigned_at).days in (2, 3)
    rules(days=9, reviewers=2, quorum=2)
    terms = ReviewTerms.objects.get(task=task)
    assert (terms.days, terms.reviewers) == (3, 1)
    other = in_review(title="Another one")
    assert ReviewTerms.objects.get(task=other).days == 9

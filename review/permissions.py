"""Review's rows: who may do what."""

from typing import Any

from curation.access import (
    Permission,
    holds_seat,
    is_not_its_author,
    is_staff,
    seat_role,
    signed_in,
)
from review.actions.seniors import seniors_with_the_seat


def is_its_reviewer(user: Any, review: Any) -> bool:
    return signed_in(user, None) and review.reviewer_id == user.pk


def is_still_qualified_for_it(user: Any, review: Any) -> bool:
    return review.domain_id in user.qualified_domain_ids()


def is_still_a_senior_of_its_domain(user: Any, task: Any) -> bool:
    return task.domain_id in user.senior_domain_ids()


def still_holds_it_as_senior(user: Any, task: Any) -> bool:
    return user.pk in seniors_with_the_seat(task, seat_role(user, task))


PERMISSIONS: dict[str, Permission] = {
    "review.view": [[is_its_reviewer]],
    "review.work": [[is_its_reviewer, is_still_qualified_for_it]],
    "spot_check.decide": [
        [holds_seat("spot_checker"), is_still_a_senior_of_its_domain, still_holds_it_as_senior]
    ],
    "decision.decide": [
        [holds_seat("decider"), is_still_a_senior_of_its_domain, still_holds_it_as_senior]
    ],
    "review.administer": [[is_staff, is_not_its_author]],
}

ROUTES = {
    "rubric-comment": {"POST": "signed_in"},
    "reviews": {"GET": "expert"},
    "review-take": {"POST": "expert"},
    "review": {"GET": "signed_in"},
    "review-line": {"POST": "signed_in"},
    "review-line-undo": {"POST": "signed_in"},
    "review-comment": {"POST": "signed_in"},
    "review-finish": {"POST": "signed_in"},
    "review-resume": {"POST": "signed_in"},
    "review-decline": {"GET": "signed_in", "POST": "signed_in"},
    "spot-checks": {"GET": "senior_or_staff"},
    "spot-check-take": {"POST": "senior"},
    "spot-check": {"GET": "senior", "POST": "senior"},
    "rubric-suggestion-take": {"POST": "signed_in"},
    "decision-take": {"POST": "senior"},
    "decision": {"GET": "senior"},
    "decision-line": {"POST": "senior"},
    "decision-close": {"POST": "senior"},
    "staff-one-more-round": {"GET": "staff", "POST": "staff"},
    "staff-task-reopen": {"GET": "staff", "POST": "staff"},
    "staff-task-discard": {"GET": "staff", "POST": "staff"},
    "staff-spot-check-release": {"GET": "staff", "POST": "staff"},
    "staff-reviews": {"GET": "staff"},
    "staff-review-policies": {"GET": "staff"},
    "staff-review-policy": {"GET": "staff", "POST": "staff"},
    "staff-review-assign": {"GET": "staff", "POST": "staff"},
}

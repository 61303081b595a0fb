"""Review's rows: who may do what."""

from typing import Any

from curation.access import Permission, holds_seat, is_staff, signed_in


def is_its_reviewer(user: Any, review: Any) -> bool:
    return signed_in(user, None) and review.reviewer_id == user.pk


def is_still_qualified_for_it(user: Any, review: Any) -> bool:
    return review.domain_id in user.qualified_domain_ids()


def is_still_a_senior_of_its_domain(user: Any, task: Any) -> bool:
    return task.domain_id in user.senior_domain_ids()


PERMISSIONS: dict[str, Permission] = {
    "review.view": [[is_its_reviewer]],
    "review.work": [[is_its_reviewer, is_still_qualified_for_it]],
    "spot_check.decide": [[holds_seat("spot_checker"), is_still_a_senior_of_its_domain]],
    "review.administer": [[is_staff]],
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
    "review-decline": {"GET": "signed_in", "POST": "signed_in"},
    "spot-checks": {"GET": "senior_or_staff"},
    "spot-check-take": {"POST": "senior"},
    "spot-check": {"GET": "senior", "POST": "senior"},
    "staff-task-reopen": {"GET": "staff", "POST": "staff"},
    "staff-task-discard": {"GET": "staff", "POST": "staff"},
    "staff-review-assign": {"GET": "staff", "POST": "staff"},
}

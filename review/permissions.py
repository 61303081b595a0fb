"""Permissions of the review app."""

from typing import Any

from curation.base.access.duties import Duty
from curation.base.access.permissions import Permission, has_duty, register, signed_in
from curation.tasks.task.queries import holds_seat, is_not_its_author, seat_role
from review.senior_seats.models import seniors_with_the_seat


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
    "review.administer": [[has_duty(Duty.EDITING), is_not_its_author]],
}

register(PERMISSIONS)

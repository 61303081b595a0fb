"""Permissions of the rubrics app."""

from curation.base.access.duties import Duty
from curation.base.access.permissions import Permission, has_duty, is_staff, register
from curation.tasks.task.queries import (
    holds_seat,
    is_its_author,
    is_not_its_author,
    writes_its_rubric,
)

PERMISSIONS: dict[str, Permission] = {
    "rubric.view": [
        [is_its_author],
        [is_staff],
        [holds_seat("screener")],
        [holds_seat("reviewer")],
        [holds_seat("decider")],
        [holds_seat("spot_checker")],
        [holds_seat("scorer")],
        [holds_seat("meta_evaluator")],
        [holds_seat("adjudicator")],
        [holds_seat("amendment_decider")],
        [holds_seat("rubric_author")],
        [holds_seat("adviser")],
    ],
    "rubric.refine": [[writes_its_rubric]],
    "rubric.hand_over": [[has_duty(Duty.EDITING), is_not_its_author]],
}

register(PERMISSIONS)

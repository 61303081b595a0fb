"""Permissions of the rubrics app."""

from curation.access.permissions import Permission, is_staff
from curation.tasks.access import holds_seat, is_its_author

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
    ],
    "rubric.refine": [[is_its_author]],
}

"""Curation's rows: who may do what to people and tasks."""

from curation.access.permissions import (
    Permission,
    anyone,
    is_its_owner,
    is_qualified_somewhere,
    is_senior_in_its_domain,
    is_senior_somewhere,
    is_staff,
    signed_in,
)
from curation.applications.access import has_no_tie_to_the_applicant
from curation.screening.access import has_no_unopened_place_on_it
from curation.tasks.access import (
    holds_seat,
    is_its_author,
    is_not_its_author,
    is_out_of_its_authors_hands,
)

PERMISSIONS: dict[str, Permission] = {
    "open": [[anyone]],
    "signed_in": [[signed_in]],
    "staff": [[is_staff]],
    "expert": [[is_qualified_somewhere]],
    "senior": [[is_senior_somewhere]],
    "senior_or_staff": [[is_senior_somewhere], [is_staff]],
    "token.end": [[is_its_owner], [is_staff]],
    # applications
    "application.work_on": [[is_its_owner]],
    "application.decide": [[is_staff]],
    "exam.administer": [[is_staff]],
    "exam.mark": [[is_senior_in_its_domain]],
    "trial.decide": [[is_senior_in_its_domain, has_no_tie_to_the_applicant]],
    # tasks
    "task.view": [
        [is_its_author],
        [is_staff],
        [holds_seat("screener"), is_out_of_its_authors_hands, has_no_unopened_place_on_it],
        [holds_seat("reviewer")],
        [holds_seat("decider")],
        [holds_seat("spot_checker")],
        [holds_seat("scorer")],
        [holds_seat("meta_evaluator")],
        [holds_seat("adjudicator")],
    ],
    "task.write": [[is_its_author]],
    # Its author reads their own side without names; staff who did not write it read names.
    "task.story": [[is_its_author], [is_staff]],
    "task.screen": [[holds_seat("screener")]],
    # A checker sees the reference answer late, so the task's own pages are not for them.
    "task.check": [[holds_seat("checker")]],
    # It names the panel and its votes: not for staff who wrote the task themselves.
    "task.administer": [[is_staff, is_not_its_author]],
}

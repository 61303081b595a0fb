"""Curation's rows: who may do what to people and tasks."""

from curation.access import (
    Permission,
    anyone,
    holds_seat,
    is_its_author,
    is_its_owner,
    is_qualified_somewhere,
    is_senior_in_its_domain,
    is_senior_somewhere,
    is_staff,
    signed_in,
)
from curation.routes import qualification, tasks

PERMISSIONS: dict[str, Permission] = {
    "open": [[anyone]],
    "signed_in": [[signed_in]],
    "staff": [[is_staff]],
    "expert": [[is_qualified_somewhere]],
    "senior": [[is_senior_somewhere]],
    "senior_or_staff": [[is_senior_somewhere], [is_staff]],
    # applications
    "application.work_on": [[is_its_owner]],
    "application.decide": [[is_staff]],
    "trial.decide": [[is_senior_in_its_domain]],
    # tasks
    "task.view": [
        [is_its_author],
        [is_staff],
        [holds_seat("screener")],
        [holds_seat("reviewer")],
        [holds_seat("spot_checker")],
        [holds_seat("scorer")],
        [holds_seat("meta_evaluator")],
    ],
    "task.write": [[is_its_author]],
    "task.screen": [[holds_seat("screener")]],
    "task.administer": [[is_staff]],
}

ROUTES = {**qualification.ROUTES, **tasks.ROUTES}

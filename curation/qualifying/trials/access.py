"""Facts about a trial, for the table of permissions."""

from typing import Any

from curation.base.access import permissions


def wrote_the_trial(user: Any, trial: Any) -> bool:
    return permissions.is_its_owner(user, trial.application)


def decides_on_the_trial(user: Any, trial: Any) -> bool:
    return (
        trial.submitted_at is not None
        and permissions.allows(user, "trial.decide", trial.application)
        and not permissions.is_its_owner(user, trial.application)
    )

"""Facts about a trial, for the table of permissions."""

from typing import Any

from curation.access import permissions as access


def wrote_the_trial(user: Any, trial: Any) -> bool:
    return access.is_its_owner(user, trial.application)


def decides_on_the_trial(user: Any, trial: Any) -> bool:
    return (
        trial.submitted_at is not None
        and access.allows(user, "trial.decide", trial.application)
        and not access.is_its_owner(user, trial.application)
    )

"""Facts about people and judge's objects, for the table of permissions."""

from typing import Any

from curation.base.access.permissions import signed_in


def its_domain_came_with_another_benchmark(user: Any, thing: Any) -> bool:
    """Nobody can qualify in an external domain, so any expert may work there."""
    return bool(thing.domain_external)


def is_the_senior_who_checks_it(user: Any, evaluation: Any) -> bool:
    return signed_in(user, None) and evaluation.senior_id == user.pk

"""What somebody must have done before they write a task.

The nouns that know it stand above this one (training) and register it.
"""

from collections.abc import Callable
from typing import Any

Requirement = Callable[[Any], None]
_requirements: list[Requirement] = []


def register(requirement: Requirement) -> None:
    """Add a requirement: a function of the person that raises `Conflict` if it is not met."""
    if requirement not in _requirements:
        _requirements.append(requirement)


def require_all(person: Any) -> None:
    """Refuse if the person has yet to do something.

    Raises:
        Conflict: of the first requirement that is not met, with the page to go to.
    """
    for requirement in _requirements:
        requirement(person)

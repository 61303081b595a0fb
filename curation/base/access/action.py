"""Actions that check their own permission, whether a page, the API or a command calls them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from operator import attrgetter
from typing import Any, TypeVar, cast

from curation.base.access.permissions import authorize

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Action:
    """A registered action and the permission it checks.

    Attributes:
        run: the decorated function.
        permission: its name in the table of permissions.
        about: the argument the permission is about, as a path ("sitting.application"); "" where
            the permission is about the person only.
    """

    run: Callable[..., Any]
    permission: str
    about: str


_actions: dict[str, Action] = {}


def action(permission: str, about: str = "") -> Callable[[Function], Function]:
    """Make a function with an `actor` argument check a permission before it runs.

    The machine (`actor=None`) is never refused: no request can pass it.

    Args:
        permission, about: as in `Action`.

    Raises:
        Denied: by the decorated function, where the actor lacks the permission.
    """
    name, _dot, path = about.partition(".")
    thing_of = attrgetter(path) if path else lambda thing: thing

    def decorate(function: Function) -> Function:
        @wraps(function)
        def run(*args: Any, actor: Any, **given: Any) -> Any:
            if actor is not None:
                authorize(actor, permission, thing_of(given[name]) if name else None)
            return function(*args, actor=actor, **given)

        _actions[f"{function.__module__}.{function.__name__}"] = Action(run, permission, about)
        return cast(Function, run)

    return decorate


def actions() -> dict[str, Action]:
    """Return all actions imported so far, by module and function name."""
    return dict(_actions)

"""Actions that authorise themselves: whoever calls them, a page, the API or a command."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from operator import attrgetter
from typing import Any, TypeVar, cast

from curation.access.permissions import authorize

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Action:
    """What an action asks for.

    Attributes:
        run: the action, which refuses.
        permission: a row of the table of permissions.
        about: the argument the permission is about, as a path ("sitting.application"); empty where
            it is only about the person.
    """

    run: Callable[..., Any]
    permission: str
    about: str


_actions: dict[str, Action] = {}


def action(permission: str, about: str = "") -> Callable[[Function], Function]:
    """Let a function with an `actor` refuse whom the table does not grant the permission.

    The machine (`actor=None`) is not refused: no request can bring it.

    Raises:
        Denied: by the decorated function, before it does anything.
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
    """Every action that was imported, by its full name."""
    return dict(_actions)

"""Steps on many rows of a list: tried out for each row, then done for all of them or for none.

A step runs the single action of each row, which authorises the person itself. The preview runs the
same actions in a transaction that is taken back, so it knows every reason without repeating a rule.
What follows for all rows together (`BulkStep.finish`) is not tried out.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput, NotFound, WorkbenchError

MOST_AT_ONCE = 500


@dataclass(frozen=True)
class BulkStep:
    """A step on ticked rows of a list.

    Attributes:
        key: its name in the address.
        label: of its button above the list.
        text: what happens to each row, in a sentence.
        load: keys -> key -> thing, in a fixed number of queries.
        named: thing -> how the preview names it.
        permission: of whoever is offered the step; its action asks for its own as well.
        run: (actor, thing, **cleaned values of the form) -> what `finish` needs of it, or None.
        finish: (actor, what `run` returned for each row, **cleaned values) -> the address where
            the work goes on, None for the list. What follows for all rows together, in the same
            transaction; a preview leaves it out.
        form: what the step asks for, the same for all rows; None if it asks for nothing.
        button: number of rows -> the label of the confirmation, such as "Remind 12".
        done: number of rows -> the sentence afterwards.
        asks_first: whether the form has to be filled in before the step can be tried out.
        danger: whether the step ends something; such steps stand last.
        place: orders the others, lower first.
    """

    key: str
    label: Any
    text: Any
    permission: str
    load: Callable[[Collection[int]], Mapping[int, Any]]
    named: Callable[[Any], str]
    run: Callable[..., Any]
    button: Callable[[int], str]
    done: Callable[[int], str]
    finish: Callable[..., str | None] | None = None
    form: type[forms.Form] | None = None
    asks_first: bool = False
    danger: bool = False
    place: int = 0

    @property
    def title(self) -> str:
        """The label as a heading, without the dots that say that a question follows."""
        return str(self.label).rstrip(" …")


@dataclass(frozen=True)
class Tried:
    """A row of a preview: `why` is the reason that keeps it out, "" if the step can be done."""

    pk: int
    name: str
    why: str = ""


class SomeCannot(Exception):  # noqa: N818 - not an error of the program
    """Some rows cannot take the step any more, so it was done for none."""

    def __init__(self, tried: list[Tried]) -> None:
        self.tried = tried
        super().__init__()


_steps: dict[str, dict[str, BulkStep]] = {}


def register_steps(name: str, *steps: BulkStep) -> None:
    """Add steps to a list, in order. Apps above the list's noun add theirs. Idempotent.

    Raises:
        ValueError: the list has another step of the key.
    """
    known = _steps.setdefault(name, {})
    for step in steps:
        if known.setdefault(step.key, step) is not step:
            raise ValueError(f"the step {step.key} of {name} is registered twice")


def steps_of(name: str) -> Sequence[BulkStep]:
    """Return the steps of a list in their order."""
    return sorted(_steps.get(name, {}).values(), key=lambda step: (step.danger, step.place))


def step_named(name: str, key: str) -> BulkStep:
    """Return a step of a list.

    Raises:
        NotFound: there is none of this name.
    """
    step = _steps.get(name, {}).get(key)
    if step is None:
        raise NotFound()
    return step


def check_number(keys: Sequence[int]) -> None:
    """Refuse a selection of no rows, or of too many.

    Raises:
        BadInput: with the sentence.
    """
    if not keys:
        raise BadInput(_("Tick the rows first, then choose the step."))
    if len(keys) > MOST_AT_ONCE:
        raise BadInput(
            _("Choose at most %(n)s rows at once: narrow the list first.") % {"n": MOST_AT_ONCE}
        )


@contextmanager
def taken_back() -> Iterator[None]:
    """Take back whatever is changed inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def try_out(
    step: BulkStep, *, actor: Any, keys: Sequence[int], values: Mapping[str, Any]
) -> list[Tried]:
    """Return for each row whether the step can be done now, and why not. Nothing stays changed.

    Raises:
        BadInput: a value of the form is at fault, for every row alike.
    """
    with taken_back():
        tried, _returned = _run_each(step, actor, keys, values)
        return tried


def do_all(
    step: BulkStep, *, actor: Any, keys: Sequence[int], values: Mapping[str, Any]
) -> str | None:
    """Do the step for all rows, in one transaction.

    Returns:
        the address where the work goes on; None for the list.

    Raises:
        SomeCannot: at least one row cannot take it; nothing was changed.
        BadInput: a value of the form is at fault, or all rows together are refused; nothing was
            changed.
    """
    with transaction.atomic():
        tried, returned = _run_each(step, actor, keys, values)
        if any(row.why for row in tried):
            raise SomeCannot(tried)
        if step.finish is None:
            return None
        return step.finish(actor=actor, returned=returned, **values)


def _run_each(
    step: BulkStep, actor: Any, keys: Sequence[int], values: Mapping[str, Any]
) -> tuple[list[Tried], list[Any]]:
    things = step.load(keys)
    tried: list[Tried] = []
    returned: list[Any] = []
    for key in dict.fromkeys(keys):
        thing = things.get(key)
        if thing is None:
            tried.append(Tried(key, f"{key}", str(NotFound.default_detail)))
            continue
        name = step.named(thing)
        try:
            with transaction.atomic():
                returned.append(step.run(actor=actor, thing=thing, **values))
        except WorkbenchError as refusal:
            at_the_form = step.form is not None and set(refusal.fields) & set(step.form.base_fields)  # type: ignore[attr-defined]
            if isinstance(refusal, BadInput) and at_the_form:
                raise
            tried.append(Tried(key, name, refusal.sentence))
        else:
            tried.append(Tried(key, name))
    return tried, returned

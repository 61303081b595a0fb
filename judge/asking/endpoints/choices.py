"""The select by which forms choose a model from the list, beside naming another one."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judge.asking.endpoints.queries import choices
from judge.asking.providers.offline import DEFAULT_MODEL

ANOTHER = _("Another model, named below")
OFFLINE = f"offline:{DEFAULT_MODEL}"
_RULES = (OFFLINE, _("Offline rules (no model)"))

Choices = list[tuple[Any, Any]]


def offered(*, offline: bool = True, kept: Sequence[str] = ()) -> Choices:
    """Return the choices of a select: the models in use by endpoint, then the offline rules.

    Args:
        kept: further values to offer, such as those chosen now.
    """
    groups: Choices = [*choices(), *([_RULES] if offline else [])]
    known = {value for value, _label in flat(groups)}
    return [*groups, *((spec, spec) for spec in dict.fromkeys(kept) if spec not in known | {""})]


def flat(groups: Choices) -> list[tuple[str, Any]]:
    """Return the single choices of possibly grouped ones."""
    return [
        pair
        for value, label in groups
        for pair in (label if isinstance(label, list | tuple) else [(value, label)])
    ]


class ChosenModelField(forms.ChoiceField):
    """A model of the list as "provider:model"; "" where the form names another one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(label=_("Model"), required=False, **options)
        self.models: Choices = []

    def offer(self, *, none: Any = ANOTHER, first: bool = False, offline: bool = True) -> bool:
        """Offer the models in use. Return False, and offer nothing, where none is entered.

        Args:
            none: the label of the choice that names none of them.
            first: whether that choice stands before the models, and so is the one at first.
        """
        models = choices()
        if not models:
            return False
        self.models = [*models, *([_RULES] if offline else [])]
        self.choices = [("", none), *self.models] if first else [*self.models, ("", none)]
        self.initial = "" if first else flat(self.models)[0][0]
        return True

    def holds(self, spec: str) -> bool:
        """Return whether a model is offered."""
        return any(value == spec for value, _label in flat(self.models))


def named(data: Any) -> tuple[str, str]:
    """Return (provider, model) of a cleaned form: the one chosen, else the one named."""
    chosen = data.get("chosen") or ""
    if chosen:
        provider, _colon, model = chosen.partition(":")
        return provider, model
    return data.get("provider") or "", data.get("model") or ""

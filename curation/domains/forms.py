"""Fields that name a domain or a category of one."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.domains.models import Category, Domain


def domain_filter(*, external: bool = False) -> forms.ModelChoiceField:
    """One domain, named by its key, or all of them.

    Args:
        external: whether the domains of imported benchmarks can be chosen too; they have tasks,
            but neither people nor panels.
    """
    return forms.ModelChoiceField(
        Domain.objects.all() if external else Domain.objects.filter(external=False),
        to_field_name="key",
        required=False,
        label=_("Domain"),
        empty_label=_("All domains"),
    )


class DomainChoice(forms.ModelChoiceField):
    """One of the domains somebody may write in. With several, none is chosen for them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            Domain.objects.none(),
            to_field_name="key",
            label=_("Domain"),
            error_messages={
                "required": _("Choose the domain the work belongs to."),
                "invalid_choice": _("Choose one of your domains."),
            },
            **options,
        )

    def offer(self, domains: Iterable[int]) -> None:
        """Offer these domains; a single one is chosen already."""
        keys = list(domains)
        self.queryset = Domain.objects.filter(pk__in=keys)
        if len(keys) == 1:
            self.empty_label = None


class CategoryChoice(forms.ChoiceField):
    """A category by its key. Which keys are known depends on the domain, so the form looks."""

    def offer(self, domains: Iterable[int], *, first: int) -> None:
        """Offer the categories of these domains: those of `first` on top, grouped if several."""
        keys = list(domains)

        def choices() -> list[Any]:
            rows = Category.objects.filter(domain__in=keys).select_related("domain")
            groups: dict[int, tuple[str, list[tuple[str, str]]]] = {}
            for row in sorted(rows, key=lambda row: row.domain_id != first):
                group = groups.setdefault(row.domain_id, (str(row.domain), []))
                group[1].append((row.key, str(row)))
            empty = ("", _("Not chosen yet"))
            if len(keys) == 1:
                return [empty, *(choice for _name, group in groups.values() for choice in group)]
            return [empty, *groups.values()]

        self.choices = choices

    def valid_value(self, value: Any) -> bool:
        return True

    def named(self, key: str) -> str:
        """The name of a category that is offered; the key itself where it is not."""
        offered: Any = self.choices
        flat = [
            pair
            for choice in offered
            for pair in (choice[1] if isinstance(choice[1], list) else [choice])
        ]
        return next((str(label) for value, label in flat if str(value) == key), key)

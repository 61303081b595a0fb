"""Form fields for a domain or a category."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.joining.domains.models import Category, Domain


def domain_filter(*, external: bool = False) -> forms.ModelChoiceField:
    """Return a filter field for a domain, by key; empty for all domains.

    Args:
        external: whether to offer the domains of imported benchmarks too, which have tasks but no
            people and panels.
    """
    return forms.ModelChoiceField(
        Domain.objects.all() if external else Domain.objects.filter(external=False),
        to_field_name="key",
        required=False,
        label=_("Domain"),
        empty_label=_("All domains"),
    )


class DomainChoice(forms.ModelChoiceField):
    """A domain in which the author may write. With several, none is preselected."""

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
        """Offer these domains; a single one is preselected."""
        keys = list(domains)
        self.queryset = Domain.objects.filter(pk__in=keys)
        if len(keys) == 1:
            self.empty_label = None


class CategoryChoice(forms.ChoiceField):
    """A category by its key. The form validates it, because it depends on the chosen domain."""

    def offer(self, domains: Iterable[int], *, first: int) -> None:
        """Offer the categories of these domains, grouped if there are several, `first` on top."""
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
        """Return the name of an offered category; the key itself if it is not offered."""
        offered: Any = self.choices
        flat = [
            pair
            for choice in offered
            for pair in (choice[1] if isinstance(choice[1], list) else [choice])
        ]
        return next((str(label) for value, label in flat if str(value) == key), key)

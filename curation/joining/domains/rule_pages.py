"""Staff's two pages of rules per domain: all of them in a table, and those of one domain."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.joining.domains.policies import RuleBook, domain_of


class _RulesForm(forms.ModelForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def _post_clean(self) -> None:
        """Skip the model's validation: `RuleBook.change` validates the rules."""


PERCENT = "percent"
DRAWN = {True: pgettext_lazy("panel", "drawn"), False: _("volunteers")}


@dataclass(frozen=True)
class RulePages:
    """The pages of one rule book.

    Attributes:
        title: what the rules are called.
        applies: when a change takes effect.
        done: said after a change.
        labels: rule -> label of its field.
        helps: rule -> hint at its field.
        columns: rule -> heading in the table, and how its value is shown there: `PERCENT`, a word
            for each value, or None for a number. Empty where a page of the noun has the table.
        list_route, rule_route: of the table, and of one domain's rules by its key.
        remark: returns a further sentence above the table, or "".
    """

    book: RuleBook[Any]
    title: Any
    applies: Any
    done: Any
    labels: Mapping[str, Any]
    helps: Mapping[str, Any]
    list_route: str
    rule_route: str
    columns: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    remark: Callable[[], Any] = str

    def choices(self) -> dict[str, Any]:
        """Return stored value -> its label, of all rules with choices."""
        columns = [self.book.policies._meta.get_field(name) for name in self.book.names]
        return {value: label for column in columns for value, label in column.flatchoices}

    def changes(self, *of: Domain | None) -> list[dict[str, Any]]:
        """Return the latest changes in words, newest first; `of` as in `RuleBook.change_log`."""
        return self.book.change_log(self.labels, self.choices(), *of)

    def table(self, request: HttpRequest) -> HttpResponse:
        """Show the rules of all domains and their changes."""
        rows = [
            (key, domain, own, [self._cell(policy, name) for name in self.columns])
            for key, domain, policy, own in self.book.listed()
        ]
        found = {"pages": self, "heading": self.title, "rows": rows, "remark": self.remark()}
        found["changes"] = self.changes()
        return render(request, "joining/domains/rules.html", found)

    def rules(self, request: HttpRequest, key: str) -> HttpResponse:
        """Show and change the rules of one domain, or the common ones."""
        domain = domain_of(key)
        of = domain.pk if domain else None
        build = forms.modelform_factory(
            self.book.policies,
            form=_RulesForm,
            fields=list(self.book.names),
            labels=dict(self.labels),
            help_texts=dict(self.helps),
        )
        form = build(initial=self.book.rules_of(self.book.policy_for(of)))
        if request.method == "POST":
            form = build(request.POST)
            with refused_at(form):
                if form.is_valid():
                    self.book.change(actor=request.user, domain=domain, **form.cleaned_data)
            if not form.errors:
                return go(request, self.done, self.list_route)
        name = domain or gettext("All other domains")
        found = {
            "pages": self,
            "heading": name if self.columns else f"{self.title}: {name}",
            "form": form,
            "domain": domain,
            "own": self.book.own(of),
            "changes": self.changes(domain),
        }
        return render(request, "joining/domains/rules.html", found, status=status_of(form))

    def _cell(self, policy: Any, name: str) -> dict[str, Any]:
        heading, show = self.columns[name]
        value = getattr(policy, name)
        return {
            "heading": heading,
            "value": show[value] if isinstance(show, dict) else value,
            "number": not isinstance(show, dict),
            "percent": show == PERCENT,
        }

"""The form with which staff assign a reviewer."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext


class AssignForm(forms.Form):
    """A choice among the eligible reviewers."""

    reviewer = forms.TypedChoiceField(
        label=_("Reviewer"),
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose one of them."),
            "invalid_choice": _("This person cannot review this task. Choose one of the list."),
        },
    )

    def __init__(self, data: Any, people: Any) -> None:
        super().__init__(data)
        self.fields["reviewer"].choices = [  # type: ignore[attr-defined]
            (
                person.pk,
                ngettext("%(who)s · %(n)s open review", "%(who)s · %(n)s open reviews", n)
                % {"who": person.name_for_staff, "n": n},
            )
            for person in people
            for n in [person.open_reviews]
        ]

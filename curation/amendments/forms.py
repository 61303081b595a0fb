"""Forms of amendments: the text as it should be, and a senior's decision."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.amendments.models import Amendment
from curation.authoring.forms import form_field
from curation.tasks.fields import FIELD, PARTS, TEXT_PARTS
from curation.web.forms import reason_field


class AmendForm(forms.Form):
    """The parts of a task's text, to be corrected in place, and the reason."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31 - 1)
    reason = reason_field(
        _("What is wrong, and how you know"),
        help_text=_("The senior who decides reads it, and so do the task's author and reviewers."),
        rows=3,
    )

    field_order = ("version", *PARTS, "reason")

    def __init__(self, *args: Any, task: Any, **kwargs: Any) -> None:
        kwargs.setdefault(
            "initial", {"version": task.version, **{n: getattr(task, n) for n in PARTS}}
        )
        super().__init__(*args, **kwargs)
        self.fields |= {name: form_field(FIELD[name]) for name in PARTS}
        for name in PARTS:
            self.fields[name].widget.attrs["lang"] = task.language
        for name in TEXT_PARTS:
            rows = getattr(task, name).count("\n") + len(getattr(task, name)) // 80 + 2
            self.fields[name].widget.attrs["rows"] = min(16, max(3, rows))
        self.order_fields(self.field_order)

    def parts(self) -> dict[str, str]:
        """Return the parts that were sent."""
        return {name: self.cleaned_data[name] for name in PARTS if name in self.data}


class DecisionForm(forms.Form):
    """A senior's decision on an amendment."""

    decision = forms.ChoiceField(
        label=_("Decision"),
        required=False,
        choices=[
            ("rubric", _("Agree. The rubric has to be gone through with the new text")),
            ("agree", _("Agree. The rubric fits the new text as it is")),
            ("refuse", _("Refuse. The text stays as it is")),
        ],
        widget=forms.RadioSelect,
    )
    reason = reason_field(
        help_text=_("Its author reads it. Say which lines to look at, if the rubric is affected."),
    )


class AmendmentFilter(forms.Form):
    """Narrow the list to amendments in one state."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("All")), *Amendment.State.choices],
    )
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)

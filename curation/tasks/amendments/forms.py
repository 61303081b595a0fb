"""Forms of amendments: the text as it should be, and a senior's decision."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import reason_field
from curation.tasks.amendments.models import Amendment
from curation.tasks.authoring.forms import form_field
from curation.tasks.task.exact_forms import AnswerFields, written
from curation.tasks.task.exact_queries import exact_of
from curation.tasks.task.fields import FIELD, PARTS, TEXT_PARTS, label_of, shown_parts


class AmendForm(forms.Form):
    """The parts of a task's text, to be corrected in place, and the reason.

    A task with an exact answer has the boxes of that answer in place of the reference answer.
    """

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31 - 1)
    reason = reason_field(
        _("What is wrong, and how you know"),
        help_text=_("The senior who decides reads it, and so do the task's author and reviewers."),
        rows=3,
    )

    field_order = ("version", *PARTS, *AnswerFields.base_fields, "reason")

    def __init__(self, *args: Any, task: Any, **kwargs: Any) -> None:
        initial = {"version": task.version, **{n: getattr(task, n) for n in PARTS}}
        exact = exact_of(task)
        if exact is not None:
            initial |= AnswerFields.initial_of(exact)
        kwargs.setdefault("initial", initial)
        super().__init__(*args, **kwargs)
        shown = {name for name, _label, _text in shown_parts(task)}
        self.named = [name for name in PARTS if name == "title" or name in shown]
        self.fields |= {name: form_field(FIELD[name]) for name in self.named}
        for name in self.named:
            self.fields[name].widget.attrs["lang"] = task.language
            self.fields[name].label = label_of(name, task)
        if exact is not None:
            self.fields |= AnswerFields().fields
        for name in (name for name in TEXT_PARTS if name in self.fields):
            rows = getattr(task, name).count("\n") + len(getattr(task, name)) // 80 + 2
            self.fields[name].widget.attrs["rows"] = min(16, max(3, rows))
        self.order_fields(self.field_order)

    def parts(self) -> dict[str, str]:
        """Return the parts that were sent."""
        return {name: self.cleaned_data[name] for name in self.named if name in self.data}

    def exact(self) -> dict[str, Any] | None:
        """Return the exact answer that was sent; None where the task has none, or none was sent."""
        if "answer" not in self.fields or "answer" not in self.data:
            return None
        return written(self.cleaned_data)


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

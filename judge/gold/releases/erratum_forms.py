"""The forms of a report on a released task, and the filter of staff's list."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from judge.gold.releases.erratum_actions import CONTACT_LIMIT, TEXT_LIMIT
from judge.gold.releases.erratum_models import Erratum

LAST = 2**31 - 1


class ErratumForm(forms.Form):
    """What is wrong with which task of which release; the action checks all of it."""

    release = forms.IntegerField(
        label=_("Number of the release"), min_value=1, max_value=LAST,
        help_text=_("It stands in the release's file manifest.json and in the names of its files."),
    )  # fmt: skip
    task = forms.CharField(
        label=_("Id of the task"), max_length=120,
        help_text=_("As the release's files give it, under “id” or “task”."),
    )  # fmt: skip
    kind = forms.ChoiceField(label=_("What is wrong"), choices=Erratum.Kind.choices)
    text = forms.CharField(
        label=_("Your report"),
        error_messages={"required": _("Say what is wrong, and how you know.")},
        help_text=_("Say what is wrong, and how you know. Staff read it; it is not published."),
        widget=forms.Textarea(attrs={"rows": 6, "maxlength": TEXT_LIMIT}),
    )
    contact = forms.CharField(
        label=_("How we can reach you"),
        required=False,
        max_length=CONTACT_LIMIT,
        help_text=_("Only if you would like to be asked. Staff alone see it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())


class MailedErratumForm(ErratumForm):
    """The same for a report that came by mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].label = _("The reader's report")
        self.fields["text"].help_text = _("In the reader's words; it is not published.")
        self.fields["contact"].label = _("The reader's address")
        self.fields["contact"].help_text = _("Staff alone see it.")


class ErrataFilter(forms.Form):
    """Narrow staff's list."""

    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("All")), *Erratum.State.choices]
    )
    release = forms.IntegerField(label=_("Release"), required=False, min_value=1, max_value=LAST)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class DecisionForm(forms.Form):
    """Staff's decision on a report, with its reason."""

    decision = forms.ChoiceField(
        label=_("Decision"),
        error_messages={"required": _("Choose: uphold or dismiss.")},
        choices=[
            ("uphold", _("Uphold. The task goes back to its author, and the next release says so")),
            ("dismiss", _("Dismiss. The task stays as it is")),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason"),
        error_messages={"required": _("Say why; the reader reads it.")},
        help_text=_(
            "The reader reads it. If you uphold the report, say what was wrong: the task's author "
            "reads it too, and the next release prints it."
        ),
        widget=forms.Textarea(attrs={"rows": 4}),
    )

"""How anchors are scored, and which baseline takes the place of a poor one."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.web.forms import reason_field
from curation.web.once import AsRead
from judge.anchors.models import Anchor, AnchorPolicy
from judge.anchors.queries import free_responses
from judge.candidates.models import Response


class PolicyForm(forms.ModelForm):
    """One scorer, or two whose differences a senior settles."""

    read = AsRead()

    class Meta:
        model = AnchorPolicy
        fields = ("scorers",)
        widgets = {"scorers": forms.RadioSelect}


class BaselineForm(forms.Form):
    """Why, and where the other baseline comes from."""

    reason = reason_field(
        _("Why another baseline?"),
        help_text=_("It stays on record. Scorers do not read it."),
        rows=3,
    )
    model = forms.CharField(
        label=_("Model to ask"),
        required=False,
        max_length=160,
        help_text=_(
            "As PROVIDER:MODEL. Left empty, the programme’s baseline model answers once more."
        ),
    )
    response = forms.ModelChoiceField(
        label=_("Or a response that is here"),
        required=False,
        queryset=Response.objects.none(),
        empty_label=_("None: ask a model"),
        help_text=_(
            "Responses to this task that nobody scored and no run judged. The one you choose is "
            "no candidate’s answer any more."
        ),
    )

    def __init__(self, *args: Any, anchor: Anchor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["response"]
        field.queryset = free_responses(anchor.task_id)
        field.label_from_instance = lambda one: f"{one.candidate.name} · {one.key}"

"""Forms of the policy of scoring anchors and of replacing a baseline."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import reason_field
from curation.base.web.once import ReadVersionField
from judge.asking.candidates.models import Response
from judge.asking.endpoints.choices import ChosenModelField
from judge.scoring.anchors.models import Anchor, AnchorPolicy
from judge.scoring.anchors.queries import free_responses


class PolicyForm(forms.ModelForm):
    """One scorer, or two whose differences a senior settles."""

    read = ReadVersionField()

    class Meta:
        model = AnchorPolicy
        fields = ("scorers",)
        widgets = {"scorers": forms.RadioSelect}


class BaselineForm(forms.Form):
    """The reason for another baseline, and its source: a model or an existing response."""

    reason = reason_field(
        _("Why another baseline?"),
        help_text=_("It stays on record. Scorers do not read it."),
        rows=3,
    )
    chosen = ChosenModelField()
    model = forms.CharField(
        label=_("Another model to ask"),
        required=False,
        max_length=160,
        help_text=_(
            "As PROVIDER:MODEL. Left empty, the programme’s baseline model answers once more."
        ),
    )
    response = forms.ModelChoiceField(
        label=_("Or an existing response"),
        required=False,
        queryset=Response.objects.none(),
        empty_label=_("None: ask a model"),
        help_text=_(
            "Responses to this task that nobody has scored and no run has judged. The one you "
            "choose no longer counts as a candidate’s response."
        ),
    )

    def __init__(self, *args: Any, anchor: Anchor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen: Any = self.fields["chosen"]
        if not chosen.offer(
            none=_("The programme’s baseline model, or another one named below"), first=True
        ):
            del self.fields["chosen"]
        field: Any = self.fields["response"]
        field.queryset = free_responses(anchor.task_id)
        field.label_from_instance = lambda one: f"{one.candidate.name} · {one.key}"

    def values(self) -> dict[str, Any]:
        """Return the arguments of `replace_baseline`."""
        data = self.cleaned_data
        return {
            "reason": data["reason"],
            "model": data.get("chosen") or data["model"],
            "response": data["response"],
        }

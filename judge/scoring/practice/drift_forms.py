"""The form of the rules of practice and drift."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from judge.scoring.scorers.models import RULES, ScorerPolicy


class ScorerPolicyForm(forms.ModelForm):
    """The rules of a domain's scorers."""

    class Meta:
        model = ScorerPolicy
        fields = RULES
        labels = {
            "practice_share": _("Practice: lines that have to agree, in percent"),
            "known_rate": _("Known sheets among 100 assigned ones"),
            "pause_below": _("Pause below this agreement, in percent"),
            "pause_lines": _("Known lines that this looks at"),
        }
        help_texts = {
            "practice_share": _(
                "0 to 100. With 0, handing in the practice sheet is enough to pass."
            ),
            "known_rate": _("0 to 50. With 0 there are none. A hash decides after which sheets."),
            "pause_below": _("0 to 100. With 0 nobody is paused."),
            "pause_lines": _(
                "10 to 1000: the last ones of each scorer. A scorer with fewer is not paused."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def _post_clean(self) -> None:
        """Skip the model's validation: the action validates the rules."""

    def rules(self) -> dict[str, Any]:
        """Return the arguments of `judge.scoring.scorers.policy.change_policy`."""
        return {name: self.cleaned_data[name] for name in RULES}

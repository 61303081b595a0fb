"""Forms of checklists: which are listed, why a part is overruled, which skill is added."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import reason_field
from curation.tasks.skills.models import SkillLabel


class ChecklistsFilter(forms.Form):
    """Which tasks the list shows."""

    show = forms.ChoiceField(
        required=False,
        choices=[("", ""), ("waiting", ""), ("without", "")],
        widget=forms.HiddenInput,
    )
    before = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    after = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class OverruleForm(forms.Form):
    """Why a skill or a line is left out."""

    reason = reason_field(help_text=_("One sentence. It stays with the checklist."))


class AddSkillForm(forms.Form):
    """Which skill is added although no label activates it, and why."""

    label = forms.TypedChoiceField(coerce=int, label=_("Skill"))
    reason = reason_field(help_text=_("One sentence. It stays with the checklist."), rows=3)

    def __init__(self, *args: Any, labels: Iterable[SkillLabel], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = "add_%s"
        choices = [("", _("Not chosen yet")), *((one.pk, str(one)) for one in labels)]
        self.fields["label"].choices = choices  # type: ignore[attr-defined]

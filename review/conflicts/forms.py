"""Forms of conflicts of interest."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import DayField
from curation.base.web.forms import PageForm, reason_field
from curation.joining.people.models import User
from review.conflicts.models import Declaration, Kind

DECLARABLE = [choice for choice in Kind.choices if choice[0] != Kind.REFERRAL]


class DeclarationForm(forms.ModelForm):
    """A conflict with somebody, by name; the action checks it."""

    kind = forms.ChoiceField(label=_("Kind"), choices=DECLARABLE)
    since = DayField(label=_("Since"))
    until = DayField(label=_("Until"), help_text=_("Empty while it goes on."))

    field_order = ("name", "email", "kind", "since", "until", "note")

    class Meta:
        model = Declaration
        fields = ("name", "email", "kind", "since", "until", "note")
        help_texts = {
            "name": _(
                "A person, as colleagues know them. An organisation keeps nobody off by itself: "
                "staff read it, and record a conflict with each member it concerns."
            ),
            "email": _("It counts as soon as somebody with this address is a member."),
        }
        widgets = {"note": forms.Textarea(attrs={"rows": 2})}

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `declare_conflict`."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class AnswerForm(forms.Form):
    """The other party's answer, with a reason where it is no."""

    agrees = forms.ChoiceField(choices=[("yes", _("Confirm")), ("no", _("Dispute"))])
    reason = reason_field(_("What is wrong?"), rows=2)


class _MemberField(forms.CharField):
    """A member by e-mail address or by pseudonym's number."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", _("Their e-mail address, or their number."))
        super().__init__(max_length=254, **options)

    def clean(self, value: Any) -> User:
        text = super().clean(value).strip()
        number = text.rpartition(" ")[2]
        found = User.objects.filter(email__iexact=text).first() or (
            User.objects.filter(pk=int(number)).first()
            if number.isascii() and number.isdigit() and len(number) < 10
            else None
        )
        if found is None:
            raise forms.ValidationError(_("There is no such member."))
        return found


class LinkForm(forms.Form):
    """The member that a declaration is about."""

    other = _MemberField(label=_("Member"))


class ConflictFilter(PageForm):
    """Narrow staff's lists to one person, and turn their pages; `dismissed` shows those instead."""

    declarations = forms.IntegerField(required=False, min_value=1)
    dismissed = forms.BooleanField(required=False)
    person = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class ProposalForm(forms.Form):
    """A conflict between two members that staff know of."""

    person = _MemberField(label=_("One member"))
    other = _MemberField(label=_("The other"))
    kind = forms.ChoiceField(label=_("Kind"), choices=DECLARABLE)
    since = DayField(label=_("Since"))
    until = DayField(label=_("Until"), help_text=_("Empty while it goes on."))

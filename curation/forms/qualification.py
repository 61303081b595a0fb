"""Forms of qualification. They read and show; the rules are in the actions."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from curation.errors import BadInput
from curation.lifecycle import ApplicationStage
from curation.models import Application, Domain, Question, Trial, User
from curation.models.qualification import MIN_YEARS
from curation.queries.qualification import TRIAL_PARTS


def take_back(form: forms.BaseForm, refusal: BadInput) -> None:
    """Show an action's refusal at the fields it names, with everything typed kept."""
    if not refusal.fields:
        form.add_error(None, str(refusal.detail))
    for name, sentences in refusal.fields.items():
        form.add_error(
            name if name in form.fields else None, [str(sentence) for sentence in sentences]
        )


class ApplicationForm(forms.Form):
    """Profile and domain of an applicant."""

    domain = forms.ModelChoiceField(
        Domain.objects.none(),
        label=_("Domain"),
        empty_label=_("Choose a domain"),
        help_text=_("The profession you practise. You can apply for another one later."),
    )
    affiliation = forms.CharField(
        max_length=200,
        label=_("Affiliation"),
        help_text=_(
            "Your firm, hospital, court, school or faculty. Used to keep you from "
            "judging a colleague's work."
        ),
    )
    degree = forms.CharField(max_length=200, label=_("Degree or licence"))
    years = forms.IntegerField(
        label=_("Years of practice"),
        widget=forms.NumberInput(attrs={"class": "is-num", "inputmode": "numeric"}),
    )
    credentials = forms.CharField(
        max_length=5000,
        label=_("What you have done"),
        help_text=_(
            "Two to five sentences: positions, kinds of cases, examinations passed. "
            "Only the staff read this."
        ),
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    route = forms.ChoiceField(
        choices=Application.Route.choices,
        initial=Application.Route.DIRECT,
        label=_("How you came to us"),
        widget=forms.RadioSelect,
    )
    colleague = forms.EmailField(
        required=False,
        label=_("Who referred you"),
        help_text=_("Their e-mail address. You two will not judge each other's work."),
    )

    def __init__(self, *args: Any, domains: QuerySet[Domain], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.error_messages["required"] = _("Please fill this in.")
        self.fields["years"].help_text = _("At least %(min)s.") % {"min": MIN_YEARS}
        field = self.fields["domain"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = domains

    def referrer(self) -> User | None:
        """The account of the colleague named, if there is one. The applicant does not learn."""
        address = self.cleaned_data["colleague"]
        return User.objects.filter(email__iexact=address).first() if address else None


class TrialForm(forms.Form):
    """The five parts of a trial task and the version they were read at."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    title = forms.CharField(required=False, strip=False, label=_("Title"))
    scenario = forms.CharField(
        required=False, strip=False, label=_("Work scenario"), widget=forms.Textarea
    )
    materials = forms.CharField(
        required=False, strip=False, label=_("Materials"), widget=forms.Textarea
    )
    requirements = forms.CharField(
        required=False, strip=False, label=_("Output requirements"), widget=forms.Textarea
    )
    reference_answer = forms.CharField(
        required=False, strip=False, label=_("Reference answer"), widget=forms.Textarea
    )

    @classmethod
    def of(cls, trial: Trial) -> "TrialForm":
        """The form filled with what is saved."""
        return cls({"version": trial.version, **{n: getattr(trial, n) for n in TRIAL_PARTS}})


class TrialDecisionForm(forms.Form):
    """A senior's verdict on a trial."""

    verdict = forms.ChoiceField(
        choices=[
            (Trial.Verdict.ACCEPTED, _("Accept: the applicant is qualified")),
            (Trial.Verdict.RETURNED, _("Return: the applicant corrects it")),
            (Trial.Verdict.REJECTED, _("Reject: the application is closed")),
        ],
        label=_("Your verdict"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose: accept, return or reject.")},
    )
    remarks = forms.CharField(
        max_length=5000,
        label=_("Remarks to the applicant"),
        help_text=_("What is good, what has to change and why. Signed “a senior of the domain”."),
        widget=forms.Textarea(attrs={"rows": 8}),
        error_messages={"required": _("Write to the applicant why you decide so.")},
    )


class ReasonForm(forms.Form):
    """A decision of the staff with its reason."""

    reason = forms.CharField(
        required=False, max_length=5000, label=_("Reason"), widget=forms.Textarea(attrs={"rows": 4})
    )


class SeniorForm(forms.Form):
    """Make somebody a senior of a domain, or end that."""

    domain = forms.ModelChoiceField(Domain.objects.all(), widget=forms.HiddenInput)
    senior = forms.TypedChoiceField(
        choices=[("1", "1"), ("0", "0")], coerce=lambda v: v == "1", widget=forms.HiddenInput
    )
    reason = forms.CharField(
        required=False, max_length=2000, label=_("Reason"), widget=forms.Textarea(attrs={"rows": 2})
    )


class InvitationForm(forms.Form):
    """Whom to invite."""

    email = forms.CharField(
        max_length=254,
        label=_("E-mail address"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Type the address the link goes to.")},
    )
    display_name = forms.CharField(
        max_length=120,
        label=_("Name"),
        help_text=_("Colleagues see a pseudonym. Only staff see the name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Type the person's name. Only staff see it.")},
    )
    language = forms.ChoiceField(
        choices=settings.LANGUAGES,
        label=_("Language of the e-mail and of the workbench"),
        widget=forms.RadioSelect,
    )


class ApplicationFilter(forms.Form):
    """Narrows the staff's list of applications."""

    stage = forms.ChoiceField(
        required=False,
        label=_("Stage"),
        choices=[("", _("All stages")), *ApplicationStage.choices],
    )
    domain = forms.ModelChoiceField(
        Domain.objects.filter(external=False),
        required=False,
        to_field_name="key",
        label=_("Domain"),
        empty_label=_("All domains"),
    )


class PeopleFilter(forms.Form):
    """Narrows the list of people."""

    q = forms.CharField(required=False, max_length=200, label=_("Search"))
    domain = forms.ModelChoiceField(
        Domain.objects.filter(external=False),
        required=False,
        to_field_name="key",
        label=_("Domain"),
        empty_label=_("All domains"),
    )


def kept(form: forms.Form) -> Mapping[str, Any]:
    """The usable values of a filter; what cannot be used is left out."""
    form.is_valid()
    return {name: value for name, value in form.cleaned_data.items() if value}


def read_answers(data: QueryDict, questions: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The answers in a posted exam, question id -> answer; questions not sent are left out.

    A choice sends `q-<id>` once per chosen option; a multiple choice also sends `m-<id>`, so that
    taking the last tick away can be told from not having been sent.
    """
    found: dict[str, Any] = {}
    for question in questions:
        key, name = question["key_id"], f"q-{question['key_id']}"
        if question["kind"] == Question.Kind.NUMERIC:
            if name in data:
                found[key] = data[name]
        elif name in data or f"m-{key}" in data:
            found[key] = [int(v) if v.isdecimal() and len(v) < 4 else v for v in data.getlist(name)]
    return found

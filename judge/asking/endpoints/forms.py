"""Forms of endpoints, models, parameters, and of the models that the programme asks."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.once import ReadVersionField
from curation.joining.domains.policies import latest
from judge.asking import providers
from judge.asking.calls.models import Call
from judge.asking.endpoints import parameters, programme
from judge.asking.endpoints.actions import ENDPOINT_FIELDS, MODEL_FIELDS, MOST_AT_ONCE, MOST_CONTEXT
from judge.asking.endpoints.choices import offered
from judge.asking.endpoints.models import Endpoint, ProgrammeModels, ServedModel


class EndpointForm(forms.Form):
    """An endpoint; the action checks the rules."""

    name = forms.CharField(
        label=_("Short name"),
        max_length=20,
        help_text=_(
            "2 to 20 lower-case letters, digits and hyphens. Runs, calls and prices are kept under "
            "it, so it never changes."
        ),
    )
    label = forms.CharField(label=_("Name for people"), max_length=80)
    protocol = forms.ChoiceField(
        label=_("Takes requests of"), choices=Endpoint.Protocol.choices, widget=forms.RadioSelect
    )
    address = forms.CharField(
        label=_("Address"),
        max_length=300,
        help_text=_(
            "Where the vendor's own software would be pointed: for OpenAI's requests usually up to "
            "/v1, for Anthropic's without it."
        ),
    )
    key_variable = forms.CharField(
        label=_("Environment variable of the key"),
        max_length=80,
        required=False,
        help_text=_(
            "Its name, such as ACME_API_KEY; the key itself stays on the server. Empty: the server "
            "asks for no key."
        ),
    )
    calls_at_once = forms.IntegerField(
        label=_("Calls at once"),
        min_value=1,
        max_value=MOST_AT_ONCE,
        required=False,
        help_text=_("Of all runs and orders together. Empty: as many as each run says."),
    )
    revision = forms.IntegerField(
        required=False, min_value=1, max_value=10**9, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, endpoint: Endpoint | None = None, **kwargs: Any) -> None:
        if endpoint is not None:
            kwargs.setdefault(
                "initial",
                {name: getattr(endpoint, name) for name in (*ENDPOINT_FIELDS, "revision")},
            )
        super().__init__(*args, **kwargs)
        if endpoint is not None:
            del self.fields["name"]
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of the actions."""
        names = ["name"] if "name" in self.fields else ["revision"]
        return {name: self.cleaned_data[name] for name in (*names, *ENDPOINT_FIELDS)}


class ServedModelForm(forms.Form):
    """A model and what it can; the action checks the rules."""

    provider = forms.ChoiceField(label=_("Endpoint"))
    model = forms.CharField(
        label=_("Model"), max_length=120, help_text=_("Exactly as the endpoint calls it.")
    )
    label = forms.CharField(
        label=_("Name for people"),
        max_length=120,
        required=False,
        help_text=_("Empty: as the endpoint calls it."),
    )
    family = forms.CharField(
        label=_("House"),
        max_length=60,
        required=False,
        help_text=_("Who made it; no judge scores its own house. Empty: read from the name."),
    )
    pictures = forms.BooleanField(label=_("Reads pictures"), required=False)
    structured_output = forms.BooleanField(
        label=_("Replies in JSON by a schema"),
        required=False,
        initial=True,
        help_text=_("Without it, the prompt asks for JSON in words, and the reply is repaired."),
    )
    search = forms.BooleanField(
        label=_("Can search the web"),
        required=False,
        help_text=_("Only for answers to tasks, and only where its parameters say so."),
    )
    effort = forms.BooleanField(label=_("Has levels of effort"), required=False)
    context_tokens = forms.IntegerField(
        label=_("Tokens it reads at most"), min_value=1, max_value=MOST_CONTEXT, required=False
    )
    most_output_tokens = forms.IntegerField(
        label=_("Tokens it writes at most"),
        min_value=1,
        max_value=MOST_CONTEXT,
        required=False,
        help_text=_("It is never asked for more."),
    )
    revision = forms.IntegerField(
        required=False, min_value=1, max_value=10**9, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, served: ServedModel | None = None, **kwargs: Any) -> None:
        if served is not None:
            kwargs.setdefault(
                "initial", {name: getattr(served, name) for name in (*MODEL_FIELDS, "revision")}
            )
        super().__init__(*args, **kwargs)
        if served is not None:
            del self.fields["provider"], self.fields["model"]
        else:
            known = providers.labels()
            self.fields["provider"].choices = [  # type: ignore[attr-defined]
                (name, known[name]) for name in providers.names() if not providers.is_offline(name)
            ]
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of the actions."""
        names = ["provider", "model"] if "model" in self.fields else ["revision"]
        return {name: self.cleaned_data[name] for name in (*names, *MODEL_FIELDS)}


class ParametersForm(forms.Form):
    """How a model is asked for one purpose. What is left empty is left to the model."""

    temperature = forms.FloatField(
        label=_("Temperature"), min_value=0, max_value=parameters.MOST_TEMPERATURE, required=False
    )
    top_p = forms.FloatField(
        label=_("Share of likely words (top p)"), min_value=0, max_value=1, required=False
    )
    effort = forms.ChoiceField(
        label=_("Effort"),
        required=False,
        choices=[("", _("As the model does")), *((name, name) for name in parameters.EFFORTS)],
    )
    seed = forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=parameters.MOST_SEED, required=False
    )
    max_tokens = forms.IntegerField(
        label=_("Tokens of a reply at most"),
        min_value=1,
        max_value=parameters.MOST_TOKENS,
        required=False,
    )
    search = forms.BooleanField(
        label=_("May search the web"),
        required=False,
        help_text=_("Vendors charge for each search beside the tokens; that is not counted here."),
    )
    system = forms.CharField(
        label=_("System prompt"),
        required=False,
        max_length=parameters.MOST_SYSTEM,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Stands before the programme's own instructions."),
    )
    revision = forms.IntegerField(
        required=False, min_value=1, max_value=10**9, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, served: ServedModel, purpose: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not served.effort:
            del self.fields["effort"]
        if not parameters.takes_seed(served):
            del self.fields["seed"]
        if not served.search or purpose not in parameters.SEARCHING:
            del self.fields["search"]
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of `set_parameters`."""
        data = self.cleaned_data
        given = {name: data.get(name) for name in parameters.NAMES}
        return {
            "revision": data["revision"],
            "values": {
                name: value
                for name, value in given.items()
                if value is not None and value != "" and value is not False
            },
        }


class TestForm(forms.Form):
    """The purpose whose parameters a test uses."""

    purpose = forms.ChoiceField(
        label=_("As for"),
        choices=[(p.value, p.label) for p in parameters.PURPOSES],
        initial=Call.Purpose.JUDGE,
    )


class ProgrammeForm(forms.Form):
    """The models that the programme asks by itself."""

    draft = forms.ChoiceField(label=_("Drafts of rubrics"), required=False)
    baseline = forms.ChoiceField(label=_("Baseline answers"), required=False)
    probes = forms.MultipleChoiceField(
        label=_("Probes of new prompts"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: prompts are not probed, and panels read that."),
    )
    grader = forms.ChoiceField(label=_("Grader of the probes"), required=False)
    lint = forms.ChoiceField(label=_("Opinions on lines"), required=False)
    labels = forms.ChoiceField(label=_("Labels of tasks"), required=False)
    read = ReadVersionField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        now = programme.in_use()
        kwargs.setdefault(
            "initial",
            {
                "draft": now.draft, "baseline": now.baseline, "lint": now.lint,
                "probes": list(now.probes), "grader": now.grader, "labels": now.labels,
                "read": latest(ProgrammeModels),
            },
        )  # fmt: skip
        super().__init__(*args, **kwargs)
        rules = _("Offline rules (no model)")
        kept = [now.draft, now.baseline, now.lint, now.labels, now.grader, *now.probes]
        models = offered(offline=False, kept=[spec for spec in kept if spec])
        for name in ("draft", "baseline", "grader", "lint", "labels"):
            none = _("Nobody: authors cannot ask") if name == "lint" else rules
            self.fields[name].choices = [("", none), *models]  # type: ignore[attr-defined]
        self.fields["probes"].choices = models  # type: ignore[attr-defined]

    def values(self) -> dict[str, Any]:
        """Return the arguments of `choose_models`."""
        return dict(self.cleaned_data)

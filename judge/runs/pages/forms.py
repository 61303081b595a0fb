"""Forms of judge runs: plan one, change its limits."""

from typing import Any

from django import forms
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from curation.base.text.wording import listed
from curation.base.web.fields import set_numbers
from curation.base.web.forms import reason_field
from curation.joining.domains.models import Domain
from curation.tasks.task.models import AnswerForm, Task
from judge.asking import providers
from judge.asking.calls.cost import in_micro_dollars
from judge.asking.calls.limit_fields import BudgetField, MaxCallsField
from judge.asking.candidates.models import Candidate, Response
from judge.asking.endpoints.choices import ChosenModelField, named
from judge.base.gold_sets.forms import TaskSetField
from judge.base.gold_sets.task_sets import split_exists
from judge.methods.base import registry
from judge.methods.evidence.sources import offered_sources
from judge.methods.variants.models import JudgeVariant
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.engine.planning.examples import with_example
from judge.runs.engine.planning.limits import MAX_CONCURRENCY


def offered_methods() -> list[tuple[str, Any]]:
    """Return key and words of the methods that fit some response, in the registry's order.

    Where all answers have one form, nothing is counted. Without any response, the methods for
    texts are offered. One query, and one more for each need of tasks that methods name: an example
    scored by experts, or what the method itself names.
    """
    responses = Response.objects.filter(baseline=False).order_by()
    rows = responses.values_list("task__answer_form").annotate(n=Count("id"))
    by_form: dict[str, int] = dict(rows) or {AnswerForm.TEXT.value: 0}
    every = sum(by_form.values())
    scored = with_example()
    counted: dict[tuple[Q, frozenset[str]], int] = {}
    found = []
    for key, method in registry.METHODS.items():
        forms = [n for form, n in by_form.items() if form in method.forms]
        if not forms:
            continue
        fitting = sum(forms)
        needs = scored if method.needs_example else method.fitting()
        if fitting and needs is not None:
            question = needs, method.forms
            if question not in counted:
                tasks = Task.objects.filter(needs, answer_form__in=method.forms)
                counted[question] = responses.filter(task__in=tasks.values("pk")).count()
            fitting = counted[question]
        words = str(method.choice)
        if fitting < every or len(forms) < len(by_form):
            words = f"{words} ({_counted(fitting, every)})"
        found.append((key, words))
    return found


def _counted(fitting: int, every: int) -> str:
    return ngettext(
        "fits %(n)s of %(all)s response, the others are skipped",
        "fits %(n)s of %(all)s responses, the others are skipped",
        every,
    ) % {"n": f"{fitting:,}", "all": f"{every:,}"}


RUNS_TO_COMPARE = 60


def budget_field() -> BudgetField:
    """Return the field for what a run may cost."""
    return BudgetField(
        help_text=_("The run stops before it would cost more. Empty: no limit in money.")
    )


def held_out_reason_field(help_text: Any) -> forms.CharField:
    """Return the field for why a run judges held-out tasks."""
    return reason_field(_("Why held-out tasks are judged"), help_text=help_text, rows=2)


def max_calls_field() -> MaxCallsField:
    """Return the field for how many calls a run may make."""
    return MaxCallsField(help_text=_("Failed calls count. Empty: no limit in calls."))


def judged_runs() -> "QuerySet[JudgeRun]":
    """Select the runs that have judged something, newest first."""
    items = RunItem.objects.filter(run=OuterRef("pk"), state=RunItem.State.JUDGED)
    return JudgeRun.objects.filter(Exists(items))


class JudgedRunsForm(forms.Form):
    """A choice of runs that have judged something, newest first."""

    runs = forms.TypedMultipleChoiceField(
        label=_("Runs"), coerce=int, widget=forms.CheckboxSelectMultiple, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["runs"].choices = [  # type: ignore[attr-defined]
            (run.pk, str(run)) for run in judged_runs()[:RUNS_TO_COMPARE]
        ]


class RunForm(forms.Form):
    """The settings of a new run. An empty filter means everything."""

    method = forms.ChoiceField(label=_("Method"), widget=forms.RadioSelect)
    chosen = ChosenModelField()
    provider = forms.ChoiceField(label=_("Provider"), required=False)
    model = forms.CharField(
        label=_("Model"),
        required=False,
        max_length=120,
        help_text=_("As the provider names it. The offline rules need none."),
    )
    search = forms.ChoiceField(
        label=_("Documents in which claims are looked up"),
        required=False,
        help_text=_("Folders in documents/ of this installation's data."),
    )
    calls_mode = forms.ChoiceField(
        label=_("Calls"),
        choices=JudgeRun.Calls.choices,
        initial=JudgeRun.Calls.PER_RESPONSE,
        help_text=_("One call per line is the reference, and costs many times more."),
    )
    candidates = forms.MultipleChoiceField(
        label=_("Candidates"),
        required=False,
        help_text=_("None chosen: all of them."),
        widget=forms.CheckboxSelectMultiple,
    )
    domains = forms.MultipleChoiceField(
        label=_("Domains"),
        required=False,
        help_text=_("None chosen: all of them."),
        widget=forms.CheckboxSelectMultiple,
    )
    task_set = TaskSetField(
        label=_("Set of tasks"),
        help_text=_("Tune a judge on a development half. A held-out half needs a reason."),
    )
    held_out_reason = held_out_reason_field(
        _("Only for a set with held-out tasks. Each such run is counted, and the reports say so.")
    )
    tasks = forms.CharField(
        label=_("Task keys"),
        required=False,
        help_text=_("Separated by commas or lines. Empty: all tasks of the domains."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    experts = forms.CharField(
        label=_("Rater of imported examples"),
        required=False,
        max_length=120,
        help_text=_("Only where several raters scored the baselines of another benchmark."),
    )
    budget_usd = budget_field()
    max_calls = max_calls_field()
    concurrency = forms.IntegerField(
        label=_("Calls at once"), min_value=1, max_value=MAX_CONCURRENCY, initial=8
    )
    batch = forms.BooleanField(
        label=_("Send in the provider's batches"),
        required=False,
        help_text=_(
            "Half the price, within a day. What a batch leaves unanswered is asked at once."
        ),
    )
    allow_same_family = forms.BooleanField(
        label=_("Judge candidates of the judge's own house as well"), required=False
    )

    # What a variant settles.
    SETTLED = ("method", "chosen", "provider", "model", "calls_mode", "experts", "search")

    def __init__(self, *args: Any, variant: JudgeVariant | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.variant = variant
        set_numbers(self.fields.values())
        self.fields["task_set"].offer(self["task_set"].value())  # type: ignore[attr-defined]
        if not split_exists():
            del self.fields["held_out_reason"]
        self.fields["provider"].choices = [  # type: ignore[attr-defined]
            (p.name, _("Offline rules (no model)") if p.name == "offline" else p.label)
            for p in providers.configured()
        ]
        if not self.fields["chosen"].offer():  # type: ignore[attr-defined]
            del self.fields["chosen"]
        self._offer_roles()
        self.fields["search"].choices = [  # type: ignore[attr-defined]
            ("", _("None")),
            *((name, name) for name in offered_sources()),
        ]
        names = Candidate.objects.filter(responses__baseline=False).distinct()
        self.fields["candidates"].choices = [  # type: ignore[attr-defined]
            (name, name) for name in names.values_list("name", flat=True)
        ]
        self.fields["domains"].choices = [  # type: ignore[attr-defined]
            (d.key, str(d))
            for d in Domain.objects.filter(tasks__responses__isnull=False).distinct()
        ]
        self.fields["method"].choices = offered = offered_methods()  # type: ignore[attr-defined]
        self.fields["method"].initial = next((key for key, _words in offered), None)
        for name in self.SETTLED if variant else ():
            self.fields.pop(name, None)

    def _offer_roles(self) -> None:
        """Add a choice of a model for each role that some method has beside the judge."""
        for role, words in registry.roles().items() if self.variant is None else ():
            field = ChosenModelField()
            if field.offer(none=_("The judge itself"), first=True):
                field.label = words
                self.fields[f"{role}_model"] = field

    @property
    def roles(self) -> list[forms.BoundField]:
        """The fields of the models in further roles."""
        names = [f"{role}_model" for role in registry.roles()]
        return [self[name] for name in names if name in self.fields]

    def clean_tasks(self) -> list[str]:
        text = self.cleaned_data["tasks"].replace("\n", ",")
        return list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))

    def settings(self) -> dict[str, Any]:
        """Return the arguments of `judge.runs.pages.actions.plan_run`."""
        values = self.cleaned_data
        return {
            **self._judge(),
            "concurrency": values["concurrency"],
            "budget_micro": in_micro_dollars(values["budget_usd"]),
            "max_calls": values["max_calls"],
            "task_keys": self._task_keys(),
            "candidates": values["candidates"] or None,
            "batch": values["batch"],
            "allow_same_family": values["allow_same_family"],
            "tasks": values["task_set"],
            "held_out_reason": values.get("held_out_reason", ""),
        }

    def _judge(self) -> dict[str, Any]:
        """Return who judges, and how."""
        if self.variant is not None:
            return self.variant.settings()
        values = self.cleaned_data
        provider, model = named(values)
        return {
            "method": values["method"],
            "provider": provider,
            "model": model,
            "calls_mode": values["calls_mode"],
            "experts": values["experts"].strip(),
            "further": self._further(),
            "search": values["search"],
        }

    def _further(self) -> dict[str, tuple[str, str]]:
        """Return the models chosen for the further roles of the method."""
        chosen = {
            role: self.cleaned_data.get(f"{role}_model") or ""
            for role in registry.get(self.cleaned_data["method"]).further_roles
        }
        return {
            role: (provider, model)
            for role, spec in chosen.items()
            if spec
            for provider, _colon, model in [spec.partition(":")]
        }

    def _task_keys(self) -> list[str] | None:
        values = self.cleaned_data
        if values["tasks"] or not values["domains"]:
            return values["tasks"] or None
        inside = values["task_set"].within(self._inside(values["domains"]), "pk")
        return list(inside.values_list("key", flat=True))

    def _inside(self, domains: list[str]) -> "QuerySet[Task]":
        found = Task.objects.filter(domain__key__in=domains, responses__isnull=False)
        return found.order_by("key").distinct()

    def clean(self) -> dict[str, Any]:
        """Refuse a run without a model, and tasks outside of the chosen domains or set."""
        values = super().clean() or self.cleaned_data
        unnamed = self.variant is None and not named(values)[0]
        if unnamed and not {"provider", "chosen"} & set(self.errors):
            self.add_error("provider", gettext("Choose who judges."))
        keys, domains, tasks = (values.get(name) for name in ("tasks", "domains", "task_set"))
        if keys and domains:
            inside = set(self._inside(domains).values_list("key", flat=True))
            elsewhere = [key for key in keys if key not in inside]
            if elsewhere:
                self.add_error(
                    "tasks",
                    gettext("No task with responses in these domains: %(names)s.")
                    % {"names": listed(elsewhere[:10])},
                )
        elif domains and tasks and not self._task_keys():
            self.add_error(
                "domains",
                gettext("No task with responses in these domains belongs to: %(set)s.")
                % {"set": tasks.label},
            )
        return values


class LimitsForm(forms.Form):
    """Limits that may change when a run is continued."""

    budget_usd = BudgetField()
    max_calls = MaxCallsField()
    concurrency = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_CONCURRENCY, label=_("Calls at once")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def limits(self) -> dict[str, int | None]:
        """Return the limits for `judge.runs.pages.actions.start_run`; None keeps a limit as it
        is.
        """
        values = self.cleaned_data
        return {
            "budget_micro": in_micro_dollars(values["budget_usd"]),
            "max_calls": values["max_calls"],
            "concurrency": values["concurrency"],
        }

"""Forms of tasks, screening, the staff's lists and a person's preferences."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation import checks, text
from curation.actions.tasks import EDITABLE, MINUTES_LIMIT, TITLE_LIMIT
from curation.errors import BadInput
from curation.forms.days import DayField
from curation.forms.domains import CategoryChoice, DomainChoice, domain_filter
from curation.lifecycle import Stage
from curation.models import (
    Category,
    Change,
    Decision,
    Origin,
    RateBand,
    User,
)
from curation.models.tasks import TEXT_PARTS
from curation.queries import audit

LANGUAGES = [
    ("en", "English"),
    ("zh-hans", "中文（简体）"),
    ("zh-hant", "中文（繁體）"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("ja", "日本語"),
    ("ko", "한국어"),
    ("pt", "Português"),
    ("ar", "العربية"),
]


def language_name(code: str) -> str:
    """The name of a language in itself; the code where it is not in the list."""
    return dict(LANGUAGES).get(code, code)


FormT = TypeVar("FormT", bound=forms.Form)


class NewTaskForm(forms.Form):
    """What a draft needs to begin: a domain. The rest can wait."""

    domain = DomainChoice(
        empty_label=_("Not chosen yet"),
        help_text=_(
            "Its panel reads the task. You can change the domain until you submit the first time."
        ),
    )
    title = forms.CharField(
        required=False,
        max_length=TITLE_LIMIT,
        label=_("Working title"),
        help_text=_("Colleagues tell tasks apart by it. You can change it until you submit."),
    )
    language = forms.ChoiceField(choices=LANGUAGES, initial="en", label=_("Language of the task"))

    def __init__(self, *args: Any, domains: Iterable[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["domain"]
        assert isinstance(field, DomainChoice)
        field.offer(domains)


class TaskForm(forms.Form):
    """The whole text of a draft or of a trial task, with the version it was read at.

    Args:
        domains: the domains the author may choose from; empty where it is not theirs to choose.
    """

    domain = DomainChoice(required=False, empty_label=None)
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    title = forms.CharField(
        required=False,
        strip=False,
        label=_("Title"),
        widget=forms.TextInput(attrs={"maxlength": TITLE_LIMIT}),
    )
    category = CategoryChoice(required=False, label=_("Category"))
    language = forms.ChoiceField(choices=LANGUAGES, label=_("Language"))
    minutes = forms.IntegerField(
        required=False,
        label=_("Minutes a professional needs"),
        widget=forms.NumberInput(
            attrs={"class": "is-num", "inputmode": "numeric", "min": 1, "max": MINUTES_LIMIT}
        ),
    )
    rate_band = forms.ChoiceField(
        choices=[("", _("Not chosen yet")), *RateBand.choices],
        required=False,
        label=_("What an hour costs"),
    )
    change = forms.ChoiceField(
        choices=Change.choices,
        required=False,
        label=_("Over time"),
        widget=forms.RadioSelect,
    )
    sources = forms.CharField(
        required=False,
        strip=False,
        label=_("Sources"),
        help_text=_("One on each line: statutes, standards, data. Models never see them."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    scenario = forms.CharField(required=False, strip=False, widget=forms.Textarea)
    materials = forms.CharField(required=False, strip=False, widget=forms.Textarea)
    requirements = forms.CharField(required=False, strip=False, widget=forms.Textarea)
    reference_answer = forms.CharField(required=False, strip=False, widget=forms.Textarea)

    def __init__(self, *args: Any, task: Any, domains: Iterable[int] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.task = task
        offered = sorted({task.domain_id, *domains})
        self.can_choose_domain = len(offered) > 1 and not getattr(task, "screening_round", 0)
        domain, category = self.fields["domain"], self.fields["category"]
        assert isinstance(domain, DomainChoice)
        assert isinstance(category, CategoryChoice)
        domain.offer(offered)
        category.offer(
            offered if self.can_choose_domain else [task.domain_id], first=task.domain_id
        )
        language = self.fields["language"]
        assert isinstance(language, forms.ChoiceField)
        if task.language not in dict(LANGUAGES):  # came by the API or a file
            language.choices = [*LANGUAGES, (task.language, task.language)]
        for part in TEXT_PARTS:
            self.fields[part].label = checks.part_label(part)
            self.fields[part].widget.attrs.update(
                {
                    "lang": task.language,
                    "rows": 8,
                    "placeholder": " ",  # lets the style tell an empty part
                    "aria-describedby": f"remarks-{part}",
                }
            )

    def clean(self) -> dict[str, Any]:
        """The category as a row of the domain; one of the domain left behind is not kept."""
        values = self.cleaned_data
        domain = values.get("domain") or self.task.domain
        key = values.get("category") or ""
        values["category"] = (
            Category.objects.filter(domain=domain, key=key).first() if key else None
        )
        if key and values["category"] is None and domain.pk == self.task.domain_id:
            self.add_error("category", gettext("The domain has no category with this key."))
        return values

    @classmethod
    def of(cls, task: Any, *, domains: Iterable[int] = ()) -> "TaskForm":
        """The form with what is saved."""
        return cls(
            task=task,
            domains=domains,
            initial={
                "version": task.version,
                "domain": task.domain.key,
                "category": task.category.key if task.category else None,
                **{name: getattr(task, name) for name in EDITABLE if name != "category"},
            },
        )

    def sent(self, data: QueryDict) -> dict[str, Any]:
        """The usable values of the fields that were sent; those left out stay as they are.

        Raises:
            BadInput: a field cannot be read.
        """
        if not self.is_valid():
            raise BadInput(fields={n: [str(e) for e in v] for n, v in self.errors.items()})
        values = self.cleaned_data
        found = {name: values[name] for name in values if name in data and name != "version"}
        if found.get("domain") in (None, self.task.domain):
            found.pop("domain", None)  # nothing to change
        return found

    def shown(self, name: str, value: str) -> str:
        """A value in words: of a field with choices, the choice's name."""
        field = self.fields[name]
        if isinstance(field, CategoryChoice):
            return field.named(value)
        choices = getattr(field, "choices", None)
        if choices is None or name in TEXT_PARTS:
            return value
        return next((str(label) for key, label in choices if str(key) == value), value)

    def now(self, name: str) -> str:
        """The text of a field as it stands in the form."""
        value = self[name].value()
        return value if isinstance(value, str) else ""


class VoteForm(forms.Form):
    """A member's vote: three tests, a decision, the reasons."""

    _answers = [("yes", _("Yes")), ("no", _("No"))]
    _missing = {"required": _("Answer yes or no.")}
    difficult = forms.ChoiceField(
        choices=_answers, label=_("Difficult"), error_messages=_missing, widget=forms.RadioSelect
    )
    representative = forms.ChoiceField(
        choices=_answers,
        label=_("Representative"),
        error_messages=_missing,
        widget=forms.RadioSelect,
    )
    gradable = forms.ChoiceField(
        choices=_answers, label=_("Gradable"), error_messages=_missing, widget=forms.RadioSelect
    )
    decision = forms.ChoiceField(
        choices=Decision.choices,
        label=_("Your decision"),
        error_messages={"required": _("Choose: keep, return or reject.")},
        widget=forms.RadioSelect,
    )
    reasons = forms.CharField(
        required=False,
        label=_("Reasons"),
        help_text=_("The author reads them without your name. Say what to change, or why to keep."),
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def clean_reasons(self) -> str:
        """Said together with what else is missing, not one round later."""
        reasons: str = self.cleaned_data["reasons"]
        if text.is_blank(reasons):
            raise forms.ValidationError(
                _("Give your reasons. The author reads them and learns from them.")
            )
        return reasons

    def vote(self) -> dict[str, Any]:
        """What `screening.vote` takes."""
        values = self.cleaned_data
        return {
            **{t: values[t] == "yes" for t in ("difficult", "representative", "gradable")},
            "decision": values["decision"],
            "reasons": values["reasons"],
        }


class WithdrawForm(forms.Form):
    """Why a task is withdrawn."""

    reason = forms.CharField(
        required=False,
        label=_("Reason"),
        help_text=_("One sentence; it stands in the history of the task."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class PreferencesForm(forms.ModelForm):
    """How the workbench speaks to a person and listens to the keyboard."""

    class Meta:
        model = User
        fields = ("language", "notice_mode", "single_keys")
        labels = {
            "language": _("Language of the workbench"),
            "notice_mode": _("Notices by e-mail"),
            "single_keys": _("Single keys act while no text box has the focus"),
        }
        help_texts = {
            "notice_mode": _(
                "In the product every notice stands under Notices, whatever you choose."
            ),
            "single_keys": _(
                "A to approve, R to request a change, J and K for lines. ? lists all."
            ),
        }
        widgets = {"language": forms.RadioSelect, "notice_mode": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.is_bound and "notice_mode" not in self.data:
            del self.fields["notice_mode"]  # it stays as it is


# --- filters ------------------------------------------------------------------------------------
class _Page(forms.Form):
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class PipelineFilter(forms.Form):
    """The domain and the period of the pipeline."""

    domain = domain_filter(external=True)
    days = forms.TypedChoiceField(
        choices=[("90", _("Last 90 days")), ("30", _("Last 30 days")), ("365", _("Last year"))],
        coerce=int,
        empty_value=90,  # type: ignore[arg-type]  # Django takes any; the stubs only text
        required=False,
        label=_("Period"),
    )


class TaskFilter(_Page):
    """What staff narrow the list of tasks by."""

    stage = forms.ChoiceField(
        choices=[("", _("All stages")), *Stage.choices], required=False, label=_("Stage")
    )
    domain = domain_filter(external=True)
    origin = forms.ChoiceField(
        choices=[("", _("All origins")), *Origin.choices], required=False, label=_("Origin")
    )
    q = forms.CharField(
        required=False,
        max_length=200,
        label=_("Title or key"),
        widget=forms.TextInput(attrs={"type": "search"}),
    )


class AuditFilter(_Page):
    """What staff narrow the history by."""

    person = forms.CharField(
        required=False, max_length=254, label=_("Person"), help_text=_("Number or e-mail address")
    )
    task = forms.CharField(
        required=False, max_length=120, label=_("Task"), help_text=_("Number or key")
    )
    kind = forms.ChoiceField(
        required=False,
        label=_("Kind"),
        choices=lambda: [
            ("", _("Moves and notes")),
            *zip(audit.KINDS, (_("Tasks"), _("Applications")), strict=True),
            *audit.kinds(),
        ],
    )
    after = DayField(label=_("From"))
    before = DayField(label=_("To"))
    format = forms.ChoiceField(
        required=False, choices=[("", ""), ("csv", "csv")], widget=forms.HiddenInput
    )

    def clean_person(self) -> int | None:
        """The person's number, found by number or address."""
        typed = self.cleaned_data["person"].strip()
        if not typed:
            return None
        if typed.isascii() and typed.isdigit() and len(typed) < 18:
            return int(typed)
        found = User.objects.filter(email__iexact=typed).values_list("pk", flat=True).first()
        if found is None:
            raise forms.ValidationError(
                gettext("Nobody has this address. Type a number or a whole e-mail address.")
            )
        return found


def read_filter(form_class: type[FormT], data: QueryDict) -> FormT:
    """The filter a page was asked with, checked against its list of allowed parameters.

    Raises:
        BadInput: an unknown parameter or an unusable value, each named.
    """
    form = form_class(data)
    problems: dict[str, list[Any]] = {
        name: [gettext("This list cannot be narrowed by “%(name)s”.") % {"name": name}]
        for name in sorted(set(data) - set(form.fields))
    }
    if not form.is_valid():
        problems |= {name: [str(e) for e in errors] for name, errors in form.errors.items()}
    if problems:
        raise BadInput(
            gettext("This list was asked for in a way it does not know."), fields=problems
        )
    return form


def query_of(data: Mapping[str, Any]) -> str:
    """The filters of a page as the start of a query string, without its page."""
    kept = QueryDict(mutable=True)
    kept.update({k: v for k, v in data.items() if v and k != "page"})
    return f"{kept.urlencode()}&" if kept else ""

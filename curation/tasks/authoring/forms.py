"""Forms of the author: a new task, its text, a withdrawal."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import DayField
from curation.base.web.forms import reason_field
from curation.base.web.refusals import BadInput
from curation.joining.domains.forms import CategoryChoice, DomainChoice
from curation.joining.domains.models import Category
from curation.tasks.task.answer_form_views import form_choices
from curation.tasks.task.fields import (
    EDITABLE,
    FACTS,
    FIELD,
    FIELDS,
    TEXT_PARTS,
    Field,
    Kind,
    answers_exactly,
    label_of,
)
from curation.tasks.task.models import AnswerForm
from curation.tasks.work_map.forms import WorkTypeChoice
from curation.tasks.work_map.models import WorkType

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
    """Return a language's own name; the code for a language that is not in the list."""
    return dict(LANGUAGES).get(code, code)


class NewTaskForm(forms.Form):
    """The form for a new draft. Only the domain is required."""

    domain = DomainChoice(
        empty_label=_("Not chosen yet"),
        help_text=_(
            "Its panel reads the task. You can change the domain until you submit the first time."
        ),
    )
    title = forms.CharField(
        required=False,
        max_length=FIELD["title"].limit,
        label=_("Working title"),
        help_text=_("Colleagues tell tasks apart by it. You can change it until you submit."),
    )
    language = forms.ChoiceField(choices=LANGUAGES, initial="en", label=_("Language of the task"))
    answer_form = forms.ChoiceField(
        required=False,
        initial=AnswerForm.TEXT,
        label=_("What an answer looks like"),
        help_text=_("You can change it on a page of its own until you submit the first time."),
        choices=form_choices,
        widget=forms.RadioSelect,
    )

    def clean_answer_form(self) -> str:
        """Return the form of answers; a text where none is chosen."""
        return self.cleaned_data["answer_form"] or AnswerForm.TEXT

    def __init__(self, *args: Any, domains: Iterable[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["domain"]
        assert isinstance(field, DomainChoice)
        field.offer(domains)
        spoken = get_language()
        if spoken in dict(LANGUAGES):
            self.initial["language"] = spoken


def form_field(field: Field) -> forms.Field:
    """Return the form field of a field. The action checks whether the value can be stored."""
    given: dict[str, Any] = {
        "required": field.kind is Kind.LANGUAGE,
        "label": field.label,
        "help_text": field.help_text,
    }
    match field.kind:
        case Kind.LINE:
            line = forms.TextInput(attrs={"maxlength": field.limit})
            return forms.CharField(strip=False, widget=line, **given)
        case Kind.TEXT:
            return forms.CharField(strip=False, widget=forms.Textarea, **given)
        case Kind.LINES:
            return forms.CharField(strip=False, widget=forms.Textarea(attrs={"rows": 3}), **given)
        case Kind.NUMBER:
            bounds = {"class": "is-num", "inputmode": "numeric", "min": 1, "max": field.limit}
            return forms.IntegerField(widget=forms.NumberInput(attrs=bounds), **given)
        case Kind.CATEGORY:
            return CategoryChoice(**given)
        case Kind.WORK_TYPE:
            return WorkTypeChoice(**given)
        case Kind.DAY:
            return DayField(label=field.label, help_text=field.help_text)
        case Kind.LANGUAGE:
            return forms.ChoiceField(choices=LANGUAGES, **given)
        case Kind.CHOICE:
            choices = field.choices.choices if field.choices else []
            if field.not_chosen:
                return forms.ChoiceField(choices=[("", field.not_chosen), *choices], **given)
            return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **given)


class TaskForm(forms.Form):
    """The editor's form: the text of a draft or a trial task, and its version.

    Args:
        domains: ids of the domains the author may choose from; empty for a trial task.
    """

    domain = DomainChoice(required=False, empty_label=None)
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, *args: Any, task: Any, domains: Iterable[int] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= {field.name: form_field(field) for field in FIELDS}
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
        if answers_exactly(task):
            del self.fields["reference_answer"]  # it has a page of its own
            self.fields["requirements"].label = label_of("requirements", task)
        work_type = self.fields["work_type"]
        assert isinstance(work_type, WorkTypeChoice)
        work_type.offer_types(
            offered if self.can_choose_domain else [task.domain_id],
            first=task.domain_id,
            every=getattr(task, "collection_id", None) is not None,  # written by staff
            held=task.work_type_id,
        )
        language = self.fields["language"]
        assert isinstance(language, forms.ChoiceField)
        if task.language not in dict(LANGUAGES):  # set by the API or an import
            language.choices = [*LANGUAGES, (task.language, task.language)]
        for part in (part for part in TEXT_PARTS if part in self.fields):
            self.fields[part].widget.attrs.update(
                {
                    "lang": task.language,
                    "rows": 8,
                    "placeholder": " ",  # so that CSS can match an empty part
                    "aria-describedby": f"remarks-{part}",
                }
            )

    def rows_of_facts(self) -> list[dict[str, Any]]:
        """Return the facts as the page has them: rows of (bound field, whether it is optional)."""
        rows: dict[str, list[tuple[forms.BoundField, bool]]] = {}
        for field in (FIELD[name] for name in FACTS):
            if field.kind is not Kind.WORK_TYPE or self.offers_work_types:
                row = rows.setdefault(field.beside or field.name, [])
                row.append((self[field.name], not field.missing))
        return [{"name": name, "fields": fields} for name, fields in rows.items()]

    @property
    def offers_work_types(self) -> bool:
        """Whether there is a work type to choose: a domain may have no work map."""
        field: Any = self.fields["work_type"]
        return len(list(field.choices)) > 1

    def clean(self) -> dict[str, Any]:
        """Look up category and work type in the domain; those of the previous one are dropped."""
        values = self.cleaned_data
        domain = values.get("domain") or self.task.domain
        key = values.get("category") or ""
        values["category"] = (
            Category.objects.filter(domain=domain, key=key).first() if key else None
        )
        if key and values["category"] is None and domain.pk == self.task.domain_id:
            self.add_error("category", gettext("The domain has no category with this key."))
        key = values.get("work_type") or ""
        rows = WorkType.objects.select_related("category")
        values["work_type"] = rows.filter(domain=domain, key=key).first() if key else None
        if key and values["work_type"] is None and domain.pk == self.task.domain_id:
            self.add_error("work_type", gettext("The domain has no work type with this key."))
        return values

    @classmethod
    def of(cls, task: Any, *, domains: Iterable[int] = ()) -> "TaskForm":
        """Return the form with the saved values."""
        return cls(
            task=task,
            domains=domains,
            initial={
                "version": task.version,
                "domain": task.domain.key,
                **{name: getattr(row := getattr(task, name), "key", row) for name in EDITABLE},
            },
        )

    def sent_values(self, data: QueryDict) -> dict[str, Any]:
        """Return the values of the fields that were sent; an unchanged domain is left out.

        Raises:
            BadInput: a field cannot be read.
        """
        if not self.is_valid():
            raise BadInput(fields={n: [str(e) for e in v] for n, v in self.errors.items()})
        values = self.cleaned_data
        found = {name: values[name] for name in values if name in data and name != "version"}
        if found.get("domain") in (None, self.task.domain):
            found.pop("domain", None)
        return found

    def display(self, name: str, value: str) -> str:
        """Return a value as people read it: the label of a choice, else the value."""
        field = self.fields[name]
        if isinstance(field, CategoryChoice):
            return field.named(value)
        choices = getattr(field, "choices", None)
        if choices is None or name in TEXT_PARTS:
            return value
        return next((str(label) for key, label in choices if str(key) == value), value)

    def current_text(self, name: str) -> str:
        """Return the current text of a field in the form, or as saved if it is not in the form."""
        if name not in self.fields:
            return str(getattr(self.task, name))
        value = self[name].value()
        return value if isinstance(value, str) else ""


class WithdrawForm(forms.Form):
    """The reason for a withdrawal."""

    reason = reason_field(help_text=_("One sentence; it appears in the history of the task."))

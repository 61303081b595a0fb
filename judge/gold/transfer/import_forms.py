"""Forms of imports: the upload, what its columns are, and how it is imported."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.records.files import LABELS
from curation.base.web.forms import reason_field
from curation.joining.people import Qualification, User
from judge.gold.transfer import import_values as values
from judge.gold.transfer.import_fields import (
    KINDS,
    RUBRIC_TABLE,
    by_key,
    fields_of,
    fixed_fields,
    kinds_for,
)
from judge.gold.transfer.import_mapping import ColumnMapping, domains_of, foreign_values, letter
from judge.gold.transfer.import_models import DataImport


def authors() -> "QuerySet[User]":
    """Return the experts whose drafts tasks may become."""
    qualified = Qualification.objects.filter(active=True).values("user")
    return User.objects.filter(pk__in=qualified, is_active=True).order_by("display_name", "pk")


class _AuthorField(forms.ModelChoiceField):
    def label_from_instance(self, person: User) -> str:  # type: ignore[override]
        return f"{person.display_name} ({person.pseudonym})" if person.display_name else str(person)


class UploadForm(forms.Form):
    """What is imported, and the files that hold it."""

    kind = forms.ChoiceField(label=gettext_lazy("What the file holds"), widget=forms.RadioSelect)
    author = _AuthorField(
        queryset=User.objects.none(),
        required=False,
        label=gettext_lazy("Author of the drafts"),
        empty_label=gettext_lazy("Choose an expert"),
        help_text=gettext_lazy("Needed for drafts: the expert whose they become."),
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "CSV, Excel (.xlsx) or JSON lines, recognised by its content. You can drop it here."
        ),
    )
    rubrics = forms.FileField(
        required=False,
        label=gettext_lazy("Table of rubrics"),
        help_text=gettext_lazy(
            "For tasks whose rubrics stand in a table of their own: one row for each line of a "
            "rubric, with the id of its task. A second sheet of the workbook needs no file here."
        ),
    )
    archive = forms.FileField(
        required=False,
        label=gettext_lazy("Files of the tasks"),
        help_text=gettext_lazy(
            "A ZIP. The field “files” of a task names its files by their paths in it."
        ),
    )

    def __init__(self, person: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind: Any = self.fields["kind"]
        kind.choices = kinds_for(person)
        kind.initial = kind.choices[0][0]
        author: Any = self.fields["author"]
        author.queryset = authors()
        for name in ("file", "rubrics", "archive"):
            self.fields[name].widget.attrs["data-drop"] = ""


class EncodingForm(forms.Form):
    """Another encoding of a text file."""

    encoding = forms.ChoiceField(label=gettext_lazy("Encoding"), choices=list(LABELS.items()))
    revision = forms.IntegerField(widget=forms.HiddenInput)


class RevisionForm(forms.Form):
    """The revision that a step was shown with."""

    revision = forms.IntegerField(widget=forms.HiddenInput)


class OptionsForm(RevisionForm):
    """How to import where a check found what an option would settle."""

    new_version = forms.BooleanField(required=False)
    replace_unstorable = forms.BooleanField(required=False)
    held_out_reason = reason_field(gettext_lazy("Why a judge may look at held-out tasks"))

    def chosen(self) -> dict[str, Any]:
        """Return the options that the form was sent with."""
        return {name: self.cleaned_data[name] for name in self.data if name in _OPTIONS}


_OPTIONS = ("new_version", "replace_unstorable", "held_out_reason")


def _value_name(key: str, value: str) -> str:
    digest = hashlib.sha256(value.encode()).hexdigest()[:12]
    return f"v-{key}-{digest}"


class MappingForm(forms.Form):
    """Which column is which field. Its fields depend on the table.

    Args:
        row: the upload.
        mapping: what stands in the form at first; its sheets are those of the form.
    """

    revision = forms.IntegerField(widget=forms.HiddenInput)
    keep_as = forms.CharField(
        required=False,
        max_length=60,
        label=gettext_lazy("Keep this mapping as"),
        help_text=gettext_lazy("A name, to use it for the next file of this form."),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, row: DataImport, mapping: ColumnMapping
    ) -> None:
        super().__init__(data, initial={"revision": row.revision})
        self.row, self.start = row, mapping
        self.domains = domains_of(row.kind)
        self.columns = self._add_columns("c", mapping.main, mapping.columns, fields_of(row.kind))
        self.rubric_columns: list[dict[str, Any]] = []
        if mapping.rubric is not None:
            self.rubric_columns = self._add_columns(
                "r", mapping.rubric, mapping.rubric_columns, RUBRIC_TABLE
            )
        for one in fixed_fields(row.kind):
            self.fields[f"f-{one.key}"] = forms.CharField(
                required=False,
                max_length=200,
                label=one.label,
                help_text=_("Needed, if no column gives it.") if one.needed else "",
                initial=mapping.fixed.get(one.key, ""),
            )
        self.foreign: list[tuple[Any, str, str]] = []  # field, value, name of its choice
        self._add_values(self._mapped() if data is not None else mapping)

    def fixed_names(self) -> dict[str, str]:
        """Return key -> name in this form of the fields with one value for the whole file."""
        return {one.key: f"f-{one.key}" for one in fixed_fields(self.row.kind)}

    def _add_columns(
        self, prefix: str, sheet: int, chosen: Mapping[int, str], fields: Iterable[Any]
    ) -> list[dict[str, Any]]:
        choices = [("", _("leave it out")), *((one.key, one.label) for one in fields)]
        found = []
        for at, column in enumerate(self.row.outline[sheet]["columns"]):
            name, head = f"{prefix}-{sheet}-{at}", column["head"] or "–"
            self.fields[name] = forms.ChoiceField(
                choices=choices,
                required=False,
                initial=chosen.get(at, ""),
                label=_("Column %(letter)s, %(head)s") % {"letter": letter(at), "head": head},
            )
            found.append({**column, "letter": letter(at), "name": name})
        return found

    def _add_values(self, mapping: ColumnMapping) -> None:
        for one in foreign_values(self.row, mapping, self.domains):
            name = _value_name(one.field.key, one.value)
            targets = values.targets(one.field.key, self.domains)
            self.fields[name] = forms.ChoiceField(
                choices=[("", _("as it is")), *targets.items()],
                required=False,
                initial=one.guessed,
                label=f"{one.field.label}: {one.value}",
            )
            self.foreign.append((one.field, one.value, name))

    def _mapped(self) -> ColumnMapping:
        """Return the columns that the form was sent with, without values."""
        sent: Any = self.data
        start = self.start

        def chosen(prefix: str, sheet: int | None) -> dict[int, str]:
            if sheet is None:
                return {}
            count = len(self.row.outline[sheet]["columns"])
            read = {at: sent.get(f"{prefix}-{sheet}-{at}", "") for at in range(count)}
            return {at: key for at, key in read.items() if key}

        return ColumnMapping(
            start.main, start.rubric, chosen("c", start.main), chosen("r", start.rubric),
            values=start.values,
        )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Refuse one field for two columns."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        labels = by_key((*fields_of(self.row.kind), *RUBRIC_TABLE))
        for columns in (self.columns, self.rubric_columns):
            seen: set[str] = set()
            for column in columns:
                key = given.get(column["name"], "")
                if key and key in seen:
                    said = _("Another column is “%(field)s” too.") % {"field": labels[key].label}
                    self.add_error(column["name"], said)
                seen.add(key)
        return given

    def mapping(self) -> ColumnMapping:
        """Return the mapping of a valid form; values that were not asked about are guessed."""
        given = self.cleaned_data
        chosen: dict[str, dict[str, str]] = {key: dict(v) for key, v in self.start.values.items()}
        for one, value, name in self.foreign:
            if name in self.data:
                chosen.setdefault(one.key, {})[value] = given[name]
        mapped = self._mapped()
        prefix = "f-"
        fixed = {
            name.removeprefix(prefix): words.strip()
            for name, words in given.items()
            if name.startswith(prefix) and words and words.strip()
        }
        return ColumnMapping(
            mapped.main, mapped.rubric, mapped.columns, mapped.rubric_columns, fixed, chosen
        )

    def bound(self, names: Iterable[str]) -> list[Any]:
        """Return the fields of these names, ready for a template."""
        return [self[name] for name in names]

    @property
    def column_rows(self) -> list[tuple[dict[str, Any], Any]]:
        return [(column, self[column["name"]]) for column in self.columns]

    @property
    def rubric_rows(self) -> list[tuple[dict[str, Any], Any]]:
        return [(column, self[column["name"]]) for column in self.rubric_columns]

    @property
    def fixed_fields(self) -> list[Any]:
        return [self[name] for name in self.fields if name.startswith("f-")]

    @property
    def value_rows(self) -> list[tuple[Any, str, Any]]:
        return [(one, value, self[name]) for one, value, name in self.foreign]


class SheetsForm(forms.Form):
    """Which sheets of a workbook hold what; sent by GET."""

    main = forms.TypedChoiceField(label=gettext_lazy("Rows of the import"), coerce=int)
    rubric = forms.TypedChoiceField(
        label=gettext_lazy("Lines of the rubrics"), coerce=int, required=False, empty_value="-1"
    )

    def __init__(self, row: DataImport, mapping: ColumnMapping, data: Any = None) -> None:
        super().__init__(data, initial={"main": mapping.main, "rubric": mapping.rubric})
        sheets = [(n, sheet["name"]) for n, sheet in enumerate(row.outline)]
        main: Any = self.fields["main"]
        main.choices = sheets
        if KINDS[row.kind].tasks:
            rubric: Any = self.fields["rubric"]
            rubric.choices = [("", _("no such sheet")), *sheets]
        else:
            del self.fields["rubric"]

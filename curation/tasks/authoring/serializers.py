"""Serializers that read the API's input, and the schemas of its answers."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.tasks.task.demands import FIELDS as DEMAND_FIELDS
from curation.tasks.task.fields import FIELDS, LANGUAGE_CODE, Field, Kind
from curation.tasks.task.models import AnswerForm, Origin


class Strict(serializers.Serializer):
    """Refuses fields it does not know, naming each, next to every other problem."""

    def to_internal_value(self, data: Any) -> Any:
        problems: dict[str, Any] = {}
        values: Any = {}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as refusal:
            problems = dict(refusal.detail)  # type: ignore[arg-type]
        if isinstance(data, Mapping):
            for name in sorted(set(map(str, data)) - set(self.fields)):
                shown = name.encode("utf-8", "replace").decode()[:60]
                problems[shown] = [self.unknown(shown)]
        if problems:
            raise serializers.ValidationError(problems)
        return values

    def unknown(self, name: str) -> str:
        """Return the message for an unknown field."""
        return _("This field is not known here.")


class Text(serializers.CharField):
    """A text as people type it: kept as it is, refused where it cannot be stored."""

    def __init__(self, limit: int = storable.MAX_TEXT, **options: Any) -> None:
        super().__init__(
            required=False, allow_blank=True, trim_whitespace=False, max_length=limit, **options
        )

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):  # REST framework would convert a number
            raise serializers.ValidationError(_("This must be text."))
        return super().to_internal_value(data)


class WholeNumber(serializers.IntegerField):
    """A number, not a text that looks like one."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            raise serializers.ValidationError(_("This must be a whole number."))
        return super().to_internal_value(data)


def input_field(field: Field) -> serializers.Field:
    """Return the serializer field that reads a field; all of them are optional."""
    match field.kind:
        case Kind.LINE | Kind.TEXT | Kind.LINES:
            return Text(field.limit)
        case Kind.NUMBER:
            return WholeNumber(required=False, allow_null=True, min_value=1, max_value=field.limit)
        case Kind.CATEGORY | Kind.WORK_TYPE:
            return serializers.SlugField(
                max_length=60, required=False, allow_null=True, allow_unicode=True
            )
        case Kind.DAY:
            return serializers.DateField(required=False, allow_null=True)
        case Kind.LANGUAGE:
            return serializers.RegexField(rf"^{LANGUAGE_CODE.pattern}$", required=False)
        case Kind.CHOICE:
            choices = field.choices.choices if field.choices else []
            return serializers.ChoiceField(choices, required=False, allow_blank=True)


def output_field(field: Field) -> serializers.Field:
    """Return the serializer field that describes a field in answers."""
    match field.kind:
        case Kind.NUMBER:
            return serializers.IntegerField(allow_null=True)
        case Kind.CATEGORY | Kind.WORK_TYPE:
            return serializers.CharField(allow_null=True)
        case Kind.DAY:
            return serializers.DateField(allow_null=True)
        case Kind.CHOICE:
            choices = field.choices.choices if field.choices else []
            return serializers.ChoiceField(choices, allow_blank=True)
        case _:
            return serializers.CharField()


class DemandInput(Strict):
    """How many of what a task asks for, and of which pool; a form of answers has some of it."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return super().get_fields() | {field.name: input_field(field) for field in DEMAND_FIELDS}


class DraftInput(Strict):
    """A new draft. The domain is its key; everything but the domain can follow later."""

    domain = serializers.SlugField(max_length=60, allow_unicode=True)
    answer_form = serializers.ChoiceField(AnswerForm.choices, required=False)
    demand = DemandInput(required=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        return super().get_fields() | {field.name: input_field(field) for field in FIELDS}


class DraftChange(DraftInput):
    """What of a draft is changed. The domain can change until the first submission."""

    domain = serializers.SlugField(max_length=60, required=False, allow_unicode=True)
    version = WholeNumber(required=False, min_value=1, help_text="Of the text this is based on.")


class ListInput(Strict):
    """What the list may be narrowed by."""

    stage = serializers.ChoiceField(choices=Stage.choices, required=False)
    domain = serializers.SlugField(max_length=60, required=False, allow_unicode=True)
    origin = serializers.ChoiceField(choices=Origin.choices, required=False)
    mine = serializers.BooleanField(required=False)
    limit = serializers.IntegerField(min_value=1, max_value=500, default=100)
    offset = serializers.IntegerField(min_value=0, max_value=10_000_000, default=0)

    def unknown(self, name: str) -> str:
        """Return the message for an unknown parameter; page parameters get a hint at "offset"."""
        known = ", ".join(self.fields)
        if name in ("page", "page_size", "per_page", "cursor"):
            return _("There are no pages here: “limit” (at most 500) and “offset” choose a part.")
        return _("This field is not known here. Known fields: %(known)s.") % {"known": known}


# --- shapes of answers, for the description of the API ------------------------------------------
class TaskItem(serializers.Serializer):
    """A task in a list, without its texts."""

    id = serializers.IntegerField()
    key = serializers.CharField()
    title = serializers.CharField()
    domain = serializers.CharField()
    category = serializers.CharField(allow_null=True)
    language = serializers.CharField()
    origin = serializers.ChoiceField(choices=Origin.choices)
    stage = serializers.ChoiceField(choices=Stage.choices)
    stage_since = serializers.DateTimeField()
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    mine = serializers.BooleanField()


class TaskList(serializers.Serializer):
    """A part of the list and how long the whole is."""

    count = serializers.IntegerField()
    limit = serializers.IntegerField()
    offset = serializers.IntegerField()
    results = TaskItem(many=True)


class Submitted(serializers.Serializer):
    """What a submission did."""

    id = serializers.IntegerField()
    stage = serializers.ChoiceField(choices=Stage.choices)
    slot = serializers.IntegerField(allow_null=True)
    screening_round = serializers.IntegerField()


class Refusal(serializers.Serializer):
    """Every error of the API."""

    code = serializers.CharField()
    detail = serializers.CharField()
    fields_ = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), required=False
    )

    def get_fields(self) -> dict[str, Any]:
        """Rename `fields_` to `fields`, a name that the serializer class itself uses."""
        found = super().get_fields()
        found["fields"] = found.pop("fields_")
        return found

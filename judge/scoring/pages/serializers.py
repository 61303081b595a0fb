"""Serializers of the API of scoring."""

from django.utils.translation import gettext as _
from rest_framework import serializers

from curation.tasks.authoring.serializers import Strict, Text
from judge.scoring.sheets.actions import RATIONALE_LIMIT


class LineInput(Strict):
    """A finished line: the verdict, and its reason where one is needed."""

    met = serializers.BooleanField()
    rationale = Text(RATIONALE_LIMIT)
    version = serializers.IntegerField(required=False, min_value=0)

    def validate_met(self, value: bool) -> bool:
        """Refuse "true", 1 and other values that DRF would convert to a boolean."""
        if not isinstance(self.initial_data.get("met"), bool):
            raise serializers.ValidationError(_("This must be true or false."))
        return value


class LineSaved(serializers.Serializer):
    """A saved line. `version` is sent back with the next change, to notice another tab's."""

    id = serializers.IntegerField()
    met = serializers.BooleanField()
    rationale = serializers.CharField()
    version = serializers.IntegerField()
    saved_at = serializers.DateTimeField()


class SheetItem(serializers.Serializer):
    """A sheet in a list. Which system answered is never part of it."""

    id = serializers.IntegerField()
    task = serializers.CharField()
    response = serializers.CharField(help_text="The letter scorers know it by.")
    state = serializers.CharField()
    due_at = serializers.DateTimeField(allow_null=True)
    scored = serializers.IntegerField()
    lines = serializers.IntegerField()


class SheetList(serializers.Serializer):
    """A person's sheets."""

    results = SheetItem(many=True)


class SheetLineItem(serializers.Serializer):
    """One line to be scored."""

    id = serializers.IntegerField()
    key = serializers.CharField()
    text = serializers.CharField()
    importance = serializers.CharField()
    met = serializers.BooleanField(allow_null=True)
    rationale = serializers.CharField()
    version = serializers.IntegerField()


class SheetFull(serializers.Serializer):
    """A sheet with everything needed to score it."""

    id = serializers.IntegerField()
    task = serializers.DictField()
    response = serializers.CharField()
    text = serializers.CharField()
    state = serializers.CharField()
    due_at = serializers.DateTimeField(allow_null=True)
    remarks = serializers.CharField()
    lines = SheetLineItem(many=True)


class SheetState(serializers.Serializer):
    """What a submission leads to."""

    id = serializers.IntegerField()
    state = serializers.CharField()
    submitted_at = serializers.DateTimeField()

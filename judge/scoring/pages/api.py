"""The API of scoring, with the same actions, blindness and refusals as the pages."""

from dataclasses import asdict

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.tasks.authoring.serializers import Refusal, Strict, Text
from judge.scoring.pages.access import access_line, access_sheet
from judge.scoring.pages.queue import own_sheets
from judge.scoring.pages.sheet_page import sheet_page
from judge.scoring.sheets import actions, rules
from judge.scoring.sheets.actions import RATIONALE_LIMIT
from judge.scoring.sheets.models import Sheet


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


class Sheets(APIView):
    """A person's own sheets."""

    @extend_schema(operation_id="sheets_list", responses={200: SheetList})
    def get(self, request: Request) -> Response:
        """List one's open sheets, the next due first, then the submitted ones."""
        return Response(
            {
                "results": [
                    {
                        "id": row.pk,
                        "task": row.title,
                        "response": row.letter,
                        "state": state,
                        "due_at": row.due_at,
                        "scored": row.scored,
                        "lines": row.lines,
                    }
                    for state in (Sheet.State.OPEN, Sheet.State.SUBMITTED)
                    for row in own_sheets(request.user, state)
                ]
            }
        )


class SheetDetail(APIView):
    """One sheet with its response and lines."""

    @extend_schema(operation_id="sheets_read", responses={200: SheetFull, 404: Refusal})
    def get(self, request: Request, pk: int) -> Response:
        """Read everything needed to score a response, and nothing about who wrote it."""
        page = sheet_page(access_sheet(request.user, pk))
        task = asdict(page.task)
        task.pop("pk")
        return Response(
            {
                "id": page.pk,
                "task": task,
                "response": page.letter,
                "text": page.response,
                "state": Sheet.State.OPEN if page.open else Sheet.State.SUBMITTED,
                "due_at": page.due_at,
                "remarks": page.remarks,
                "lines": [
                    {
                        "id": line.pk,
                        "key": line.key,
                        "text": line.text,
                        "importance": line.importance,
                        "met": line.met,
                        "rationale": line.rationale,
                        "version": line.version,
                    }
                    for line in page.lines
                ],
            }
        )


class SheetLines(APIView):
    """One line of a sheet."""

    @extend_schema(
        operation_id="sheets_score_line",
        request=LineInput,
        responses={200: LineSaved, 400: Refusal, 404: Refusal, 409: Refusal},
    )
    def put(self, request: Request, pk: int, criterion: str) -> Response:
        """Score a line, named by its id or by its key. Doing it again replaces the verdict."""
        sheet = access_sheet(request.user, pk)
        line = access_line(sheet, criterion)
        sent = LineInput(data=request.data)
        sent.is_valid(raise_exception=True)
        values = sent.validated_data
        kept = actions.score_line(
            actor=request.user,
            sheet=sheet,
            criterion=line,
            met=values["met"],
            rationale=values.get("rationale", ""),
            version=values.get("version"),
        )
        return Response(
            {
                "id": line,
                "met": kept.met,
                "rationale": kept.rationale,
                "version": rules.stamp(kept.at),
                "saved_at": kept.at,
            }
        )


class SheetSubmit(APIView):
    """Submitting a sheet."""

    @extend_schema(
        operation_id="sheets_submit",
        request=None,
        responses={200: SheetState, 400: Refusal, 404: Refusal, 409: Refusal},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Submit a complete sheet; `lines` of a refusal names what is not finished."""
        sheet = actions.submit_sheet(actor=request.user, sheet=access_sheet(request.user, pk))
        return Response({"id": sheet.pk, "state": sheet.state, "submitted_at": sheet.submitted_at})

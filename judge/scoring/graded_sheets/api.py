"""The API of graded sheets, with the same actions, blindness and refusals as the pages."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.tasks.authoring.serializers import Refusal, Strict, Text
from judge.methods.graded.scale import HIGHEST, LOWEST
from judge.scoring.graded_sheets import actions
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.graded_sheets.queries import (
    access_graded_sheet,
    graded_sheet_page,
    own_graded_sheets,
)
from judge.scoring.sheets.actions import RATIONALE_LIMIT


class GradeInput(Strict):
    """A grade with its reasons. `version` is that of the last reading."""

    grade = serializers.IntegerField(min_value=LOWEST, max_value=HIGHEST, allow_null=True)
    analysis = Text(RATIONALE_LIMIT)
    version = serializers.IntegerField(required=False, min_value=0)


class GradedSheetItem(serializers.Serializer):
    """A graded sheet in a list. Which system answered is never part of it."""

    id = serializers.IntegerField()
    task = serializers.CharField()
    response = serializers.CharField(help_text="The letter scorers know it by.")
    state = serializers.CharField()
    due_at = serializers.DateTimeField(allow_null=True)
    grade = serializers.IntegerField(allow_null=True)


class GradedSheetList(serializers.Serializer):
    """A person's graded sheets."""

    results = GradedSheetItem(many=True)


class GradedSheetFull(serializers.Serializer):
    """A graded sheet with everything needed to grade."""

    id = serializers.IntegerField()
    task = serializers.DictField()
    response = serializers.CharField()
    text = serializers.CharField()
    state = serializers.CharField()
    due_at = serializers.DateTimeField(allow_null=True)
    grade = serializers.IntegerField(allow_null=True)
    analysis = serializers.CharField()
    version = serializers.IntegerField()


class GradedSheets(APIView):
    """A person's own graded sheets."""

    @extend_schema(operation_id="graded_sheets_list", responses={200: GradedSheetList})
    def get(self, request: Request) -> Response:
        """List one's open graded sheets, the next due first, then the submitted ones."""
        return Response(
            {
                "results": [
                    {
                        "id": row.pk,
                        "task": row.title,
                        "response": row.letter,
                        "state": state,
                        "due_at": row.due_at,
                        "grade": row.grade,
                    }
                    for state in (GradedSheet.State.OPEN, GradedSheet.State.SUBMITTED)
                    for row in own_graded_sheets(request.user, state)
                ]
            }
        )


class GradedSheetDetail(APIView):
    """One graded sheet with its response."""

    @extend_schema(
        operation_id="graded_sheets_read", responses={200: GradedSheetFull, 404: Refusal}
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read everything needed to grade a response, and nothing about who wrote it."""
        return Response(_full(access_graded_sheet(request.user, pk)))

    @extend_schema(
        operation_id="graded_sheets_save",
        request=GradeInput,
        responses={200: GradedSheetFull, 400: Refusal, 404: Refusal, 409: Refusal},
    )
    def put(self, request: Request, pk: int) -> Response:
        """Save the grade and its reasons, finished or not."""
        sheet = access_graded_sheet(request.user, pk)
        actions.keep_grade(actor=request.user, graded_sheet=sheet, **_given(request))
        return Response(_full(access_graded_sheet(request.user, pk)))


class GradedSheetSubmit(APIView):
    """Submitting a graded sheet."""

    @extend_schema(
        operation_id="graded_sheets_submit",
        request=GradeInput,
        responses={200: GradedSheetFull, 400: Refusal, 404: Refusal, 409: Refusal},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Save and submit; the grade cannot be changed any more."""
        sheet = access_graded_sheet(request.user, pk)
        actions.submit_graded_sheet(actor=request.user, graded_sheet=sheet, **_given(request))
        return Response(_full(access_graded_sheet(request.user, pk)))


def _given(request: Request) -> dict[str, Any]:
    sent = GradeInput(data=request.data)
    sent.is_valid(raise_exception=True)
    values = sent.validated_data
    return {
        "grade": values["grade"],
        "analysis": values.get("analysis", ""),
        "revision": values.get("version"),
    }


def _full(sheet: GradedSheet) -> dict[str, Any]:
    page = graded_sheet_page(sheet)
    task = asdict(page.task)
    task.pop("pk")
    return {
        "id": page.pk,
        "task": task,
        "response": page.letter,
        "text": page.response,
        "state": sheet.state,
        "due_at": page.due_at,
        "grade": page.grade,
        "analysis": page.analysis,
        "version": page.revision,
    }

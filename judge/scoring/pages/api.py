"""The API of scoring, with the same actions, blindness and refusals as the pages."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.tasks.authoring.serializers import Refusal
from judge.scoring.pages.access import access_line, access_sheet
from judge.scoring.pages.queue import own_sheets
from judge.scoring.pages.serializers import LineInput, LineSaved, SheetFull, SheetList, SheetState
from judge.scoring.pages.sheet_page import sheet_page
from judge.scoring.sheets import actions, rules
from judge.scoring.sheets.models import Sheet


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

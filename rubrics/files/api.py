"""API of one task with its texts and rubric, and of the rubric as a file."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.base.access.permissions import allows
from curation.base.web.json_input import StrictJSONParser
from curation.base.web.refusals import BadInput
from curation.tasks.authoring.api import change_task
from curation.tasks.authoring.serializers import (
    DemandInput,
    DraftChange,
    Refusal,
    Strict,
    TaskItem,
    WholeNumber,
    output_field,
)
from curation.tasks.task.demands import demand_of
from curation.tasks.task.fields import EDITABLE, FIELDS
from curation.tasks.task.models import AnswerForm, Task
from curation.tasks.task.queries import access_task, is_its_author, writes_its_rubric
from rubrics.files import format
from rubrics.files.export import as_file, version_for
from rubrics.files.format import Content, FileLine
from rubrics.files.import_rubric import Plan, import_lines, plan_import, refusal_of
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.versions.models import Criterion, RubricVersion

LINE = ("key", "text", "importance", "weight", "dimension")


class Line(serializers.Serializer):
    """One line of a rubric."""

    id = serializers.CharField()
    text = serializers.CharField()
    importance = serializers.ChoiceField(choices=Importance.choices)
    weight = serializers.IntegerField()
    dimension = serializers.ChoiceField(choices=Dimension.choices)


class Rubric(serializers.Serializer):
    """A version with its lines, in order."""

    version = serializers.IntegerField()
    origin = serializers.ChoiceField(choices=RubricVersion.Origin.choices)
    frozen = serializers.BooleanField()
    lines = Line(many=True)


class WholeTask(TaskItem):
    """A task with its texts and its rubric; `rubric` is null before there is one."""

    rubric = Rubric(allow_null=True)
    answer_form = serializers.ChoiceField(AnswerForm.choices)

    def get_fields(self) -> dict[str, serializers.Field]:
        found = super().get_fields() | {field.name: output_field(field) for field in FIELDS}
        return found | {"demand": DemandInput(allow_null=True)}


class OneTask(APIView):
    """A task for its author, staff and everybody with a seat on it; its author changes a draft."""

    parser_classes = [StrictJSONParser]

    @extend_schema(
        operation_id="tasks_read",
        responses={200: WholeTask, 404: Refusal},
        parameters=[OpenApiParameter("id", int, OpenApiParameter.PATH)],
    )
    def get(self, request: Request, pk: int) -> Response:
        """The task. Its author is numbered for staff only; others learn whether it is theirs."""
        task = access_task(request.user, pk, "task.view")
        return Response(whole(task, request.user))

    @extend_schema(
        operation_id="tasks_change",
        request=DraftChange,
        responses={200: WholeTask, 400: Refusal, 403: Refusal, 404: Refusal, 409: Refusal},
        parameters=[OpenApiParameter("id", int, OpenApiParameter.PATH)],
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change a draft. 409 with code `domain_fixed` for another domain after a submission."""
        task = change_task(request.user, pk, request.data)
        return Response(whole(task, request.user))


def whole(task: Task, user: Any) -> dict[str, Any]:
    """Return everything a person may read of a task. Two queries."""
    mine = is_its_author(user, task)
    answer: dict[str, Any] = {
        "id": task.pk,
        "key": task.key,
        "domain": task.domain.key,
        "origin": task.origin,
        "stage": task.stage,
        "stage_since": task.stage_since,
        "version": task.version,
        "created_at": task.created_at,
        "updated_at": task.updated_at,
        "mine": mine,
        **{name: getattr(row := getattr(task, name), "key", row) for name in EDITABLE},
        "answer_form": task.answer_form,
        "demand": demand_of(task),
        "rubric": _rubric(task, open_too=writes_its_rubric(user, task) or user.is_staff)
        if allows(user, "rubric.view", task)
        else None,
    }
    if user.is_staff:
        answer["author"] = task.author_id
    return answer


def _rubric(task: Task, *, open_too: bool) -> dict[str, Any] | None:
    """Return the newest readable version with its lines; None if there is none.

    A draft is the rubric only of an external task, which has no author here.

    Args:
        open_too: whether the open version may be read.
    """
    version = _newest(task, open_too=open_too).first()
    if version is None:
        return None
    pk, number, origin, frozen_at = version
    return {
        "version": number,
        "origin": origin,
        "frozen": frozen_at is not None,
        "lines": [
            {"id": key, "text": text, "importance": importance, "weight": weight, "dimension": dim}
            for key, text, importance, weight, dim in Criterion.objects.filter(version=pk)
            .order_by("position", "id")
            .values_list(*LINE)
        ],
    }


def _newest(task: Task, *, open_too: bool) -> QuerySet[RubricVersion, tuple[Any, ...]]:
    versions = RubricVersion.objects.filter(task=task)
    if not open_too:
        versions = versions.filter(frozen_at__isnull=False)
    if not task.external:
        versions = versions.exclude(origin=RubricVersion.Origin.DRAFT)
    return versions.order_by("-number").values_list("pk", "number", "origin", "frozen_at")


class _FileParser(BaseParser):
    """Returns the raw file, limited in size; `rubrics.files.format` reads it."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        return stream.read(format.MOST_BYTES + 1)


class CSVParser(_FileParser):
    media_type = "text/csv"


class JSONLinesParser(_FileParser):
    media_type = "application/x-ndjson"


class ExportInput(Strict):
    """Which version, and in which form."""

    version = serializers.IntegerField(min_value=1, required=False)
    kind = serializers.ChoiceField(choices=sorted(format.KINDS), default="jsonl")


class ImportOptions(Strict):
    """How a file is taken."""

    dry_run = serializers.BooleanField(default=False)
    whole = serializers.BooleanField(default=False)
    revision = serializers.IntegerField(min_value=0, required=False)


class RubricLineInput(serializers.Serializer):
    """A line of a file. Without an id it is a new one."""

    id = serializers.CharField(required=False)
    text = serializers.CharField()
    importance = serializers.ChoiceField(choices=Importance.choices)
    weight = WholeNumber()
    dimension = serializers.ChoiceField(choices=Dimension.choices)


class ImportInput(serializers.Serializer):
    """The lines of a file. CSV and JSON lines are taken too, as `text/csv` and
    `application/x-ndjson`."""

    lines = RubricLineInput(many=True)


class ImportReport(serializers.Serializer):
    """What a file changed, or would change; `revision` is the one it was compared with."""

    revision = serializers.IntegerField()
    dry_run = serializers.BooleanField()
    kept = serializers.IntegerField()
    edited = serializers.ListField(child=serializers.CharField())
    added = serializers.IntegerField()
    removed = serializers.ListField(child=serializers.CharField())
    reordered = serializers.BooleanField()
    lines = serializers.IntegerField()


class RubricFile(APIView):
    """The rubric of a task as a file, and back into the open version."""

    parser_classes = [StrictJSONParser, CSVParser, JSONLinesParser]

    @extend_schema(
        operation_id="rubric_export",
        parameters=[OpenApiParameter("id", int, OpenApiParameter.PATH), ExportInput],
        responses={200: OpenApiTypes.BINARY, 400: Refusal, 404: Refusal},
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """One version as JSON lines (or CSV); without a number the one you would read."""
        wanted = ExportInput(data=request.query_params.dict())
        wanted.is_valid(raise_exception=True)
        task = access_task(request.user, pk, "rubric.view")
        number = wanted.validated_data.get("version")
        version = version_for(request.user, task, str(number) if number else None)
        return as_file(task, version, wanted.validated_data["kind"])

    @extend_schema(
        operation_id="rubric_import",
        request=ImportInput,
        parameters=[OpenApiParameter("id", int, OpenApiParameter.PATH), ImportOptions],
        responses={200: ImportReport, 400: Refusal, 403: Refusal, 404: Refusal, 409: Refusal},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take a file into the open version in one step, all of it or nothing.

        `dry_run` says what it would change. `whole` removes lines that are not in the file and
        takes its order. `revision` refuses with 409 if the rubric changed since the dry run.
        """
        wanted = ImportOptions(data=request.query_params.dict())
        wanted.is_valid(raise_exception=True)
        options = wanted.validated_data
        task = access_task(request.user, pk, "rubric.refine")
        content = _content(request.data)
        if options["dry_run"]:
            plan = plan_import(task=task, content=content, whole=options["whole"])
            if plan.faults:
                raise refusal_of(plan.faults)
        else:
            plan = import_lines(
                actor=request.user,
                task=task,
                content=content,
                whole=options["whole"],
                revision=options.get("revision"),
            )
        return Response(report(plan, dry_run=options["dry_run"]))


def report(plan: Plan, *, dry_run: bool) -> dict[str, Any]:
    """Return what an import did or would do, as plain values."""
    return {
        "revision": plan.revision,
        "dry_run": dry_run,
        "kept": plan.counts.kept,
        "edited": [row.new.key for row in plan.rows if row.kind == "edited"],
        "added": plan.counts.added,
        "removed": [row.old.key for row in plan.rows if row.kind == "removed"],
        "reordered": plan.reordered,
        "lines": plan.lines,
    }


def _content(sent: Any) -> Content:
    """Read the lines of a request: a file, or `{"lines": [...]}`."""
    if isinstance(sent, bytes):
        return format.read(sent)
    lines = sent.get("lines") if isinstance(sent, dict) else None
    if not isinstance(lines, list) or not isinstance(sent, dict) or len(sent) > 1:
        raise BadInput(fields={"lines": [_("Send the lines of the rubric as a list.")]})
    if len(lines) > format.MOST_LINES:
        raise BadInput(
            fields={"lines": [_("At most %(n)s lines at once.") % {"n": format.MOST_LINES}]}
        )
    content = Content()
    for n, line in enumerate(lines, start=1):
        if isinstance(line, dict):
            content.lines.append(FileLine(n, format.from_object(n, line, content.fault)))
        else:
            content.fault(n, "line", _("A line is one JSON object."))
    return content

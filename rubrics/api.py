"""One task with all of its texts and its current rubric, as plain values."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.access import access_task, is_its_author
from curation.models import Task
from curation.models.tasks import TEXT_PARTS
from curation.serializers import Refusal, TaskItem
from rubrics.dimensions import Dimension, Importance
from rubrics.models import Criterion, RubricVersion

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

    minutes = serializers.IntegerField(allow_null=True)
    scenario = serializers.CharField()
    materials = serializers.CharField()
    requirements = serializers.CharField()
    reference_answer = serializers.CharField()
    rubric = Rubric(allow_null=True)


class OneTask(APIView):
    """A task for its author, staff and everybody with a seat on it."""

    @extend_schema(
        operation_id="tasks_read",
        responses={200: WholeTask, 404: Refusal},
        parameters=[OpenApiParameter("id", int, OpenApiParameter.PATH)],
    )
    def get(self, request: Request, pk: int) -> Response:
        """The task. Its author is numbered for staff only; others learn whether it is theirs."""
        task = access_task(request.user, pk, "task.view")
        return Response(whole(task, request.user))


def whole(task: Task, user: Any) -> dict[str, Any]:
    """Everything a person may read of a task. Two queries."""
    mine = is_its_author(user, task)
    answer: dict[str, Any] = {
        "id": task.pk,
        "key": task.key,
        "title": task.title,
        "domain": task.domain.key,
        "category": task.category.key if task.category else None,
        "language": task.language,
        "origin": task.origin,
        "stage": task.stage,
        "stage_since": task.stage_since,
        "version": task.version,
        "created_at": task.created_at,
        "updated_at": task.updated_at,
        "mine": mine,
        "minutes": task.minutes,
        **{part: getattr(task, part) for part in TEXT_PARTS},
        "rubric": _rubric(task, open_too=mine or user.is_staff),
    }
    if user.is_staff:
        answer["author"] = task.author_id
    return answer


def _rubric(task: Task, *, open_too: bool) -> dict[str, Any] | None:
    """The newest version somebody may read: colleagues see closed ones only.

    A machine's draft is the rubric only of an external task, which has no expert here.
    """
    versions: QuerySet[RubricVersion] = RubricVersion.objects.filter(task=task)
    if not open_too:
        versions = versions.filter(frozen_at__isnull=False)
    if not task.external:
        versions = versions.exclude(origin=RubricVersion.Origin.DRAFT)
    version = versions.order_by("-number").values("pk", "number", "origin", "frozen_at").first()
    if version is None:
        return None
    lines = Criterion.objects.filter(version=version["pk"]).order_by("position", "id")
    return {
        "version": version["number"],
        "origin": version["origin"],
        "frozen": version["frozen_at"] is not None,
        "lines": [
            {"id": key, "text": text, "importance": importance, "weight": weight, "dimension": dim}
            for key, text, importance, weight, dim in lines.values_list(*LINE)
        ],
    }

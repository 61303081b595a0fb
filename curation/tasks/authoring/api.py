"""The API of tasks. It calls the same actions as the pages, with the same refusals."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.base.web.json_input import StrictJSONParser
from curation.base.web.refusals import BadInput
from curation.joining.domains.models import Category, Domain
from curation.tasks.authoring.actions import create_task, save_draft, submit_task
from curation.tasks.authoring.queries import visible_to
from curation.tasks.authoring.serializers import (
    DraftChange,
    DraftInput,
    ListInput,
    Refusal,
    Submitted,
    TaskItem,
    TaskList,
)
from curation.tasks.task.answer_form_actions import set_answer_form
from curation.tasks.task.models import ANSWERABLE, Task
from curation.tasks.task.queries import access_task, slot_number
from curation.tasks.work_map.models import WorkType

COLUMNS = (
    "id",
    "key",
    "title",
    "domain__key",
    "category__key",
    "language",
    "origin",
    "stage",
    "stage_since",
    "version",
    "created_at",
    "updated_at",
    "author_id",
)


class Tasks(APIView):
    """The tasks a person may see, and new drafts."""

    parser_classes = [StrictJSONParser]

    @extend_schema(
        operation_id="tasks_list",
        parameters=[ListInput],
        responses={200: TaskList, 400: Refusal},
    )
    def get(self, request: Request) -> Response:
        """List tasks, newest first. Staff see all, experts their own and those with a seat."""
        wanted = ListInput(data=request.query_params.dict())
        wanted.is_valid(raise_exception=True)
        values = wanted.validated_data
        rows = visible_to(request.user)
        if "origin" not in values:  # skills only where they are asked for
            rows = rows.filter(origin__in=ANSWERABLE)
        for name, column in (("stage", "stage"), ("domain", "domain__key"), ("origin", "origin")):
            if name in values:
                rows = rows.filter(**{column: values[name]})
        if "mine" in values:
            mine = rows.filter(author_id=request.user.pk)
            rows = mine if values["mine"] else rows.exclude(author_id=request.user.pk)
        limit, offset = values["limit"], values["offset"]
        # Select the page by keys alone, so that the database reads no rows before the offset.
        page = rows.order_by("-id").values("pk")[offset : offset + limit]
        found = Task.objects.filter(pk__in=page).order_by("-id").values(*COLUMNS)
        results = [item(row, request.user) for row in found]
        return Response(
            {"count": rows.count(), "limit": limit, "offset": offset, "results": results}
        )

    @extend_schema(
        operation_id="tasks_create",
        request=DraftInput,
        responses={201: TaskItem, 400: Refusal, 403: Refusal, 409: Refusal},
    )
    def post(self, request: Request) -> Response:
        """Start a draft in a domain one is qualified in. It takes no slot yet.

        409 with code `draft_limit` while as many drafts are open as one person may have.
        """
        sent = DraftInput(data=request.data)
        sent.is_valid(raise_exception=True)
        fields = dict(sent.validated_data)
        domain = _domain(fields.pop("domain"))
        _look_up(fields, domain)
        fields = {name: value for name, value in fields.items() if value is not None}
        task = create_task(actor=request.user, domain=domain, **fields)
        row = Task.objects.filter(pk=task.pk).values(*COLUMNS).get()
        return Response(item(row, request.user), status=201)


def change_task(user: Any, pk: int, data: Any) -> Task:
    """Change a person's own draft and return it; fields left out stay as they are.

    Args:
        data: the body of the request. Without `version` it changes the latest text; with it, a
            text that was changed since is refused.
    """
    task = access_task(user, pk, "task.write")
    sent = DraftChange(data=data)
    sent.is_valid(raise_exception=True)
    fields = dict(sent.validated_data)
    version = fields.pop("version", task.version)
    if not fields:
        return task
    form = {name: fields.pop(name) for name in ("answer_form", "demand") if name in fields}
    if "domain" in fields:
        fields["domain"] = _domain(fields["domain"])
    _look_up(fields, fields.get("domain", task.domain))
    with transaction.atomic():
        # The text first: it may be what has to go before the form can change.
        if fields:
            task = save_draft(actor=user, task=task, version=version, **fields)
        if form:
            form.setdefault("answer_form", task.answer_form)
            task = set_answer_form(actor=user, task=task, **form)
    return task


def item(row: dict[str, Any], user: Any) -> dict[str, Any]:
    """Return a row as the API shows it. Only staff get the author's id; others get "mine"."""
    author = row.pop("author_id")
    row["domain"] = row.pop("domain__key")
    row["category"] = row.pop("category__key")
    row["mine"] = author == user.pk
    if user.is_staff:
        row["author"] = author
    return row


def _domain(key: str) -> Domain:
    domain = Domain.objects.filter(key=key).first()
    if domain is None:
        raise BadInput(fields={"domain": [_("There is no domain with this key.")]})
    return domain


def _category(domain: Domain, key: str) -> Category:
    category = Category.objects.filter(domain=domain, key=key).first()
    if category is None:
        raise BadInput(fields={"category": [_("The domain has no category with this key.")]})
    return category


def _work_type(domain: Domain, key: str) -> WorkType:
    work_type = WorkType.objects.select_related("category").filter(domain=domain, key=key).first()
    if work_type is None:
        raise BadInput(fields={"work_type": [_("The domain has no work type with this key.")]})
    return work_type


def _look_up(fields: dict[str, Any], domain: Domain) -> None:
    """Replace the keys of category and work type by their rows, an empty key by None."""
    for name, found in (("category", _category), ("work_type", _work_type)):
        if name in fields:
            fields[name] = found(domain, fields[name]) if fields[name] else None


class SubmitTask(APIView):
    """The submission of a draft."""

    parser_classes = [StrictJSONParser]

    @extend_schema(
        operation_id="tasks_submit",
        request=None,
        responses={200: Submitted, 400: Refusal, 403: Refusal, 404: Refusal, 409: Refusal},
        parameters=[OpenApiParameter("id", int, OpenApiParameter.PATH)],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Submit a complete draft. 409 with code `prompt_limit` when all slots are taken."""
        task = access_task(request.user, pk, "task.write")
        submit_task(actor=request.user, task=task)
        return Response(
            {
                "id": task.pk,
                "stage": task.stage,
                "slot": slot_number(task),
                "screening_round": task.screening_round,
            }
        )

"""The API of a task's files: list, add, download, remove. The pages' actions and refusals."""

from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiTypes, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.base.web.refusals import NotFound
from curation.tasks.attachments import views as pages
from curation.tasks.attachments.actions import add_attachment, remove_attachment
from curation.tasks.attachments.content import file_refusal
from curation.tasks.attachments.queries import (
    access_attachment,
    access_holder,
    access_own_attachment,
    access_to_read,
)
from curation.tasks.authoring.serializers import Refusal
from curation.tasks.file_views.model_files import contents_of

KIND = "task"
ID = OpenApiParameter("id", int, OpenApiParameter.PATH)


class FileItem(serializers.Serializer):
    """A file as the API shows it: nothing tells who added it, or when."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text=_("Unique within the task; texts refer to it by name."))
    content_type = serializers.CharField()
    size = serializers.IntegerField(help_text=_("In bytes."))
    sha256 = serializers.CharField()
    characters = serializers.IntegerField(
        allow_null=True, help_text=_("Of its text for models; null until it is read.")
    )
    pictures = serializers.IntegerField(allow_null=True, help_text=_("For models."))
    pages = serializers.IntegerField(allow_null=True)
    unread = serializers.CharField(
        allow_blank=True, help_text=_("Why models cannot read it, a code; empty if they can.")
    )
    cut = serializers.DictField(help_text=_("What was left out -> [kept, all]."))


class Files(serializers.Serializer):
    """The files of a task, in the order they were added."""

    results = FileItem(many=True)


class TaskFiles(APIView):
    """The files of a task."""

    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="task_files_list",
        parameters=[ID],
        responses={200: Files, 404: Refusal},
    )
    def get(self, request: Request, pk: int) -> Response:
        """List the files of a task, with what was read of them for models."""
        thing = access_to_read(request.user, KIND, pk)
        rows = thing.attachments.filter(removed_at__isnull=True).order_by("pk")
        return Response({"results": _items(rows)})

    @extend_schema(
        operation_id="task_files_add",
        parameters=[ID],
        request={
            "multipart/form-data": {
                "type": "object",
                "properties": {"file": {"type": "string", "format": "binary"}},
                "required": ["file"],
            }
        },
        responses={201: FileItem, 400: Refusal, 403: Refusal, 404: Refusal, 409: Refusal},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a file to one's own draft, as `multipart/form-data` in the field `file`.

        The same content under the same name is stored once. 409 once the draft was handed in, or
        with as many files as one task may have.
        """
        _holder, thing = access_holder(request.user, KIND, pk)
        upload = request.FILES.get("file")
        if upload is None:
            raise file_refusal(_("Send one file, as multipart/form-data in the field “file”."))
        row = add_attachment(actor=request.user, thing=thing, upload=upload)
        return Response(_items([row])[0], status=201)


class TaskFile(APIView):
    """One file of a task."""

    @extend_schema(
        operation_id="task_file_download",
        parameters=[ID, OpenApiParameter("file", int, OpenApiParameter.PATH)],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, 404: Refusal},
    )
    def get(self, request: Request, pk: int, file: int) -> HttpResponseBase:
        """Download a file."""
        row = access_attachment(request.user, file)
        if row.task_id != pk:
            raise NotFound()
        return pages.download(row)

    @extend_schema(
        operation_id="task_file_remove",
        parameters=[ID, OpenApiParameter("file", int, OpenApiParameter.PATH)],
        responses={204: None, 403: Refusal, 404: Refusal, 409: Refusal},
    )
    def delete(self, request: Request, pk: int, file: int) -> Response:
        """Remove a file from one's own task, as long as its text can change.

        409 once the task was handed in, or if the file was removed already. The content is kept
        for thirty days.
        """
        row = access_own_attachment(request.user, file)
        if row.task_id != pk:
            raise NotFound()
        remove_attachment(actor=request.user, attachment=row)
        return Response(status=204)


def _items(rows: Any) -> list[dict[str, Any]]:
    contents = contents_of(row.sha256 for row in rows)
    found = []
    for row in rows:
        content = contents.get(row.sha256)
        found.append(
            {
                "id": row.pk,
                "name": row.name,
                "content_type": row.content_type,
                "size": row.size,
                "sha256": row.sha256,
                "characters": content.characters if content else None,
                "pictures": len(content.pictures.all()) if content else None,
                "pages": content.pages if content else None,
                "unread": content.reason if content else "not_read",
                "cut": content.cut if content else {},
            }
        )
    return found

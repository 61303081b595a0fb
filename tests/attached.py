"""Files of tasks as the workbench stores them, read at once, without an upload by a person."""

import base64
import hashlib
from typing import Any

from django.core.files.base import ContentFile

from curation.base.file_contents import reading
from curation.tasks.attachments.content import TYPES
from curation.tasks.attachments.models import Attachment
from curation.tasks.file_views.read_files import read_file
from curation.tasks.task.models import Task
from tests.llm_stub import Recorded


def attach(task: Task, name: str, data: bytes, *, read: bool = True, **fields: Any) -> Attachment:
    """Give a task a file; its kind is its ending."""
    ending = name[name.rindex(".") :]
    row = Attachment(
        task=task,
        uploaded_by=task.author,
        name=name,
        content_type=TYPES[ending],
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        **fields,
    )
    row.file.save(name, ContentFile(data), save=False)
    row.save()
    if read:
        reading.read(data, row.sha256, ending)
    return row


def read_at_once(sender: Any, instance: Attachment, **_: Any) -> None:
    """Read a file that was added, as a worker does that has nothing else to do."""
    read_file(instance)


def pictures_in(request: Recorded) -> list[bytes]:
    """The pictures a request carried, in either vendor's protocol."""
    found = []
    for message in request.body["messages"]:
        content = message["content"]
        for part in content if isinstance(content, list) else []:
            if part["type"] == "image_url":
                head, _comma, coded = part["image_url"]["url"].partition(",")
                assert head.startswith("data:image/")
                assert head.endswith(";base64")
                found.append(base64.b64decode(coded, validate=True))
            elif part["type"] == "image":
                assert part["source"]["type"] == "base64"
                found.append(base64.b64decode(part["source"]["data"], validate=True))
    return found


def words_in(request: Recorded) -> str:
    """All texts of a request."""
    texts = [request.body.get("system", ""), *(m["content"] for m in request.body["messages"])]
    return "\n".join(
        text if isinstance(text, str) else "\n".join(part.get("text", "") for part in text)
        for text in texts
    )

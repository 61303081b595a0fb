"""A member of staff at the pages of imports, and files as spreadsheets write them."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from html import unescape
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from judge.gold.transfer.import_models import DataImport
from judge.jobs.jobs import drain

NEW = "/staff/imports/new/"
# A page without its markup and white space.
_TAG, _SPACE = re.compile(r"<[^>]+>"), re.compile(r"\s+")


def words(answer: HttpResponse) -> str:
    return _SPACE.sub(" ", unescape(_TAG.sub(" ", answer.content.decode())))


def table(*rows: Sequence[Any], separator: str = ",") -> str:
    """A CSV."""
    file = io.StringIO()
    csv.writer(file, delimiter=separator).writerows(rows)
    return file.getvalue()


def workbook(**sheets: Iterable[Sequence[Any]]) -> bytes:
    """An Excel workbook with these sheets."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def lines(*records: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)


class Desk:
    """The pages as one member of staff uses them."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def upload(self, content: str | bytes, *, kind: str = "external", **more: Any) -> Any:
        """Send a file; the answer."""
        raw = content.encode() if isinstance(content, str) else content
        name = more.pop("name", "tasks.csv")
        beside = {
            key: SimpleUploadedFile(f"{key}.bin", value)
            for key, value in more.items()
            if isinstance(value, bytes)
        }
        sent = {"kind": kind, "file": SimpleUploadedFile(name, raw), **more, **beside}
        return self.client.post(NEW, sent)

    def row(self) -> DataImport:
        return DataImport.objects.latest("pk")

    def columns(self, **changed: Any) -> Any:
        """Send the form of the columns as it stands, with changes by the heads of columns."""
        row = self.row()
        at = f"/staff/imports/{row.pk}/columns/"
        form = self.client.get(at).context["form"]
        sent = {name: form[name].value() or "" for name in form.fields}
        for head, field in changed.pop("heads", {}).items():
            name = next(
                c["name"] for c in (*form.columns, *form.rubric_columns) if c["head"] == head
            )
            sent[name] = field
        for value, chosen in changed.pop("values", {}).items():
            sent[next(name for _one, words, name in form.foreign if words == value)] = chosen
        return self.client.post(at, {**sent, **changed})

    def preview(self) -> str:
        """What the page of the newest upload says."""
        answer = self.client.get(f"/staff/imports/{self.row().pk}/")
        assert answer.status_code == 200
        return words(answer)

    def do(self, step: str, **sent: Any) -> Any:
        row = self.row()
        return self.client.post(
            f"/staff/imports/{row.pk}/{step}/", {"revision": row.revision, **sent}
        )

    def start(self) -> DataImport:
        """Press the button and let the worker do it."""
        assert self.do("start").status_code == 302
        drain()
        return self.row()


@pytest.fixture
def desk(sign_in: Callable[..., Client], staff: Any, settings: Any, tmp_path: Any) -> Desk:
    settings.MEDIA_ROOT = tmp_path
    return Desk(sign_in(staff))

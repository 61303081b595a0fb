"""Each row of the table of a task's fields reaches whoever has to do with tasks."""

import csv
import io
import json
import zipfile
from datetime import date
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from curation.tasks.authoring.actions import create_task
from curation.tasks.authoring.forms import TaskForm
from curation.tasks.authoring.serializers import DraftInput
from curation.tasks.task.fields import FIELDS, Field, Kind
from curation.tasks.task.models import Prompt, Task
from curation.tasks.work_map.models import WorkType
from tests.conftest import PASSWORD
from tests.gold.draws.conftest import Programme
from tests.gold.imports.conftest import Desk
from tests.tasks.work_map.conftest import new_work_type

pytestmark = pytest.mark.django_db

each_field = pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
# A value of each kind, as a program sends it.
SENT: dict[Kind, Any] = {
    Kind.LINE: "A line",
    Kind.TEXT: "A long text.",
    Kind.LINES: "One\nTwo",
    Kind.NUMBER: 7,
    Kind.CATEGORY: "collecting",
    Kind.WORK_TYPE: "talent-search",
    Kind.DAY: "2031-05-06",
    Kind.LANGUAGE: "de",
}


def sent(field: Field) -> Any:
    return SENT[field.kind] if field.choices is None else field.choices.values[-1]


def stored(task: Task, field: Field) -> Any:
    value = getattr(task, field.name)
    return value.isoformat() if isinstance(value, date) else getattr(value, "key", value)


@pytest.fixture(autouse=True)
def work_type(staff, finance):
    category = finance.categories.create(key="collecting", name="Collecting")
    return new_work_type(staff, category, "Talent search", feasible=True, evaluable=True)


@pytest.fixture
def desk(sign_in, staff, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return Desk(sign_in(staff))


def line(field: Field) -> dict[str, Any]:
    """A line of a file of tasks that has the field."""
    texts = {f.name: f"The {f.name}." for f in FIELDS if f.kind is Kind.TEXT}
    return {"id": "x-1", "domain": "finance", **texts, field.name: sent(field)}


def test_the_columns_that_tasks_and_trials_share_are_the_rows_of_the_table():
    columns = {column.name for column in Prompt._meta.local_fields}
    assert columns - {"version"} == {field.name for field in FIELDS}


@each_field
def test_the_editor_asks_for_it_and_keeps_it(field, author, finance, sign_in, work_type):
    task = create_task(actor=author, domain=finance)
    client, page = sign_in(author), f"/tasks/{task.pk}/edit/"
    assert f'name="{field.name}"' in client.get(page).content.decode()
    form = TaskForm.of(task)
    typed = {name: form[name].value() or "" for name in form.fields}
    answer = client.post(page, {**typed, field.name: sent(field)})
    assert answer.status_code == 302
    task.refresh_from_db()
    assert stored(task, field) == sent(field)


@each_field
def test_the_api_takes_it_gives_it_and_describes_it(field, author, sign_in):
    client = sign_in(author)
    body = {"domain": "finance", field.name: sent(field)}
    made = client.post("/api/v1/tasks/", body, content_type="application/json")
    assert made.status_code == 201, made.content
    told = client.get(f"/api/v1/tasks/{made.json()['id']}/").json()
    assert told[field.name] == sent(field)
    assert field.name in DraftInput().fields
    schema = client.get("/api/schema/", HTTP_ACCEPT="application/json").json()
    for shape in ("DraftInputRequest", "WholeTask"):
        name = shape if shape in schema["components"]["schemas"] else shape.removesuffix("Request")
        assert field.name in schema["components"]["schemas"][name]["properties"]


@each_field
def test_a_file_brings_it_in_and_an_export_takes_it_out(field, tmp_path):
    file = tmp_path / "in.jsonl"
    file.write_text(json.dumps(line(field)), encoding="utf-8")
    call_command("import_tasks", str(file), "--external", stdout=io.StringIO())
    assert stored(Task.objects.get(key="x-1"), field) == sent(field)
    out = tmp_path / "out.jsonl"
    call_command("export_tasks", str(out), stdout=io.StringIO())
    assert json.loads(out.read_text(encoding="utf-8"))[field.name] == sent(field)


@each_field
def test_a_table_brings_it_in_under_its_label(field, desk):
    record = line(field)
    labels = {f.name: str(f.label) for f in FIELDS}
    rows = io.StringIO()
    csv.writer(rows).writerows([[labels.get(name, name) for name in record], record.values()])
    desk.upload(rows.getvalue())
    desk.columns()
    desk.preview()
    assert desk.start().state == "done"
    assert stored(Task.objects.get(key="x-1"), field) == sent(field)


def fill(task: Task, work_type: WorkType) -> dict[str, Any]:
    """Give a task a value of each field; return them as files have them."""
    values = {field.name: sent(field) for field in FIELDS}
    rows = {"category": work_type.category, "work_type": work_type}
    Task.objects.filter(pk=task.pk).update(**{**values, **rows})
    return values


def test_a_release_holds_them(author, peer, senior, finance, work_type, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "files"
    values = fill(Programme(author, peer, senior).task("finance-1", finance), work_type)
    options = ("--size", "1", "--seed", "1", "--formats", "jsonl,csv", "--out")
    call_command("export_gold", *options, str(tmp_path / "out"), stdout=io.StringIO())
    told = json.loads((tmp_path / "out" / "tasks.jsonl").read_text(encoding="utf-8"))
    assert told | values == told
    (row,) = csv.DictReader((tmp_path / "out" / "tasks.csv").open(encoding="utf-8"))
    assert row | {name: str(value) for name, value in values.items()} == row


def test_an_author_takes_a_copy_of_them(author, finance, work_type):
    task = Task.objects.create(key="t-1", author=author, domain=finance)
    values = fill(task, work_type)
    client = Client()
    client.post("/account/login/", {"login": author.email, "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    answer = client.get("/account/data/copy/")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    (told,) = json.loads(archive.read("data.json"))["tasks"]
    names = {"category": work_type.category.name, "work_type": work_type.name}
    copied = {f.column("name"): names.get(f.name, values[f.name]) for f in FIELDS}
    assert told | copied == told

"""A rubric taken along as a file and brought back."""

import csv
import io
import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from curation.base.text import storable
from curation.base.web import csv_export
from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.files import format
from rubrics.policy.policy import RubricPolicy
from rubrics.versions.models import LineChange
from tests import documents
from tests.rubrics.desk import editor, url
from tests.rubrics.walk import lines_of, open_version

Rows = list[dict[str, Any]]
STORED = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=30)


def export(browser: Client, task: Task, kind: str = "csv", query: str = "") -> str:
    reply = browser.get(f"{url('rubric', task)}export/{kind}/{query}")
    assert reply.status_code == 200
    assert "attachment" in reply["Content-Disposition"]
    return reply.content.decode()


def rows_of(written: str) -> Rows:
    return list(csv.DictReader(io.StringIO(written.removeprefix("\ufeff"), newline="")))


def as_csv(rows: Rows) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, format.FIELDS)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def look(browser: Client, task: Task, raw: bytes, **more: str) -> Any:
    """Send the file to see what it would change."""
    return browser.post(
        url("rubric-import", task), {"file": SimpleUploadedFile("mine.csv", raw), **more}
    )


def confirm(browser: Client, task: Task, seen: Any) -> Any:
    """Press the button of that page."""
    sent = {"lines": seen.context["lines"], "revision": seen.context["plan"].revision}
    if seen.context["whole"]:
        sent["scope"] = "whole"
    return browser.post(url("rubric-import", task), sent)


def state(task: Task) -> list[tuple[Any, ...]]:
    return [
        (x.key, x.text, x.importance, x.weight, x.dimension, x.provenance, x.source_id, x.quote)
        for x in lines_of(task)
    ]


# --- the form of the file ------------------------------------------------------------------------
@pytest.mark.parametrize(
    "hidden", ["", " ", "\u200b", "\u00a0", "\ufeff", "\u2060 \u3000", "\x00", "'\u200b"]
)
@pytest.mark.parametrize("sign", ["=1", "+1", "-1", "@A1", "＝1"])
def test_no_sign_that_nobody_sees_hides_a_formula(hidden: str, sign: str) -> None:
    written = csv_export.cell(hidden + sign)
    assert written.startswith("'")
    assert csv_export.plain(written) == hidden + sign


@given(STORED)
def test_any_text_survives_the_cell_of_a_spreadsheet(text: str) -> None:
    written = csv_export.cell(text)
    assert csv_export.plain(written) == text
    assert not written.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "＝"))


@given(
    st.lists(st.tuples(STORED, st.integers(1, 10)), max_size=8), st.sampled_from(["csv", "jsonl"])
)
def test_what_is_written_is_read_again_exactly(found: list[tuple[str, int]], kind: str) -> None:
    lines = [
        SimpleNamespace(
            key=f"c{n}",
            text=storable.clean(text) or "x",
            importance="essential",
            weight=weight,
            dimension="depth",
        )
        for n, (text, weight) in enumerate(found)
    ]
    content = format.read(format.write(lines, kind).encode())
    assert [line.values for line in content.lines] == [format.as_values(line) for line in lines]
    assert bool(content.faults) is not bool(lines)  # an empty file is the only fault


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"PK\x03\x04rest", "CSV UTF-8"),
        (b"text,importance\x00", "no text in an encoding"),
        (b"x" * 1_000_001, "larger than 1 MB"),
        (b"\n \n", "no line"),
        (b"text,importance,weight,dimension,colour\n", "no such column"),
        (b"text,text,importance,weight,dimension\n", "twice"),
        (b"text,importance\na,essential\n", "no column"),
        (b'text,importance,weight,dimension\n"a,essential,5,depth\n', "quotation marks"),
        (b"text,importance,weight,dimension\na,essential,5,depth,more\n", "more cells"),
        (b'{"text": "a", "text": "b"}', "twice"),
        (b'{"text": "a", "weight": NaN}', "NaN"),
        (b"[1, 2]", "one JSON object"),
        (b'{"author": "x"}', "no such field"),
        (b'{"text": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_of_the_wrong_form_is_refused_in_plain_words(raw: bytes, words: str) -> None:
    assert words in " ".join(fault.sentence for fault in format.read(raw).faults)


def test_other_separators_a_mark_in_front_empty_rows_and_labels_do_no_harm() -> None:
    raw = "\ufeffid;text;importance;weight;dimension;;\n\nc1;a;Essential;7;Domain expertise;;\n"
    line = format.read(raw.encode()).lines[0]
    assert line.number == 3
    assert line.values == {
        "id": "c1",
        "text": "a",
        "importance": "essential",
        "weight": 7,
        "dimension": "domain_expertise",
    }


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_the_encodings_of_spreadsheets_are_read(encoding: str) -> None:
    raw = "text,importance,weight,dimension\n净债按合同口径计算,essential,5,depth\n".encode(
        encoding
    )
    (line,) = format.read(raw).lines
    assert (line.number, line.values["text"]) == (2, "净债按合同口径计算")


def test_the_first_sheet_of_a_workbook_is_read() -> None:
    head = ["id", "text", "importance", "weight", "dimension"]
    raw = documents.workbook(Lines=[head, ["c1", "States it.", "Essential", 7, "depth"]])
    (line,) = format.read(raw).lines
    assert line.values["weight"] == 7
    assert line.values["importance"] == "essential"


# --- taking it along -----------------------------------------------------------------------------
def test_everybody_who_reads_it_takes_along_what_they_may_read_and_no_name(
    browser: Client, task: Task, staff: User, author: User, sign_in: Any
) -> None:
    first = lines_of(task)[0]
    browser.post(url("rubric-line", task, first), editor(first, text="=1+1 is stated"))
    mine = export(browser, task)
    assert rows_of(mine)[0]["text"] == "'=1+1 is stated"
    theirs = sign_in(staff)
    written = export(theirs, task, "jsonl")
    assert "=1+1" not in written  # the open version is the author's alone
    assert len(written.splitlines()) == 15
    open_number = open_version(task).number
    address = f"{url('rubric', task)}export/csv/"
    assert theirs.get(f"{address}?version={open_number}").status_code == 404
    assert theirs.get(f"{address}?version=x").status_code == 404
    assert theirs.get(f"{url('rubric', task)}export/xlsx/").status_code == 404
    for words in (author.email, author.pseudonym, "Model D"):
        assert words not in mine + written


# --- bringing it back ----------------------------------------------------------------------------
def test_an_export_brought_back_unchanged_changes_nothing(browser: Client, task: Task) -> None:
    before, revision = state(task), open_version(task).revision
    for kind in ("csv", "jsonl"):
        seen = look(browser, task, export(browser, task, kind).encode(), scope="whole")
        assert "says the same as your rubric" in seen.content.decode()
        assert confirm(browser, task, seen).status_code == 302
    assert (state(task), open_version(task).revision) == (before, revision)


def test_a_spreadsheet_is_looked_at_then_taken_in_one_step_and_undone_in_one(
    browser: Client, task: Task
) -> None:
    before = state(task)
    rows = rows_of(export(browser, task))
    rows[1]["text"], rows[1]["weight"] = "States the margin in percent.", "9"
    gone = rows.pop(4)
    rows.insert(0, {**rows[0], "id": "", "text": "Names the lender."})
    rows.append(rows.pop(3))
    seen = look(browser, task, as_csv(rows), scope="whole")
    page = seen.content.decode()
    assert seen.status_code == 200
    assert "1 changed, 1 added, 1 removed, 13 as they are" in page
    assert state(task) == before  # nothing yet
    saved = confirm(browser, task, seen)
    assert saved.status_code == 302
    now = lines_of(task)
    assert [line.text for line in now] == [csv_export.plain(row["text"]) for row in rows]
    assert gone["id"] not in {line.key for line in now}
    assert [line.provenance for line in now].count("added") == 1
    step = LineChange.objects.get(version=open_version(task))
    assert step.kind == "imported"
    browser.post(url("rubric", task) + f"changes/{step.pk}/undo/")
    assert state(task) == before
    assert rows_of(export(browser, task))[4] == gone


def test_lines_that_are_not_in_a_file_of_changes_stay_where_they_are(
    browser: Client, task: Task
) -> None:
    before = lines_of(task)
    rows = [rows_of(export(browser, task))[7]]
    rows[0]["weight"] = "1"
    rows.append({**rows[0], "id": "", "text": "Names the lender."})
    confirm(browser, task, look(browser, task, as_csv(rows)))
    now = lines_of(task)
    assert [line.key for line in now[:-1]] == [line.key for line in before]
    assert (now[7].weight, now[7].provenance) == (1, "edited")
    assert now[-1].text == "Names the lender."


def test_a_line_without_an_id_takes_none_that_the_file_gives_to_another(
    browser: Client, task: Task
) -> None:
    row = rows_of(export(browser, task))[0]
    following = f"c{len(lines_of(task)) + 1}"
    rows = [
        {**row, "id": "", "text": "Names the lender."},
        {**row, "id": following, "text": "Names the borrower."},
    ]
    assert confirm(browser, task, look(browser, task, as_csv(rows))).status_code == 302
    added = {line.text: line.key for line in lines_of(task)[-2:]}
    assert added["Names the borrower."] == following
    assert added["Names the lender."] not in ("", following)


def test_a_removed_line_of_the_draft_comes_back_as_that_line(browser: Client, task: Task) -> None:
    kept = export(browser, task)
    second = lines_of(task)[1]
    browser.post(url("rubric-line-remove", task, second))
    confirm(browser, task, look(browser, task, kept.encode(), scope="whole"))
    back = lines_of(task)[1]
    assert (back.key, back.source_id, back.provenance) == (second.key, second.source_id, "draft")


def test_every_fault_is_named_at_once_with_line_and_field_and_nothing_is_taken(
    browser: Client, task: Task
) -> None:
    RubricPolicy.objects.create(domain=task.domain, most=15, beyond="refuse")
    before = state(task)
    rows = rows_of(export(browser, task))
    rows[0].update(weight="11", importance="huge")
    rows[2].update(text=" ", dimension="colour")
    rows[4]["id"] = rows[3]["id"]
    rows[5]["text"] = rows[6]["text"]
    rows.append({**rows[7], "id": "a" * 81, "weight": "1.5", "text": "x" * 2001})
    seen = look(browser, task, as_csv(rows), scope="whole")
    assert seen.status_code == 400
    found = {(fault.line, fault.field) for fault in seen.context["faults"]}
    assert found == {
        (0, "file"),
        (2, "weight"),
        (2, "importance"),
        (4, "text"),
        (4, "dimension"),
        (6, "id"),
        (7, "text"),
        (17, "id"),
        (17, "weight"),
        (17, "text"),
    }
    assert "yours would have 16" in seen.content.decode()
    assert state(task) == before


def test_a_rubric_that_changed_since_it_was_looked_at_is_not_overwritten(
    browser: Client, task: Task
) -> None:
    rows = rows_of(export(browser, task))
    rows[0]["weight"] = "1"
    seen = look(browser, task, as_csv(rows))
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, weight=10))
    late = confirm(browser, task, seen)
    assert late.status_code == 409
    assert "changed since" in late.content.decode()
    assert lines_of(task)[0].weight == 10
    assert confirm(browser, task, late).status_code == 302  # seen again, and wanted
    assert lines_of(task)[0].weight == 1
    assert confirm(browser, task, late).status_code == 409  # pressed twice: taken once


def test_a_rubric_that_is_not_open_takes_no_file(browser: Client, task: Task) -> None:
    browser.post(url("rubric-send", task), {"as_drafted": "1"})
    assert browser.get(url("rubric-import", task)).status_code == 409
    assert look(browser, task, b"text\n").status_code == 409


# --- programs ------------------------------------------------------------------------------------
def test_programs_get_and_send_the_same_file(browser: Client, task: Task) -> None:
    address = f"/api/v1/tasks/{task.pk}/rubric/"
    written = browser.get(address).content.decode()
    lines = [json.loads(line) for line in written.splitlines()]
    lines[0]["weight"] = 1
    body = {"lines": lines[:1]}
    rehearsed = browser.post(f"{address}?dry_run=1", body, content_type="application/json").json()
    assert (rehearsed["edited"], rehearsed["kept"]) == (["c1"], 14)
    assert lines_of(task)[0].weight != 1
    done = browser.post(
        f"{address}?revision={rehearsed['revision']}", body, content_type="application/json"
    )
    assert done.status_code == 200
    assert lines_of(task)[0].weight == 1
    late = browser.post(
        f"{address}?revision={rehearsed['revision']}", body, content_type="application/json"
    )
    assert (late.status_code, late.json()["code"]) == (409, "changed_since")
    sheet = browser.get(f"{address}?kind=csv").content
    whole = browser.post(f"{address}?whole=1", sheet, content_type="text/csv")
    assert whole.json()["kept"] == 15
    bad = browser.post(address, b'{"text": 5}\n7', content_type="application/x-ndjson")
    assert bad.status_code == 400
    assert {"1.text", "1.weight", "2.line"} <= bad.json()["fields"].keys()
    for query in ("?kind=xlsx", "?version=0", "?colour=1"):
        assert browser.get(address + query).status_code == 400
    for wrong in ([], {"lines": "x"}, {"lines": [1]}, {"lines": [], "more": 1}):
        assert browser.post(address, wrong, content_type="application/json").status_code == 400


def test_the_commands_write_a_file_and_take_it_back(task: Task, tmp_path: Any, capsys: Any) -> None:
    path = tmp_path / "rubric.csv"
    call_command("export_rubric", str(task.pk), "--format", "csv", "--out", str(path))
    rows = rows_of(path.read_text(encoding="utf-8"))
    path.write_bytes(as_csv([{**rows[0], "weight": "1"}]))
    call_command("import_rubric", task.key, str(path), "--dry-run")
    assert "1 changed, 0 added" in capsys.readouterr().out
    call_command("import_rubric", task.key, str(path))
    assert lines_of(task)[0].weight == 1
    path.write_bytes(as_csv([{**rows[0], "weight": "99"}]))
    with pytest.raises(CommandError, match=r"rubric.csv:2: weight: (?s:.)*Nothing was changed"):
        call_command("import_rubric", task.key, str(path))
    for wrong in (["export_rubric", "no-such-task"], ["import_rubric", task.key, "/no/file"]):
        with pytest.raises(CommandError):
            call_command(*wrong)

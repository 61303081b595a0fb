"""Tasks come in from tables: previewed by the commands' own code, imported once or not at all."""

import io
import json
import zipfile

import pytest
from django.core.files.storage import default_storage

from curation.base.file_contents.models import FileContent
from curation.joining.notices.models import Notice
from curation.tasks.task.models import Task, TaskEvent
from judge.gold.transfer.import_fields import KINDS
from judge.gold.transfer.import_models import DataImport, KeptMapping
from judge.jobs.jobs import due, read_file, work_on_import
from rubrics.versions.models import Criterion, RubricVersion
from tests.gold.importing.conftest import external, line, own
from tests.gold.imports.conftest import Desk, lines, table, words, workbook

pytestmark = pytest.mark.django_db
HEAD = ("id", "domain", "requirements")


def test_a_table_is_previewed_without_storing_anything_and_then_imported(desk, staff):
    answer = desk.upload(table(HEAD, ("x-1", "puzzles", "Solve it."), ("x-2", "puzzles", "Too.")))
    assert answer["Location"] == f"/staff/imports/{desk.row().pk}/columns/"
    assert desk.columns()["Location"] == f"/staff/imports/{desk.row().pk}/"
    page = desk.preview()
    assert "2 new · 0 already there, unchanged" in page
    assert "Nothing is stored yet" in page
    assert "New domain: Puzzles." in page
    assert "Solve it." in page
    assert not Task.objects.exists()
    row = desk.start()
    assert (row.state, row.counts["added"]) == ("done", 2)
    assert Task.objects.get(key="x-2").stage == "approved"
    event = TaskEvent.objects.get(task__key="x-1")
    assert event.data == {"event": "imported", "file": "tasks.csv"}
    assert event.actor == staff
    notice = Notice.objects.get(recipient=staff, kind="import_done")
    assert (notice.data["file"], notice.data["added"]) == ("tasks.csv", "2")


def test_the_files_of_an_upload_are_gone_after_the_import_and_its_row_stays(desk):
    desk.upload(table(HEAD, ("x-1", "puzzles", "Solve it.")))
    desk.columns()
    stored = desk.row().file.name
    assert default_storage.exists(stored)
    row = desk.start()
    assert not row.file
    assert not default_storage.exists(stored)
    page = words(desk.client.get("/staff/imports/"))
    assert "tasks.csv" in page
    assert "imported" in page
    assert desk.client.get(f"/staff/imports/{row.pk}/columns/").status_code == 409


@pytest.mark.parametrize(
    ("encoding", "separator"),
    [("utf-8-sig", ","), ("utf-16", "\t"), ("utf-16-le", ";"), ("gb18030", ","), ("cp1252", ";")],
)
def test_odd_encodings_and_separators_are_found(desk, encoding, separator):
    text = (
        "Zürich für Gläubiger prüfen." if encoding == "cp1252" else "请核对合同条款，并说明理由。"
    )
    rows = table(HEAD, ("x-1", "puzzles", text), separator=separator)
    assert desk.upload(rows.encode(encoding)).status_code == 302
    desk.columns()
    desk.start()
    assert Task.objects.get().requirements == text


def test_a_wrong_guess_of_the_encoding_can_be_corrected(desk):
    rows = table(HEAD, ("x-1", "puzzles", "Prüfe Gläubiger."))
    desk.upload(rows.encode("cp1252"))
    assert desk.do("encoding", encoding="gb18030")["Location"].endswith("/columns/")
    assert desk.row().encoding == "gb18030"
    desk.do("encoding", encoding="cp1252")
    desk.columns()
    desk.start()
    assert Task.objects.get().requirements == "Prüfe Gläubiger."


def test_a_file_that_is_not_in_the_chosen_encoding_is_refused_in_words(desk):
    desk.upload(table(HEAD, ("x-1", "puzzles", "Prüfe Gläubiger.")).encode("cp1252"))
    answer = desk.do("encoding", encoding="utf-8")
    assert answer.status_code == 400
    assert "cannot be read in this encoding" in words(answer)


def test_heads_in_chinese_and_german_are_known(desk):
    head = ("编号", "领域", "Aufgabenstellung", "参考答案", "标签")
    desk.upload(table(head, ("x-1", "puzzles", "Solve.", "42", "eins; zwei、drei")))
    desk.columns()
    desk.start()
    task = Task.objects.get()
    assert (task.key, task.reference_answer) == ("x-1", "42")
    assert task.labels == ["eins", "zwei", "drei"]


def test_a_wrong_guess_of_a_column_is_corrected_and_an_unneeded_one_is_left_out(desk):
    head = ("id", "domain", "requirements", "title")
    desk.upload(table(head, ("x-1", "puzzles", "Internal note", "Solve it.")))
    desk.columns(heads={"title": "requirements", "requirements": ""})
    desk.start()
    assert Task.objects.get().requirements == "Solve it."


def test_a_needed_field_without_a_column_is_refused_and_may_hold_for_the_whole_file(desk):
    desk.upload(table(("id", "requirements"), ("x-1", "Solve it.")))
    answer = desk.columns()
    assert answer.status_code == 400
    page = words(answer)
    assert "Needed, if no column gives it." in page
    assert "No column gives this. Say above which one does, or write it here." in page
    assert desk.columns(**{"f-domain": "puzzles"}).status_code == 302
    desk.start()
    assert Task.objects.get().domain.key == "puzzles"


def test_one_field_cannot_be_two_columns(desk):
    desk.upload(table(("id", "domain", "requirements", "Prompt 2"), ("x-1", "p", "a", "b")))
    answer = desk.columns(heads={"Prompt 2": "requirements"})
    assert answer.status_code == 400
    assert "Another column is “Output requirements” too." in words(answer)


def test_the_rubric_comes_from_json_in_a_cell(desk):
    rubric = json.dumps([line(1), line(2, importance="Wichtig")])
    desk.upload(table((*HEAD, "rubric"), ("x-1", "puzzles", "Solve.", rubric)))
    desk.columns()
    desk.start()
    assert [c.importance for c in Criterion.objects.order_by("position")] == ["important"] * 2


LONG = ("id", "domain", "requirements", "Criterion ID", "Criterion text", "Importance", "Weight",
        "Dimension")  # fmt: skip


def test_the_rubric_comes_with_one_line_in_each_row(desk):
    desk.upload(
        table(
            LONG,
            ("x-1", "puzzles", "Solve.", "c1", "States one.", "essential", "7", "accuracy"),
            ("", "", "", "c2", "States two.", "optional", "2", "depth"),
            ("x-2", "puzzles", "Too.", "c1", "States three.", "Important", "3", "Accuracy"),
            ("x-1", "", "", "c3", "States four.", "essential", "1", "depth"),
        )
    )
    desk.columns()
    desk.start()
    texts = Criterion.objects.filter(version__task__key="x-1").order_by("position")
    assert [(c.key, c.weight) for c in texts] == [("c1", 7), ("c2", 2), ("c3", 1)]


def test_the_rubric_comes_from_a_second_sheet_of_a_workbook_and_numbers_are_kept(desk):
    tasks = [("Task", "Domain", "Prompt"), (1, "puzzles", "Solve."), (2, "puzzles", "Too.")]
    rubric = [
        ("task", "id", "text", "importance", "weight", "dimension"),
        (1, "c1", "States one.", "Wesentlich", 7, "Richtigkeit"),
        (None, "c2", "States two.", "可选", 2.0, "逻辑连贯"),
        (2, "c1", "States three.", "Important", 3, "accuracy"),
    ]
    desk.upload(workbook(Aufgaben=tasks, Rubrik=rubric), name="tasks.xlsx")
    assert desk.columns(values={"逻辑连贯": "logical_coherence"}).status_code == 302
    assert desk.row().fault_count == 0, desk.row().faults
    desk.start()
    found = Criterion.objects.filter(version__task__key="1").order_by("position")
    assert [(c.importance, c.weight, c.dimension) for c in found] == [
        ("essential", 7, "accuracy"),
        ("optional", 2, "logical_coherence"),
    ]


def test_the_rubric_comes_from_a_table_in_a_file_of_its_own(desk):
    rubric = table(
        ("task", "id", "text", "importance", "weight", "dimension"),
        ("x-1", "c1", "States one.", "essential", "7", "accuracy"),
        ("x-9", "c1", "States nine.", "essential", "7", "accuracy"),
    )
    desk.upload(table(HEAD, ("x-1", "p", "Solve.")), rubrics=rubric.encode())
    desk.columns()
    page = desk.preview()
    assert "rubrics.bin" in page
    assert 'There is no task "x-9" in the table of tasks.' in page
    (fault,) = desk.row().faults
    assert (fault["sheet"], fault["row"], fault["column"]) == ("rubrics.bin", 3, "A")


def test_a_faulty_line_of_a_rubric_is_named_by_its_own_row_and_column(desk):
    desk.upload(
        table(
            LONG,
            ("x-1", "puzzles", "Solve.", "c1", "States one.", "essential", "7", "accuracy"),
            ("", "", "", "c2", "States two.", "vital", "many", "depth"),
        )
    )
    desk.columns()
    faults = desk.row().faults
    assert [(f["row"], f["column"], f["head"]) for f in faults] == [
        (3, "F", "Importance"),
        (3, "G", "Weight"),
    ]
    assert "vital" in faults[0]["sentence"]
    assert desk.do("start").status_code == 409
    assert not Task.objects.exists()


def test_every_fault_is_named_with_row_column_and_field_in_words(desk):
    desk.upload(
        table(
            ("Nr", "Domain", "Prompt", "Minuten"),
            ("x-1", "puzzles", "Solve.", "30"),
            ("x-1", "puzzles", "", "soon"),
        )
    )
    desk.columns()
    faults = [(f["row"], f["column"], f["field"], f["sentence"]) for f in desk.row().faults]
    assert faults == [
        (3, "A", "Id of the task", '"x-1" is already on line 2.'),
        (3, "C", "Output requirements", "This field is missing."),
        (3, "D", "Minutes a professional needs", 'This must be a whole number, not "soon".'),
    ]
    page = desk.preview()
    assert "3 things in the file cannot be used" in page
    assert "Import all of it" not in page


def test_changed_tasks_are_counted_and_shown_with_their_differences(desk):
    desk.upload(lines(external("x-1"), external("x-2")), name="old.jsonl")
    desk.start()
    desk.upload(
        lines(external("x-1"), external("x-2", requirements="Else."), external("x-3")),
        name="new.jsonl",
    )
    page = desk.preview()
    assert "1 new · 1 already there, unchanged · 1 changed" in page
    assert '"Solve x-2." there, "Else." here.' in page
    assert "--" not in desk.row().faults[0]["sentence"]


def test_the_first_rows_are_named_in_the_language_of_whoever_reads_them(desk):
    desk.upload(lines(external("x-1")), name="new.jsonl")
    assert "Output requirements" in desk.preview()
    desk.client.cookies["django_language"] = "zh-hans"
    page = desk.preview()
    assert "输出要求" in page
    assert "Output requirements" not in page


def test_a_changed_rubric_becomes_a_new_version_where_staff_want_it(desk, staff):
    desk.upload(lines(external("x-1", rubric=[line(1)])), name="old.jsonl")
    desk.start()
    desk.upload(lines(external("x-1", rubric=[line(1, weight=9)])), name="new.jsonl")
    page = desk.preview()
    assert "Make new versions of changed rubrics" in page
    assert "It differs from the stored one (changed: c1)." in page
    assert "--new-version" not in page
    assert desk.do("options", new_version="on").status_code == 302
    assert "1 with a new version of its rubric" in desk.preview()
    assert desk.start().counts["revised"] == 1
    assert RubricVersion.objects.count() == 2
    assert TaskEvent.objects.filter(data__event="rubric_imported").get().actor == staff


def test_a_line_with_a_fault_is_counted_neither_as_new_nor_as_changed(desk):
    desk.upload(lines(external("x-1", rubric=[line(1)])), name="old.jsonl")
    desk.start()
    changed = external("x-1", rubric=[line(1, weight=9)])
    desk.upload(
        lines(changed, changed, external("x-2"), external("x-3", domain="§")), name="new.jsonl"
    )
    desk.do("options", new_version="on")
    page = desk.preview()
    assert "2 things in the file cannot be used" in page
    assert "1 new · 0 already there, unchanged · 1 changed" in page


def test_a_question_without_its_answer_is_named_by_its_own_row(desk, author):
    record = {**own(), "answer_form": "profile"}
    first, second = record.pop("rubric")[:2]
    names = ("id", "text", "importance", "weight", "dimension")
    rows = [
        (*record.values(), *(line[name] for name in names))
        for line in (
            {**first, "text": "Where did she study?|Zürich"},
            {**second, "text": "Where does she work?"},
        )
    ]
    desk.upload(
        table((*record, *(f"rubric.{name}" for name in names)), *rows),
        kind="drafts",
        author=author.pk,
    )
    desk.columns()
    assert [(fault["row"], fault["sentence"]) for fault in desk.row().faults] == [
        (3, "A question needs its right answer after “|”.")
    ]


def test_drafts_become_those_of_the_chosen_expert(desk, author):
    answer = desk.upload(lines(own()), kind="drafts", name="own.jsonl")
    assert answer.status_code == 400
    assert "Choose whose drafts the tasks become." in words(answer)
    desk.upload(lines(own()), kind="drafts", name="own.jsonl", author=author.pk)
    assert desk.row().fault_count == 0, desk.row().faults
    desk.start()
    assert (Task.objects.get().author, Task.objects.get().stage) == (author, "draft")


def test_a_domain_in_other_words_is_mapped_for_drafts(desk, author):
    record = own()
    names = [name for name in record if name != "rubric"]
    record["domain"] = "Geldwesen"
    rows = table((*names, "rubric"), (*(record[n] for n in names), json.dumps(record["rubric"])))
    desk.upload(rows, kind="drafts", author=author.pk)
    desk.columns()
    assert desk.row().faults[0]["field"] == "Domain"
    desk.columns(values={"Geldwesen": "finance"})
    desk.start()
    assert Task.objects.get().domain.key == "finance"


def test_values_that_appear_with_a_corrected_column_are_asked_about_before_the_preview(desk):
    head = (*LONG[:5], "Rang", *LONG[6:])
    row = ("x-1", "puzzles", "Solve.", "c1", "States one.", "hoch", "7", "accuracy")
    desk.upload(table(head, row))
    answer = desk.columns(heads={"Rang": "rubric.importance"})
    assert answer["Location"].endswith("/columns/")
    desk.columns(values={"hoch": "essential"})
    desk.start()
    assert Criterion.objects.get().importance == "essential"


def test_a_mapping_is_kept_under_a_name_and_used_for_the_next_file(desk):
    rows = table(("A1", "B1", "C1"), ("x-1", "puzzles", "Solve."))
    desk.upload(rows)
    chosen = {"A1": "id", "B1": "domain", "C1": "requirements"}
    desk.columns(heads=chosen, keep_as="From the lab")
    kept = KeptMapping.objects.get()
    desk.upload(rows.replace("x-1", "x-2"))
    at = f"/staff/imports/{desk.row().pk}/columns/"
    assert "From the lab" in words(desk.client.get(at))
    form = desk.client.get(f"{at}?kept={kept.pk}").context["form"]
    assert [form[f"c-0-{n}"].value() for n in range(3)] == ["id", "domain", "requirements"]
    assert desk.client.post(f"/staff/kept-mappings/{kept.pk}/remove/").status_code == 302
    assert not KeptMapping.objects.exists()


def test_a_mapping_is_replaced_by_the_person_who_keeps_it_and_by_nobody_else(desk, person, sign_in):
    desk.upload(table(("id", "domain", "requirements"), ("x-1", "puzzles", "Solve.")))
    desk.columns(keep_as="From the lab")
    kept = KeptMapping.objects.get()
    other = Desk(sign_in(person("other", is_staff=True)))
    other.upload(table(("Nr", "domain", "requirements"), ("x-2", "puzzles", "Solve.")))
    answer = other.columns(heads={"Nr": "id"}, keep_as="From the lab")
    assert answer.status_code == 409
    assert "keeps a mapping under this name. Choose another name." in words(answer)
    assert KeptMapping.objects.get().heads == kept.heads
    assert other.row().mapping is None
    desk.columns(heads={"Nr": "id"}, keep_as="From the lab")
    assert KeptMapping.objects.get().heads != kept.heads


def test_files_of_tasks_come_in_with_a_zip_beside_the_table(desk):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a/notes.txt", "Notes.")
    desk.upload(
        table(
            (*HEAD, "files"), ("x-1", "p", "Solve.", "a/notes.txt"), ("x-2", "p", "Too.", "b.txt")
        ),
        archive=packed.getvalue(),
    )
    desk.columns()
    (fault,) = desk.row().faults
    assert (fault["row"], fault["column"]) == (3, "D")
    desk.upload(
        table((*HEAD, "files"), ("x-1", "p", "Solve.", "a/notes.txt")), archive=packed.getvalue()
    )
    desk.columns()
    desk.do("start")
    work_on_import(desk.row().pk)
    row = Task.objects.get().attachments.get()
    assert row.name == "notes.txt"
    assert not FileContent.objects.exists(), "an import of many files would take hours"
    assert (read_file, row.pk) in due()
    read_file(row.pk)
    assert FileContent.objects.get().parts[0].text == "Notes."


def test_an_upload_that_is_discarded_leaves_nothing(desk):
    desk.upload(table(HEAD, ("x-1", "p", "Solve.")))
    stored = desk.row().file.name
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.db.transaction.on_commit", lambda do: do())
        assert desk.do("discard").status_code == 302
    assert not DataImport.objects.exists()
    assert not default_storage.exists(stored)


def test_many_faults_are_shown_by_their_kinds_too(desk):
    records = [
        {"id": f"x-{n}", "domain": "law", "requirements": "Write.", "minutes": "soon"}
        for n in range(25)
    ]
    desk.upload(lines(*records))
    assert "25 × minutes: This must be a whole number, not" in desk.preview()


def test_every_kind_of_upload_has_its_row():
    assert set(KINDS) == set(DataImport.Kind.values)

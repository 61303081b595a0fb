"""Responses and scores come in from tables, scores also with one line of a rubric in each row."""

import pytest

from judge.asking.candidates.models import Response
from judge.scoring.sheets.models import Sheet, SheetLine
from tests.gold.importing.conftest import external, line
from tests.gold.imports.conftest import lines, table, words, workbook

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(desk):
    desk.upload(lines(external("x-1", rubric=[line(1), line(2)])), name="tasks.jsonl")
    desk.start()


def responses(desk, *rows, head=("task", "id", "model", "text")):
    desk.upload(table(head, *rows), kind="responses", name="responses.csv")
    desk.columns()


def test_responses_come_in_with_numbers_and_yes_and_no_as_spreadsheets_write_them(desk, task):
    head = ("Aufgabe", "Antwort-ID", "Modell", "Antwort", "Basis", "Dauer", "Kosten")
    rows = table(head, ("x-1", "r-1", "m", "Eins.", "ja", "1,5", "0,25"), separator=";")
    desk.upload(rows, kind="responses")
    desk.columns()
    desk.start()
    one = Response.objects.get()
    assert (one.baseline, one.latency_ms, one.cost_micro) == (True, 1500, 250_000)


def test_a_number_that_could_mean_two_things_is_a_fault(desk, task):
    responses(desk, ("x-1", "r-1", "m", "One.", "1,234"), head=("task", "id", "model", "text",
                                                                "latency"))  # fmt: skip
    (fault,) = desk.row().faults
    assert fault["sentence"] == 'This must be a number, not "1,234".'
    assert (fault["row"], fault["column"], fault["field"]) == (2, "E", "Latency in seconds")


def test_a_changed_response_is_refused_with_its_difference(desk, task):
    responses(desk, ("x-1", "r-1", "m", "One."))
    desk.start()
    responses(desk, ("x-1", "r-1", "m", "Two."), ("x-1", "r-2", "m", "New."))
    page = desk.preview()
    assert "1 new · 0 already there, unchanged · 1 changed" in page
    assert '"One." there, "Two." here' in page


def test_a_text_longer_than_the_usual_limit_of_a_cell_is_kept_whole(desk, task):
    responses(desk, ("x-1", "r-1", "m", "x" * 200_000))
    desk.start()
    assert len(Response.objects.get().text) == 200_000


def test_unstorable_characters_are_replaced_where_staff_want_it(desk, task):
    text = lines({"task": "x-1", "id": "r-1", "model": "m", "text": "a\x00b"})
    desk.upload(text, kind="responses", name="r.jsonl")
    page = desk.preview()
    assert "Put U+FFFD for characters that cannot be stored" in page
    assert "--replace-unstorable" not in page
    desk.do("options", replace_unstorable="on")
    desk.start()
    assert Response.objects.get().text == "a\ufffdb"


SCORES = ("task", "response", "rater", "kind", "criterion", "score", "rationale")


def test_scores_come_in_with_one_line_of_the_rubric_in_each_row(desk, task):
    responses(desk, ("x-1", "r-1", "m", "One."), ("x-1", "r-2", "m", "Two."))
    desk.start()
    rows = [
        SCORES,
        ("x-1", "r-1", "Ada", "expert", "c1", "yes", "Says so."),
        ("x-1", "r-1", "Ada", "expert", "c2", 0, "Does not."),
        ("x-1", "r-2", "Ada", "专家", "c1", True, ""),
        ("x-1", "r-2", "Ada", "专家", "c2", "", ""),
    ]
    desk.upload(workbook(Scores=rows), kind="scores", name="scores.xlsx")
    desk.columns()
    assert "2 new" in desk.preview()
    desk.start()
    met = SheetLine.objects.order_by("sheet__response__key", "criterion__key")
    assert [one.met for one in met] == [True, False, True, None]
    assert met[1].rationale == "Does not."
    assert Sheet.objects.filter(kind="expert", purpose="imported").count() == 2


def test_scores_of_a_csv_are_ones_and_zeros(desk, task):
    responses(desk, ("x-1", "r-1", "m", "One."))
    desk.start()
    rows = [("x-1", "r-1", "Ada", "expert", f"c{n}", str(n % 2), "") for n in (1, 2)]
    desk.upload(table(SCORES, *rows), kind="scores")
    desk.columns()
    assert desk.row().faults == []
    desk.start()
    assert list(SheetLine.objects.order_by("criterion__key").values_list("met", flat=True)) == [
        True, False,
    ]  # fmt: skip


def test_a_faulty_score_is_named_by_its_own_row_and_a_repeated_one_too(desk, task):
    responses(desk, ("x-1", "r-1", "m", "One."))
    desk.start()
    desk.upload(
        table(
            SCORES,
            ("x-1", "r-1", "Ada", "expert", "c1", "1", ""),
            ("x-1", "r-1", "Ada", "expert", "c2", "perhaps", ""),
            ("x-1", "r-1", "Ada", "expert", "c9", "1", ""),
            ("x-1", "r-1", "Ada", "expert", "c1", "0", ""),
            ("x-2", "r-1", "Ada", "expert", "c3", "0", ""),
        ),
        kind="scores",
    )
    desk.columns()
    found = {(f["row"], f["column"]): f["sentence"] for f in desk.row().faults}
    assert (2, "F") not in found
    assert found[3, "F"] == 'A line is scored 1, 0 or null, not "perhaps".'
    assert found[5, "E"] == '"c1" has a score on row 2 already.'
    assert found[6, "A"] == 'Row 2, the first with this id, says "x-1" here.'


def test_one_score_for_a_whole_response_and_a_rater_for_the_whole_file(desk, task):
    responses(desk, ("x-1", "r-1", "m", "One."))
    desk.start()
    desk.upload(table(("task", "response", "score"), ("x-1", "r-1", "0.75")), kind="scores")
    assert desk.columns().status_code == 400
    desk.columns(**{"f-rater": "Ada", "f-kind": "expert"})
    desk.start()
    assert Sheet.objects.get().score == 0.75


def test_a_table_of_rubrics_does_not_go_with_responses(desk):
    answer = desk.upload(table(("task", "id"), ("a", "b")), kind="responses", rubrics=b"a,b\n1,2\n")
    assert answer.status_code == 400
    assert "This goes with tasks only." in words(answer)

"""Every fault of a file is named at once, with line and field, and nothing is stored."""

from pathlib import Path

import pytest

from curation.joining.domains.models import Domain
from curation.tasks.task.models import Task
from tests.gold.importing.conftest import external, line

pytestmark = pytest.mark.django_db
FLAG = "--external"


def test_every_fault_of_the_whole_file_is_named_with_line_and_field(write, refused):
    told = refused(
        "import_tasks",
        write(
            external("x-1"),
            '{"id": "x-2", "domain": "d"',
            external("x-3", colour="red"),
            {"id": 4, "domain": "d"},
            external("x-1"),
            "[1, 2]",
        ),
        FLAG,
    )
    assert told == [
        "file.jsonl:2: line: This is not JSON: Expecting ',' delimiter at character 29.",
        "file.jsonl:3: colour: There is no such field. Available: id, domain, title, category, "
        "work_type, language, minutes, rate_band, change, valid_until, sources, scenario, "
        "materials, requirements, reference_answer, origin, owner, permission, collected_on, "
        "hourly_rate, labels, answer_form, exact, demand, rubric, files.",
        "file.jsonl:4: id: This must be text, not 4.",
        "file.jsonl:4: requirements: This field is missing.",
        'file.jsonl:5: id: "x-1" is already on line 1.',
        "file.jsonl:6: line: Each line is one JSON object, {…}.",
        "6 faults; nothing was stored.",
    ]
    assert not Task.objects.exists()
    assert not Domain.objects.exists()


@pytest.mark.parametrize(
    ("first", "sentence"),
    [
        ("task,id,model,text", "This is a table (CSV). The import reads JSON lines"),
        ('\ufeff"task";"id";"text"', "This is a table (CSV). The import reads JSON lines"),
        ("[", "This is JSON over several lines."),
        ("{", "This is JSON over several lines."),
        ("PK\x03\x04 a workbook", "This is a workbook or an archive."),
    ],
)
def test_another_kind_of_file_is_refused_with_one_sentence_and_not_line_by_line(
    write, refused, first, sentence
):
    told = refused("import_responses", write(first, *["a,b,c,d"] * 50))
    assert told[0].startswith(f"file.jsonl:1: file: {sentence}")
    assert told[1:] == ["1 fault; nothing was stored."]


@pytest.mark.parametrize(
    ("weight", "said"),
    [(0, "0"), (-3, "-3"), (1.5, "1.5"), ("3", '"3"'), (True, "true"), (2**40, "1099511627776")],
)
def test_a_weight_is_a_positive_whole_number(write, refused, weight, said):
    told = refused("import_tasks", write(external(rubric=[line(1), line(2, weight=weight)])), FLAG)
    assert told[0] == (
        "file.jsonl:1: rubric[2].weight: The weight must be a whole number of at least 1. "
        f"The file says {said}."
    )


@pytest.mark.parametrize("option", [(), ("--external",), ("--author", "nobody@example.test")])
def test_the_file_is_looked_at_before_what_is_asked_of_the_options(
    write, refused, tmp_path, option
):
    missing = refused("import_tasks", str(tmp_path / "missing.jsonl"), *option)
    assert missing[0] == (
        "missing.jsonl:1: file: The file cannot be read: No such file or directory."
    )
    table = refused("import_tasks", write("id,domain,requirements", "a,b,c"), *option)
    assert table[0].startswith("file.jsonl:1: file: This is a table (CSV).")


@pytest.mark.parametrize(
    ("fields", "where", "sentence"),
    [
        ({"importance": "Essential"}, "importance", "Choose essential, important or optional."),
        ({"importance": ["essential"]}, "importance", "Choose essential"),
        ({"dimension": "speed"}, "dimension", "Choose one of the 16 dimensions."),
        ({"dimension": None}, "dimension", "This field is missing."),
        ({"weight": None}, "weight", "This field is missing."),
        ({"text": " \u200b "}, "text", "Write what the line checks."),
        ({"text": "a\x00b"}, "text", "invisible NUL"),
        ({"text": 7}, "text", "This must be text"),
        ({"id": ""}, "id", "This is empty."),
        ({"id": "c\n1"}, "id", "line breaks"),
        ({"id": "c" * 81}, "id", "the limit is 80"),
        ({"note": "x"}, "note", "There is no such field."),
    ],
)
def test_a_faulty_line_of_a_rubric_is_named_by_its_place(write, refused, fields, where, sentence):
    path = write(external(rubric=[line(1), line(2, **fields)]))
    told = refused("import_tasks", path, FLAG)
    assert told[0].startswith(f"file.jsonl:1: rubric[2].{where}: ")
    assert sentence in told[0]


def test_two_lines_of_a_rubric_cannot_share_an_id(write, refused):
    told = refused("import_tasks", write(external(rubric=[line(1), line(1)])), FLAG)
    assert told[0] == ("file.jsonl:1: rubric[2].id: Line 1 of the rubric has the same id.")


START = '{"id": "a", "domain": "d", "requirements": '


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (START + '"\\ud800"}', "requirements: This text contains half"),
        (START + '"x\\u0000"}', "requirements: This text contains an invisible NUL"),
        (START + "NaN}", "line: NaN is not a number"),
        (
            '{"id": "a", "id": "b", "domain": "d", "requirements": "x"}',
            'line: The name "id" occurs twice.',
        ),
        (START + '"x", "labels": "one"}', "labels: This must be a list"),
        (START + '"x", "labels": ["one", 2]}', "labels[2]: This must be text"),
        (START + '"x", "rubric": {}}', "rubric: This must be a list of lines"),
        (START + '"x", "rubric": ["c1"]}', "rubric[1]: A line is one JSON object"),
        (
            '{"id": "a", "domain": "!!", "requirements": "x"}',
            "domain: A name needs a letter or a digit.",
        ),
        (START + '" "}', "requirements: This text is empty."),
        ('{"id": " a", "domain": "d", "requirements": "x"}', "id: Spaces at the start or end"),
        ("[" * 100_000, "line: The line is nested too deeply."),
        ('{"id": ' + "9" * 5000 + "}", "line: A number in it has too many digits"),
    ],
)
def test_an_unusable_line_is_refused_in_words(write, refused, raw, sentence):
    told = refused("import_tasks", write(raw), FLAG)
    assert told[0].startswith(f"file.jsonl:1: {sentence}")
    assert told[0].isprintable()


def test_half_a_character_in_a_name_hides_no_other_fault(write, refused):
    told = refused(
        "import_tasks", write('{"\\ud800": 1, "x": 2, "id": 5, "requirements": "x"}'), FLAG
    )
    assert [fault.split(": ")[1] for fault in told[:-1]] == ["\\\\ud800", "x", "id", "domain"]
    rubric = '"rubric": [{"\\udc00": 1, "weight": 0}]}'
    told = refused("import_tasks", write(START + '"x", ' + rubric), FLAG)
    assert len(told) == len(["unknown", "id", "text", "importance", "weight", "dimension", "sum"])


def test_names_that_differ_in_nothing_that_can_be_stored_stand_there_twice(write, refused):
    told = refused("import_scores", write('{"scores": {"\\ud800": 1, "\\\\ud800": 0}}'))
    assert told[0].startswith("file.jsonl:1: line: The name ")


@pytest.mark.parametrize(
    ("command", "fields", "fault"),
    [
        ("scores", {"scores": {"c": True}}, "scores.c: A line is scored 1, 0 or null, not true."),
        ("scores", {"scores": {"c": 1.0}}, "scores.c: A line is scored 1, 0 or null, not 1.0."),
        ("scores", {"scores": {"c": "1"}}, 'scores.c: A line is scored 1, 0 or null, not "1".'),
        ("scores", {"rationales": {"c": 1}}, "rationales.c: This must be text."),
        ("scores", {"score": True}, "score: This must be a number, not true."),
        ("scores", {"score": "3"}, 'score: This must be a number, not "3".'),
        (
            "scores",
            {"score": 10**400},
            "score: This number is outside the range that can be stored: 1",
        ),
        (
            "scores",
            {"score": -1.75e308},
            "score: This number is outside the range that can be stored",
        ),
        ("scores", {"kind": ["judge"]}, 'kind: This must be one of expert, judge, not ["judge"].'),
        ("responses", {"baseline": 1}, "baseline: This must be true or false, not 1."),
        ("responses", {"cost_usd": 1e6 + 1}, "cost_usd: This number is outside the range"),
        ("responses", {"text": ["a"]}, 'text: This must be text, not ["a"].'),
        ("responses", {"model": None, "extra": None}, "extra: There is no such field."),
        ("responses", {"model": None, "extra": None}, "model: This field is missing."),
    ],
)
def test_no_value_is_taken_for_one_of_another_kind(write, refused, command, fields, fault):
    told = refused(f"import_{command}", write(fields))
    assert any(said.startswith(f"file.jsonl:1: {fault}") for said in told), told


def test_a_file_in_another_encoding_says_so(tmp_path: Path, refused):
    path = tmp_path / "latin.jsonl"
    path.write_bytes((START + '"Prüfung"}').encode("latin-1"))
    assert "is not UTF-8 text" in refused("import_tasks", str(path), FLAG)[0]
    path.write_bytes('{"id": "a"}'.encode("utf-16"))
    assert "Save it as UTF-8" in refused("import_tasks", str(path), FLAG)[0]


def test_a_missing_an_empty_and_a_wrong_file_are_refused(tmp_path: Path, refused):
    for name in ("nothing.jsonl", ""):
        told = refused("import_tasks", str(tmp_path / name), FLAG)
        assert "The file cannot be read" in told[0]
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n\n")
    assert refused("import_tasks", str(empty), FLAG)[0] == (
        "empty.jsonl:1: file: There is no line in this file."
    )


def test_many_faults_are_told_by_their_kinds_too(write, refused):
    lines = [external(f"x-{n}", minutes="soon") for n in range(25)]
    told = refused("import_tasks", write(*lines, external("x-0")), FLAG)
    assert sum(line.startswith("file.jsonl:") for line in told) == 26  # each of them, as ever
    assert told[26:] == [
        '25 × minutes: This must be a whole number, not "soon". (lines 1, 2, 3, 4, 5, …)',
        '1 × id: "x-0" is already on line 1. (lines 26)',
        "26 faults; nothing was stored.",
    ]

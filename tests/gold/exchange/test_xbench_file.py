"""The encrypted CSV of xbench: its cipher, its columns, and what is refused."""

import base64

import pytest

from curation.base.records.faults import FileRefused
from curation.base.web.refusals import BadInput
from judge.gold.transfer import cipher
from judge.gold.transfer.xbench_file import Question, csv_of, read_questions

KEY = "canary-4711"


def test_the_cipher_is_xor_with_the_repeated_key_in_base64():
    # "AB" ^ "ab" = 0x20 0x20 by hand; the third letter meets the first of the key again.
    assert cipher.encrypt("ABA", "ab") == base64.b64encode(b"\x20\x20\x20").decode()
    assert cipher.decrypt("ICAg", "ab") == "ABA"


@pytest.mark.parametrize(
    "text", ["", "plain", "二〇二五年五月 🙂", "line\nline\ttab", "a" * 100_000]
)
def test_a_text_comes_back_from_the_cipher(text):
    assert cipher.decrypt(cipher.encrypt(text, KEY), KEY) == text


@pytest.mark.parametrize("broken", ["not base64!", "ICAg\u4e8c", "A"])
def test_a_text_that_is_not_of_the_cipher_is_unreadable(broken):
    with pytest.raises(cipher.UnreadableError):
        cipher.decrypt(broken, KEY)


QUESTIONS = [
    Question(2, "q-1", "How many bridges cross the river in the old town?", "7"),
    Question(
        3,
        "q-2",
        "哪一年首次通车？\n请只写年份。",
        "1968",
        steps="1. 查找桥名\n2. 查年份",
        details={"level": 2, "unit": "年"},
    ),
]


def test_a_file_of_ours_reads_back_equal_and_writes_back_the_same_bytes(tmp_path):
    path = tmp_path / "questions.csv"
    path.write_text(csv_of(QUESTIONS, KEY), encoding="utf-8")

    found = read_questions(path, KEY)

    assert found == QUESTIONS
    assert csv_of(found, KEY).encode() == path.read_bytes()
    assert "bridges" not in path.read_text()


def test_a_published_file_needs_no_column_of_ours_and_may_start_with_a_mark(tmp_path):
    path = tmp_path / "published.csv"
    cells = [cipher.encrypt(text, KEY) for text in ("Which year?", "1968")]
    path.write_text(
        f"id,type,prompt,answer,canary\n1,search,{cells[0]},{cells[1]},{KEY}\n", "utf-8-sig"
    )

    [question] = read_questions(path, KEY)

    assert (question.id, question.prompt, question.answer) == ("1", "Which year?", "1968")


@pytest.mark.parametrize("with_canary", [True, False])
def test_a_wrong_key_gives_one_sentence(tmp_path, with_canary):
    path = tmp_path / "questions.csv"
    text = csv_of(QUESTIONS, KEY)
    path.write_text(text if with_canary else text.replace(KEY, ""), encoding="utf-8")

    with pytest.raises(BadInput) as refused:
        read_questions(path, "another key")

    assert str(refused.value.detail) == "This key does not open the file. Nothing was stored."


@pytest.mark.parametrize("key", ["", " padded", "x" * 201, "nul\x00"])
def test_a_key_that_is_none_is_refused(tmp_path, key):
    with pytest.raises(BadInput):
        read_questions(tmp_path / "none.csv", key)


def test_every_fault_of_a_file_is_named_with_its_line_and_field(tmp_path):
    path = tmp_path / "questions.csv"
    good = cipher.encrypt("good", KEY)
    blank, list_ = cipher.encrypt("  ", KEY), cipher.encrypt("[1]", KEY)
    path.write_text(
        "id,prompt,answer,details\n"
        f"a,{good},{good},\n"
        f"a,{good},{good},\n"
        f"b,{good},!!!,\n"
        f",{blank},{good},{list_}\n",
        encoding="utf-8",
    )

    with pytest.raises(FileRefused) as refused:
        read_questions(path, KEY)

    places = [(problem.line, problem.field) for problem in refused.value.problems]
    assert sorted(places) == [(3, "id"), (4, "answer"), (5, "details"), (5, "id"), (5, "prompt")]


@pytest.mark.parametrize(
    ("content", "field"),
    [
        (b"", "file"),
        (b"id,prompt\n1,x\n", "answer"),
        (b"id,prompt,answer\n", "file"),
        (b"\xff\xfe\x00i", "file"),
        (b'id,prompt,answer\n"1,x,y\n', "file"),
    ],
)
def test_a_file_that_is_no_table_of_questions_is_refused(tmp_path, content, field):
    path = tmp_path / "odd.csv"
    path.write_bytes(content)

    with pytest.raises(FileRefused) as refused:
        read_questions(path, KEY)

    assert refused.value.problems[0].field == field


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileRefused):
        read_questions(tmp_path / "none.csv", KEY)

"""Responses that hold what no database takes: refused with the way on, or replaced and counted."""

import pytest

from judge.asking.candidates.models import Response
from tests.gold.importing.conftest import external

pytestmark = pytest.mark.django_db
OPTION = "--replace-unstorable"


@pytest.fixture
def path(write, run) -> str:
    """A NUL and half a pair on line 1, nothing on line 2, a whole pair and a NUL on line 3."""
    run("import_tasks", write(external("x-1"), name="tasks.jsonl"), "--external")
    start = '{"task": "x-1", "model": "m", "id": '
    return write(
        start + '"r-1", "text": "a\\u0000b\\ud800c"}',
        start + '"r-2", "text": "An answer."}',
        start + '"r-3", "text": "\\ud83d\\ude00\\u0000"}',
        name="responses.jsonl",
    )


def test_a_refusal_names_the_lines_and_the_option(path, refused):
    told = refused("import_responses", path)
    assert told == [
        "responses.jsonl:1: text: This text holds 2 characters that cannot be stored: an invisible "
        "NUL, or half of a character pair. Remove it, or import with --replace-unstorable, which "
        "puts U+FFFD in its place.",
        "responses.jsonl:3: text: This text holds 1 character that cannot be stored: an invisible "
        "NUL, or half of a character pair. Remove it, or import with --replace-unstorable, which "
        "puts U+FFFD in its place.",
        "2 faults; nothing was stored.",
    ]
    assert not Response.objects.exists()


def test_with_the_option_they_are_replaced_and_counted_by_line(path, run):
    assert run("import_responses", path, OPTION).splitlines() == [
        "3 responses added.",
        "3 characters that cannot be stored are U+FFFD now: 2 on line 1, 1 on line 3.",
    ]
    texts = dict(Response.objects.values_list("key", "text"))
    assert texts == {"r-1": "a\ufffdb\ufffdc", "r-2": "An answer.", "r-3": "\U0001f600\ufffd"}


def test_the_same_file_again_changes_nothing_with_the_option_and_is_refused_without(
    path, run, refused
):
    run("import_responses", path, OPTION)
    told = run("import_responses", path, OPTION)
    assert told.startswith("3 responses already there, unchanged.")
    assert refused("import_responses", path)[-1] == "2 faults; nothing was stored."


def test_of_very_many_lines_the_first_fifty_are_named(write, run):
    run("import_tasks", write(external("x-1"), name="tasks.jsonl"), "--external")
    lines = [{"task": "x-1", "model": "m", "id": f"r-{n}", "text": "\x00"} for n in range(1, 61)]
    told = run("import_responses", write(*lines), OPTION)
    assert "60 characters that cannot be stored are U+FFFD now: 1 on line 1, " in told
    assert "1 on line 50, more on 10 further lines." in told


@pytest.mark.parametrize("name", ["id", "model", "task"])
def test_names_are_never_replaced(path, write, refused, name):
    line = {"task": "x-1", "model": "m", "id": "r-9", "text": "x"} | {name: "a\x00"}
    told = refused("import_responses", write(line), OPTION)
    assert told[0].startswith(f"file.jsonl:1: {name}: ")
    assert not Response.objects.exists()

"""What a response's list is, in whatever form it comes."""

import json
import time

import pytest

from judge.methods.conditions.extraction import Entry, entries_of, match
from judge.methods.profiles.queries import PoolIndex

A, B = Entry("Ann", "https://v.example/a"), Entry("Ben", "https://v.example/b")
ROWS = [{"name": "Ann", "link": A.link}, {"name": "Ben", "link": B.link}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        f"Here:\n```json\n{json.dumps(ROWS, indent=2)}\n```\nGood luck.",
        f'First draft:\n```\n[{{"name": "X"}}]\n```\nFinal:\n```\n{json.dumps(ROWS)}\n```',
        f"I took\n{json.dumps({'bloggers': ROWS})}",
        json.dumps([{"Blogger Name": "Ann", "Blogger link": A.link}, ROWS[1]]),
        f"1. [Ann]({A.link}): hikes\n2. [Ben]({B.link}).",
    ],
)
def test_names_and_links_are_read(text):
    assert entries_of(text) == [A, B]


def test_links_alone_and_names_alone_are_entries():
    assert entries_of(f"See {A.link}, and {B.link}.") == [Entry("", A.link), Entry("", B.link)]
    assert entries_of("My list\n- Ann: hikes\n2) **Ben** – climbs") == [
        Entry("Ann", ""), Entry("Ben", ""),
    ]  # fmt: skip
    assert entries_of(json.dumps(["Ann", B.link])) == [Entry("Ann", ""), Entry("", B.link)]


@pytest.mark.parametrize("text", ["", "I found nobody.", "[]", "{}", "[[1, 2], null]", "```\n```"])
def test_no_list_is_no_entry(text):
    assert entries_of(text) == []


@pytest.mark.parametrize(
    "text", ["[" * 200_000, "[\n" * 100_000, '{"a":' * 50_000, "- " * 100_000, "```" * 60_001]
)
def test_rubbish_is_read_in_no_time(text):
    before = time.process_time()
    entries_of(text)
    assert time.process_time() - before < 5


def test_a_name_that_two_have_is_ambiguous_and_a_wrong_link_falls_back_to_the_name():
    index = PoolIndex({"v.example/a": 1}, {"ann": (1,), "sam": (2, 3)})
    found = match(
        [A, Entry("Sam", ""), Entry("ANN", ""), Entry("ann", "https://w.example/x"), B], 4, index
    )
    assert [(row.part, row.status, row.profile) for row in found] == [
        ("entry 1", "matched", 1),
        ("entry 2", "ambiguous", None),
        ("entry 3", "duplicate", 1),
        ("entry 4", "duplicate", 1),
    ]

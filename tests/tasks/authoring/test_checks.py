"""Remarks on a draft's text."""

import time

import pytest

from curation.base.text import personal_data
from curation.base.text.storable import MAX_TEXT, addresses
from curation.tasks.authoring import checks


def looks(**changes: str) -> dict[str, list[str]]:
    parts = {
        "title": "A title",
        "scenario": "The board of the bank meets on 3 March.",
        "materials": "Materials.",
        "requirements": "Write at most two pages.",
        "reference_answer": "word " * 300,
        **changes,
    }
    found: dict[str, list[str]] = {}
    for remark in checks.remarks(parts):
        if remark.kind == "look":
            found.setdefault(remark.part, []).append(str(remark.sentence))
    return found


def test_a_good_draft_has_nothing_to_look_at():
    assert looks() == {}


@pytest.mark.parametrize(
    "requirements",
    [
        "At most 600 words.",
        "A two-page memo.",
        "One paragraph, then a table.",
        "No longer than 1,200 characters",
        "三百字以内说明理由。",
        "不超过 800 字。",
        "两页以内的备忘录",
    ],
)
def test_lengths_are_recognised_in_both_languages(requirements):
    assert checks.states_a_length(requirements)


@pytest.mark.parametrize("requirements", ["Discuss the risks.", "In 2026 the bank …", "说明风险。"])
def test_a_missing_length_is_remarked_on(requirements):
    assert not checks.states_a_length(requirements)


def test_vague_words_are_quoted_once_each():
    assert checks.vague_words("An appropriate tone, an appropriate form, and 适当的篇幅 etc.") == [
        "appropriate",
        "etc.",
        "适当",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Write to j.doe@example.test today",
        "Call +49 30 1234567",
        "Call (0221) 123 4567",
        "手机 13912345678",
        "IBAN DE89 3704 0044 0532 0130 00",
        "Card 4111 1111 1111 1111",
    ],
)
def test_what_identifies_a_person_is_found(text):
    assert personal_data.personal_data(text)


@pytest.mark.parametrize(
    "text",
    [
        "Net debt 90,000,000 and EBITDA 30.0",
        "On 30 June 2026 at 14:30",
        "Invoice 2026-000123 over 1,250.00",
        "Section 17(3) KSchG; ISBN 978-3-16-148410-0",
        "DE00 3704 0044 0532 0130 00 is no account",
        "4111 1111 1111 1112 fails its check digit",
        "0.000000000000000",
        "ranges 10-20 and 2,500–3,000",
    ],
)
def test_figures_of_a_case_are_not_taken_for_a_person(text):
    assert personal_data.personal_data(text) == []


def test_a_short_and_a_long_answer_are_remarked_on():
    assert "reference_answer" in looks(reference_answer="Too short.")
    assert "reference_answer" in looks(reference_answer="word " * 3001)
    assert "reference_answer" not in looks(reference_answer="字" * 250)


def test_an_empty_part_is_named():
    assert list(looks(materials=" \n ")) == ["materials"]


@pytest.mark.parametrize("piece", ["x", "1 ", "1", "_", "a@", "一", "1a-", "two ", "(0", "+1"])
def test_the_longest_text_is_read_in_a_moment(piece):
    longest = piece * (MAX_TEXT // len(piece))
    started = time.process_time()
    looks(scenario=longest, materials=longest, requirements=longest)
    assert time.process_time() - started < 2


def test_addresses_next_to_each_other_are_all_found():
    assert addresses("a@b.example, c@d.example+e@f.example. Not@here, nor @there.example") == [
        "a@b.example",
        "c@d.example",
        "+e@f.example",
    ]

"""How the offline rules read: terms, amounts and denials in two languages."""

import pytest

from curation.base.text.language import amounts, is_negated, stem, terms
from judge.asking.providers.rules.passages import passages, sentences


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("1,200", "1200", True),
        ("€18,400", "18,400 euros", True),
        ("€18,400", "$18,400", False),
        ("15%", "0.15", True),
        ("15%", "15", True),
        ("15%", "150", False),
        ("25 bps", "0.25%", True),
        ("3 million", "3,000,000", True),
        ("1.2亿元", "12000万元", True),
        ("2 kg", "2,000 g", True),
        ("2 kg", "2 mm", False),
        ("90 minutes", "1.5 hours", True),
        ("three years", "3年", True),
        ("两周", "14天", True),
        ("6.2%", "6.23%", True),
        ("6.2%", "6.3%", False),
        ("-4", "4", False),
        ("twenty-three years", "23 years", True),
        ("twenty-three years", "3 years", False),
        ("two hundred and fifty euros", "EUR 250", True),
        ("seventeen thousand", "17,000", True),
        ("a hundred days", "100 days", True),
        ("EUR 5", "USD 5", False),
        ("USD 1.2 million", "$1,200,000", True),
        ("EUR5m", "500 万欧元", True),
        ("HK$ 5", "$5", False),
        ("人民币 20 万元", "CNY 200,000", True),
        ("EUR 5", "5", True),
    ],
)
def test_amounts_are_compared_with_their_units(one, other, agree):
    (a,), (b,) = amounts(one), amounts(other)
    assert a.agrees(b) is agree
    assert b.agrees(a) is agree


def test_a_number_in_words_is_quoted_as_it_stands_and_one_alone_counts_nothing():
    (found,) = amounts("States that one tenant stays for twenty-three years.")
    assert (found.text, found.digits) == ("twenty-three years", "23")


def test_the_number_of_a_list_item_is_no_amount():
    assert amounts("1. Rates\n(2) Rents\n3、租金") == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("calculates", "calculated"),
        ("calculation", "calculate"),
        ("risks", "risk"),
        ("policies", "policy"),
        ("stopped", "stopping"),
        ("disclosures", "disclose"),
        ("modifications", "modification"),
        ("payments", "pay"),
    ],
)
def test_forms_of_a_word_are_one_term(one, other):
    assert stem(one) == stem(other)


def test_terms_are_content_words_and_pairs_of_characters():
    assert terms("The rates of the banks") == {"rate", "bank"}
    assert terms("租赁的负债") == {"租赁", "负债"}
    assert terms("") == frozenset()


@pytest.mark.parametrize(
    "text", ["Do not pay.", "They don’t pay.", "Without a loan", "不得付款", "没有预约"]
)
def test_denials_are_seen(text):
    assert is_negated(text)


@pytest.mark.parametrize("text", ["Pay now.", "A notable case", "不仅付款", "非常重要", "未来三年"])
def test_what_only_looks_like_a_denial_is_none(text):
    assert not is_negated(text)


def test_sentences_end_where_a_reader_ends_them():
    text = "See Art. 5 of the act, e.g. the first part. It costs 3.5 million. 他来了。她走了！"
    assert sentences(text) == [
        "See Art. 5 of the act, e.g. the first part.",
        "It costs 3.5 million.",
        "他来了。",
        "她走了！",
    ]


def test_a_table_is_read_cell_by_cell_and_a_heading_lends_its_words():
    found = passages("## Costs\n| Item | 2025 |\n|---|---|\n| Rent | 40 |\n\n- **Heat:** 12\n")
    assert [(p.kind, p.text, p.heading) for p in found] == [
        ("row", "Rent; 40", "Costs"),
        ("item", "Heat: 12", "Costs"),
    ]
    assert found[0].cells == (("Rent", "2025", "40"),)
    assert found[1].quote == "**Heat:** 12"

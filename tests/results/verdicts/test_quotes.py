"""What a reason quotes is looked up in the response."""

import pytest

from judge.results.verdicts.quotes import passages
from tests.growth import too_slow

RESPONSE = (
    "We **recommend** to refuse the loan.\n\nThe margin fell to 14.2 %, from 15.9 %.\n"
    "利润率下降至14.2%。"
)


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("It says “recommend to refuse the loan”.", [("recommend to refuse the loan", 5)]),
        ('It says "THE MARGIN  fell to 14.2 %".', [("THE MARGIN  fell to 14.2 %", 38)]),
        ("It says “… margin fell to 14.2 % …”, fine.", [("margin fell to 14.2 %", 42)]),
        ("It says “we grant the loan”.", [("we grant the loan", None)]),
        ("回答写道“利润率下降”。", [("利润率下降", 78)]),
        ("The term “loan” is used.", []),
        ("It doesn't say so, and it won't.", []),
        ("Nothing is quoted.", []),
        ("It says “no: “we grant the loan” is all.", [("we grant the loan", None)]),
        ("“unclosed, and so no quotation", []),
    ],
)
def test_a_quotation_is_found_whatever_its_spaces_case_and_markup(reason, found):
    assert [(p.text, p.at) for p in passages(reason, RESPONSE)] == found


def test_a_passage_is_listed_once_and_at_most_five_are():
    same = passages("“refuse the loan” and again “refuse the loan”", RESPONSE)
    assert [p.text for p in same] == ["refuse the loan"]
    many = " ".join(f"“passage number {n}”" for n in range(9))
    assert len(passages(many, RESPONSE)) == 5


def test_a_link_to_a_passage_scrolls_to_it_and_no_sign_breaks_the_address():
    passage = passages("“the margin-fell & more”", RESPONSE)[0]
    assert passage.fragment == "#:~:text=the%20margin%2Dfell%20%26%20more"


def test_the_cells_of_a_table_are_found_where_a_reason_joins_them_by_semicolons():
    (found,) = passages("Closest: “Bank loan; (22,100)”.", "| Bank loan | (22,100) |\n")
    assert found.at is not None


@pytest.mark.parametrize("pattern", ["“", "「", "『", '"', "'", " 'a", "“a”", "“passage one”"])
def test_a_reason_in_a_loop_of_one_sign_is_read_in_linear_time(pattern):
    assert not too_slow(lambda text: passages(text, text), pattern)

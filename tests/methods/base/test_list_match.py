"""Lists against a gold list: bands, cutting, invented entries, and what is refused."""

import json
import re

import pytest

from judge.asking.prompts.envelope import UnreadableError
from judge.methods.base.places import ElsewhereError, Places
from judge.methods.list_match.bands import Bands, grade_of, problem_with
from judge.methods.list_match.facts import ListDemand
from judge.methods.list_match.reading import LeftOutError, read_entries
from tests.growth import too_slow
from tests.llm_stub import Behaviour
from tests.methods.base import factory


@pytest.mark.parametrize(
    ("covered", "grade"),
    [
        (0, 1), (49, 1), (50, 2), (84, 2), (85, 3), (94, 3), (95, 4), (99, 4), (100, 5),
    ],
)  # fmt: skip
def test_the_bands_of_the_paper_and_what_lies_between_them(covered, grade):
    """Xbench, table 12: grade 2 at 50 %, 3 at 85 %, 4 at 95 %, 5 at 100 % of the gold list.

    The paper leaves open what lies between two of them and below the first: we give the lower one.
    """
    assert grade_of(covered, 100, 0, 100, Bands()).grade == grade


@pytest.mark.parametrize(
    ("invented", "entries", "grade"), [(0, 10, 5), (1, 10, 4), (1, 9, 3), (3, 10, 3), (4, 10, 2)]
)
def test_invented_entries_limit_the_grade(invented, entries, grade):
    found = grade_of(10, 10, invented, entries, Bands())
    assert (found.by_coverage, found.grade) == (5, grade)


def test_coverage_is_compared_exactly():
    assert grade_of(17, 20, 0, 20, Bands()).grade == 3
    assert grade_of(5, 6, 0, 6, Bands()).grade == 2  # 83.3 %


@pytest.mark.parametrize("numbers", [(3, 2, 0, 5), (-1, 2, 0, 5), (0, 0, 0, 5), (1, 2, 6, 5)])
def test_numbers_that_contradict_each_other_give_no_grade(numbers):
    with pytest.raises(ValueError, match="contradict"):
        grade_of(*numbers, Bands())


@pytest.mark.parametrize(
    ("coverage", "invented", "problem"),
    [
        ((50, 85, 95, 100), ((0, 4), (10, 3)), ""),
        ((20, 50, 80, 100), (), ""),
        ((50, 85, 95), (), "coverage"),
        ((50, 85, 95, 101), (), "coverage"),
        ((50, 85, 85, 100), (), "rising"),
        ((50, 85, 95, 100), ((10, 4), (0, 3)), "invented"),
        ((50, 85, 95, 100), ((0, 5),), "grades"),
        ((50, 85, 95, 100), ((0, 3), (10, 4)), "falling"),
    ],
)
def test_a_table_that_makes_no_sense_is_named(coverage, invented, problem):
    assert problem_with(coverage, invented) == problem


def entry(name, line=None, *, invented=False, **more):
    return {"entry": name, "line": line, "invented": invented, "why": "So.", **more}


def read_names(names, response):
    """The entries that are read from a reply of these names, in their order."""
    rows = [entry(name) for name in names]
    return [one.entry for one in read_entries(json.dumps({"entries": rows}), response, (), [])]


TABLE = "| Rank | Company |\n|---|---|\n| 1 | Acme |\n| 2 | Beta |"
MARKED_TWICE = "- Acme: strong\n- Zeta: ruled out\n\n## Results\n1. Beta\n2. Acme"


@pytest.mark.parametrize(
    ("names", "response", "order"),
    [
        (["Beta", "Acme"], "1. Acme\n2. Beta", ["Acme", "Beta"]),
        (["Beta", "Acme"], "1. Acme 2. Beta", ["Acme", "Beta"]),
        (["Beta", "Acme"], "1、Acme\n2、**Beta**：好", ["Acme", "Beta"]),
        (["Beta", "Acme"], TABLE, ["Acme", "Beta"]),
        (["Beta", "Acme"], "We recommend Acme, Beta and others.", ["Acme", "Beta"]),
        (["Acme", "Beta"], MARKED_TWICE, ["Beta", "Acme"]),
        (["Beta", "Acme"], "Results\nAcme\nBeta", ["Acme", "Beta"]),
        (["Beta", "Acme"], "1. Acme\n   - old\n   - big\n2. Beta", ["Acme", "Beta"]),
        (
            ["Acme", "Beta"],
            "- Acme\n- Beta\n\nSources:\n- x.example\n- y.example",
            ["Acme", "Beta"],
        ),
        (["Corp", "Acme Corp"], "- Acme Corp\n- Corp", ["Acme Corp", "Corp"]),
    ],
)
def test_entries_are_read_in_the_order_of_the_response(names, response, order):
    assert read_names(names, response) == order


@pytest.mark.parametrize(
    ("names", "response", "error"),
    [
        (["Beta"], "1. Acme\n2. Beta", LeftOutError),
        (["Beta"], "1. Acme\nIt is good.\n2. Beta", LeftOutError),
        (["Beta"], TABLE, LeftOutError),
        (["Beta"], "Results\nAcme\nBeta", LeftOutError),
        (["Beta"], MARKED_TWICE, LeftOutError),
        (["1"], "1. Acme\n2. Beta", ElsewhereError),
        (["A"], "1. Acme\n2. Beta", ElsewhereError),
        (["Acme", "Acme Corp"], "- Acme Corp\n- Beta", ElsewhereError),
        (["Acme 2. Beta"], "1. Acme 2. Beta", UnreadableError),
    ],
)
def test_a_part_of_an_item_two_in_one_and_a_list_with_gaps_are_refused(names, response, error):
    with pytest.raises(error):
        read_names(names, response)


@pytest.mark.parametrize("pattern", ["1. ", "- a\n", "|", "a ", "\n", "  - ", "#", "1.\n"])
def test_the_places_of_entries_are_found_in_linear_time(pattern):
    assert not too_slow(lambda text: Places(text, ["a", "Acme Corp", "1"]), pattern)


def reply(*entries):
    return Behaviour("ok", text=json.dumps({"entries": list(entries)}))


RESPONSE = "Results\n- Acme Corp\n- Omega\n- **Gamma**\n- Made-up Ltd\n- Beta Works"


@pytest.mark.django_db
class TestARun:
    @pytest.fixture
    def response(self, list_task):
        return factory.respond(list_task, RESPONSE)

    def demand(self, task, number, staff):
        ListDemand.objects.create(task=task, number=number, what="companies", set_by=staff)

    def test_the_first_entries_count_as_many_as_are_demanded(self, stub, judge, response, staff):
        self.demand(response.task, 3, staff)
        _run, result = judge(method="list_match")
        data = factory.finding(response, "list").data
        assert [row["entry"] for row in data["counted"]] == ["Acme Corp", "Omega", "**Gamma**"]
        assert [row["entry"] for row in data["beyond"]] == ["Made-up Ltd", "Beta Works"]
        assert (data["covered"], data["of"], data["grade"]) == (1, 3, 1)
        assert result["judged"] == 1

    def test_without_a_demand_as_many_count_as_the_gold_list_has(self, stub, judge, response):
        stub.script(
            reply(
                entry("Acme Corp", "g1"),
                entry("Omega"),
                entry("Gamma", "g3"),
                entry("Made-up Ltd", invented=True),
                entry("Beta Works", "g2"),
            )
        )
        judge(method="list_match")
        data = factory.finding(response, "list").data
        assert (len(data["counted"]), data["covered"], data["of"]) == (4, 2, 4)
        assert (data["by_coverage"], data["grade"], data["invented"]) == (2, 2, 1)
        outcomes = dict(
            factory.judgment(response).verdicts.values_list("criterion__key", "outcome")
        )
        assert outcomes == {"g1": "met", "g2": "unmet", "g3": "met", "g4": "unmet"}
        found = factory.judgment(response)
        assert (found.score_numerator, found.score_denominator) == (1, 4)

    @pytest.mark.parametrize(
        ("bad", "reason"),
        [
            (reply(entry("Zeta", "g1")), "not_in_response"),
            (reply(entry("Acme Corp", "g9")), "unreadable"),
            (reply(entry("Acme Corp", "g1", invented=True)), "unreadable"),
            (reply(entry("Acme Corp", "g1"), entry("Acme Corp", "g2")), "unreadable"),
            (reply({"entry": "Acme Corp", "line": "g1", "why": ""}), "unreadable"),
            (reply({"entry": "Acme Corp", "invented": False, "why": ""}), "unreadable"),
            (reply("Acme Corp"), "unreadable"),
            (reply(entry("Acme Corp", "g1"), entry("Omega")), "left_out"),
            (reply(entry("Acme Corp - Omega", "g1")), "not_in_response"),
            (Behaviour("ok", text='{"grade": 5}'), "unreadable"),
            (Behaviour("ok", text='{"verdicts": [{"id": "g1", "met": true}]}'), "unreadable"),
        ],
    )
    def test_a_bad_list_is_asked_again_and_then_failed(self, stub, judge, response, bad, reason):
        stub.script(bad)
        _run, result = judge(method="list_match")
        assert (result["judged"], result["calls"]) == (1, 2)
        other = factory.respond(response.task, f"{RESPONSE}\n- More", "system-2")
        stub.script(bad, bad, bad)
        _run, result = judge(method="list_match")
        assert (result["failed"], result["reasons"]) == (1, {reason: 1})
        assert factory.judgment(other).score_numerator is None
        assert not factory.judgment(other).verdicts.exists()
        assert factory.finding(other, "list").reason == reason

    def test_an_entry_named_twice_counts_once(self, stub, judge, response):
        twice = entry("Acme Corp", "g1"), entry("acme corp", "g1")
        others = map(entry, ("Omega", "Gamma", "Made-up Ltd", "Beta Works"))
        stub.script(reply(*twice, *others))
        run, _result = judge(method="list_match")
        data = factory.finding(response, "list").data
        assert len(data["counted"]) + len(data["beyond"]) == 5
        assert "named twice" in run.calls.get().detail

    def test_no_list_at_all_covers_nothing(self, stub, judge, response):
        stub.script(reply())
        judge(method="list_match")
        assert factory.judgment(response).score_numerator == 0

    def test_another_number_makes_another_judgment(self, stub, judge, response, staff):
        judge(method="list_match")
        self.demand(response.task, 2, staff)
        _run, result = judge(method="list_match")
        assert (result["reused"], result["calls"]) == (0, 1)
        _run, result = judge(method="list_match")
        assert (result["reused"], result["calls"]) == (1, 0)

    def test_the_model_is_told_neither_the_number_nor_the_bands(self, stub, judge, response, staff):
        self.demand(response.task, 37, staff)
        judge(method="list_match")
        asked = str(stub.requests[-1].body)
        assert "companies" in asked
        # As numbers of their own: the code of the fence may hold any digits.
        assert not re.search(r"\b37\b", asked)
        assert not re.search(r"\b85\b", asked)

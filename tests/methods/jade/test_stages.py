"""JADE through the interface of methods: stage after stage, by the rules without a model."""

import pytest

from judge.methods.base.registry import METHODS
from judge.methods.jade.ablations import JadeFlat, JadeReport, JadeSkills
from judge.methods.jade.method import Jade
from tests.methods.jade.walk import NONCE, Pages, Walk, material

RESPONSE = """# Report
Acme Ltd sells cups at $3.50 each ([Acme](https://acme.gov.example/prices)).
The minimum order at Acme is 500 cups, see https://news.example/moq.
Shipping takes 14 days.
Therefore we recommend Acme, as its price of $3.50 is the lowest for 500 cups."""
PAGES = {
    "https://acme.gov.example/prices": ("Prices", "Acme Ltd sells cups at $3.50 each."),
    "https://news.example/moq": ("News", "Acme opened a shop."),
    "https://acme.gov.example/shipping": ("Shipping", "Shipping takes 30 days."),
}


@pytest.fixture(scope="module")
def walk():
    return Walk(Jade(), material(Jade(), search=Pages(PAGES)), RESPONSE)


def test_a_judgment_goes_in_four_stages(walk):
    assert walk.stages == [
        ("report",),
        ("found:c1", "found:c2", "found:c3"),
        ("claim:c1", "claim:c2", "claim:c3"),
        ("item:q1", "item:q2", "item:q3", "item:r1"),
    ]
    assert walk.reasons == {}


def test_each_question_has_its_role_and_all_items_share_one(walk):
    assert [(role, parts) for role, parts, _prompt in walk.asked] == [
        ("generate", ("report",)),
        *[("verify", (f"claim:c{n}",)) for n in (1, 2, 3)],
        ("judge", ("item:q1", "item:q2", "item:q3", "item:r1")),
    ]
    assert set(Jade.further_roles) == {"generate", "verify"}


def test_names_of_parts_fit_where_they_are_stored(walk):
    assert all(len(part) <= 40 for part in walk.material.parts)
    assert walk.material.parts == tuple(walk.findings)


def test_the_same_findings_give_the_same_parts_again(walk):
    here = material(Jade(), search=Pages(PAGES))
    while here is not None:
        last, here = here, Jade().following(here, RESPONSE, walk.findings)
    assert last.parts == walk.material.parts
    question = walk.asked[-1][2]
    again = last.prompt(RESPONSE, only_ids=walk.asked[-1][1], nonce=NONCE)
    assert again.sha256 == question.sha256


def test_claims_are_decided_in_three_ways_with_address_time_and_confidence(walk):
    verdicts = [walk.findings[f"claim:c{n}"] for n in (1, 2, 3)]
    assert [one["verdict"] for one in verdicts] == ["supported", "unverifiable", "refuted"]
    first = walk.findings["found:c1"]["excerpts"][verdicts[0]["excerpts"][0] - 1]
    assert first["address"] == "https://acme.gov.example/prices"
    assert first["fetched_at"] == "2026-03-01T12:00:00+00:00"
    assert verdicts[0]["confidence"] == 100
    assert (verdicts[2]["found_value"], round(verdicts[2]["off_percent"])) == ("30 days", 114)


def test_what_the_cited_page_says_is_apart_from_the_verdict(walk):
    found = [walk.findings[f"claim:c{n}"] for n in (1, 2, 3)]
    assert [one["entailment"] for one in found] == ["supports", "does_not_say", "none_cited"]
    assert [one["laundered"] for one in found] == [False, True, False]


def test_an_answer_that_ages_has_a_day_on_which_it_is_verified_again(walk):
    """90 days after the page was fetched, on 1 March 2026."""
    found = [walk.findings[f"claim:c{n}"]["verify_again"] for n in (1, 2, 3)]
    assert found == ["2026-05-30", None, None]


def test_sources_have_tiers_and_a_quality_that_needs_no_model(walk):
    basis = walk.findings["basis"]
    assert [one["tier"] for one in basis["sources"]] == [1, 2]
    assert basis["quality"] == [11, 12]  # (1 + 3/4 · 1/2) / (1 + 1/2)
    assert basis["tier_list"] == 3


@pytest.mark.parametrize(
    ("method", "stages"),
    [
        (JadeSkills(), [("item:q1", "item:q2", "item:q3")]),
        (JadeFlat(), [("report",), ("item:r1",)]),
        (
            JadeReport(),
            [
                ("report",),
                ("found:c1", "found:c2", "found:c3"),
                ("claim:c1", "claim:c2", "claim:c3"),
                ("item:r1",),
            ],
        ),
    ],
    ids=lambda one: getattr(one, "key", ""),
)
def test_an_ablation_leaves_stages_out(method, stages):
    search = Pages(PAGES)
    found = Walk(method, material(method, search=search), RESPONSE)
    assert found.stages == stages
    assert found.reasons == {}
    assert found.score.complete
    assert bool(search.asked) == method.needs_search
    assert METHODS[method.key].key == method.key


@pytest.mark.parametrize("method", [Jade(), JadeSkills()], ids=lambda one: one.key)
def test_a_task_without_a_checklist_is_skipped(method):
    assert method.why_not(None, None) == "no_checklist"
    assert "no_checklist" in method.skips
    assert method.why_not(None, material(method).own) == ""


@pytest.mark.parametrize("method", [JadeReport(), JadeFlat()], ids=lambda one: one.key)
def test_methods_without_skills_judge_any_task(method):
    assert method.why_not(None, material(method).own) == ""
    assert method.skips == {}

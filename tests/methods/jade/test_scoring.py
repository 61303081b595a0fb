"""The equations of JADE in fractions, the faults its public code has, and what always holds."""

from fractions import Fraction
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.methods.jade.scoring import (
    ANSWERS,
    CANNOT_BE_VERIFIED,
    TAU,
    Item,
    Verification,
    Why,
    density,
    score,
    value_of,
)

HALF = Fraction(1, 2)


def test_equation_6_a_supported_claim_counts_the_confidence():
    assert value_of(Verification.SUPPORTED, Fraction(9, 10)) == Fraction(9, 10)
    assert value_of(Verification.SUPPORTED, 1) == 1


def test_equation_6_a_refuted_claim_counts_nothing_however_unsure_the_verifier_is():
    for confidence in (0, Fraction(1, 10), HALF, 1):
        assert value_of(Verification.REFUTED, confidence) == 0


def test_equation_6_the_three_verdicts_keep_their_order_at_every_confidence():
    sure = [Fraction(n, 10) for n in range(11)]
    refuted = max(value_of(Verification.REFUTED, c) for c in sure)
    unknown = {value_of(Verification.UNVERIFIABLE, c) for c in sure}
    supported = min(value_of(Verification.SUPPORTED, c) for c in sure)
    assert unknown == {CANNOT_BE_VERIFIED}
    assert refuted < CANNOT_BE_VERIFIED <= supported
    assert CANNOT_BE_VERIFIED < TAU, "no conclusion may rest on an unverified claim"


@pytest.mark.parametrize("confidence", [Fraction(-1, 10), Fraction(11, 10), 2])
def test_a_confidence_out_of_range_is_refused(confidence):
    with pytest.raises(ValueError, match="from 0 to 1"):
        value_of(Verification.SUPPORTED, confidence)


def test_equation_7_an_answer_is_no_partly_or_yes():
    found = [score({"c": 1}, [Item("a", 10, answer)]).reason for answer in ANSWERS]
    assert found == [0, HALF, 1]
    with pytest.raises(ValueError, match="other than 0, 1/2 and 1"):
        score({"c": 1}, [Item("a", 10, Fraction(3, 4))])


def test_equation_8_an_item_depends_on_claims_that_exist():
    with pytest.raises(ValueError, match="a depends on an unknown claim: d, e"):
        score({"c": 1}, [Item("a", 5, 1, ("e", "c", "d"))])
    with pytest.raises(ValueError, match="unknown claim: b"):
        score({"c": 1}, [Item("a", 5, 1, ("b",)), Item("b", 5, 1)])  # an item is no claim


def test_equation_9_a_claim_below_the_threshold_closes_the_gate_and_one_at_it_does_not():
    claims = {"at": TAU, "below": TAU - Fraction(1, 1000), "sure": Fraction(1)}
    items = [
        Item("open", 5, 1, ("at", "sure")),
        Item("closed", 5, 1, ("sure", "below")),
        Item("free", 5, HALF),
    ]
    opened, closed, free = score(claims, items).items
    assert (opened.value, opened.gated_by, opened.points) == (1, (), 5)
    assert (closed.value, closed.gated_by, closed.answer) == (0, ("below",), 1)
    assert (free.value, free.points) == (HALF, Fraction(5, 2))


def test_equation_9_the_threshold_can_be_another():
    items = [Item("a", 5, 1, ("c",))]
    assert score({"c": Fraction(6, 10)}, items, tau=Fraction(7, 10)).reason == 0
    assert score({"c": Fraction(6, 10)}, items, tau=Fraction(6, 10)).reason == 1


def test_equation_10_earned_points_over_positive_weights():
    items = [Item("a", 5, 1), Item("b", 10, HALF), Item("c", 10, 0), Item("flaw", -15, HALF)]
    found = score({"claim": 1}, items)
    assert found.reason == Fraction(5 + 5 - Fraction(15, 2), 25) == Fraction(1, 10)
    assert found.alpha == Fraction(15, 25)


def test_equation_10_a_perfect_response_reaches_1_and_each_flaw_takes_its_weight():
    def reason(first, second):
        items = [Item("a", 10, 1), Item("b", 5, 1), Item("x", -15, first), Item("y", -3, second)]
        return score({"claim": 1}, items).reason

    assert reason(0, 0) == 1
    assert reason(1, 0) == 1 - Fraction(15, 15)
    assert reason(0, 1) == 1 - Fraction(3, 15)


def test_equation_10_the_worst_response_reaches_minus_alpha():
    found = score({"claim": 1}, [Item("a", 10, 0), Item("flaw", -15, 1)])
    assert found.reason == -found.alpha == Fraction(-3, 2)
    assert found.reason_clipped == 0


def test_equation_11_the_mean_of_all_claims():
    claims = {"a": Fraction(9, 10), "b": Fraction(0), "c": CANNOT_BE_VERIFIED}
    assert score(claims, [Item("i", 5, 1)]).evidence == Fraction(23, 60)


def test_equation_12_the_product_of_both():
    items = [Item("a", 10, 1), Item("b", 10, HALF)]
    found = score({"c": Fraction(8, 10)}, items)
    assert (found.reason, found.evidence, found.s) == (
        Fraction(3, 4),
        Fraction(4, 5),
        Fraction(3, 5),
    )
    assert found.why == ()


def test_equation_12_reasoning_below_0_gives_0_and_keeps_its_unclipped_value():
    found = score({"c": 1}, [Item("a", 5, 0), Item("flaw", -15, 1)])
    assert (found.s, found.reason) == (0, -3)


def test_equation_17_density_divides_by_the_natural_logarithm_of_the_tokens():
    assert density(HALF, 99) == pytest.approx(0.5 / log(100))
    assert density(Fraction(0), 10) == 0
    assert density(None, 10) is None
    assert density(HALF, 0) is None
    with pytest.raises(ValueError, match="fewer than 0"):
        density(HALF, -1)


@pytest.mark.parametrize(
    ("final", "tokens", "printed"),
    [
        (571, 7590, 0.063), (562, 4772, 0.067), (477, 2907, 0.061), (388, 2244, 0.051),
        (557, 3167, 0.071), (418, 1419, 0.059), (342, 1040, 0.051), (291, 1585, 0.041),
    ],
)  # fmt: skip
def test_equation_17_fits_the_densities_of_table_2_up_to_the_mean_over_responses(
    final, tokens, printed
):
    # The table prints means of ratios; the ratio of the means differs by less than 0.003. With
    # the decimal logarithm it would be 2.3 times as much.
    assert density(Fraction(final, 1000), tokens) == pytest.approx(printed, abs=0.003)


# --- worked cases of appendix H --------------------------------------------------------------
def test_case_a_a_wrong_exchange_rate_gates_the_price_that_rests_on_it():
    found = score(
        {"rate": Fraction(15, 1000)}, [Item("price", 10, 1, ("rate",)), Item("seo", 5, 1)]
    )
    assert found.items[0].gated_by == ("rate",)
    assert found.reason == Fraction(5, 15)
    assert found.evidence == Fraction(15, 1000)


def test_case_b_a_source_that_supports_a_part_earns_a_half():
    assert score({"c": 1}, [Item("9", 10, HALF)]).items[0].points == 5


def test_case_c_a_gated_item_scores_0_without_further_evaluation():
    found = score(
        {"colour": value_of(Verification.REFUTED, 1)}, [Item("12", 10, None, ("colour",))]
    )
    assert (found.items[0].answer, found.items[0].value, found.s) == (None, 0, 0)
    assert found.why == ()


# --- the faults of the public code -----------------------------------------------------------
def test_fault_1_the_gate_closes_for_items_of_the_query_too():
    # Items of both checklists are of one kind here, so no gate can be left out for one of them.
    items = [Item("of the query", 10, 1, ("c",)), Item("of the response", 10, 1, ("c",))]
    assert [one.value for one in score({"c": 0}, items).items] == [0, 0]


def test_fault_2_a_refuted_sole_claim_gives_0():
    refuted = value_of(Verification.REFUTED, Fraction(1, 100))
    for depends_on in ((), ("c",)):
        found = score({"c": refuted}, [Item("a", 10, 1, depends_on)])
        assert (found.s, found.evidence) == (0, 0)


def test_fault_3_an_outage_gives_no_score():
    items = [Item("a", 10, 1), Item("b", 5, 1, ("lost",))]
    found = score({"c": 0, "lost": None}, items)
    assert (found.s, found.evidence, found.reason) == (None, None, None)
    assert found.why == (Why.NO_OUTCOME,)
    assert found.items[1].value is None
    assert score({"c": 1, "lost": None}, items[:1]).reason == 1  # rests on nothing that was lost


def test_fault_4_a_flaw_that_is_not_triggered_earns_nothing():
    plain = score({"c": 1}, [Item("a", 10, HALF)])
    with_flaw = score({"c": 1}, [Item("a", 10, HALF), Item("flaw", -15, 0)])
    assert with_flaw.s == plain.s == HALF
    assert with_flaw.items[1].points == 0


def test_a_flaw_whose_claim_fails_counts_as_triggered():
    items = [Item("a", 10, 1), Item("flaw", -15, 0, ("c",))]
    assert score({"c": 1}, items).reason == 1
    assert score({"c": 0}, items).reason == Fraction(-1, 2)


# --- what is unknown -------------------------------------------------------------------------
def test_a_response_without_claims_scores_0_and_says_so():
    found = score({}, [Item("a", 10, 1)])
    assert (found.s, found.evidence, found.reason) == (0, None, 1)
    assert found.why == (Why.NO_EVIDENCE,)


def test_without_claims_an_item_without_an_answer_leaves_the_score_unknown():
    found = score({}, [Item("a", 10, None)])
    assert (found.s, found.why) == (None, (Why.NO_EVIDENCE, Why.NO_ANSWER))


def test_of_a_response_that_was_not_taken_apart_that_alone_is_said():
    found = score(None, [Item("a", 10, None)])
    assert (found.s, found.evidence, found.reason) == (None, None, None)
    assert found.why == (Why.NOT_TAKEN_APART,)


def test_without_an_answer_there_is_no_score():
    found = score({"c": 1}, [Item("a", 10, 1), Item("b", 5, None)])
    assert (found.s, found.reason, found.evidence) == (None, None, 1)
    assert found.why == (Why.NO_ANSWER,)


def test_without_a_positive_weight_there_is_no_score():
    for items in ([], [Item("flaw", -15, 0)]):
        found = score({"c": 1}, items)
        assert (found.s, found.reason, found.alpha) == (None, None, None)
        assert found.why == (Why.NO_POSITIVE_WEIGHT,)


def test_every_cause_is_named_and_what_follows_from_it_is_not():
    found = score({"c": None}, [Item("flaw", -15, None)])
    assert found.why == (Why.NO_OUTCOME, Why.NO_POSITIVE_WEIGHT)


def test_what_contradicts_itself_is_refused():
    for claims, items, sentence in (
        ({"a": 1}, [Item("a", 5, 1)], "used twice"),
        ({"c": 1}, [Item("a", 5, 1), Item("a", 5, 1)], "used twice"),
        ({"c": 1}, [Item("a", 0, 1)], "no weight"),
        ({"c": Fraction(3, 2)}, [Item("a", 5, 1)], "from 0 to 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            score(claims, items)
    with pytest.raises(TypeError, match="fractions"):
        score({"c": 0.5}, [Item("a", 5, 1)])
    with pytest.raises(TypeError, match="fractions"):
        value_of(Verification.SUPPORTED, 0.5)


# --- properties ------------------------------------------------------------------------------
VALUES = st.sampled_from(
    [Fraction(0), CANNOT_BE_VERIFIED, HALF, Fraction(3, 4), Fraction(9, 10), Fraction(1)]
)


@st.composite
def cases(draw):
    """Claims with an outcome, and judged items that rest on some of them."""
    values = draw(st.lists(VALUES, min_size=1, max_size=5))
    claims = {f"c{n}": v for n, v in enumerate(values)}
    on = st.sets(st.sampled_from(sorted(claims)), max_size=3)
    weights = st.sampled_from([5, 10, -15])
    rows = draw(st.lists(st.tuples(weights, st.sampled_from(ANSWERS), on), max_size=6))
    return claims, [Item(f"i{n}", *row) for n, row in enumerate(rows)]


@given(cases(), st.randoms())
@settings(max_examples=150, deadline=None)
def test_order_never_changes_a_result(case, random):
    claims, items = case
    found = score(claims, items)
    shuffled = random.sample(items, len(items))
    again = score(dict(random.sample(sorted(claims.items()), len(claims))), shuffled)
    assert (again.s, again.reason, again.evidence, again.alpha, again.why) == (
        found.s, found.reason, found.evidence, found.alpha, found.why,
    )  # fmt: skip
    assert {one.id: one for one in again.items} == {one.id: one for one in found.items}


@given(cases(), st.randoms())
@settings(max_examples=150, deadline=None)
def test_refuting_a_claim_never_raises_anything_and_an_outage_never_gives_a_score(case, random):
    claims, items = case
    before = score(claims, items)
    claim = random.choice(sorted(claims))
    after = score(claims | {claim: Fraction(0)}, items)
    lost = score(claims | {claim: None}, items)
    assert lost.s is None
    assert Why.NO_OUTCOME in lost.why
    assert after.evidence <= before.evidence
    if before.reason is not None:
        assert -before.alpha <= after.reason <= before.reason <= 1
        assert 0 <= after.s <= before.s <= 1


@given(cases(), st.randoms())
@settings(max_examples=150, deadline=None)
def test_losing_an_answer_gives_a_score_only_where_the_gate_had_decided(case, random):
    claims, items = case
    if not items:
        return
    at = random.randrange(len(items))
    lost = Item(items[at].id, items[at].weight, None, items[at].depends_on)
    before = score(claims, items)
    after = score(claims, [*items[:at], lost, *items[at + 1 :]])
    assert after.s == (before.s if before.items[at].gated_by else None)

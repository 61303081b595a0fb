"""Technology-market fit against areas worked out by hand, in exact fractions."""

from decimal import Decimal
from fractions import Fraction

import pytest

from judge.base.stats.market_fit import (
    Coverage,
    Offer,
    Point,
    Stage,
    Unknown,
    area,
    coverage,
    demand,
    dominators,
    fit,
    frontier,
)
from judge.results.market_fit.human_cost import least_cost

F = Fraction
CHEAP, GOOD, BEST = Offer("Fir", F(40), F(2)), Offer("Elm", F(70), F(5)), Offer("Oak", F(90), F(20))
POOR = Offer("Yew", F(60), F(6))  # Elm scores more and costs less
NOTHING_COVERED = Coverage(F(0), 0, 40, None)


def curve(*points, human_score=None, human_cost=None):
    found = demand(
        [Point(F(score), F(price)) for score, price in points],
        human_score=human_score,
        human_cost=human_cost,
    )
    assert found is not None
    return found


class TestTheFrontier:
    def test_it_has_the_products_that_no_other_beats_in_both_score_and_price(self):
        assert frontier([BEST, POOR, CHEAP, GOOD]) == (CHEAP, GOOD, BEST)

    def test_a_product_off_the_frontier_names_all_that_dominate_it(self):
        assert dominators(POOR, [BEST, POOR, CHEAP, GOOD]) == ("Elm",)
        assert dominators(GOOD, [BEST, POOR, CHEAP, GOOD]) == ()

    def test_two_products_alike_in_both_are_both_on_it(self):
        twin = Offer("Ash", *GOOD[1:])
        assert frontier([GOOD, twin]) == (twin, GOOD)

    def test_the_same_score_for_more_money_and_the_same_price_for_less_score_are_off_it(self):
        dearer, worse = Offer("Ash", F(70), F(6)), Offer("Bay", F(69), F(5))
        assert frontier([GOOD, dearer, worse]) == (GOOD,)


class TestDemand:
    def test_it_pays_nothing_below_its_first_point_and_as_much_above_its_last(self):
        found = curve((50, 4), (80, 10))
        assert found.at(F(49)) is None
        assert found.at(F(50)) == 4
        assert found.at(F(65)) == 7  # half way along the straight line
        assert found.at(F(80)) == found.at(F(100)) == 10

    def test_without_points_it_is_human_labour_from_the_human_score_on(self):
        found = curve(human_score=F(75), human_cost=F(30))
        assert found.at(F(74)) is None
        assert found.at(F(75)) == found.at(F(100)) == 30

    def test_without_points_and_without_human_labour_it_is_not_known(self):
        assert demand([], human_score=F(75), human_cost=None) is None
        assert demand([], human_score=None, human_cost=F(30)) is None

    def test_up_to_the_human_score_human_labour_is_the_ceiling(self):
        found = curve((50, 4), (80, 10), human_score=F(70), human_cost=F(6))
        assert found.at(F(55)) == 5
        assert found.at(F(60)) == 6  # where the line reaches the ceiling
        assert found.at(F(70)) == 6
        assert found.at(F(75)) == 9  # more than a human gives: the line again

    def test_a_point_at_the_human_score_itself_is_under_the_ceiling(self):
        found = curve((70, 10), human_score=F(70), human_cost=F(6))
        assert (found.at(F(70)), found.at(F(71))) == (6, 10)

    @pytest.mark.parametrize(
        "points",
        [((50, 4), (50, 5)), ((50, 4), (40, 5)), ((50, 4), (60, 3)), ((101, 4),), ((50, 0),)],
    )
    def test_points_that_do_not_rise_are_refused(self, points):
        with pytest.raises(ValueError):
            curve(*points)


class TestTheArea:
    def test_a_flat_demand_gives_rectangles(self):
        """Human labour of 30 from 60 on: (70−60)·(30−5) + (90−70)·(30−20) = 250 + 200."""
        assert area([CHEAP, GOOD, BEST], curve(human_score=F(60), human_cost=F(30))) == 450

    def test_a_product_that_is_dominated_changes_nothing(self):
        flat = curve(human_score=F(60), human_cost=F(30))
        assert area([CHEAP, GOOD, BEST, POOR], flat) == 450

    def test_a_sloping_demand_gives_triangles(self):
        """Between (50, 4) and (80, 10) the line is 4 + (q − 50)/5.

        Elm costs 5: the line passes 5 at q = 55 and is 8 at 70, so (70−55)·3/2 = 45/2. Fir's 40
        is below demand; Oak costs 20, more than the 10 that the market pays at most.
        """
        assert area([CHEAP, GOOD, BEST], curve((50, 4), (80, 10))) == F(45, 2)

    def test_a_third_stays_a_third(self):
        """From (0, 1) to (100, 2) at a price of 4/3: above it from 100/3 on, to 50 → 50·(1/6)/6."""
        only = Offer("Elm", F(50), F(4, 3))
        assert area([only], curve((0, 1), (100, 2))) == F(1, 2) * (F(50) - F(100, 3)) * F(1, 6)

    def test_the_ceiling_of_human_labour_cuts_it(self):
        """Ceiling 6 up to 70: the line passes 5 at 55 and 6 at 60, so 5·1/2 + 10·1."""
        cut = curve((50, 4), (80, 10), human_score=F(70), human_cost=F(6))
        assert area([GOOD], cut) == F(25, 2)

    def test_regions_apart_have_no_area(self):
        assert area([BEST], curve((50, 4), (80, 10))) == 0
        assert area([CHEAP], curve(human_score=F(75), human_cost=F(30))) == 0


class TestTheStage:
    def test_regions_apart_are_stage_1(self):
        found = fit([CHEAP, BEST], curve((50, 4), (80, 10)), NOTHING_COVERED)
        assert (found.stage, found.area, found.meeting) == (Stage.NO_FIT, 0, ())

    def test_a_product_that_meets_demand_makes_stage_2(self):
        found = fit([CHEAP, GOOD, BEST], curve((50, 4), (80, 10)), NOTHING_COVERED)
        assert (found.stage, found.meeting) == (Stage.COLLABORATING, (GOOD,))

    def test_a_product_exactly_on_demand_meets_it_with_an_area_of_0(self):
        found = fit([GOOD], curve(human_score=F(70), human_cost=F(5)), NOTHING_COVERED)
        assert (found.stage, found.area) == (Stage.COLLABORATING, 0)

    @pytest.mark.parametrize(("covered", "stage"), [(35, 2), (36, 3), (40, 3)])
    def test_nine_tenths_of_the_tasks_make_stage_3(self, covered, stage):
        share = Coverage(F(covered, 40), covered, 40, None)
        assert fit([GOOD], curve(human_score=F(60), human_cost=F(30)), share).stage == stage

    def test_all_tasks_without_fit_stay_stage_1(self):
        share = Coverage(F(1), 40, 40, None)
        assert fit([BEST], curve((50, 4), (80, 10)), share).stage == Stage.NO_FIT

    def test_without_a_price_or_demand_there_is_no_stage_but_a_reason(self):
        known = curve((50, 4))
        no_price, no_demand = fit([], known, NOTHING_COVERED), fit([GOOD], None, NOTHING_COVERED)
        assert (no_price.stage, no_price.area, no_price.why) == (None, None, Unknown.NO_PRICE)
        assert (no_demand.stage, no_demand.area, no_demand.why) == (None, None, Unknown.NO_DEMAND)


class TestCoverage:
    COSTS = {f"t{n}": F(10) for n in range(20)}

    def test_a_task_is_covered_at_the_human_score_for_less_than_the_human_costs(self):
        scores = {"Elm": {f"t{n}": F(80) for n in range(12)}, "Oak": {"t12": F(99), "t13": F(79)}}
        found = coverage(scores, {"Elm": F(9), "Oak": F(9)}, self.COSTS, F(80))
        assert (found.share, found.covered, found.tasks) == (F(13, 20), 13, 20)

    def test_at_the_humans_own_cost_it_is_not(self):
        scores = {"Elm": dict.fromkeys(self.COSTS, F(100))}
        assert coverage(scores, {"Elm": F(10)}, self.COSTS, F(80)).share == 0

    def test_a_product_without_a_price_covers_nothing(self):
        scores = {"Elm": dict.fromkeys(self.COSTS, F(100))}
        assert coverage(scores, {}, self.COSTS, F(80)).share == 0

    def test_what_is_unknown_has_its_reason(self):
        few = dict(list(self.COSTS.items())[:19])
        assert coverage({}, {}, few, F(80)) == Coverage(None, 0, 19, Unknown.FEW_TASKS)
        assert coverage({}, {}, {}, F(80)).why == Unknown.NO_HUMAN_COST
        assert coverage({}, {}, self.COSTS, None).why == Unknown.NO_HUMAN_SCORE


class TestTheRecruitingExampleAsFarAsItsNumbersArePrinted:
    """xbench, arXiv:2506.13651v1. It prints neither prices of products nor demand nor rates.

    Figures 4 and 6, the shares of recruiting and marketing tasks by time and kind, are worked in
    tests/tasks/work_map/test_coverage.py; the rate of 50 dollars here is ours.
    """

    RATE = Decimal(50)

    def test_figure_4_is_a_floor_of_19_dollars_under_the_cost_of_human_labour(self):
        """Section 3.2: of 50 tasks 8 take 5 to 20 minutes, 17 take 20 to 40, 19 over 40; the six
        of up to 5 minutes have no lower end. (8·5 + 17·20 + 19·40) / 60 · 50 / 50 = 19."""
        least = [*[5] * 8, *[20] * 17, *[40] * 19]
        costs = [least_cost(minutes, "", self.RATE) for minutes in least]
        assert sum(costs) / 50 == 19
        assert least_cost(0, "", self.RATE) is None

    def test_table_19_a_profile_takes_30_minutes_and_bounds_demand_by_its_cost(self):
        cost = least_cost(30, "", self.RATE)
        assert cost == 25
        found = curve((60, 40), (80, 90), human_score=90, human_cost=cost)
        assert found.at(F(60)) == found.at(F(90)) == 25  # a human costs no more
        assert found.at(F(95)) == 90  # beyond what a human reaches

    def test_the_printed_numbers_alone_give_no_stage(self):
        none = Coverage(None, 0, 0, None)
        assert fit([], None, none).why == Unknown.NO_PRICE
        assert fit([GOOD], None, none).why == Unknown.NO_DEMAND
        assert fit([GOOD], None, none).stage is None

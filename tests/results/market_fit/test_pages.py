"""Technology-market fit of a domain on its pages, with prices and demand that staff enter."""

import csv
import html
import io
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.results.leaderboard.open_boards import take_off_board
from judge.results.market_fit.actions import set_demand, set_task_price
from judge.results.market_fit.human_cost import costs_of
from judge.results.market_fit.models import DemandCurve, DemandPoint, TaskPrice
from tests.results.market_fit.pages import PAGE, page


def sentence(browser):
    return re.search(r'class="verdict-sentence"> ?(.*?) ?</p>', page(browser)).group(1)


class TestTheStage:
    def test_without_a_price_it_is_not_known_and_the_sentence_says_what_to_do(
        self, browser, judged_world
    ):
        assert sentence(browser) == (
            "The stage of Finance is not known: no product with a score has a price per task; "
            "enter one, or generate responses here."
        )
        assert "$0.00" not in page(browser)

    def test_without_demand_it_is_not_known_either(self, browser, enter):
        enter({"Elm": "5"})
        assert "what the market pays is not known" in sentence(browser)

    def test_a_product_that_scores_too_little_leaves_stage_1(self, browser, enter):
        enter({"Elm": "5"}, human="90")
        assert sentence(browser) == (
            "Finance is at stage 1, no fit yet: the market pays from a score of 90.0 on, and the "
            "best product with a price, Elm, has 75.0."
        )

    def test_a_product_that_costs_too_much_leaves_stage_1(self, browser, enter):
        enter({"Elm": "60"}, human="70")
        assert sentence(browser) == (
            "Finance is at stage 1, no fit yet: Elm comes nearest, but costs $60.00 a task, and "
            "for its score of 75.0 the market pays at most $50.00."
        )

    def test_a_product_within_demand_makes_stage_2(self, browser, enter):
        enter({"Elm": "5"}, points=[(50, 4), (80, 10)])
        assert sentence(browser) == (
            "Finance is at stage 2, agents and humans collaborate: Elm scores 75.0 at $5.00 a "
            "task, for which the market pays up to $9.00, but whether products do nearly all tasks "
            "as well as a human is not known (the score of a human is not known)."
        )

    def test_nearly_all_tasks_as_good_as_a_human_for_less_make_stage_3(self, browser, enter):
        enter({"Elm": "5"}, human="75")
        assert sentence(browser) == (
            "Finance is at stage 3, specialised agents: Elm scores 75.0 at $5.00 a task, for which "
            "the market pays up to $50.00, and on 20 of 20 tasks some product reaches the human "
            "score for less than the human costs."
        )
        assert "gives no number for it, so this rule is ours" in page(browser)

    def test_the_area_is_that_worked_out_by_hand(self, browser, enter):
        """Elm at 5 dollars, demand 4 + (q − 50)/5 from 50: from 55 to 75 a triangle of 20·4/2."""
        enter({"Elm": "5", "Oak": "30"}, points=[(50, 4), (80, 10)])
        assert "40.0 dollars × points" in page(browser)

    def test_a_product_off_the_open_board_counts_nowhere(self, browser, enter, chief):
        enter({"Elm": "5"}, human="75")
        take_off_board(
            actor=chief, candidate=Candidate.objects.get(name="Elm"), reason="Trained on it."
        )
        assert "is not known" in sentence(browser)
        assert "Trained on it." in page(browser)

    def test_intervals_say_what_chance_leaves_open(self, browser, enter):
        enter({"Elm": "5"}, human="75")
        assert "demand is met at the upper ends of the scores' intervals" in page(browser)
        # Elm has 75 on each of 20 tasks: 75 less 75 times 1 - 0.025 ** (1 / 20) is 62.4.
        enter({"Elm": "5"}, human="62")
        assert "Demand is met at both ends" in page(browser)
        assert "62.4–79.2" in page(browser)

    def test_fewer_than_six_tasks_have_no_interval_and_the_page_says_that_chance_may_decide(
        self, browser, enter, judged_world
    ):
        enter({"Elm": "5"}, human="75")
        keys = [f"t{n:02}" for n in range(5)]
        judged_world["run"].items.exclude(response__task__key__in=keys).delete()
        shown = page(browser)
        assert "1 product on the graph has a score without an interval" in shown
        assert "an interval needs at least 6 tasks" in shown
        assert "Demand is met at" not in shown
        text = b"".join(browser.get(f"{PAGE}csv/").streaming_content).decode("utf-8-sig")
        rows = csv.DictReader(io.StringIO(text))
        assert {r["why_no_interval"] for r in rows if r["what"] == "product"} == {
            "too few tasks for an interval"
        }

    def test_a_domain_without_responses_says_so(self, browser, judged_world):
        assert "This judge was asked about no response" in page(browser, "/market-fit/law/")

    def test_an_unknown_domain_is_not_found(self, browser, judged_world):
        assert browser.get("/market-fit/nowhere/").status_code == 404

    def test_the_list_has_each_domain_with_its_sentence(self, browser, enter):
        enter({"Elm": "5"}, human="75")
        shown = page(browser, "/market-fit/")
        assert "Stage 3: specialised agents" in shown
        assert "1 of 3" in shown

    def test_queries_do_not_grow_with_products_or_entries(self, browser, enter):
        enter({"Elm": "5"}, human="75")
        with CaptureQueriesContext(connection) as few:
            page(browser)
        enter({"Ash": "1", "Oak": "9", "Elm": "6"}, points=[(50, 4), (60, 5), (80, 10)])
        with CaptureQueriesContext(connection) as many:
            page(browser)
        assert len(many) <= len(few) <= 32


class TestPrices:
    def test_the_table_names_frontier_price_source_and_who_dominates(self, browser, enter):
        enter({"Ash": "9", "Elm": "5", "Oak": "30"}, human="75")
        shown = page(browser)
        assert "Price list of Elm." in shown
        assert "Elm scores no less for no more" in shown
        assert shown.count("</svg>frontier</span>") == 2

    def test_the_graph_has_a_mark_for_each_product_and_says_its_finding(self, browser, enter):
        enter({"Ash": "9", "Elm": "5", "Oak": "30"}, human="75")
        (chart,) = re.findall(r'<svg class="chart" .*?</svg>', page(browser))
        assert chart.count('class="s1"') == 2
        assert chart.count("<circle") == 1
        assert 'class="s-ink"' in chart
        assert "url(#fit-hatch)" in chart
        assert "Finance is at stage" in chart
        assert "style=" not in chart

    def test_responses_generated_here_give_a_measured_price(self, browser, enter):
        Response.objects.filter(candidate__name="Elm").update(source="generated", cost_micro=12_500)
        enter(human="75")
        shown = page(browser)
        assert "measured: mean cost of 20 responses generated here" in shown
        assert "$0.013" in shown or "$0.012" in shown

    def test_what_staff_enter_goes_before_what_was_measured_and_taken_back_it_counts_no_more(
        self, browser, enter
    ):
        Response.objects.filter(candidate__name="Elm").update(source="generated", cost_micro=12_500)
        enter({"Elm": "5"}, human="75")
        assert "$5.00" in page(browser)
        enter({"Elm": None})
        shown = page(browser)
        assert "measured: mean cost" in shown
        assert "price no longer known" in shown

    def test_imported_costs_are_no_price_here(self, browser, enter):
        Response.objects.filter(candidate__name="Elm").update(cost_micro=12_500)
        enter(human="75")
        assert "no product with a score has a price" in sentence(browser)

    def test_a_free_product_costs_0_and_that_is_known(self, browser, enter):
        enter({"Elm": "0"}, human="75")
        assert "Elm scores 75.0 at $0.00 a task" in sentence(browser)

    def test_a_later_price_takes_over_on_its_day_and_the_history_keeps_both(
        self, browser, judged_world, chief
    ):
        elm, day = Candidate.objects.get(name="Elm"), timezone.localdate() - timedelta(days=3)
        for usd, since in (("5", None), ("4", day)):
            set_task_price(
                actor=chief, candidate=elm, domain=judged_world["finance"], usd=Decimal(usd),
                source="List.", since=since,
            )  # fmt: skip
        shown = page(browser)
        assert "$5.00" in shown
        assert "$4.00 a task since" in shown

    def test_the_form_enters_one(self, browser, judged_world):
        elm = Candidate.objects.get(name="Elm")
        answer = browser.post(
            f"{PAGE}price/", {"candidate": elm.pk, "usd": "2.5", "source": "The house's page."}
        )
        assert answer.status_code == 302
        row = TaskPrice.objects.get()
        assert (row.usd, row.source, row.by.display_name) == (
            Decimal("2.5"), "The house's page.", judged_world["chief"].display_name,
        )  # fmt: skip

    def test_without_a_source_nothing_is_stored_and_nothing_typed_is_lost(
        self, browser, judged_world
    ):
        elm = Candidate.objects.get(name="Elm")
        answer = browser.post(f"{PAGE}price/", {"candidate": elm.pk, "usd": "2.5"})
        shown = html.unescape(answer.content.decode())
        assert answer.status_code == 400
        assert "Say where it comes from." in shown
        assert 'value="2.5"' in shown
        assert not TaskPrice.objects.exists()

    def test_a_price_of_a_day_to_come_is_refused(self, judged_world, chief):
        with pytest.raises(BadInput):
            set_task_price(
                actor=chief, candidate=Candidate.objects.get(name="Elm"),
                domain=judged_world["finance"], usd=Decimal(1), source="List.",
                since=timezone.localdate() + timedelta(days=1),
            )  # fmt: skip

    def test_the_database_refuses_a_negative_price(self, judged_world):
        with pytest.raises(IntegrityError), transaction.atomic():
            TaskPrice.objects.create(
                candidate=Candidate.objects.get(name="Elm"), domain=judged_world["finance"],
                usd=-1, since=timezone.localdate(), source="List.",
            )  # fmt: skip


class TestDemandOfADomain:
    def send(self, browser, **values):
        given = {"read": 0, "points": "70 25\n80; 30.5", "source": "A survey.", **values}
        answer = browser.post(f"{PAGE}demand/", given)
        return answer.status_code, html.unescape(answer.content.decode())

    def test_the_form_enters_points_and_the_human_score(self, browser, judged_world):
        assert self.send(browser, human_score="85")[0] == 302
        points = DemandPoint.objects.values_list("score", "usd")
        assert list(points) == [(Decimal(70), Decimal(25)), (Decimal(80), Decimal("30.5"))]
        assert DemandCurve.objects.get().human_score == 85

    @pytest.mark.parametrize(
        ("points", "said"),
        [
            ("70", "Line 1: write a score and a price"),
            ("70 25\nmuch", "Line 2: write a score and a price"),
            ("70 25\n70 30", "is there twice"),
            ("70 25\n80 20", "A higher score is worth no less."),
            ("170 25", "A score is between 0 and 100."),
            ("70 0", "The market pays more than 0"),
            ("70 nan", "Line 1: write a score and a price"),
            ("70.123 25", "at most 2 digits after the point"),
        ],
    )
    def test_wrong_points_are_refused_in_a_sentence_and_stay_in_the_form(
        self, browser, judged_world, points, said
    ):
        status, shown = self.send(browser, points=points)
        assert status == 400
        assert said in shown
        assert points.splitlines()[-1] in shown
        assert not DemandCurve.objects.exists()

    def test_the_form_begins_with_what_is_in_force_but_not_with_its_source(self, browser, enter):
        enter(points=[(70, 25)], human="80")
        shown = page(browser, f"{PAGE}demand/")
        assert "70 25</textarea>" in shown
        assert 'value="80"' in shown

    def test_a_colleagues_curve_is_not_overwritten_unseen(
        self, browser, enter, judged_world, chief
    ):
        enter(points=[(70, 25)])
        status, shown = self.send(browser)
        assert status == 409
        assert "Somebody entered another demand meanwhile." in shown
        with pytest.raises(Conflict):
            set_demand(
                actor=chief, domain=judged_world["finance"], points=[], human_score=None,
                source="x", read=0,
            )  # fmt: skip

    def test_the_history_keeps_every_curve(self, browser, enter):
        enter(points=[(70, 25)])
        enter(human="80")
        shown = page(browser)
        assert shown.index("a human scores 80") < shown.index("from 70: up to $25.00")

    def test_the_database_refuses_a_score_beyond_100(self, judged_world):
        with pytest.raises(IntegrityError), transaction.atomic():
            DemandCurve.objects.create(domain=judged_world["finance"], human_score=101, source="x")


class TestHumanLabour:
    def test_tasks_where_it_is_not_known_are_left_out_and_counted(
        self, browser, enter, judged_world
    ):
        Task.objects.filter(key="t00").update(minutes=None)
        assert "t00" not in costs_of(["t00", "t01"])
        enter({"Elm": "5"}, human="75")
        assert "the mean over the 19 of 20 tasks" in page(browser)
        assert "too few tasks have the minutes and the rate of a human" in sentence(browser)


def test_the_file_has_products_demand_and_human_labour(browser, enter):
    enter({"Elm": "5", "Ash": "9"}, points=[(50, 4), (80, 10)], human="75")
    text = b"".join(browser.get(f"{PAGE}csv/").streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["what"] for row in rows] == ["product"] * 3 + ["demand"] * 2 + ["human"]
    elm = next(row for row in rows if row["name"] == "Elm")
    assert (float(elm["score"]), float(elm["usd_per_task"]), elm["meets_demand"]) == (75, 5, "1")
    oak = next(row for row in rows if row["name"] == "Oak")
    assert (oak["usd_per_task"], oak["on_frontier"]) == ("", "")
    assert next(row for row in rows if row["name"] == "Ash")["dominated_by"] == "Elm"

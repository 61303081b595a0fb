"""Ways from the leaderboard to the page of a domain, and what the two call their figures."""

import re

from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Candidate, Response
from judge.results.leaderboard.open_boards import take_off_board
from tests.results.alignment.conftest import Bench
from tests.results.market_fit.pages import PAGE, page


def test_a_domain_of_an_imported_benchmark_has_its_page_in_any_script(browser, judged_world):
    Domain.objects.filter(pk=judged_world["finance"].pk).update(key="金融")
    shown = page(browser, "/market-fit/")
    assert "/market-fit/%E9%87%91%E8%9E%8D/" in shown
    page(browser, "/market-fit/金融/")


def test_without_a_choice_a_domain_is_shown_by_a_run_that_judged_it(browser, judged_world):
    other = Bench(judged_world["law"])
    other.task("l1", weights=(1, 1))
    other.response("l1", "Ash")
    newest = other.run({("l1", "Ash"): (1, 0)})
    assert "no product has a score" in page(browser, f"{PAGE}?run={newest.pk}")
    shown = page(browser)
    assert "no product has a score" not in shown
    assert "at least $50.00 a task · score not known" in shown
    assert "at least $" not in page(browser, f"{PAGE}?run={newest.pk}")


def test_the_list_of_one_run_leads_to_the_domains_that_other_runs_judged(browser, judged_world):
    other = Bench(judged_world["law"])
    other.task("l1", weights=(1, 1))
    other.response("l1", "Ash")
    newest = other.run({("l1", "Ash"): (1, 0)})
    Domain.objects.create(key="education", name="Education", position=3)  # no run judged it
    board = page(browser, f"/leaderboard/?run={newest.pk}")
    way = re.search(r'href="(/market-fit/[^"]*)"', board).group(1)
    shown = page(browser, way)
    assert f'href="/market-fit/law/?run={newest.pk}"' in shown
    assert f'href="{PAGE}"' in shown
    assert "/market-fit/education/" not in shown
    assert "no product has a score" not in page(browser)
    alone = page(browser, f"/market-fit/?run={judged_world['run'].pk}")
    assert 'href="/market-fit/law/"' in alone
    assert f'href="{PAGE}"' not in alone


def test_a_domain_that_this_run_alone_judged_is_not_said_to_be_of_other_runs(
    browser, judged_world, chief
):
    for name in ("Ash", "Elm", "Oak"):
        candidate = Candidate.objects.get(name=name)
        take_off_board(actor=chief, candidate=candidate, reason="Trained on it.")
    assert "Domains that other runs judged" not in page(browser, "/market-fit/")


def test_the_price_of_a_task_and_the_cost_of_a_response_have_names_of_their_own(browser, enter):
    Response.objects.filter(candidate__name="Elm").update(cost_micro=12_500)
    enter({"Elm": "5"}, human="75")
    board, fit = page(browser, "/leaderboard/"), page(browser)
    assert '<th scope="col" class="num">Cost of a response</th>' in board
    assert "$0.013" in board or "$0.012" in board
    assert "what a customer pays for a task is its price" in board
    assert '<th scope="col" class="num">Price of a task</th>' in fit
    assert "The leaderboard's cost of a response is not it" in fit

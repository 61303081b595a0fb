"""The page of the two halves, and taking a candidate off the open board."""

import html

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from curation.base.web.refusals import BadInput, Conflict
from judge.asking.candidates.models import Candidate
from judge.results.leaderboard.open_boards import BoardRemoval, put_back_on_board, take_off_board
from judge.runs.engine.models import HeldOutLook, JudgeRun
from tests.run_states import in_state

HALVES = "/leaderboard/halves/"


def page(browser, address=HALVES):
    answer = browser.get(address)
    assert answer.status_code == 200, answer.content
    return " ".join(html.unescape(answer.content.decode()).split())


def board(browser, query="tasks=open"):
    return browser.get(f"/leaderboard.json?{query}").json()


@pytest.fixture
def fir(judged_world):
    return Candidate.objects.get(name="Fir")


class TestThePageOfTheHalves:
    def test_it_names_the_candidate_that_does_better_on_the_open_half(self, browser, judged_world):
        shown = page(browser)
        assert "1 of 4 candidates does better on the open half than chance explains." in shown
        assert shown.count("</svg>drifts</span>") == 1
        found = browser.get(f"/leaderboard/halves.json?tasks=draw:{judged_world['draw'].pk}").json()
        assert [one["candidate"] for one in found["candidates"] if one["drifts"]] == ["Fir"]
        assert (found["open_tasks"], found["private_tasks"]) == (15, 15)

    def test_it_begins_with_the_newest_run_over_the_private_half(self, browser, judged_world):
        JudgeRun.objects.create(
            method="one_shot", provider="offline", model="elsewhere", **in_state("finished")
        )
        assert "1 of 4 candidates does better" in page(browser)

    def test_it_says_how_far_the_two_rankings_agree(self, browser, judged_world):
        assert "The rankings of 4 candidates agree with τ-b" in page(browser)

    def test_it_says_how_often_the_private_half_was_looked_at_and_is_no_look(
        self, browser, judged_world
    ):
        assert "Held-out half (15 tasks): not looked at yet." in page(browser)
        assert not HeldOutLook.objects.exists()

    def test_a_set_that_was_never_split_is_refused_with_a_sentence(self, browser, judged_world):
        answer = browser.get(f"{HALVES}?tasks=all", headers={"Accept": "application/json"})
        assert answer.status_code == 400
        assert "that was split into halves" in answer.json()["detail"]

    def test_its_queries_do_not_grow_with_the_candidates(self, browser, judged_world):
        with CaptureQueriesContext(connection) as caught:
            page(browser)
        assert len(caught) <= 28


class TestTakingACandidateOffTheBoard:
    def test_the_board_ranks_the_others_and_prints_the_reason(self, browser, judged_world, fir):
        before = board(browser)
        assert [s["candidate"] for s in before["standings"]][0] == "Fir"
        answer = browser.post(
            f"/leaderboard/candidates/{fir.pk}/", {"reason": "It knows the open tasks."}
        )
        assert answer.status_code == 302
        after = board(browser)
        assert "Fir" not in [s["candidate"] for s in after["standings"]]
        (off,) = after["taken_off"]
        assert (off["candidate"], off["reason"]) == ("Fir", "It knows the open tasks.")
        shown = page(browser, "/leaderboard/?tasks=open")
        assert "Taken off the open board" in shown
        assert "It knows the open tasks." in shown
        assert "off the open board" in page(browser)

    def test_the_private_half_still_ranks_it(self, browser, judged_world, chief, fir):
        take_off_board(actor=chief, candidate=fir, reason="It knows the open tasks.")
        found = board(browser, f"tasks=draw:{judged_world['draw'].pk}/held-out")
        assert "Fir" in [s["candidate"] for s in found["standings"]]
        assert found["taken_off"] == []

    def test_put_back_it_is_ranked_again_and_the_history_keeps_both_steps(
        self, browser, judged_world, chief, fir
    ):
        take_off_board(actor=chief, candidate=fir, reason="It knows the open tasks.")
        address = f"/leaderboard/candidates/{fir.pk}/"
        browser.post(address, {"reason": "The house proved us wrong.", "put_back": "1"})
        assert board(browser)["standings"][0]["candidate"] == "Fir"
        shown = page(browser, address)
        assert shown.index("The house proved us wrong.") < shown.index("It knows the open tasks.")
        assert "on the open board" in shown

    def test_without_a_reason_it_stays_and_the_page_asks_for_one(self, browser, judged_world, fir):
        answer = browser.post(f"/leaderboard/candidates/{fir.pk}/", {"reason": " "})
        assert answer.status_code == 400
        assert "the board prints the reason" in html.unescape(answer.content.decode())
        assert not BoardRemoval.objects.exists()

    def test_twice_is_refused_both_ways(self, judged_world, chief, fir):
        take_off_board(actor=chief, candidate=fir, reason="It knows the open tasks.")
        with pytest.raises(Conflict):
            take_off_board(actor=chief, candidate=fir, reason="Again.")
        put_back_on_board(actor=chief, candidate=fir, reason="We were wrong.")
        with pytest.raises(Conflict):
            put_back_on_board(actor=chief, candidate=fir, reason="Again.")
        with pytest.raises(BadInput):
            take_off_board(actor=chief, candidate=fir, reason="x" * 2001)

    @pytest.mark.parametrize("wrong", [{"reason": ""}, {"put_back_reason": "Why?"}])
    def test_the_database_refuses_a_removal_without_its_reasons(
        self, judged_world, chief, fir, wrong
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            BoardRemoval.objects.create(**{"candidate": fir, "reason": "So.", "by": chief, **wrong})

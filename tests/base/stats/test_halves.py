"""Candidates on two halves, against scipy and figures worked out by hand."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from judge.base.stats.halves import compare_halves
from judge.base.stats.numbers import Reason

NAMES = ("Ash", "Bay", "Elm", "Fir", "Oak", "Yew")


def halves(tasks=60, *, boost=0.0, seed=5, names=NAMES, harder=0.0):
    """Scores in which each candidate has an ability and Fir also `boost` on the open half."""
    rng = np.random.default_rng(seed)

    def half(kind, extra, shift):
        level = rng.uniform(0.2, 0.6, tasks)
        return {
            name: {
                f"{kind}{n}": float(
                    level[n] - shift + 0.04 * at + (extra if name == "Fir" else 0) + noise
                )
                for n, noise in enumerate(rng.normal(0, 0.08, tasks))
            }
            for at, name in enumerate(names)
        }

    return half("o", boost, 0.0), half("p", 0.0, harder)


def of(report, name):
    return next(one for one in report.candidates if one.candidate == name)


class TestAgreementOfRanks:
    def test_it_is_the_tau_and_rho_of_scipy(self):
        open_half, private = halves()
        report = compare_halves(open_half, private, resamples=200)
        means = [[np.mean(list(h[name].values())) for name in NAMES] for h in (open_half, private)]
        assert report.kendall == pytest.approx(scipy_stats.kendalltau(*means).statistic)
        assert report.spearman == pytest.approx(scipy_stats.spearmanr(*means).statistic)
        assert report.compared == 6

    def test_its_interval_holds_it_and_stays_within_minus_1_and_1(self):
        report = compare_halves(*halves(), resamples=1000)
        low, high = report.ci95
        assert -1 <= low <= report.kendall <= high <= 1

    def test_two_candidates_have_no_agreement_but_a_reason(self):
        report = compare_halves(*halves(names=("Ash", "Bay")), resamples=100)
        assert (report.kendall, report.ci95) == (None, None)
        assert report.why["kendall"] == Reason.FEW_CANDIDATES

    def test_candidates_all_alike_have_none_either(self):
        alike = {name: {"o1": 0.5, "o2": 0.7} for name in NAMES}
        other = {name: {"p1": 0.5, "p2": 0.7} for name in NAMES}
        report = compare_halves(alike, other, resamples=100)
        assert report.kendall is None
        assert report.why["ci95"] == Reason.CONSTANT

    def test_the_same_seed_gives_the_same_report(self):
        assert compare_halves(*halves(), resamples=300) == compare_halves(*halves(), resamples=300)


class TestDrift:
    def test_it_is_the_difference_of_the_lead_over_the_others(self):
        """Leads of Ash: open 0.6−0.4 and 0.8−0.4, private 0.5−0.4: a drift of 0.3 − 0.1."""
        open_half = {"Ash": {"o1": 0.6, "o2": 0.8}, "Bay": {"o1": 0.4, "o2": 0.4}}
        private = {"Ash": {"p1": 0.5, "p2": 0.5}, "Bay": {"p1": 0.4, "p2": 0.4}}
        ash = of(compare_halves(open_half, private, resamples=100), "Ash")
        assert ash.drift == pytest.approx(0.2)
        assert ash.difference == pytest.approx(0.2)
        assert (ash.open_rank, ash.private_rank) == (1, 1)

    def test_a_harder_half_alone_makes_nobody_drift(self):
        report = compare_halves(*halves(harder=0.3), resamples=2000)
        assert of(report, "Oak").difference > 0.2
        assert report.drifting == ()

    def test_a_candidate_that_knows_the_open_tasks_is_found_and_no_other(self):
        report = compare_halves(*halves(boost=0.25), resamples=2000)
        assert [one.candidate for one in report.drifting] == ["Fir"]
        low, high = of(report, "Fir").ci95
        assert low < 0.25 < high
        assert of(report, "Fir").p_holm >= of(report, "Fir").p_value

    def test_one_that_does_better_on_the_private_half_is_not_flagged(self):
        report = compare_halves(*halves(boost=-0.25), resamples=2000)
        assert of(report, "Fir").p_holm < 0.05
        assert not of(report, "Fir").drifts

    def test_without_drift_few_are_flagged_in_error(self):
        """At 5 % for the whole family: of 60 boards at most 9 have any (p < 0.001 beyond)."""
        wrong = sum(
            bool(compare_halves(*halves(20, seed=n), resamples=400).drifting) for n in range(60)
        )
        assert wrong <= 9

    def test_a_candidate_on_one_half_alone_has_no_drift_but_a_reason(self):
        open_half, private = halves()
        del private["Elm"]
        elm = of(compare_halves(open_half, private, resamples=100), "Elm")
        assert (elm.drift, elm.private_mean, elm.private_rank, elm.drifts) == (
            None, None, None, False,
        )  # fmt: skip
        assert elm.why["drift"] == Reason.NO_SCORES

    def test_fewer_than_six_tasks_in_a_half_cannot_be_tested(self):
        open_half, private = halves()
        few = [f"p{n}" for n in range(5)]
        private = {name: {n: scores[n] for n in few} for name, scores in private.items()}
        ash = of(compare_halves(open_half, private, resamples=100), "Ash")
        assert ash.drift is not None
        assert (ash.p_value, ash.why["p_value"]) == (None, Reason.FEW_TASKS)
        assert (ash.ci95, ash.why["ci95"]) == (None, Reason.FEW_TASKS)

    def test_nothing_at_all_gives_an_empty_report(self):
        report = compare_halves({}, {}, resamples=100)
        assert (report.candidates, report.kendall) == ((), None)

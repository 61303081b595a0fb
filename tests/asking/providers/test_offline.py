"""The rules that stand in for a model: small texts of our own, English and Chinese."""

import json
import time

import pytest

from judge.asking.prompts.builder import answer_prompt, judge_prompt
from judge.asking.providers import get
from judge.asking.providers.base import ErrorKind, Prompt, ProviderError
from judge.asking.providers.inputs import Criterion, Exemplar
from judge.asking.providers.rules.grade import HIGHEST, LOWEST, THRESHOLD, best_threshold, calibrate
from tests.asking.providers.conftest import NONCE
from tests.asking.providers.offline import (
    CLINIC,
    OVEN,
    complete,
    judged,
    outcome,
)

# -- answering ----------------------------------------------------------------------------------


def test_an_answer_takes_each_demand_and_the_sentences_nearest_to_it():
    text = complete(answer_prompt(OVEN))
    assert "## 1. Calculate the payback period of the oven." in text
    part = text.split("## 1.")[1].split("## 2.")[0]
    assert "The oven costs €18,400 and lasts eight years." in part
    assert "The materials give nothing on this point." in text


def test_an_answer_to_a_chinese_task_is_chinese():
    text = complete(answer_prompt(CLINIC))
    assert "周一上午平均候诊时间为72分钟。" in text
    assert "## 背景" in text


# -- judging ------------------------------------------------------------------------------------

ANSWER = (
    "The oven pays for itself after 3.2 years. We recommend the purchase. Before ordering, obtain "
    "the landlord's written consent. The supermarket that opens in May may reduce Saturday sales."
)


@pytest.mark.parametrize(
    ("line", "met"),
    [
        ("Names the opening of the supermarket as a risk for Saturday sales.", True),
        ("Asks for the written consent of the landlord before ordering.", True),
        ("States that fire insurance premiums will go up.", False),
        ("Mentions training of the night shift staff.", False),
    ],
)
def test_a_line_is_met_where_its_words_stand_together(line, met):
    assert outcome(ANSWER, line) is met


@pytest.mark.parametrize(
    ("answer", "met"),
    [
        ("The payback period comes to 3.2 years.", True),
        ("The payback period comes to 3.20 years.", True),
        ("The payback period comes to 5.9 years.", False),
        ("The payback period is long.", False),
    ],
)
def test_a_figure_must_agree(answer, met):
    assert outcome(answer, "States a payback period of 3.2 years.") is met


def test_a_denial_of_what_a_line_wants_is_no_evidence_for_it():
    line = "Recommends a loan from the savings bank."
    assert outcome("Take the loan from the savings bank.", line) is True
    assert outcome("Do not take the loan from the savings bank.", line) is False


def test_a_line_that_forbids_is_met_by_silence_or_rejection_and_broken_by_the_deed():
    line = "Does not propose a loan from the savings bank."
    assert outcome("Lease the oven instead of buying.", line) is True
    assert outcome("Avoid a loan from the savings bank.", line) is True
    assert outcome("Take a loan from the savings bank.", line) is False


NEGATIONS = (
    "States the net, not the gross, amount due.",
    "Names a deadline without which the right is lost.",
    "Says that the clause does not apply to tenants.",
    "Identifies that no notice was served in time.",
    "Explains why the exclusion is not enforceable.",
    "Recommends that the buyer does not sign before the survey.",
    "Does not recommend an appeal.",
    "Avoids any promise about the outcome.",
    "指出该条款不适用于承租人。",
    "没有建议提起上诉。",
)


@pytest.mark.parametrize("line", NEGATIONS)
@pytest.mark.parametrize("text", ["The weather in Lisbon was warm.", "I think it is fine.", "好。"])
def test_no_line_with_a_denial_is_met_by_a_text_about_something_else(line, text):
    met, why = judged(text, line)[0]
    assert met is False
    assert "evidence 1.00" not in why


@pytest.mark.parametrize(
    ("line", "answer", "met"),
    [
        (NEGATIONS[0], "The net amount due is stated, not the gross amount.", True),
        (NEGATIONS[2], "The clause does not apply to tenants.", True),
        (NEGATIONS[2], "The clause does apply to tenants.", False),
        (NEGATIONS[3], "No notice was served in time.", True),
        (NEGATIONS[3], "The notice was served in time.", False),
        ("States that the loan was repaid.", "It is not clear why, but the loan was repaid.", True),
        ("States that the loan was repaid.", "The loan was not repaid.", False),
        (NEGATIONS[8], "该条款不适用于承租人。", True),
        (NEGATIONS[8], "该条款适用于承租人。", False),
    ],
)
def test_a_denial_reaches_no_further_than_its_clause(line, answer, met):
    assert outcome(answer, line) is met


def test_chinese_lines_are_judged_by_pairs_of_characters():
    text = "周一上午就诊的患者约占全周的34%。建议将两名医生从周三下午调到周一上午。"
    met, why = judged(text, "建议将医生从周三下午调到周一上午", task=CLINIC)[0]
    assert met is True
    assert "最接近的一句：“建议将两名医生从周三下午调到周一上午。”" in why
    assert outcome(text, "提出购置新的核磁共振设备", task=CLINIC) is False
    assert outcome(text, "给出周一上午就诊患者的占比为34%", task=CLINIC) is True
    assert outcome(text, "给出周一上午就诊患者的占比为51%", task=CLINIC) is False


def test_the_reason_quotes_the_nearest_sentence():
    why = judged(ANSWER, "Names the supermarket as a risk for Saturday sales.")[0][1]
    assert "The supermarket that opens in May may reduce Saturday sales." in why
    assert len(why) < 400


def test_a_line_without_content_words_is_abstained_from():
    assert judged(ANSWER, "It is as it should be.")[0][0] is None
    assert judged(ANSWER, "???")[0][0] is None


def test_an_empty_response_meets_nothing():
    lines = ["Names the supermarket.", "Does not propose a loan."]
    assert [met for met, _ in judged(" \n", *lines)] == [False, False]


def test_only_the_lines_asked_for_are_judged():
    criteria = [Criterion(name, "Names the supermarket.", "important", 5, "x") for name in "pq"]
    prompt = judge_prompt(OVEN, criteria, None, ANSWER, only_ids=["q"], nonce=NONCE)
    assert [entry["id"] for entry in json.loads(complete(prompt))["verdicts"]] == ["q"]


# -- learning from the anchor -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scored", "threshold"),
    [
        ([], THRESHOLD),
        # Any cut from 0.31 to 0.69 separates them: the default is among them and wins.
        ([(0.3, False), (0.7, True)], THRESHOLD),
        # Strict experts: only what stands above 0.65 was accepted; the midpoint of 0.6 and 0.7.
        ([(0.3, False), (0.6, False), (0.7, True), (0.9, True)], 0.65),
        # Lenient ones: the midpoint of 0.3 and 0.4.
        ([(0.2, False), (0.3, False), (0.4, True), (0.9, True)], 0.35),
        # One outcome only: nothing is contradicted by the default, so it stays.
        ([(0.6, True), (0.9, True)], THRESHOLD),
        ([(0.1, False), (0.4, False)], THRESHOLD),
        # All were accepted, one at 0.45: just below it.
        ([(0.45, True), (0.9, True)], 0.44),
        # An anchor never drives it beyond the bounds.
        ([(0.79, False), (0.99, True)], HIGHEST),
        ([(0.01, False), (0.21, True)], LOWEST),
    ],
)
def test_the_threshold_that_separates_best_wins_and_ties_go_to_the_default(scored, threshold):
    assert best_threshold(scored) == pytest.approx(threshold)


LINES = (
    "Names the supermarket as a risk for Saturday sales.",
    "Names the electrical connection as a risk for the building.",
)


def test_strict_experts_make_a_strict_judge():
    criteria = [Criterion(f"c{n}", line, "important", 5, "x") for n, line in enumerate(LINES)]
    baseline = "The supermarket is a risk. The electrical connection is a risk for the building."
    strict = Exemplar(baseline, {"c0": (False, "No sales."), "c1": (True, "Said.")})
    lenient = Exemplar(baseline, {"c0": (True, "Enough."), "c1": (True, "Said.")})
    high, scores = calibrate(OVEN, criteria, strict)
    low, _ = calibrate(OVEN, criteria, lenient)
    assert scores["c0"] < scores["c1"]
    assert low <= scores["c0"] < high <= scores["c1"]
    answer = "The supermarket is a risk."
    assert outcome(answer, LINES[0], exemplar=None) is outcome(answer, LINES[0], exemplar=None)
    assert [met for met, _ in judged(baseline, *LINES, exemplar=strict)] == [False, True]
    assert [met for met, _ in judged(baseline, *LINES, exemplar=lenient)] == [True, True]


# -- the provider -------------------------------------------------------------------------------


def test_it_says_the_same_thing_every_time_and_needs_no_tokens():
    prompt = judge_prompt(
        OVEN, [Criterion("c", LINES[0], "important", 5, "x")], None, ANSWER, nonce=NONCE
    )
    replies = [
        get("offline").complete(prompt, model=model, parameters={"temperature": 1}, timeout=1)
        for model in ("rules-1", "anything")
    ]
    assert replies[0].text == replies[1].text
    assert replies[0].usage.input_tokens == replies[0].usage.output_tokens == 0
    json.dumps(replies[0].request)
    json.loads(replies[0].raw)


def test_a_purpose_without_a_rule_is_refused():
    stray = Prompt("poem", "a", "b", None, "", object(), "v")
    with pytest.raises(ProviderError) as caught:
        complete(stray)
    assert caught.value.kind is ErrorKind.BAD_REQUEST


def test_long_responses_are_judged_in_moments():
    sentence = "Branch {n} reported sales of €{m} in week {n} and asked for two more people. "
    lines = [f"States that branch {n} reported sales of €{n * 31}." for n in range(17)]
    started = time.perf_counter()
    for r in range(10):
        judged("".join(sentence.format(n=n, m=n * 31 + r) for n in range(150)), *lines)
    # 150 of them are to take seconds; the bound leaves room for a busy machine.
    assert time.perf_counter() - started < 10

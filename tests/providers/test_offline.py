"""The rules that stand in for a model: small texts of our own, English and Chinese."""

import json
import time

import pytest

from curation.text.language import amounts
from judge.prompts.builder import answer_prompt, draft_prompt, judge_prompt
from judge.prompts.parsing import parse_draft, parse_verdicts
from judge.providers import get
from judge.providers.base import ErrorKind, Prompt, ProviderError
from judge.providers.inputs import DIMENSIONS, Criterion, Exemplar, TaskText
from judge.providers.rules.grade import HIGHEST, LOWEST, THRESHOLD, best_threshold, calibrate
from rubrics.linter.rules import lint
from tests.providers.conftest import NONCE

OVEN = TaskText(
    id="bakery",
    title="A second oven",
    language="en",
    domain="business",
    scenario="A bakery in a town of 20,000 wants a second deck oven. It bakes six days a week.",
    materials=(
        "The oven costs €18,400 and lasts eight years. Energy costs rise by €210 a month.\n"
        "Saturday demand exceeds capacity by 30%."
    ),
    requirements=(
        "1. Calculate the payback period of the oven.\n"
        "2. Name two risks of the purchase; say how each can be reduced.\n"
        "The note must not exceed 400 words."
    ),
)
REFERENCE = """## Result
The payback period is 3.2 years. Therefore the purchase is worthwhile at the present demand.

## Risks
- Demand: Saturday sales may fall when the supermarket opens in May.
- However, the electrical connection must be upgraded to 32 A, and the landlord has to agree.
- It is unclear.
- Do not order before the written consent of the landlord.

| Item | Per month | Per year |
|---|---|---|
| Extra margin | €690 | €8,280 |
| Energy | €210 | €2,520 |

For example, a used oven would cost about €9,000.
Should the bakery wait?
In summary:
"""
CLINIC = TaskText(
    id="clinic",
    title="门诊排班",
    language="zh-hans",
    domain="healthcare",
    scenario="某社区门诊每周接诊约900人，只有六名医生。周一上午的候诊时间最长。",
    materials="周一上午平均候诊时间为72分钟。其他时段平均候诊时间为25分钟。护士共有十名。",
    requirements="1. 请分析周一上午候诊时间长的原因。\n2. 给出排班调整方案；方案不得增加总工时。",
)
CLINIC_REFERENCE = """一、原因
周一上午的就诊人数占全周的34%，因此候诊时间最长。
复诊患者没有预约，同时集中在周一上午到达诊室。
二、方案
- 将两名医生从周三下午调到周一上午；总工时保持不变
- 复诊改为分时段预约
例如，慢性病患者可以安排在周四。
"""


def complete(prompt: Prompt) -> str:
    return get("offline").complete(prompt, model="rules-1", parameters={}, timeout=1).text


def drafted(task: TaskText, reference: str):
    parsed = parse_draft(complete(draft_prompt(task, reference)), reference=reference)
    assert parsed.problem is None
    assert parsed.refused == ()
    assert parsed.repaired == []
    return parsed.lines


def judged(text: str, *lines: str, exemplar: Exemplar | None = None, task: TaskText = OVEN):
    criteria = [Criterion(f"c{n}", line, "important", 5, "other") for n, line in enumerate(lines)]
    prompt = judge_prompt(task, criteria, exemplar, text, nonce=NONCE)
    parsed = parse_verdicts(complete(prompt), [line.id for line in criteria])
    assert parsed.missing == ()
    return [parsed.verdicts[line.id] for line in criteria]


def outcome(text: str, line: str, **more) -> bool | None:
    return judged(text, line, **more)[0][0]


# -- drafting -----------------------------------------------------------------------------------


def test_a_draft_cuts_demands_sentences_items_and_table_cells_into_single_checks():
    texts = [line.text for line in drafted(OVEN, REFERENCE)]
    for expected in (
        "Calculates the payback period of the oven.",
        "Names two risks of the purchase",
        "Says how each can be reduced.",
        "The note must not exceed 400 words.",
        "States that the payback period is 3.2 years.",
        "States that the purchase is worthwhile at the present demand.",
        "States that the electrical connection must be upgraded to 32 A.",
        "States that the landlord has to agree.",
        "Gives the instruction not to order before the written consent of the landlord.",
        "Gives “Per month” for “Extra margin”: €690",
        "Gives “Per year” for “Energy”: €2,520",
        "States that a used oven would cost about €9,000.",
    ):
        assert expected in texts


WARD = TaskText(
    id="ward",
    title="Discharge with warfarin",
    language="en",
    domain="healthcare",
    scenario="A man of 78 is to go home.",
    materials="",
    requirements=(
        "Write to the doctor: (1) say whether he goes home today; (2) the potassium and the "
        "kidney; (3) what imaging is needed and within which time; (4) who is called if what "
        "happens."
    ),
)


def test_a_draft_takes_no_number_of_an_item_into_a_line_and_no_condition_from_its_subject():
    lines = drafted(
        WARD, "The target INR is 2.5; heparin if below 2.0; check the INR on day three."
    )
    texts = [line.text for line in lines]
    assert [text for text in texts if "(" in text] == []
    assert "Says whether he goes home today" in texts
    assert "Covers the potassium and the kidney" in texts
    assert "Covers who is called if what happens." in texts
    assert "States that the target INR is 2.5; heparin if below 2.0." in texts
    # What an answer must say of these is for the author to write; the linter says so.
    marks = {line.text: [mark.code for mark in lint(line.text)] for line in lines}
    for text in texts:
        if text.startswith("Covers"):
            assert "no_concrete_content" in marks[text], text


def test_a_draft_leaves_out_questions_headings_and_phrases_that_say_nothing():
    texts = " ".join(line.text for line in drafted(OVEN, REFERENCE))
    for unwanted in ("bakery wait", "In summary", "##", "Therefore", "However"):
        assert unwanted not in texts


def test_a_sentence_nobody_can_read_alone_stays_out_when_there_are_enough_others():
    lines = drafted(OVEN, REFERENCE)
    assert len(lines) >= 15
    assert not [line for line in lines if "unclear" in line.text]


def test_every_quote_stands_in_the_reference_and_every_figure_too():
    for line in drafted(OVEN, REFERENCE):
        assert line.quote == "" or line.quote in REFERENCE
        known = {amount.value for amount in amounts(REFERENCE + OVEN.requirements)}
        assert {amount.value for amount in amounts(line.text)} <= known


def test_importance_weight_and_dimension_follow_the_text():
    lines = {line.text: line for line in drafted(OVEN, REFERENCE)}
    result = lines["States that the payback period is 3.2 years."]
    assert (result.importance, result.dimension) == ("essential", "accuracy")
    assert 7 <= result.weight <= 9
    limit = lines["The note must not exceed 400 words."]
    assert (limit.importance, limit.dimension) == ("essential", "constraint_satisfaction")
    aside = lines["States that a used oven would cost about €9,000."]
    assert aside.importance == "optional"
    assert aside.weight <= 3
    assert {line.dimension for line in lines.values()} <= set(DIMENSIONS)


def test_a_chinese_draft_is_in_chinese_and_atomic():
    texts = [line.text for line in drafted(CLINIC, CLINIC_REFERENCE)]
    assert "分析周一上午候诊时间长的原因。" in texts
    assert "方案不得增加总工时。" in texts
    assert "指出周一上午的就诊人数占全周的34%，因此候诊时间最长。" in texts
    assert "指出复诊患者没有预约，同时集中在周一上午到达诊室。" in texts
    assert "就“方案”指出：总工时保持不变" in texts
    assert not [text for text in texts if text.startswith("States")]


def test_a_draft_stays_within_25_lines_and_repeats_nothing():
    facts = "\n".join(
        f"- The plant in town {n} makes {n * 7} tons of glass a day." for n in range(60)
    )
    lines = drafted(OVEN, f"{facts}\n{facts}")
    assert 15 <= len(lines) <= 25
    assert len({line.text for line in lines}) == len(lines)


def test_little_text_gives_few_lines_and_none_gives_none():
    assert [line.text for line in drafted(OVEN, "The payback period is 3.2 years.")][-1] == (
        "States that the payback period is 3.2 years."
    )
    empty = TaskText("x", "", "en", "", "", "", "")
    assert drafted(empty, "") == ()


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

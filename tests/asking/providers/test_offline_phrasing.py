"""How the offline provider words the lines it cuts out of a task and its reference."""

from dataclasses import replace

import pytest

from tests.asking.providers.offline import OVEN, drafted


def drafted_from(reference: str) -> list[str]:
    return [line.text for line in drafted(replace(OVEN, requirements=""), reference)]


@pytest.mark.parametrize(
    ("reference", "line"),
    [
        (
            "**Cause.** NRV-1 slammed: a reverse flow of 0.62 m/s was stopped.",
            "States under “Cause”: NRV-1 slammed: a reverse flow of 0.62 m/s was stopped.",
        ),
        (
            "- *Deluge.* Valuable for cooling, but it gives no credit in sizing.",
            "States under “Deluge”: valuable for cooling, but it gives no credit in sizing.",
        ),
        (
            "Velocity in the DN 400 main at 166 L/s: 1.32 m/s.",
            "Gives velocity in the DN 400 main at 166 L/s as 1.32 m/s.",
        ),
        (
            "A, reject: the error arrives after payment.",
            "States: A, reject: the error arrives after payment.",
        ),
        (
            "Order the axial valve in EN-GJS-400, PN 16, at EUR 14,800.",
            "Gives the instruction to order the axial valve in EN-GJS-400, PN 16, at EUR 14,800.",
        ),
        ("Nine keys left no “trace” at all.", "States: Nine keys left no “trace” at all."),
        ("Attempt 2 read 0.00 and wrote 80.00.", "States: Attempt 2 read 0.00 and wrote 80.00."),
        (
            "*A clear promise* that strict rights will not be enforced.",
            "States: a clear promise that strict rights will not be enforced.",
        ),
        ("| | |\n|---|---|\n| Price | 84,000 |\n| Interest | (310) |", "Gives “Interest”: (310)"),
        (
            "**一、现状**　小禾听后答对 9 题，自己读后只答对 4 题。",
            "就“现状”指出：小禾听后答对 9 题，自己读后只答对 4 题。",
        ),
        ("剩余：2,147 − 1,958 = 189 万。", "给出“剩余”为 2,147 − 1,958 = 189 万。"),
        ("1772 年是下诏征书，次年才开馆。", "指出：1772 年是下诏征书，次年才开馆。"),
        ("| 方案 | 难度 |\n|---|---|\n| 按 C | 0.21 |", "给出“按 C”的“难度”：0.21"),
    ],
)
def test_a_line_reads_as_a_check_and_quotes_nothing_but_names(reference, line):
    assert line in drafted_from(reference)


@pytest.mark.parametrize(
    ("reference", "lines"),
    [
        (
            "**Monitoring and calls**\n\n- I review at 00:00 and 04:00.",
            ["States under “Monitoring and calls”: “I review at 00:00 and 04:00.”"],
        ),
        ("I review at 00:00 and 04:00.", ["States: “I review at 00:00 and 04:00.”"]),
        ("We ask Noorderzand for a quote.", ["States: “We ask Noorderzand for a quote.”"]),
        ("It was settled then. Chloride rose to 113.", ["States: Chloride rose to 113."]),
        ("We looked at all of them with great care.", []),
        (
            "## Dose\n\nHer eGFR of 55 looks above the limit.",
            ["States under “Dose”: Her eGFR of 55 looks above the limit."],
        ),
        (
            "**2. 前半成立，后半有误。** 北四阁只有两阁在北京，文溯阁在沈阳。",
            ["就“前半成立，后半有误”指出：北四阁只有两阁在北京，文溯阁在沈阳。"],
        ),
        (
            "**3. 有误。** 毁于英法联军的只有文源阁，时在 1860 年。",
            ["指出毁于英法联军的只有文源阁，时在 1860 年。"],
        ),
        (
            "**二、学期目标**\n1. 上述两类错误占 70%。",
            ["就“学期目标”指出：上述两类错误占 70%。"],
        ),
        ("前半成立，后半不然。文溯阁在今沈阳城内。", ["指出文溯阁在今沈阳城内。"]),
        ("上述方案由张宗祥先生在杭州主持完成。", ["指出上述方案由张宗祥先生在杭州主持完成。"]),
    ],
)
def test_a_sentence_that_leans_is_named_with_its_heading_or_left_out(reference, lines):
    assert drafted_from(reference) == lines


@pytest.mark.parametrize(
    ("requirements", "line"),
    [
        ("- the mechanism and what triggered it;", "Covers the mechanism and what triggered it"),
        ("- why the nightly check stayed silent", "Covers why the nightly check stayed silent"),
        ("- the report must not exceed one page", "The report must not exceed one page"),
        (
            "Write the failure report to Ms Marsh, 350 to 450 words.",
            "Writes the failure report to Ms Marsh, 350 to 450 words.",
        ),
        (
            "- State the cause in one sentence, then prove it with the calculation.",
            "States the cause in one sentence, then proves it with the calculation.",
        ),
        (
            "- Identify the gap, and say what it costs.",
            "Identifies the gap, and says what it costs.",
        ),
        ("- Do not use the word budget at all.", "Does not use the word budget at all."),
        ("包括：一、用数据概括优势与需要", "用数据概括优势与需要"),
        ("请包括：二、资源教室每次 30 分钟的安排。", "资源教室每次 30 分钟的安排。"),
    ],
)
def test_a_demand_of_a_list_is_a_line_by_itself(requirements, line):
    task = replace(OVEN, requirements=requirements)
    assert [entry.text for entry in drafted(task, "")] == [line]

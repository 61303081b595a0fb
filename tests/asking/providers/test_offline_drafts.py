"""Drafts by the rules that stand in for a model."""

from curation.base.text.language import amounts
from judge.asking.providers.inputs import DIMENSIONS, TaskText
from rubrics.linter.rules import lint
from tests.asking.providers.offline import CLINIC, CLINIC_REFERENCE, OVEN, REFERENCE, drafted


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

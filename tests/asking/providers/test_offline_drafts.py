"""Drafts by the rules that stand in for a model."""

from curation.base.text.language import amounts
from judge.asking.providers.inputs import DIMENSIONS, TaskText
from tests.asking.providers.offline import CLINIC, CLINIC_REFERENCE, OVEN, REFERENCE, drafted


def test_a_draft_cuts_demands_sentences_items_and_table_cells_into_single_checks():
    texts = [line.text for line in drafted(OVEN, REFERENCE)]
    for expected in (
        "Calculate the payback period of the oven.",
        "The note must not exceed 400 words.",
        "States that the payback period is 3.2 years.",
        "Gives “Per month” for “Extra margin”: €690",
        "Gives “Per year” for “Energy”: €2,520",
    ):
        assert expected in texts


def test_a_draft_leaves_out_questions_headings_and_phrases_that_say_nothing():
    texts = " ".join(line.text for line in drafted(OVEN, REFERENCE))
    for unwanted in ("bakery wait", "In summary", "##", "Therefore", "However"):
        assert unwanted not in texts


def test_a_sentence_nobody_can_read_alone_stays_out_when_there_are_enough_others():
    lines = drafted(OVEN, REFERENCE)
    assert len(lines) >= 14
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
    assert {line.dimension for line in lines.values()} <= set(DIMENSIONS)


def test_a_chinese_draft_is_in_chinese_and_atomic():
    texts = [line.text for line in drafted(CLINIC, CLINIC_REFERENCE)]
    assert "方案不得增加总工时。" in texts
    assert "指出：周一上午的就诊人数占全周的34%，因此候诊时间最长。" in texts
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

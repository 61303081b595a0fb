"""Marks on lines: what is queried, what is left alone, and the repairs."""

import time
from types import SimpleNamespace

import pytest
from django.utils import translation

from rubrics.linter import coverage, support
from rubrics.linter.repairs import join, split_at, word_starts
from rubrics.linter.rule import Example, Rule
from rubrics.linter.rules import (
    RULES,
    LintContext,
    lint,
    lint_rubric,
    lint_whole,
    not_checked,
    segments,
)
from tests.growth import too_slow


def codes(text: str, **line: object) -> list[str]:
    return [mark.code for mark in lint(text, **line)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "Quantifies the gap as about EUR 1.15 million of EBITDA and EUR 3.75 million of debt.",
        "States the notice period and names the statute that sets it.",
        "States leverage as 3.34x; says that the test fails.",
        "Cites section 17 as well as the case that limits it.",
        "写明违约金为合同总价的 20%，并指出该比例可以调整。",
        "说明停药理由以及复查时间。",
    ],
)
def test_two_checks_in_one_line_are_marked_at_the_joining_word(text: str) -> None:
    mark = lint(text)[0]
    assert mark.code == "several_requirements"
    assert mark.repair == "split"
    assert mark.span is not None
    assert text[mark.span[0] : mark.span[1]] == mark.words


@pytest.mark.parametrize(
    "text",
    [
        "Recommends consent with conditions, neither plain consent nor refusal.",
        "Applies the terms and conditions of March 2025.",
        "Gives a range between 3.33x and 3.35x for leverage.",
        "Proposes a prepayment or an equity contribution sized to meet 3.25x.",
        "States pro-forma net debt at closing as EUR 134.4 million (96.4 and 38.0).",
        "Asks for lying and standing blood pressure before amlodipine is changed.",
        "写明阿哌沙班减为每次 2.5 mg，每日两次。",
    ],
)
def test_one_check_is_left_alone(text: str) -> None:
    assert "several_requirements" not in codes(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Handles the sleeping tablet appropriately.", "appropriately"),
        ("Discusses several risks of the transaction.", "several"),
        ("妥善处理安眠药的停用。", "妥善"),
        ("对借款人的风险进行全面分析。", "全面"),
    ],
)
def test_vague_words_without_a_measure_are_marked(text: str, words: str) -> None:
    mark = next(m for m in lint(text) if m.code == "vague_words")
    assert mark.words == words
    assert words in mark.message


@pytest.mark.parametrize(
    "text",
    [
        "Applies the test of reasonable doubt to the second charge.",
        "Names several of the three exceptions: deed, statute, estoppel.",
        "Sets a sufficient reserve of EUR 2.4 million.",
        "Says that the carrier acted in good faith towards the consignee.",
        "说明合理期限自通知送达之日起算。",
    ],
)
def test_vague_words_with_a_measure_or_a_fixed_meaning_are_left_alone(text: str) -> None:
    assert "vague_words" not in codes(text)


def test_a_line_with_nothing_to_check_is_marked() -> None:
    assert "no_concrete_content" in codes("The answer is correct and complete.")
    assert "no_concrete_content" in codes("回答准确、完整。")
    assert "no_concrete_content" not in codes("Stops ibuprofen.")
    assert "no_concrete_content" not in codes("停用布洛芬。")


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Does not mention the old rent.", True),
        ("Avoids legal jargon in the letter.", True),
        ("不得超出两页。", True),
        ("Says that the tenant does not owe the arrears.", False),
        ("Contains no clause number that the materials do not support.", False),
        ("指出未成年人的合同可以撤销。", False),
    ],
)
def test_a_negative_requirement_is_marked_but_not_a_negative_content(
    text: str, marked: bool
) -> None:
    assert ("negation" in codes(text)) is marked


def test_a_weight_that_does_not_fit_its_importance_is_marked() -> None:
    assert "weight_fits" in codes(
        "States net debt as EUR 1 million.", importance="essential", weight=2
    )
    assert "weight_fits" in codes(
        "States net debt as EUR 1 million.", importance="optional", weight=9
    )
    assert codes("States net debt as EUR 1 million.", importance="important", weight=5) == []


def line(text: str) -> SimpleNamespace:
    return SimpleNamespace(text=text, importance="important", weight=5)


def test_near_duplicates_and_contradictions_point_at_the_earlier_line() -> None:
    found = lint_rubric(
        [
            line("States leverage at closing as 3.34x."),
            line("States the leverage at closing as 3.34x"),
            line("States leverage at closing as 3.18x."),
            line("States leverage at signing as 3.18x."),
            line("写明违约金的比例为 20%。"),
            line("写明违约金的比例为 20%"),
        ]
    )
    assert [[m.code for m in marks] for marks in found] == [
        [],
        ["near_duplicate"],
        ["contradiction"],
        [],
        [],
        ["near_duplicate"],
    ]
    assert "1" in found[1][0].message
    assert "1" in found[2][0].message


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_marks_its_bad_examples_and_leaves_the_good_ones_alone(rule: Rule) -> None:
    assert {example.language for example in rule.examples} == {"en", "zh"}
    assert str(rule.message)
    assert str(rule.name)
    for example in rule.examples:
        assert rule.code in around(rule, example, example.bad, example.weight), example.bad
        usual = {"essential": 8, "important": 5, "optional": 3}[example.importance]
        assert rule.code not in around(rule, example, example.good, usual), example.good


def around(rule: Rule, example: Example, text: str, weight: int) -> list[str]:
    """The codes of a text that is read as the rule reads it."""
    this = SimpleNamespace(text=text, importance=example.importance, weight=weight)
    if rule.scope == "rubric":
        return [mark.code for mark in lint_whole([this], LintContext(prompt=example.context))]
    before = [line(example.context)] if rule.scope == "lines" else []
    reference = example.context if rule.scope == "reference" else ""
    return [m.code for m in lint_rubric([*before, this], LintContext(reference=reference))[-1]]


@pytest.mark.parametrize(
    ("text", "supported"),
    [
        ("States net debt as about EUR 134 million.", True),
        ("States net debt as EUR 134,400 thousand.", True),
        ("States the gap as 115 basis points of EBITDA margin.", True),
        ("States net debt as $134.4 million.", False),
        ("States net debt as EUR 143.4 million.", False),
        ("Sets the signing for 15 April 2025.", True),
        ("Sets the signing for 17 April 2025.", False),
        ("Requires the waiver within 90 days.", True),
        ("Gives net debt within EUR 5 million of the right figure.", True),
        ("Has a table with 7 columns.", True),
    ],
)
def test_figures_are_compared_with_tolerance_and_units(text: str, supported: bool) -> None:
    reference = (
        "Net debt rises to €134.4 million; the EBITDA margin falls by 1.15 percentage points. "
        "Signing is on 15 April 2025. The waiver must arrive within three months."
    )
    marks = lint_rubric([line(text)], LintContext(reference=reference))[0]
    assert ("unsupported_by_reference" not in [m.code for m in marks]) is supported


def test_a_prompt_in_another_language_and_an_empty_reference_raise_nothing() -> None:
    lines = [line("States net debt as EUR 134.4 million.")]
    assert lint_whole(lines, LintContext(prompt="说明净债务。列出先决条件。")) == []
    assert lint_whole([], LintContext(prompt="State net debt.")) == []
    assert lint_rubric(lines, LintContext()) == [[]]


@pytest.mark.parametrize("part", ["1 and ", "(", "“", "、", "relevant a ", "，", "not ", "; "])
def test_a_line_of_200_000_characters_is_answered_at_once(part: str) -> None:
    text = (part * 200_000)[:200_000]
    started = time.process_time()
    lint_rubric([line(text), line(text[1:])], LintContext(reference="Net debt is EUR 5 million."))
    split_at(text)
    assert time.process_time() - started < 2


def test_an_odd_text_raises_nothing() -> None:
    for text in ("", " ", "\u202e", "and", "；", "🙂" * 50, "a" * 2000, "()()((", "。。。"):
        lint(text, importance="essential", weight=10)
        assert split_at(text) is None


def test_marked_words_and_the_rest_make_up_the_text_again() -> None:
    text = "Gives the recommendation in an appropriate place near the start."
    runs = segments(text, lint(text))
    assert "".join(part for part, _code in runs) == text
    assert ("appropriate", "vague_words") in runs


def test_splitting_at_the_joining_word_leaves_two_whole_lines() -> None:
    text = "Quantifies the gap as EUR 1.15 million of EBITDA and EUR 3.75 million of debt."
    assert split_at(text) == (
        "Quantifies the gap as EUR 1.15 million of EBITDA.",
        "EUR 3.75 million of debt.",
    )
    assert split_at("写明违约金为 20%，并指出该比例可以调整。") == (
        "写明违约金为 20%。",
        "指出该比例可以调整。",
    )


def test_splitting_at_a_chosen_place_never_cuts_a_word_and_drops_the_joining_word() -> None:
    text = "Names the buyer and the seller of the plant"
    assert split_at(text, text.index("seller")) == (
        "Names the buyer and the",
        "Seller of the plant",
    )
    assert split_at(text, text.index("seller") + 3) == (
        "Names the buyer and the",
        "Seller of the plant",
    )
    assert split_at(text, text.index("the seller")) == (
        "Names the buyer",
        "The seller of the plant",
    )
    assert split_at(text, 0) is None
    assert split_at(text, len(text)) is None
    assert split_at("Stops ibuprofen.") is None


def test_the_places_of_a_split_are_its_words() -> None:
    assert word_starts("Stops ibuprofen today.") == [(0, "Stops"), (6, "ibuprofen"), (16, "today.")]


def test_joining_two_lines_says_nothing_twice() -> None:
    assert join("Stops ibuprofen.", "Names bleeding as the reason.") == (
        "Stops ibuprofen and names bleeding as the reason."
    )
    assert join("Stops ibuprofen today.", "stops ibuprofen today") == "Stops ibuprofen today."
    assert join("停用布洛芬。", "说明出血风险。") == "停用布洛芬；说明出血风险。"


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        ("list", ["Halden Drives | Halden", "Korvet Cells | Korvet", "老周测评 | P02"]),
        (
            "profile",
            [
                "Where does she work now? | Brello Dairy",
                "Which system did she introduce, and when? | Tidewater in 2019",
                "实际有多少人参保？| 参保人数 36 人",
            ],
        ),
        ("selection", ["Language of the videos: English", "Followers: 10,000 – 80,000"]),
    ],
)
def test_gold_items_questions_and_conditions_are_no_statements_and_not_marked_as_such(
    form: str, texts: list[str]
) -> None:
    lines = [line(text) for text in texts]
    context = LintContext("List the plants. Say what matters.", "Halden Drives.", form)
    assert lint_rubric(lines, context) == [[] for _text in texts]
    assert lint_whole(lines, context) == []
    assert any(lint_rubric(lines, LintContext("List the plants.", "Halden Drives.")))


def test_a_gold_item_or_question_that_stands_there_twice_is_marked() -> None:
    for form, text in (("list", "Halden Drives"), ("profile", "Where does she work now? | Brello")):
        found = lint_rubric([line(text), line(f"{text} ")], LintContext(form=form))
        assert [mark.code for mark in found[1]] == ["near_duplicate"], form


def test_each_form_has_the_same_marks_whatever_the_language_of_the_page() -> None:
    lines = [line("Halden Drives"), line("Halden Drives ")]
    with translation.override("zh-hans"):
        (mark,) = lint_rubric(lines, LintContext(form="list"))[1]
        assert mark.name == "近乎重复"


@pytest.mark.parametrize(
    "text",
    [
        "(3) the infection: what replaces co-trimoxazole",
        "(4) the potassium and the kidney",
        "(5) what imaging is needed and within which time",
        "(6) who is called if what happens.",
        "b) whether he goes home today",
        "2. dose of the “new” drug",
        "The potassium and the kidney.",
        "the imaging that is needed",
        "（3）感染：用什么代替复方新诺明",
        "（四）钾和肾功能",
        "五、需要哪些影像检查",
        "谁来联系家属",
    ],
)
def test_an_item_cut_out_of_a_list_is_no_statement(text: str) -> None:
    assert "not_a_statement" in codes(text)


@pytest.mark.parametrize(
    "text",
    [
        "(4) States the potassium as 5.9 mmol/l.",
        "四、写明血钾为 5.9 mmol/l。",
        "Whether the tenant may stay is decided.",
        "When the INR is below 2.0, gives heparin.",
        "The table which is attached lists all doses.",
        "The letter fulfils the form that section 568 demands.",
        "Why the claim fails is explained by the missing notice.",
    ],
)
def test_a_numbered_line_or_a_sentence_about_a_question_is_a_statement(text: str) -> None:
    assert "not_a_statement" not in codes(text)


@pytest.mark.parametrize(
    "text",
    [
        "Covers the potassium and the kidney",
        "Covers what imaging is needed and within which time.",
        "Addresses the question who is called if what happens.",
    ],
)
def test_a_line_that_only_names_a_topic_has_nothing_concrete(text: str) -> None:
    assert "no_concrete_content" in codes(text)


TASK = (
    "Write to the tenant, at most 250 words. Name the amount due, and say on which clause it rests."
)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Write to the tenant, at most 250 words.", "Write"),
        ("Name the amount due.", "Name"),
        ("Writes to the tenant, at most 250 words.", ""),
        ("Names the amount due.", ""),
        ("Names EUR 4,200 as the amount due.", ""),
        ("State the sum in euros before tax.", ""),  # no words of the task
    ],
)
def test_an_instruction_copied_from_the_task_is_marked_and_a_check_is_not(text, marked):
    own = line(text)
    found = lint_rubric([own], LintContext(prompt=TASK))[0]
    copied = [mark for mark in found if mark.code == "not_a_statement"]
    assert [mark.words for mark in copied] == ([marked] if marked else [])
    if marked:
        assert text[slice(*copied[0].span)] == marked
        assert "Begin with what the answer does" in copied[0].message
    assert [m for m in lint_rubric([own])[0] if m.code == "not_a_statement"] == []


@pytest.mark.parametrize("pattern", ["0,1,", "1 ", "一", "12 days ", "a", "\n", "- ", "1. "])
@pytest.mark.parametrize("reader", [support.source, coverage.requirements])
def test_a_pasted_line_of_figures_is_read_in_linear_time(reader, pattern):
    assert not too_slow(reader.__wrapped__, pattern)


def test_of_all_lines_together_forty_thousand_characters_are_read() -> None:
    lines = [line("Gives a good answer. " * 200) for _n in range(12)]  # 4,000 of each are read
    context = LintContext("State the price. Name the owner.", "The price is EUR 5.")
    found = lint_rubric(lines, context)
    assert [bool(marks) for marks in found] == [True] * 10 + [False] * 2
    assert lint_whole(lines, context) == []
    assert len(not_checked(lines, context)) == 1
    assert lint_whole(lines[:10], context)
    assert not_checked(lines[:10], context) == []

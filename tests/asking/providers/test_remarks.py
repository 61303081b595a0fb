"""What the offline rules make of an author's remarks on an earlier draft."""

from judge.asking.prompts.builder import draft_prompt
from judge.asking.prompts.parsing import parse_draft
from judge.asking.providers import get
from judge.asking.providers.inputs import TaskText

REFERENCE = (
    "Net debt rises to EUR 134.4 million. The covenant allows 3.5 times EBITDA. "
    "The lender must be told within 10 days. The memo uses a large font for its headings. "
    "The board recommends consent. Interest is 4 percent."
)


def redrafted(
    remarks, reference=REFERENCE, requirements="Write a memo on the loan.", language="en"
):
    task = TaskText("t", "Loan", language, "Finance", "You advise.", "", requirements)
    prompt = draft_prompt(task, reference, remarks=remarks)
    reply = get("offline").complete(prompt, model="rules-1", parameters={}, timeout=1)
    return [line.text for line in parse_draft(reply.text, reference=reference).lines]


def test_remarks_without_a_wish_change_nothing():
    assert redrafted("") == redrafted("Please, another draft with more lines.")


def test_a_number_of_lines_is_the_most_and_wanted_words_come_first():
    assert len(redrafted("At most 3 lines.")) == 3
    two = redrafted("Only 2 lines, on interest.")
    assert len(two) == 2
    assert any("Interest" in line for line in two)
    assert not any("Interest" in line for line in redrafted("Only 2 lines."))


def test_what_remarks_do_not_want_is_left_out():
    assert any("font" in line for line in redrafted(""))
    left = redrafted("Nothing about font or headings. More on the covenant.")
    assert not any("font" in line for line in left)
    assert any("covenant" in line for line in left)


def test_remarks_in_chinese_work_by_the_same_rules():
    reference = "净债务升至1.344亿欧元。杠杆倍数不得超过3.5倍。标题使用大号字体。利率为4%。"
    lines = redrafted("不要写标题字体。最多2条。", reference, "撰写备忘录。", "zh-hans")
    assert len(lines) == 2
    assert not any("字体" in line for line in lines)

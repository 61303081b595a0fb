"""Texts that the offline rules are tried on, and what they make of them."""

from judge.asking.prompts.builder import draft_prompt, judge_prompt
from judge.asking.prompts.parsing import parse_draft, parse_verdicts
from judge.asking.providers import get
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import Criterion, Exemplar, TaskText
from tests.asking.providers.conftest import NONCE

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

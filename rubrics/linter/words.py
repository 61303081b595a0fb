"""Word lists and expressions that several rules share."""

import re
from functools import lru_cache

from curation.base.text.language import check_terms
from rubrics.linter.rule import Spans

# Verbs that rubric lines begin with; after "and" they begin a second requirement.
VERBS = (
    "acknowledges|adds|addresses|advises|allocates|analyses|analyzes|answers|applies|argues|asks|"
    "assesses|assigns|attaches|attributes|bases|begins|books|brings|calculates|calls|cautions|"
    "checks|chooses|cites|"
    "clarifies|classifies|closes|compares|computes|concludes|confirms|considers|contains|converts|"
    "corrects|covers|defines|demonstrates|derives|describes|designs|determines|discloses|discusses|"
    "distinguishes|divides|documents|draws|elaborates|emphasises|emphasizes|ends|"
    "establishes|estimates|"
    "evaluates|examines|excludes|explains|explores|expresses|flags|focuses|formulates|gives|groups|"
    "highlights|identifies|illustrates|includes|indicates|informs|instructs|interprets|introduces|"
    "invites|justifies|keeps|labels|limits|links|lists|locates|maintains|marks|mentions|names|"
    "notes|"
    "observes|offers|opens|orders|organises|organizes|outlines|places|plans|points|prefers|"
    "prepares|"
    "prescribes|presents|prioritises|prioritizes|produces|proposes|provides|quantifies|quotes|"
    "ranks|"
    "recalculates|recognises|recognizes|recommends|reconciles|records|refers|refrains|refuses|"
    "rejects|relates|reports|requires|requests|reserves|reviews|rounds|says|schedules|"
    "selects|sends|separates|sets|shows|solves|specifies|splits|starts|states|stops|suggests|"
    "summarises|summarizes|supplies|supports|takes|tells|tests|treats|uses|validates|verifies|"
    "warns|weighs|withdraws|writes"
)
VERBS_ZH = (
    "说明|指出|给出|计算|写明|列出|提到|提及|建议|解释|分析|评估|识别|判断|引用|描述|明确|归纳|"
    "量化|"
    "提出|推荐|制定|比较|总结|提供|突出|阐述|论证|注明|标明|确认|核算|得出|警示|提示|设计|介绍|"
    "区分|讨论|验证|安排|停用|开具|告知|强调|概述"
)
# Actions that a line asks for; after a comma they begin a second one.
ACTIONS_ZH = (
    "重置|隔离|测量|记录|检查|采用|使用|选用|启用|停止|开始|增加|减少|调整|更换|联系|通知|安装|"
    "删除|修改|复查|"
    "监测|选择|保留|避免|安抚|转诊|更新|备份|签署|提交|支付|返还|撤销|起诉|申请|召回|清洗|校准|"
    "拆除|加固"
)
_SCRIPT = {"en": re.compile("[A-Za-z]{2}"), "zh": re.compile("[\u3400-\u9fff]")}
_CLOSED = re.compile(r"[(（\[【][^()（）\[\]【】]*[)）\]】]")
# A beginning after which the line gives the content that the response reports.
_REPORTED = re.compile(
    rf"^\W*+(?:the\s+)?(?:answer\s+|response\s+|memo\s+|report\s+|letter\s+|author\s+)?(?:{VERBS})\b"
    r"[^.;]{0,60}?(?:\b(?:that|why|how|whether|because|as|against|for|if|when)\b|:)"
    r"|^\W*+(?:答案|回答|报告|备忘录|文中)?(?:应|须|需要?|能)?"
    r"(?:指出|说明|写明|提到|提及|认为|提示|警示|解释|得出|判断|确认|注明|明确|强调|告知|提醒)",
    re.IGNORECASE,
)


def has_words(language: str, text: str) -> bool:
    """Return whether the text has words in the script of the language."""
    return bool(_SCRIPT[language].search(text))


def brackets(text: str) -> Spans:
    """Return the spans in brackets, where a remark is no second requirement."""
    return Spans(match.span() for match in _CLOSED.finditer(text))


def reported_from(text: str) -> int:
    """Return where the reported content of a line begins (after "States that"), else its length."""
    match = _REPORTED.search(text)
    return match.end() if match else len(text)


# Chinese function words, and the verbs that lines begin with.
_TIES = re.compile(rf"{VERBS_ZH}|正确|准确|不|没有|未|[有把的了是为在将被应须需会常其该此这那所以]")
_COUNTS = re.compile(
    r"[两一二三四五六七八九十]{1,12}(?=个|年|天|日|周|月|项|种|次|条|类|步|名|家|倍|道|处|份)"
    r"|(?<!\d)\d[\d.,]{0,30}+\s?[A-Za-z]{1,3}\b"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)-(?=year|month|week|day|hour)"
)


@lru_cache(maxsize=4_000)
def content_terms(text: str) -> frozenset[str]:
    """Return the content terms of a line, without figures and function words. Cached."""
    return check_terms(_TIES.sub("", _COUNTS.sub(" ", text)))


_ASKS = re.compile(rf"^\W*+(?:{VERBS})\b|^\W*+(?:{VERBS_ZH}|{ACTIONS_ZH})", re.IGNORECASE)


def asks_for_something(text: str) -> bool:
    """Return whether a line begins with a verb of the answer: "States …", "指出……"."""
    return bool(_ASKS.match(text))

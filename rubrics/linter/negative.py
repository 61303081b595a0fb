"""Rules for negative lines, which an empty answer would pass, and double negations."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from rubrics.linter.rule import Example, Mark, Pattern, Rule, first

RULE = Rule(
    code="negation",
    name=_("a negative line"),
    message=_(
        "An empty answer would pass this line. Say what must be there, or name exactly what must "
        "not."
    ),
    teaches=_(
        "“Does not …” is TRUE of an answer that says nothing. Ask for the right thing instead; "
        "where a ban matters, name the words or the step that must not occur."
    ),
    examples=(
        Example(
            "en", "Does not mention the old rent.", "Uses the rent of EUR 1,240 from 1 March 2025."
        ),
        Example("zh", "不得超出两页。", "全文为两页，每页一个标题。"),
    ),
)
DOUBLE = Rule(
    code="double_negation",
    name=_("two negations"),
    message=_(
        "“%(words)s” denies twice: scorers read such lines the wrong way round. Say it positively."
    ),
    teaches=_(
        "Scorers who mark thirty lines in a row sooner or later read a double negation the wrong "
        "way round. The positive wording asks for the same."
    ),
    examples=(
        Example(
            "en",
            "Does not fail to mention the deductible.",
            "States the deductible of EUR 500.",
        ),
        Example("zh", "不能没有风险提示。", "提示本金可能亏损。"),
    ),
)
NEGATIVE = (
    Pattern(
        "en",
        r"^\W*+(?:the )?(?:answer |response |text |output |report |memo |letter |author )?"
        r"((?:does|do|is|are|must|should|may|has|have|will|can)(?: not|n[’']t)|cannot|never|"
        r"avoids?|"
        r"refrains? from|omits?|fails? to|no(?= [a-z])|nowhere|nothing|without|leaves? out)\b",
    ),
    Pattern(
        "zh",
        r"^\W*+(?:答案|回答|全文|文中|报告|内容|译文|方案|文章)?(?:中|里)?(不得|不应|不要|不能|"
        r"不可(?!抗)|不含|不包含|不出现|不提|没有|"
        r"未曾|未(?![来成婚])|避免|无需|禁止|切勿|勿|不(?![仅但少超足同定动当良可独久断妨]))",
    ),
)
TWICE = (
    Pattern(
        "en",
        r"(?:\b(?:not|never|cannot|no)|n['’]t)\s(?:\w+\s){0,2}?(?:fails?|failing|leaves? out|"
        r"skips?|omit(?:s|ted|ting)?|neglects?|"
        r"without|un(?:clear|founded|reasonable|justified|supported|lawful|sound|important|true|"
        r"usual|"
        r"necessary|explained|answered|mentioned|addressed|related|likely)|in(?:correct|valid|"
        r"accurate|"
        r"complete|consistent|admissible|sufficient)|lack(?:s|ing)?|"
        r"avoids?|deny|denies|ignores?|ignored|overlooks?|missing|absent|forget|not|no|never|"
        r"nothing|none)\b",
    ),
    Pattern("en", r"\b(?:fails?|neglects?|omits?) to (?:avoid|exclude|omit|deny|refuse|not)\b"),
    Pattern(
        "zh",
        r"(?:不能|不得|不可|不应|并非|未必|绝非|不会|没有)(?:不|没有|没|未|无|忽略|遗漏|缺少|"
        r"否认|漏)(?!得|同|仅|少于)|不(?:遗漏|忽略|缺少|忽视|漏)|不得不|无不|非不",
    ),
)
_NEGATIVE = [re.compile(row.expression, re.IGNORECASE) for row in NEGATIVE]
_TWICE = [re.compile(row.expression, re.IGNORECASE) for row in TWICE]


def find(text: str) -> Iterator[Mark]:
    """Yield at most one mark: a double negation anywhere, else a negation at the beginning."""
    yield from first(_marks(text))


def _marks(text: str) -> Iterator[Mark]:
    for pattern in _TWICE:
        match = pattern.search(text)
        if match:
            yield Mark(DOUBLE, match.span(), "", match.group())
    for pattern in _NEGATIVE:
        match = pattern.search(text)
        if match:
            yield Mark(RULE, match.span(1), "", match.group(1))

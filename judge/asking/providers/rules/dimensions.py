"""Guesses the dimension of a line from its words: the first rule that fires."""

import re

_RULES = tuple(
    (key, re.compile(pattern, re.IGNORECASE))
    for key, pattern in (
        (
            "safety",
            r"\b(?:safety|hazard|danger|adverse|overdos|contraindicat|emergency|harm|toxic|suicid)"
            r"|安全|危险|禁忌|不良反应|中毒|急救",
        ),
        (
            "compliance",
            r"\b(?:complian|regulat|statut|lawful|unlawful|legal|gdpr|licen[cs]|audit|ethic|consent"
            r"|article \d|section \d)"
            r"|合规|法规|监管|《|法律|条例|知情同意|第[\d一二三四五六七八九十百]+条",
        ),
        (
            "constraint_satisfaction",
            r"\b(?:at most|at least|no more than|not exceed|within \d|limit|maximum|minimum|budget"
            r"|deadline|no later than|words or fewer|fewer than)"
            r"|不超过|不少于|至少|最多|以内|预算|期限|限制|上限|下限",
        ),
        (
            "structure",
            r"\b(?:table|heading|format|bullet|section|outline"
            r"|layout|template|numbered list|appendix)"
            r"|表格|格式|标题|结构|提纲|模板|附录",
        ),
        (
            "linguistic_quality",
            r"\b(?:tone|style|grammar|plain language|readable|wording|spelling)"
            r"|语气|文风|语法|措辞|通俗",
        ),
        (
            "information_processing",
            r"\b(?:source|cite|citation|dataset|extract"
            r"|summari[sz]|data from|figures from|evidence from)"
            r"|来源|引用|数据来源|提取|汇总|摘要",
        ),
        (
            "novelty",
            r"\b(?:novel|innovat|original idea|creative|alternative approach)"
            r"|创新|新颖|创意",
        ),
        (
            "interdisciplinary",
            r"\b(?:interdisciplin|cross-functional|across disciplines)"
            r"|跨学科|交叉学科|跨部门",
        ),
        (
            "logical_coherence",
            r"\b(?:because|therefore|thus|hence|implies|follows from|consequently|leads to|due to"
            r"|as a result)"
            r"|因为|因此|所以|导致|由于|从而|推导",
        ),
        (
            "depth",
            r"\b(?:root cause|trade-?offs?|sensitivity|scenario analysis|limitation"
            r"|in depth|assumption)"
            r"|根本原因|权衡|敏感性|局限|深入|假设",
        ),
        (
            "completeness",
            r"\b(?:all of|every|each of|full list|complete|both)\b|全部|所有|每个|完整|逐一|分别",
        ),
    )
)
_FIGURE = re.compile(r"\d")


def dimension_of(text: str, *, demand: bool) -> str:
    """The key of the dimension. Without a keyword: a demand is about following instructions, a
    figure about accuracy, anything else about knowing the field."""
    for key, pattern in _RULES:
        if pattern.search(text):
            return key
    if demand:
        return "instruction_following"
    return "accuracy" if _FIGURE.search(text) else "domain_expertise"

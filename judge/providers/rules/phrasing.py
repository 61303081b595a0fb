"""Words a statement as a line of a rubric. Described in docs/offline.md.

Rules cannot recast a sentence. What is no whole clause of its own is therefore quoted as it stands:
a fragment glued behind "States that" reads like a mistake.
"""

import re

from curation.text.language import is_chinese
from judge.providers.rules.passages import plain

VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|must|should|shall|can|could|may|might|will|would|does|do"
    r"|did|needs?|requires?|applies|apply|falls?|rises?|exceeds?|includes?|remains?|becomes?"
    r"|increases?|decreases?|shows?|gives?|[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"(?:do not|don't|never|use|apply|file|check|review|send|ask|call|stop|start|avoid|keep|add"
    r"|remove|include|provide|calculate|compute|compare|disclose|report|verify|confirm|obtain"
    r"|prepare|record|monitor|refer|give|take|make|set|treat|consider|ensure|replace|reduce"
    r"|increase|negotiate|document|draft|test|inform|notify|list|state|recommend|explain|identify"
    r"|describe|assess|analy[sz]e|estimate|propose|rank|show|name|summari[sz]e|write|deliver)\b",
    re.IGNORECASE,
)
_LOWERABLE = re.compile(
    r"(?:The|An?|In|On|At|For|If|When|Where|While|There|All|Each|Every|Some|Most|Both|No|Under"
    r"|Because|Since|After|Before|During|With|Without|By|From|Of|To|Its|Their|Our|Any|Only|Given"
    r"|Although|Unless|Until|As|Per|Between|Within)(?= [a-z0-9])"
)
_WISH = re.compile(r"\b(?:must|should|shall|will)\b", re.IGNORECASE)
# How a thing asked for begins, where the verb stands in the sentence that introduces a list.
_THING = re.compile(
    r"(?:an?|the|what|why|how|when|where|whether|which|who|whom|whose|one|two|three|any|all|each"
    r"|every|yes or no)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"(?:(?:in|for|to|from|by|at|on|with|of)\s+)?(?:what|why|how|when|where|whether|which|whom?"
    r"|whose)\b",
    re.IGNORECASE,
)
_HAN_LEAD = re.compile(
    "^(?:指出|给出|说明|列出|计算|建议|分析|识别|比较|提出|解释|评估|撰写|提供|描述)"
)
_HAN_NUMBER = re.compile(r"^(?:[一二三四五六七八九十]{1,2}、|\d{1,2}[.、．](?!\d))\s*")
# "须包括：一、…": the demand is what follows.
_HAN_LIST = re.compile(
    r"^(?:必?须|应当?|需)?(?:包括|包含)[：:]\s*|(?:包括|包含)(?:[一二三四五六七八九十]个?部分)?[：:]\s*一、\s*"
)
_HAN_START = re.compile("[\u4e00-\u9fff“《（]")
# Bold or italic, and a stop in or behind it: without one it stresses the beginning of a sentence.
_RUN_IN = re.compile(
    r"(\*\*|__|\*|_)(?=\S)(?:([^*_\n]{1,79}[.:：。])\1|([^*_\n]{1,80})\1[.:：。]"
    r"|([一二三四五六七八九十]{1,2}、[^*_\n]{1,80})\1)\s*(?=\S)"
)
# A heading that only says how the passage ends says nothing of what it speaks of.
_VERDICT = re.compile(
    r"(?:有误|无误|正确|错误|属实|不属实|不对|成立|不成立|是|否|wrong|right|(?:in)?correct|(?:un)?true"
    r"|false|yes|no)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:the|an?|there|each|every|all|no|our|their|its)\b", re.IGNORECASE)
_NO_WORD = re.compile(r"[^a-z\u4e00-\u9fff]*", re.IGNORECASE)


def run_in(quote: str, text: str) -> tuple[str, str]:
    """(heading, rest) of a passage that begins with a heading in bold or italics.

    Only the first part of a passage begins with it; where `text` does not, there is none.
    """
    marked = _RUN_IN.match(quote)
    if not marked:
        return "", text
    head = plain(marked[2] or marked[3] or marked[4])
    rest = text.removeprefix(head).lstrip(" .:：。")
    if rest == text or not rest:
        return "", text
    head = _HAN_NUMBER.sub("", head, count=1).rstrip(".:：。")
    return "" if _VERDICT.fullmatch(head) else head, rest


def fact(text: str, heading: str, chinese: bool) -> str:
    """A line that asks for what the reference says; `heading` tells what it speaks of."""
    if text[0] in "(（" and text[-1] in ")）":
        text = text[1:-1]
    if text[0] == '"' and text.count('"') % 2:
        text = text[1:]
    if chinese:
        if heading:
            return f"就“{_HAN_NUMBER.sub('', heading, count=1)}”指出：{text}"
        if _HAN_LEAD.match(text):
            return text
        whole = _HAN_START.match(text) and not re.search("[:：]", text[:20])
        return f"指出{text}" if whole and not _HAN_NUMBER.match(text) else f"指出：{_quoted(text)}"
    body = text if text[-1] in ".!" else f"{text}."
    if heading:
        return f"States under {_quoted(heading)}: {_quoted(body)}"
    if _IMPERATIVE.match(body) and ":" not in body[:30]:
        return f"Gives the instruction {_told(body)}"
    # A verb behind "that" or "who" is not the sentence's own; what a colon divides is a clause only
    # if its subject comes first ("For two weeks: run …").
    own = re.split(r"\b(?:that|which|who)\b", body, maxsplit=1)[0]
    if not VERB.search(own) or (": " in body and not _ARTICLE.match(body)):
        return f"States: {_quoted(body)}"
    if _LOWERABLE.match(body):
        return f"States that {body[0].lower()}{body[1:]}"
    return f"States that {body}" if body[0].islower() else f"States: {_quoted(body)}"


def cell(row: str, column: str, value: str, chinese: bool) -> str:
    """A line that asks for one cell of a table."""
    if _NO_WORD.fullmatch(column):  # a figure where a heading should be names nothing
        return f"给出“{row}”：{value}" if chinese else f"Gives {_quoted(row)}: {value}"
    if chinese:
        return f"给出“{row}”的“{column}”：{value}"
    return f"Gives {_quoted(column)} for {_quoted(row)}: {value}"


def demand(text: str, heading: str, *, short: bool) -> str:
    """A line that asks for what the task asks for, in the task's own words."""
    if text[-1] in "?？":
        return f"回答了：{text}" if is_chinese(text) else f"Answers the question: {text}"
    if short and heading and not re.search(r"[.!?。！？]\s*\S", heading):
        return f"{heading}：{text}" if is_chinese(text) else f"{_upper(heading)}: {text}"
    if is_chinese(text):
        return plain(_HAN_NUMBER.sub("", _HAN_LIST.sub("", text, count=1), count=1)) or text
    if _QUESTION.match(text) or (_THING.match(text) and not _WISH.search(text)):
        return f"Covers: {_quoted(plain(text))}"
    return _upper(text)


def _quoted(text: str) -> str:
    """In quotation marks; marks inside become single ones."""
    return f"“{text.replace('“', '‘').replace('”', '’')}”"


def _told(body: str) -> str:
    forbidding = re.match(r"(?:do not|don't|never)\s+", body, re.IGNORECASE)
    if forbidding:
        return f"not to {body[forbidding.end() :]}"
    return f"to {body[0].lower()}{body[1:]}"


def _upper(text: str) -> str:
    text = plain(text)
    return text[0].upper() + text[1:]

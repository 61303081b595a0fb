"""Words a statement as a line of a rubric. Described in docs/offline.md.

Every line says what a response does. Rules cannot recast a sentence: what is no whole clause of its
own follows a colon, because a fragment glued behind "States that" reads like a mistake.
"""

import re

from curation.base.text.language import is_chinese
from judge.asking.providers.rules.passages import plain

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
# What a task asks for by; a reference answer uses some of these as nouns ("Order volume fell").
_DEMAND = re.compile(
    _IMPERATIVE.pattern.removesuffix(r")\b") + r"|say|answer|prove|decide|choose|quote|cite|correct"
    r"|quantify|justify|address|attach|advise|evaluate|discuss|argue|conclude|suggest|mark|mention"
    r"|tell|weigh|translate|outline|define|derive|order|pay|go|end"
    r"|begin|design|plan|sign|separate|limit)\b",
    re.IGNORECASE,
)
# What a sentence begins with that orders something by a verb the list above does not hold.
_ORDER = re.compile(
    r"(?!(?:and|but|or|not|only|both|all|each|with|without|then|so|thus|such|even|just|like|under"
    r"|over|into|from|for|in|on|at|by|of|to|as|if|when|where|while|after|before|since|that|which"
    r"|what|how|why|who|half|twice|hence|during|through|beyond|against|between|because|until)\b)"
    r"[a-z]{2,12} (?:the|an?|all|both|it|them|him|her|no|any|every) (?!of\b)",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"(?:i|we|my|our)\b", re.IGNORECASE)
_JOINING = re.compile(r"[A-Z][a-z]+ (?:of|in|for|at|on|to|from|per|with|and|between)\b")
_AND_DO = re.compile(
    rf"(?<=[,;] )(?P<then>(?:and |then |and then )?)(?P<verb>{_DEMAND.pattern})"
    r"(?= (?:the|an?|it|its|them|what|why|how|which|whether|who|all|both|each|one|two|three|no)\b)",
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
_HAN_LABEL = re.compile("[\u4e00-\u9fff]{2,12}[:：]\\s*[^。]{0,80}\\d")
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
    return _fact_in_chinese(text, heading) if chinese else _fact_in_english(text, heading)


def _unwrapped(text: str) -> str:
    """The text without brackets around it and without a mark that opens and never closes."""
    if text[0] in "(（" and text[-1] in ")）":
        text = text[1:-1]
    if text[0] == '"' and text.count('"') % 2:
        text = text[1:]
    return text


def _fact_in_chinese(text: str, heading: str) -> str:
    text = _unwrapped(text)
    if heading:
        return f"就“{_HAN_NUMBER.sub('', heading, count=1)}”指出：{text}"
    if _HAN_LEAD.match(text):
        return text
    label, colon, value = (
        re.split("([:：])", text, maxsplit=1) if _HAN_LABEL.match(text) else ("",) * 3
    )
    if colon:
        return f"给出“{label}”为 {value.strip()}"
    whole = _HAN_START.match(text) and not re.search("[:：]", text[:20])
    return f"指出{text}" if whole and not _HAN_NUMBER.match(text) else f"指出：{text}"


def _fact_in_english(text: str, heading: str) -> str:
    text = _unwrapped(text)
    body = text if text[-1] in ".!" else f"{text}."
    under = f" under {_quoted(heading)}" if heading else ""
    if ":" not in body[:30] and (_IMPERATIVE.match(body) or _ORDER.match(body)):
        return f"Gives the instruction{under} {_told(body)}"
    if _SPEAKER.match(body):  # who speaks is not the response
        return f"States{under}: {_quoted(body)}"
    label, _colon, value = body.partition(": ")
    if value and re.search(r"\d", value) and not VERB.search(body) and "," not in label:
        return f"Gives{under} {_lower(label)} as {value}"
    # A verb behind "that" or "who" is not the sentence's own; what a colon divides is a clause only
    # if its subject comes first ("For two weeks: run …").
    own = re.split(r"\b(?:that|which|who)\b", body, maxsplit=1)[0]
    clause = VERB.search(own) and (": " not in body or _ARTICLE.match(body))
    if heading or not clause or not (_LOWERABLE.match(body) or body[0].islower()):
        return f"States{under}: {_lower(body)}"
    return f"States that {_lower(body)}"


def _lower(text: str) -> str:
    """With a small letter first, where the first word is surely no name."""
    sure = _LOWERABLE.match(text) or _JOINING.match(text)
    return text[0].lower() + text[1:] if sure else text


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
        return f"Covers {plain(text)}"
    return _done(_upper(text))


def _done(text: str) -> str:
    """An order as what a response does that follows it: "Name two risks" → "Names two risks"."""
    forbidding = re.match(r"(?:do not|don't) ", text, re.IGNORECASE)
    if forbidding:
        return f"Does not {text[forbidding.end() :]}"
    verb = _DEMAND.match(text)
    if not verb:
        return text
    rest = _AND_DO.sub(lambda hit: hit["then"] + _third(hit["verb"]), text[verb.end() :])
    return _third(verb[0]) + rest


def _third(verb: str) -> str:
    """The verb as "he, she or it" has it."""
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


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

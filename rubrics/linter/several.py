"""Rule for several requirements in one line."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from rubrics.linter.rule import Example, Mark, Pattern, Rule, Span, Spans, first
from rubrics.linter.words import ACTIONS_ZH, VERBS, VERBS_ZH, brackets

RULE = Rule(
    code="several_requirements",
    name=_("several requirements in one line"),
    message=_(
        "Two checks in one line, joined by “%(words)s”. An answer with only one of them could not "
        "be marked."
    ),
    teaches=_(
        "One line is one TRUE or FALSE. An answer that has half of the line gets nothing from one "
        "scorer and everything from another. Split it; both halves may keep the weight."
    ),
    examples=(
        Example(
            "en",
            "States the notice period and names the statute that sets it.",
            "States that the notice period is three months to the end of a quarter.",
        ),
        Example("zh", "说明停药理由以及复查时间。", "写明两周后复查肌酐。"),
    ),
)

_CAPITALISED = "|".join(verb.capitalize() for verb in VERBS.split("|"))
_OWN = r"(?:that|the|an?|its?|their|how|why|whether|which|at|no|to|\d|(?-i:[A-Z]))"
# The joining words; a split removes the last group.
JOINERS = (
    Pattern("en", rf"[\s,](and(?: also| then)?)\s+(?:[a-z]{{3,15}}ly\s+)?(?:{VERBS})\b"),
    Pattern("en", rf"(?<=[\w)%])(,)\s(?:then\s)?(?:{VERBS})\s{_OWN}"),
    Pattern("en", r",?\s(as well as|in addition to|but also|and also|plus(?= an?\s| the\s))\s"),
    Pattern("en", r"(;)\s+\S"),
    Pattern("en", rf"(?<=[\w)%”\"]\.)(\s+)(?-i:{_CAPITALISED})\b"),
    Pattern("en", r"(?<=\S\?)(\s+)\S"),
    Pattern("en", r"\b(?:both)\s[^.;,]{2,60}?\s(and)\s"),
    Pattern(
        "en",
        rf"^\W*+(?!compares|contrasts|distinguishes|reconciles|links|separates|weighs|relates)"
        rf"(?:{VERBS})\s(?:the|its|an?|their|both)\s(?:[\w'’-]+\s){{1,6}}?(and)\s"
        r"(?:the|its|an?|their)\s(?![^.]*\b(?:relation|difference|ratio|between)\b)",
    ),
    Pattern("en", r"\b(in|for|at|by|from|on)\s[\w\s%-]{2,30}?\s(and)\s\1\s"),
    Pattern("zh", r"既[^，。；]{1,20}[，,]?(又|也)"),
    Pattern("zh", rf"^[^，。；]{{2,20}}(，)(?:{ACTIONS_ZH})[^，。；]"),
    Pattern("zh", r"(以及|并且|同时(?![间期])|而且|此外|另外|不仅|一方面|其次)"),
    Pattern("zh", r"[，,](并(?![非不购发列行网联])|且|还[应须需要]|也[应须需要])"),
    Pattern("zh", r"(；)\s*\S"),
    Pattern("zh", rf"(?<![0-9])([，,])\s*(?:{VERBS_ZH})(?!的|了|书|单|值|人|率)"),
    Pattern("zh", rf"(和|与|及)(?:{VERBS_ZH})(?!的|书|单|值|人|率)"),
    Pattern(
        "zh",
        r"^\W*+(?:计算|核算|列出|给出|写明|核对|写出)[^，。；、0-9（]{1,15}(和|与|"
        r"及)[^，。；、0-9]{2,12}"
        r"(?<!之和)(?<!之差)(?<!之比)(?<!差额)(?<!比例)(?<!关系)(?<!区别)(?<!差异)[。]?$",
    ),
    Pattern("zh", r"？\s*(\d?[.、]?)\s*\S"),
    Pattern("zh", rf"。(\s*)(?:{VERBS_ZH})"),
)
# Lists of three or more items.
LISTS = (
    Pattern("en", r"(,)\s[^,;:.()\n]{1,60}(?:,\s+and\s|\sand\s|,\s+&\s|\s&\s)[^,;:.()]"),
    Pattern("en", r"(,)\s[^,;:.()\n]{1,60},\s[^,;:.()\n]{1,60},\s\S"),
    Pattern("zh", r"(、)[^、，。；：（）()\n]{1,30}(?:、|和|与|及|以及)[^、，。；：（）()\n]"),
)
# Fixed terms that contain a joining word but name one thing.
FIXED = (
    Pattern(
        "en",
        r"\b(?:terms and conditions|profits? and loss|rights and obligations|"
        r"duties and obligations|supply and demand|pros and cons|research and development|"
        r"health and safety|safety and risk|mergers and acquisitions|cause and effect|"
        r"property, plant and equipment|time and materials|costs? and benefits?|"
        r"risks? and rewards?|cash and cash equivalents|and/or|and so on|trial and error|"
        r"plant and machinery|goods and services|null and void|signs and symptoms|"
        r"inputs? and outputs?|lying and standing|wear and tear|terms and definitions|"
        r"selling, general and administrative|black and white|back and forth)\b",
    ),
    Pattern(
        "en",
        r"\d{1,12}\s?(?:years?|months?|weeks?|days?|hours?|minutes?)\s(?:and)\s\d+",
    ),
    Pattern("en", r"\bbetween\s[^.;]{1,60}?\sand\s\S+"),
    Pattern("zh", r"并(?:发|购|列|行|网|联|存|轨)|同时(?:期|间)|介于[^，。；]{1,30}[和与]"),
)
# Words with which a list says how many of its items are enough, or that it is one thing.
COUNTED = (
    Pattern(
        "en",
        r"\bat least (?:\w+|\d+)\b|\bany (?:one |two |three |\d+ )?of\b|\bone of\b|\beither\b|"
        r"\bor\b|\ball (?:two|three|four|five|six|seven|\d+)\b|\bin this order\b|\bin the order\b|"
        r"\bsuch as\b|\bfor example\b|\bin (?:a|one|the same) (?:table|list|sentence|sequence)\b",
    ),
    Pattern(
        "zh", r"至少|任一|任意|任何一|之一|其一|或者?|例如|比如|依次|按.{1,6}顺序|[两二三四五六]者"
    ),
)
# An introductory clause before the first comma.
_SCENE = re.compile(
    r"^\W*+(?:in|for|on|with|under|after|before|if|when|where|as|to|by|at|from|given|based|using|"
    r"since|because|despite|unlike|within|during)\b[^,.;]{0,120},"
    r"|^\W*+(?:根据|按照?|依照|依据|针对|对于?|在|若|如果?|当|基于|结合|就|关于|从|以|为了?|由于|"
    r"因|除|将|"
    r"鉴于|考虑到|面对|围绕|通过|经|未|不)[^，,。；]{0,60}[，,]",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^\s*(?:which|who|whose|where|because|since|so|but|not|neither|nor|including|such|e\.g|i\.e|"
    r"as|with|without|subject|before|after|within|excluding|net|namely|for|if|unless|when|while|"
    r"given|rather|instead|due|despite|based|therefore|hence|thus|other|only)\b",
    re.IGNORECASE,
)


def _compiled(table: tuple[Pattern, ...]) -> list[re.Pattern[str]]:
    return [re.compile(row.expression, re.IGNORECASE) for row in table]


_JOINERS, _LISTS, _FIXED, _COUNTED = map(_compiled, (JOINERS, LISTS, FIXED, COUNTED))
_CLAUSE = re.compile(r"(?:[^.;。；]|\.(?=\d))+")
_AND = re.compile(
    r"\s(?:and|while|whereas)\s|(?:和|与|及)(?=[^，。；、]{0,12}\d)|"
    r"(?<!\d)、(?![A-Z]{1,5}-?\d)(?=[^、，。]{0,12}\d)|"
    r"(?<=\d)、(?![A-Z]{1,5}-?\d)(?=[^、，。\d]{1,12}\d)"
)
_RANGE = re.compile(r"\b(?:between|from|either|or)\b|介于|从", re.IGNORECASE)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def find(text: str) -> Iterator[Mark]:
    """Yield at most one mark: the first joining word before a second requirement."""
    yield from first(_marks(text))


def joining_word(text: str) -> Span | None:
    """Return the span of the joining word to split at; None if there is none."""
    mark = next(find(text), None)
    return mark.span if mark and mark.repair else None


def _marks(text: str) -> Iterator[Mark]:
    aside = brackets(text)
    fixed = Spans(m.span() for pattern in _FIXED for m in pattern.finditer(text))
    places = [place for pattern in _JOINERS if (place := _place(pattern, text, aside, fixed))]
    figures = _figures(text, aside, fixed)
    if figures:
        places.append(figures)
    if not any(pattern.search(text) for pattern in _COUNTED):
        places += [p for pattern in _LISTS if (p := _place(pattern, text, aside, fixed))]
    if places:
        start, end = min(places)
        words = text[start:end].strip() or text[max(0, start - 1) : start + 1].strip()
        yield Mark(RULE, (start, end), "split", words)


def _place(pattern: re.Pattern[str], text: str, aside: Spans, fixed: Spans) -> Span | None:
    scene = _SCENE.match(text)
    skip = scene.end() if scene else 0
    for match in pattern.finditer(text):
        start, end = match.span(match.lastindex or 0)
        if start < skip and text[start : start + 1] in {",", "，", "、", "并", "且"}:
            continue
        if start in aside or start in fixed:
            continue
        if text[start:end] == "," and _ASIDE.match(text, end):
            continue
        return start, end
    return None


def _figures(text: str, aside: Spans, fixed: Spans) -> Span | None:
    """Return the span of a joining word between two figures of one clause."""
    for clause in _CLAUSE.finditer(text):
        offset, body = clause.start(), clause.group()
        numbers = [m.span() for m in _FIGURE.finditer(body)]
        if len(numbers) < 2 or _RANGE.search(body):
            continue
        for match in _AND.finditer(body):
            at = match.start() + (len(match.group()) - len(match.group().lstrip()))
            between = numbers[0][1] <= match.start() and match.end() <= numbers[-1][0]
            if between and offset + at not in aside and offset + at not in fixed:
                return offset + at, offset + at + len(match.group().strip())
    return None

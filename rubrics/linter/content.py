"""Rules for lines without concrete content and lines that state nothing about an answer."""

import re
from collections.abc import Iterator
from functools import lru_cache

from django.utils.translation import gettext_lazy as _

from curation.base.text.language import without_item_number
from rubrics.linter.rule import Example, Mark, Pattern, Rule, first
from rubrics.linter.words import ACTIONS_ZH, VERBS, VERBS_ZH, content_terms

NO_CONTENT = Rule(
    code="no_concrete_content",
    name=_("nothing concrete to check"),
    message=_("Two people would not check this the same way. Name what the answer must contain."),
    teaches=_(
        "“Correct”, “complete” and “covers the task” are what the whole rubric is for. A line says "
        "which fact, figure, step or wording makes the answer so."
    ),
    examples=(
        Example(
            "en", "The answer is correct and complete.", "States net debt as EUR 134.4 million."
        ),
        Example("zh", "回答准确、完整。", "写明净债务为 1.344 亿欧元。"),
    ),
)
NO_STATEMENT = Rule(
    code="not_a_statement",
    name=_("no statement about an answer"),
    message=_(
        "“%(words)s” says nothing about an answer that could be TRUE or FALSE. Begin with what the "
        "answer does: “States …”, “Names …”."
    ),
    teaches=_(
        "A question, a heading, an instruction copied from the task or a sentence of the client "
        "cannot be true of an answer. Say what an answer that deals with it contains."
    ),
    examples=(
        Example(
            "en",
            "What is the most frequent thickness?",
            "Names 6 mm as the most frequent thickness.",
        ),
        Example(
            "en", "I sell cashmere coats in Canada.", "Gives the Canadian duty rate for coats."
        ),
        Example("zh", "最畅销的厚度是多少？", "指出最畅销的厚度为 6 毫米。"),
    ),
)

_EMPTY_WORDS = (  # words without content to check
    "a|an|and|are|as|at|be|by|for|from|good|has|have|in|is|it|its|of|on|or|that|the|their|this|to|"
    "was|with|all|any|every|each|no|not|must|should|will|can|does|answer|response|text|output|"
    "report|memo|letter|correct|"
    "correctly|accurate|accurately|right|true|complete|completely|full|fully|clear|clearly|well|"
    "relevant|appropriate|important|key|main|necessary|correctness|accuracy|quality|topic|"
    "question|questions|task|problem|issue|issues|point|points|content|information|detail|details|"
    "aspect|aspects|requirements?|everything|instructions?|prompt|errors?|mistakes?|free|format|"
    "follow|follows|meets?|fulfils?|fulfills?|asked|required|given|user|overall|shows|case|facts?|"
    "solution|result|results|situation|matter|facts|demands?|expectations|parts?|there|"
    "statement|essay|paper|document|summary|draft|proposal|translation|analysis|submission|work|"
    "properly|understandable|understands|easy|satisfies|provided"
)
_EMPTY = re.compile(rf"(?:{_EMPTY_WORDS}|{VERBS})", re.IGNORECASE)
_EMPTY_ZH = re.compile(
    "答案|回答|回应|译文|方案|文章|内容|正确|准确|完整|全面|清晰|清楚|合理|符合|满足|覆盖|涵盖|"
    "完成|说明|指出|提到|提及|包括|"
    "包含|给出|写明|列出|分析|问题|题目|题意|任务|要求|相关|重点|要点|主要|关键|信息|质量|所有|"
    "全部|各项|没有|无|"
    "错误|结论|结果|事实|细节|情况|必要|整体|总体|输出|格式|报告|应当?|需要?|须|必须|能够?|充实|"
    "齐全|鲜明|是否|较|很|高|好|"
    "[的地得了是与和并且对于在上本该其有为被，。、；：！？\\s]"
)
# Lines that only name a topic: any answer that mentions it would pass.
_TOPIC = re.compile(
    r"^\W*+(?:the (?:answer|response|report|memo) )?"
    r"(?:covers|discusses|addresses|deals with|touches (?:up)?on|considers|talks about|explores)"
    r"(?:(?: the| its| an?)?(?: [a-z-]+){1,2}(?: and(?: the| its| an?)?(?: [a-z-]+){1,2})?"
    r"|(?: the (?:question|point))? (?:what|which|who|why|how|whether) [^:;(“\"]{1,200})\W*$"
    r"|^\W*+(?:interprets|analy[sz]es|evaluates|describes|explains|summari[sz]es|reviews|examines|"
    r"presents|reports|discusses)(?: the| its| all)?(?: [a-z]+)? (?:findings|results?|data|case|"
    r"situation|sources|methods?|materials?|options|topic|problem|context|background)\W*$"
    r"|^\W*+(?:说明|介绍|描述|分析|阐述|概述|解释)了?(?:[\u4e00-\u9fff]{2})?"
    r"(?:方法|结果|情况|背景|过程|内容|数据|现状)。?\W*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*")
_CJK = re.compile(r"[\u3400-\u9fff]")

_QUESTION_WORD = r"(?:what|which|who|whom|whose|why|how|whether)\b"
_QUESTION_WORD_ZH = "(?:什么|哪些|哪个|哪种|谁|如何|怎样|怎么|为什么|为何|是否|何时)"
# A question without its mark may be what a sentence speaks of: "What was paid is stated."
_UNSAID = (
    r"(?![^.;]{0,200}\b(?:is|are|was|were) (?:\w+ly )?(?:stated|given|named|shown|said|explained|"
    r"listed|identified|quantified|described|decided|determined|answered|justified)\b)"
)

STATEMENTLESS = (
    Pattern("en", r"^[^.;!]{0,400}\?\W*$"),  # a question
    # a question without its mark, also behind a label
    Pattern("en", rf"^\W*+(?:[^.;:!?]{{1,60}}:\s?)?{_QUESTION_WORD}{_UNSAID}"),
    Pattern(
        "zh", rf"^\W*+(?:[^，。；：！？]{{1,20}}：\s?)?(?:用|由|需要?|应当?)?{_QUESTION_WORD_ZH}"
    ),
    Pattern("en", r"^[^.;!?]{1,120}:\W*$"),  # a heading
    Pattern("en", r"^\W*+(?:I|we|my|our|please|you(?:r|['’]re)?)\b(?:['’]\w+)?"),
    Pattern("en", r"^\W*+act as\b|^\W*+imagine\b|^\W*+let['’]s\b"),
    Pattern("en", r"^\W*+(?:alright|okay|and|so|what)\W+(?:I|we)\b"),
    Pattern("en", r"^\W*+they (?:need|want|would like)\b"),
    Pattern(
        "en",
        r"^\W*+(?:the |a |my |our )?(?:client|customer|buyer|seller|company|user)s?\b[^.;]{0,40}?"
        r"\b(?:wants?|needs?|would like|is looking|are looking|runs|has regular)\b",
    ),
    Pattern("zh", r"^[^。；！]{0,400}(?:？|吗)\W*$"),
    Pattern("zh", r"[，。；]请(?!求|假|示)"),
    Pattern("zh", r"^[^。；！？]{1,60}：\W*$"),
    Pattern("zh", r"^\W*+(?:我(?!国|院|市|省)|请(?!求)|你(?:是|需|要|的))"),
)
_ANSWERED = re.compile(
    rf"^\W*+(?:(?:{VERBS})\b|the (?:answer|response|report|memo)\b|回答|答案|指出|说明|写明|给出|"
    rf"判断)",
    re.IGNORECASE,
)
_OPEN_QUESTION = re.compile(r"^\W*+(?:answers? the question|回答了?)\s*[:：]", re.IGNORECASE)
# A possible verb: one that lines begin with (also in its base form), an auxiliary, a past tense,
# or a first word in -s.
_FINITE = re.compile(
    r"^\W*+(?:the (?:answer|response|report|memo)\b|[a-z]+[^s'’\W]s\b)"
    rf"|^\W*+(?:{VERBS.replace('ies|', 'y|').replace('s|', '|')})\b"
    r"|\b(?:is|are|was|were|has|have|had|must|should|shall|can|could|may|might|will|would|does|do|"
    r"did|be|needs?|requires?|[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
# What a fragment with an article begins with, and where a clause about its noun begins.
_ARTICLE = re.compile(r"(?:the|an?|any|all|both|each|its|their)\b", re.IGNORECASE)
_CLAUSE_ABOUT_IT = re.compile(
    r"\b(?:that|which|who|whom|whose|where|what|how|why|whether|when|if)\b", re.IGNORECASE
)
_IN_S = re.compile(r"[a-z][^\Ws]s\b", re.IGNORECASE)
_SAYS = re.compile(rf"\b(?:{VERBS})\b", re.IGNORECASE)
_STATEMENTLESS = [re.compile(row.expression, re.IGNORECASE) for row in STATEMENTLESS]


# How an instruction begins: by a verb that lines begin with, in its base form, or by one of these.
_BASE = (VERBS + "|").replace("ies|", "y|").replace("es|", "e|").replace("s|", "|").rstrip("|")
_INSTRUCTION = re.compile(
    r"^\W*+(?P<verb>do not|don['’]t|never|write|draft|compare|recommend|decide|prove|say|tell|use"
    r"|rank|assess|address|discuss|analy[sz]e|end|begin|take|make|set|go through|send|add|apply"
    rf"|translate|summari[sz]e|{_BASE})\s+\w",
    re.IGNORECASE,
)
COPIED = 0.8  # the share of a line's terms that one sentence of the task holds


def copied_instruction(text: str, prompt: str) -> Iterator[Mark]:
    """Yield a mark on a line that begins as an instruction and is in the task's own words.

    What is asked for is no statement about an answer: "Write a letter of 250 words" is done by
    every response.
    """
    begins = _INSTRUCTION.match(text)
    if begins is None or not prompt:
        return
    own = content_terms(text)
    if len(own) < 2:
        return
    for terms in _terms_of_sentences(prompt):
        if len(own & terms) / len(own) >= COPIED:
            yield Mark(NO_STATEMENT, span=begins.span("verb"), words=begins["verb"])
            return


@lru_cache(maxsize=64)
def _terms_of_sentences(prompt: str) -> tuple[frozenset[str], ...]:
    return tuple(content_terms(part) for part in _SENTENCE_END.split(prompt) if part.strip())


_SENTENCE_END = re.compile(r"[.!?;\n。！？；]+")


def find(text: str) -> Iterator[Mark]:
    """Yield at most one mark: no concrete content, or no statement about an answer."""
    yield from first(_marks(text))


def _marks(text: str) -> Iterator[Mark]:
    body = without_item_number(text)  # its digit is nothing to check
    words = _WORD.findall(body)
    if not words:
        return
    if _OPEN_QUESTION.match(body):
        yield _no_statement(text)
    elif not _ANSWERED.match(body):
        for pattern in _STATEMENTLESS:
            if pattern.search(body):
                yield _no_statement(text)
        if _is_fragment(body) or (body != text and _is_heading_in_chinese(body)):
            yield _no_statement(text)
    if not any(character.isdigit() for character in body) and _is_empty(body, words):
        yield Mark(NO_CONTENT)


def says_nothing(text: str) -> bool:
    """Return whether the line has no word that says what to check."""
    return _left(text, _WORD.findall(text)) == 0


def _is_empty(text: str, words: list[str]) -> bool:
    if not _CJK.search(text) and any(word[0].isupper() for word in words[1:]):
        return False  # a capitalised word names somebody or something
    return bool(_TOPIC.match(text)) or _left(text, words) < (3 if _CJK.search(text) else 8)


def _left(text: str, words: list[str]) -> int:
    """Count the characters left without the empty words."""
    if _CJK.search(text):
        return len(_EMPTY_ZH.sub("", text))
    return sum(len(word) for word in words if not _EMPTY.fullmatch(word))


def _is_fragment(text: str) -> bool:
    """Return whether the text is an English fragment: no figure and no verb of its own.

    A full stop ends a fragment only where it begins with an article: "The potassium."
    """
    body = text.strip(" \t\n-–—•●*_").translate(_PLAIN_SIGNS)
    article = bool(_ARTICLE.match(body))
    if article and body[-1] == "." and not _IN_S.search(body):  # a word in -s may be its verb
        body = body.rstrip(".")
    if (
        not body
        or not body.isascii()
        or body[-1] in ".!?;:"
        or len(body) > 120
        or any(character.isdigit() for character in body)
    ):
        return False
    own = _CLAUSE_ABOUT_IT.split(body, maxsplit=1)[0] if article else body
    return not _FINITE.search(own) and not (article and _SAYS.search(body))


_PLAIN_SIGNS = str.maketrans("‘’“”–—…", "''\"\"---")


def _is_heading_in_chinese(text: str) -> bool:
    """Return whether an item of a list is a few Chinese words without a verb: "钾和肾功能"."""
    return bool(_HEADING_ZH.match(text)) and not _DOES_ZH.search(text)


_HEADING_ZH = re.compile(r"^[\u3400-\u9fff、]{1,12}[。；]?$")
_DOES_ZH = re.compile(
    rf"{VERBS_ZH}|{ACTIONS_ZH}|[是为有无不未应须需在将被把]|能够|可以|使用|达到|等于|低于|高于"
)


def _no_statement(text: str) -> Mark:
    start = len(text) - len(text.lstrip())
    end = min(len(text.rstrip()), start + 40)
    if end - start == 40 and " " in text[start:end]:
        end = text.rindex(" ", start, end)
    return Mark(NO_STATEMENT, None, "", text[start:end])

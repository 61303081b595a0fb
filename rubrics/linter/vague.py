"""Rule for vague and comparative words, which two scorers would interpret differently."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from rubrics.linter.rule import Example, Mark, Pattern, Rule, Spans, first
from rubrics.linter.words import reported_from

RULE = Rule(
    code="vague_words",
    name=_("words without a measure"),
    message=_(
        "“%(words)s” can be read two ways. Name the figure, the rule or the words you expect."
    ),
    teaches=_(
        "A word such as “appropriate” or “more detailed” leaves the decision to the reader of the "
        "answer. Say what makes it so: the figure, the threshold, the rule, or what must be there."
    ),
    examples=(
        Example(
            "en",
            "Handles the sleeping tablet appropriately.",
            "Tapers the sleeping tablet by a quarter of the dose every two weeks.",
        ),
        Example("en", "Gives a more detailed cost estimate.", "Splits the cost by labour hours."),
        Example("zh", "对借款人的风险进行全面分析。", "指出借款人对单一客户的收入占比为 62%。"),
    ),
)

VAGUE = (
    Pattern(
        "en",
        r"sound(?= [a-z])(?! (?:level|pressure|insulation|power))|proportionate(?:ly)?|"
        r"optimal(?:ly)?|ideal(?:ly)?|"
        r"decent|plausibl[ey]|careful(?:ly)?|sensibl[ey]|fair(?:ly)?(?! (?:value|hearing|dealing|"
        r"use|trial))|"
        r"appropriate(?:ly)?|adequate(?:ly)?|proper(?:ly)?|reasonabl[ey]|sufficient(?:ly)?|"
        r"satisfactor(?:y|ily)|suitabl[ey]|comprehensive(?:ly)?|thorough(?:ly)?|in[- ]depth|"
        r"well[- ](?:structured|written|organi[sz]ed|reasoned|argued|supported|thought[- ]out)|"
        r"high[- ]quality|of (?:high|good) quality|good|nice(?:ly)?|meaningful(?:ly)?|insightful|"
        r"clear(?:ly)? and concise(?:ly)?|concise(?:ly)?|clearly|effective(?:ly)?|"
        r"efficient(?:ly)?|as needed|if necessary|where (?:appropriate|necessary)|various|several|"
        r"some|many|numerous|etc\.?|and so on|and the like|to some extent|"
        r"relevant (?:\w+ ){0,2}(?:aspects?|factors?|points?|issues?|details?|information|laws?|"
        r"rules?|regulations?|"
        r"costs?|risks?|literature|data)|"
        r"(?:key|main|major|important) (?:aspects|factors|points|issues|details|risks|elements|"
        r"findings|drivers|considerations|assumptions|takeaways|messages|challenges)|"
        r"in (?:a )?timely(?: manner)?|promptly|as soon as possible|recent|robust|solid|"
        r"excellent|detailed|in (?:great )?detail|briefly|strong (?:arguments?|evidence|reasoning)",
    ),
    Pattern(  # vague unless the line names what is correct
        "en",
        r"correctly|accurately|precisely|rightly|(?:the )?(?:right|correct) (?!to\b|of\b|"
        r"answer\b)[a-z]{3,20}",
    ),
    Pattern(
        "zh",
        r"适当|恰当|妥善|妥当|合理(?!性|用药|期限|怀疑|注意|利润|价格|开支|费用)|"
        r"充分(?!就业|必要|条件)|清晰|清楚|较好|良好|全面|深入|详细|详尽|翔实|有条理|"
        r"逻辑性强|高质量|若干|一些|必要时|视情况|等等|尽量|尽可能|有效地|到位|得当|规范地|科学地|"
        r"相关(?:因素|问题|方面|内容|信息|法律|法规|规定|风险|资料)|"
        r"(?:主要|关键|重要|核心)(?:因素|风险|方面|问题|要素|内容|特点|观点|信息)|"
        r"及时|尽快|近期|简洁|简明|正确(?:地|计算|识别|判断|指出|使用|引用)|"
        r"准确(?:地|计算|识别|判断|指出|使用|引用)|适度|适量|适中|合适|适宜|正确的|准确的|"
        r"(?:翻译|术语|用词|用语|表述|引用|格式|推理|判断|过程)(?:[^，。；]{0,4})(?:准确|正确|"
        r"规范|合理|统一|一致)|专业(?:的|地)",
    ),
)
# Comparatives and degrees, vague unless the line names what to compare with.
COMPARATIVE = (
    Pattern(
        "en",
        r"better|improved|stronger|deeper|broader|(?:more|less|most|least) (?!than\b|than one)"
        r"(?!of\b)[a-z]{4,20}(?:ly|ed|ive|al|ant|ent|ous|ful|ic|able|ible|ate|ise|ic|ing)|"
        r"higher|lower|larger|smaller|faster|slower|longer|shorter|cheaper|significant(?:ly)?|"
        r"substantial(?:ly)?|considerabl[ey]|fairly|rather|quite|very|extremely|relatively|"
        r"sizeable|enough|low[- ]cost|premium|reliable|competitive",
    ),
    Pattern(
        "zh",
        r"(?<!比)较(?![之量真劲])[\u4e00-\u9fff]{1,2}|更(?:加|为)?(?:好|高|低|大|强|详细|具体|"
        r"清晰|准确|合理|"
        r"全面|深入|快)|显著|明显(?!错误)|大量|大幅|相当|比较(?:高|低|大|好|详细|完整)|非常|十分|"
        r"很(?:好|高|大|多)|"
        r"高性价比|优质|可靠的",
    ),
)
FIXED = (  # technical terms that contain a vague word
    Pattern(
        "en",
        r"\b(?:reasonable (?:doubt|care|notice|period|time|accommodations?|assurance|endeavours|"
        r"efforts|adjustments?|person|steps|grounds?)|good (?:faith|cause|practice|title|"
        r"manufacturing|industry|clinical|standing)|clearing|adequate (?:protection|consideration|"
        r"intake)|sufficient consideration|professional (?:indemnity|negligence|services|conduct|"
        r"body|scepticism|skepticism)|effective (?:date|interest|tax|dose|from)|"
        r"thorough examination|proper officer|proper law|some of|good[- ]?will|most recent|"
        r"effective\w*[- ](?:rate|interest)|(?:statistically|clinically) significant(?:ly)?|"
        r"rather than|higher education|lower (?:court|bound|limb|back)|upper|longer than|"
        r"shorter than|no longer|more than|less than|other than|significant (?:figures?|digits?|"
        r"influence|other|deficienc\w+)|premium (?:of|rate|income|payment|for|on)|"
        r"insurance premium|robust standard errors?|(?:risk|equity|option|share) premium|"
        r"competitive (?:tender|bid\w*|dialogue|exclusion|inhibit\w+)|solid (?:waste|phase|state)|"
        r"strong (?:acid|base|password|authentication)|correct(?:ly)? (?:to|for)|many-to-\w+|"
        r"low[- ]cost (?:carrier|airline)|recent(?:ly)? amended|enough that|very low density)\b",
    ),
    Pattern(
        "zh",
        r"合理(?:期限|怀疑|注意|使用)|充分必要|明显错误|显著性|比较法|比较研究|非常规|详细规划|"
        r"一些列",
    ),
)
# What makes a vague word precise: a parenthesis, a bound, quoted words, or examples.
MEASURE = (
    Pattern("en", r"\((?!s\))[^()]{4,300}\)|\bat least\b|\bat most\b|\bnamely\b|\bsuch as\b|: \S"),
    Pattern("en", r"[“\"「『《][^”\"」』》]{1,300}[”\"」』》]"),
    Pattern("zh", r"（[^（）]{2,300}）|至少|至多|不少于|不超过|即(?!使|便|可|将)|例如|如：|："),
)
_COMPARED = (
    Pattern(
        "en",
        r"\bthan\b|\bcompared? (?:to|with)\b|\brelative to\b|\bversus\b|\bvs\b|\bbelow\b|\babove\b",
    ),
    Pattern("zh", r"比(?!较|例|率|重|如)|相比|相较|高于|低于|超过|优于"),
)


def _one(table: tuple[Pattern, ...], *, whole: bool = False) -> re.Pattern[str]:
    rows = [
        rf"\b(?:{row.expression})(?![\w-])" if whole and row.language == "en" else row.expression
        for row in table
    ]
    return re.compile("|".join(f"(?:{row})" for row in rows), re.IGNORECASE)


_VAGUE, _COMPARATIVE = _one(VAGUE, whole=True), _one(COMPARATIVE, whole=True)
_FIXED, _MEASURE, _THAN = _one(FIXED), _one(MEASURE), _one(_COMPARED)
_DIGITS = re.compile(r"\d+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)(?:\s?年)?")
_NAMED = re.compile(r"(?<=[a-z,;:’') ] )(?-i:[A-Z])\w|《")
_RIGHT = re.compile(r"correct|accurate|precise|right|正确|准确", re.IGNORECASE)
_CLAIMED = re.compile(
    r"(?:\b(?:is|are|was|were|be|not|as|too)\s|是|为|属于?|不|未|失)$", re.IGNORECASE
)


def find(text: str) -> Iterator[Mark]:
    """Yield at most one mark: the first word without a measure."""
    yield from first(_marks(text))


def _marks(text: str) -> Iterator[Mark]:
    if _MEASURE.search(text) or _DIGITS.search(_YEAR.sub("", text)):
        return
    fixed = Spans(match.span() for match in _FIXED.finditer(text))
    content = reported_from(text)
    patterns = [_VAGUE] if _THAN.search(text) else [_VAGUE, _COMPARATIVE]
    for pattern in patterns:
        for match in pattern.finditer(text):
            start, end = match.span()
            words = match.group()
            if start in fixed or (
                start >= content and _CLAIMED.search(text[max(0, start - 8) : start])
            ):
                continue
            if _RIGHT.match(words) and _NAMED.search(text):
                continue  # the line names what is correct
            if pattern is _COMPARATIVE and start >= content:
                continue  # part of the content the answer reports
            yield Mark(RULE, (start, end), "", words)

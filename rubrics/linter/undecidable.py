"""Rule for lines that the response alone does not decide: minds, readers, effort, the future."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from rubrics.linter.rule import Example, Mark, Pattern, Rule, Spans, first
from rubrics.linter.words import has_words, reported_from

MIND, READER, WORK, FUTURE = "mind", "reader", "work", "future"
WORLD, OTHERS, TASTE = "world", "others", "taste"
RULE = Rule(
    code="not_decidable",
    name=_("not decidable from the answer"),
    message=_(
        "“%(words)s” cannot be read off the answer: it is about %(kind)s. Say what the answer "
        "must contain instead."
    ),
    teaches=_(
        "A scorer has the answer and nothing else. What its writer understood, how a reader feels, "
        "what happens later, or what the world holds true cannot be marked TRUE or FALSE from it."
    ),
    examples=(
        Example(
            "en",
            "Shows a deep understanding of lease accounting.",
            "Recognises the right-of-use asset at EUR 412,000.",
        ),
        Example(
            "en",
            "The letter persuades the landlord to agree.",
            "Offers the landlord two months' rent in advance.",
        ),
        Example("zh", "回答有说服力。", "引用《民法典》第五百八十五条作为调减违约金的依据。"),
    ),
    kinds={
        MIND: _("what its writer knows or means"),
        READER: _("how a reader takes it"),
        WORK: _("how it was made"),
        FUTURE: _("what happens later"),
        WORLD: _("what has to be looked up elsewhere"),
        OTHERS: _("other answers"),
        TASTE: _("taste"),
    },
)

_WHO = (
    r"(?:user|reader|client|customer|patient|audience|board|committee|judge|court|layperson|"
    r"layman|laypeople|lay reader|non-expert|outsider|everyone|anybody|anyone|manager|parents?|"
    r"pupils?|students?|investors?|landlord|employer|stakeholders?|recipient|buyer|teacher)"
)
# (what the words are about, pattern)
TABLE = (
    (
        MIND,
        Pattern(
            "en",
            r"(?:shows?|demonstrat\w+|displays?|reflects?|reveals?|proves?|exhibits?|has|"
            r"evidences?|"
            r"conveys?)\s(?:an?\s|the\s|its\s|the author['’]s\s)?(?:\w+\s){0,2}?(?:understanding|"
            r"expertise|mastery|knowledge|"
            r"familiarity|awareness|insight|command|competence|experience|professionalism|empathy|"
            r"creativity|confidence|depth|critical thinking|rigou?r|sensitivity|care)|"
            r"understands\b|is aware\b|is familiar\b|knows\b|"
            r"intends?\b|tries to\b|attempts? to\b|aims? to\b|genuinely|in good conscience|"
            r"it is (?:clear|obvious|evident|apparent|plain|noticeable) that|"
            r"(?:author|writer|adviser|advisor|drafter)(?:['’]s\b|\s(?:has|is|knows|was)\b)|"
            r"(?:has|have) (?:exercised|shown|made|put|taken|given|demonstrated|invested|worked|"
            r"thought)\b|"
            r"believes?\b|means to\b|takes? (?:\w+\s){0,3}seriously",
        ),
    ),
    (
        MIND,
        Pattern(
            "zh",
            r"(?:体现|展现|展示|表现|反映|显示|具有|具备)[^，。；]{0,14}?"
            r"(?:理解|水平|素养|功底|能力|思维|专业性|意识|深度|态度|洞察|视野|经验|共情|价值观|"
            r"精神|理念|情怀|关怀)|"
            r"(?:充分|深刻|透彻|深入|准确)(?:理解|把握|领会)|"
            r"理解(?:了|题意|透彻|到位|深刻)|熟悉|了解(?!到)|掌握|意图|试图|力求|用心|真诚",
        ),
    ),
    (
        READER,
        Pattern(
            "en",
            r"persua\w+|convinc\w+|engaging|compelling|interesting|inspir\w+|reassur\w+|"
            r"user[- ]friendly|(?:easy|easier|simple|pleasant|enjoyable) (?:to|for)\b|readable|"
            r"readability|comprehensible|intelligible|"
            r"(?<=^)(?:it )?(?:reads|flows|sounds|looks|feels|seems|appears)\b(?! (?:as|like|up|"
            r"at|for) )|"
            r"accessible|pleasant|impress\w*|attractive|appealing|memorable|intuitive|"
            rf"satisf\w+ (?:the |an? |every )?{_WHO}|(?:meets|exceeds|matches) (?:the |its )?"
            rf"(?:{_WHO}(?:['’]s?)? )?expectations|"
            rf"\b{_WHO} (?:is|are|feels?|finds?|would|will|could|can|likes?|enjoys?|understands?|"
            r"trusts?|agrees?|accepts?|leaves)\b|"
            rf"helps? (?:the |an? )?{_WHO}|useful|helpful|makes? sense|trustworthy|credible|"
            r"(?:polite|friendly|warm|professional|formal|neutral|empathetic|respectful|"
            r"appropriate|suitable|right|sensitive|objective) (?:and \w+ )?(?:tone|manner|style|"
            r"language|voice|register)|"
            r"(?:tone|style|wording|language|manner) (?:is|are|should|fits|suits|of the)\b",
        ),
    ),
    (
        READER,
        Pattern(
            "zh",
            r"说服力|令人|打动|吸引|生动|有趣|感染力|可读性|易读|易懂|易于理解|通俗|用户(?:满意|"
            r"友好|体验)|"
            r"(?:读者|客户|用户|患者|家长|学生|领导|法官|委员会)(?:能|会|可以|容易|满意|感到|"
            r"觉得|愿意|接受|理解)|"
            r"满足(?:读者|客户|用户|患者)|(?:语气|措辞|语言|文风|态度|表达)(?:得体|恰当|专业|"
            r"友好|礼貌|温和|客观|正式|"
            r"流畅|优美|自然|亲切|诚恳)|美观|有帮助|实用",
        ),
    ),
    (
        WORK,
        Pattern(
            "en",
            r"double[- ]check\w*|re-?reads?|proof-?read\w*|after careful|careful(?:ly)? "
            r"(?:consider\w*|"
            r"check\w*|read\w*|analy\w+|review\w*|thought|weigh\w*)|has (?:been )?(?:checked|"
            r"read|verified|consulted|researched|considered|reviewed)|"
            r"(?:reads?|consults?|searches|researches|reviews?) (?:all |the )*(?:sources?|"
            r"documents?|"
            r"materials?|files?|literature|web|internet|annex\w*)|thinks? (?:step|through|"
            r"about)|without (?:using|the help of|relying on) (?:a calculator|ai|tools?|outside)|"
            r"spends? (?:\w+ ){0,2}(?:time|hours|minutes|days)|(?:uses|used) (?:a )?calculator|"
            r"independently (?:verif\w+|deriv\w+)|"
            r"works? through all|"
            r"(?:written|produced|done|prepared) (?:by|in under|within|without)",
        ),
    ),
    (
        WORK,
        Pattern(
            "zh",
            r"认真|仔细|反复(?:核对|检查|推敲)|经过(?:充分|深入|认真)|查阅了?|通读|独立(?:完成|"
            r"思考)|"
            r"充分考虑|综合考虑了?(?:所有|各|全部|多)|考虑周到|未使用(?:工具|计算器|人工智能)|逐字",
        ),
    ),
    (
        FUTURE,
        Pattern(
            "en",
            r"(?<=^)the (?!answer|response|report|memo|text|letter)(?:\w+\s){1,3}(?:will|"
            r"would)(?! be\b)|"
            r"(?:can|could|would|will) (?:be )?(?:\w+ly )?(?:implement\w*|succeed|work in "
            r"practice|hold up|stand up|"
            r"withstand|survive|lead to|result in|pass (?:an?|the) (?:audit|inspection|review)|"
            r"win\b|accepted|approved|increase|improve|reduce|help|prevent|convince|ensure|"
            r"be used|be followed|put into practice)|feasible|feasibility of|practicab\w+|"
            r"practical(?:ly)?\b|"
            r"(?<=^)(?:the |its |all |every )?(?:[\w-]+ ){1,2}(?:is|are) (?:\w+ly "
            r")?(?:enforceable|valid|"
            r"legal|lawful|safe|effective|sound|secure|compliant|robust|scalable|maintainable|"
            r"efficient|plausible|justified|sensible|fair)\b|"
            r"actionable|realistic|workable|implementable|viable|future[- ]proof|sustainable in",
        ),
    ),
    (
        FUTURE,
        Pattern(
            "zh",
            r"可行(?!性研究|性报告|性分析)|切实|可操作|操作性|落地|可执行|会(?:成功|被接受|得到|"
            r"带来|通过)|"
            r"能(?:够)?(?:有效)?(?:提升|提高|改善|降低|避免|解决|促进|保证|确保|通过)|(?:会|将|"
            r"能够?|可以?)(?:被|得到|获得|受到|感到|觉得|产生|带来|让|使|令|赢得|起到)|经得起|"
            r"(?:方案|措施|建议|计划|策略|治疗|设计)(?:是|应)?(?:安全|有效|经济|稳妥)",
        ),
    ),
    (
        WORLD,
        Pattern(
            "en",
            r"up[- ]to[- ]date|latest|state of the art|best practices?|industry standards?|"
            r"(?:current|prevailing|applicable|existing) (?:law|laws|legislation|regulations?|"
            r"research|standards|guidelines|rules|"
            r"literature|practice)|generally accepted(?! accounting)|according to experts|"
            r"factually\b|"
            r"(?:all|every|its|the) (?:figures?|facts?|statements?|claims?|calculations?|"
            r"sources?|citations?|references|data|"
            r"numbers?) (?:\w+ ){0,3}?(?:is|are) (?:all )?(?:correct|accurate|true|real|right|"
            r"reliable|current|valid|genuine)|(?:no|any|free (?:of|from)) (?:\w+ "
            r"){0,2}(?:errors?|mistakes?|inaccurac\w+|"
            r"hallucinat\w+)|"
            r"(?:reliable|authoritative|trusted|reputable|credible|real|genuine) (?:sources?|"
            r"data|references|"
            r"suppliers?|manufacturers?|citations?)|common sense|as (?:an )?experts? would|"
            r"(?:matches|agrees with|corresponds to) reality",
        ),
    ),
    (
        WORLD,
        Pattern(
            "zh",
            r"符合(?![^，。；]{0,20}[0-9《第])[^，。；]{0,12}(?:准则|规范|标准|法规|法律|规定|"
            r"课标|惯例)|(?:切合|贴近|结合)实际|最新|现行(?:法律|规定|标准|有效)|行业(?:标准|"
            r"惯例|规范|通行|最佳)|业内|公认|权威|最佳实践|"
            r"(?:数据|事实|引用|计算|信息|内容|来源|表述)(?:真实|可靠|准确|属实|无误|正确)|"
            r"符合(?:实际|事实|常识|客观)|"
            r"没有(?:任何)?(?:事实|常识|计算|专业|知识)?(?:性)?错误|无(?:事实|常识|专业|"
            r"知识)性?错误|专家(?:认可|水平)",
        ),
    ),
    (
        OTHERS,
        Pattern(
            "en",
            r"(?:than|to|with|of) (?:the )?(?:other|previous|average|competing|typical|baseline) "
            r"(?:answers?|responses?|models?|candidates?|submissions?|solutions?)|(?:the |a "
            r")?(?:reference|"
            r"model|sample|gold|ideal|expert) (?:answer|solution|response)",
        ),
    ),
    (
        OTHERS,
        Pattern(
            "zh", r"参考答案|标准答案|其他(?:答案|回答|模型|作答)|优于(?:其他|一般|平均)|一般水平"
        ),
    ),
    (
        TASTE,
        Pattern(
            "en",
            r"in an? (?!same|tabular|separate|single|satisf|appropr|suitab|proper|reason|timely|"
            r"adequ|good|effect|effic)(?:\w+ly )?\w+ (?:manner|way|fashion)\b|"
            r"(?<=^)(?:the |its )?(?!answer|response|report|memo)(?:[\w-]+ ){1,3}(?:is|are) "
            r"(?:\w+ly )?"
            r"\w{2,}(?:able|ible|ing|ful|ive|ous|ant|ent)\W*$|"
            r"valuable|worthwhile|commendable|noteworthy|aesthetic\w*|pleasing|"
            r"elegant|creative(?:ly)?|original(?= (?:ideas?|thought|approach|solution|way))|"
            r"innovative|"
            r"novel (?:idea|approach|solution)|"
            r"beautiful\w*|flow\b|flows\b|fluent|coherent(?:ly)?|logical(?:ly)?|"
            r"(?:structured|organi[sz]ed|argued|reasoned) logically|"
            r"natural(?:ly)? (?:sounding|written|phrased)|stylish|balanced|nuanced|thoughtful|"
            r"sophisticated|viral|epic|stylistic\w*|overall (?:impression|quality)",
        ),
    ),
    (
        TASTE,
        Pattern(
            "zh",
            r"有(?:创意|新意|深度|见地|亮点|特色|层次)|富有|创新性|新颖|独到|逻辑(?:清晰|严密|"
            r"严谨|性|通顺|连贯)|"
            r"条理(?:清晰|清楚|分明)|层次分明|结构(?:清晰|合理|严谨|完整)|流畅|优美|整体(?:质量|"
            r"印象|效果)|行文|言之有物|(?:透彻|鲜明|丰富|周到|周全|严谨|扎实|精炼|精准|深刻|贴切|"
            r"有力|顺畅|大方)(?=[，。；、]|$)|忠实|通顺|地道|传神|"
            r"(?:达到|具备)[^，。；]{0,8}(?:水平|水准)",
        ),
    ),
)
FIXED = (  # technical terms, and phrases that are decidable from a text
    Pattern(
        "en",
        r"\b(?:convincing evidence|natural logarithm|viral (?:load|infection|hepatitis|culture|"
        r"vector)|balanced (?:scorecard|budget|fund|equation|accounts?)|logical (?:or|and|not|"
        r"operator|volume|fallac\w+)|cash flow|flow (?:rate|chart|diagram)|work ?flow|useful li\w+|"
        r"helpful tip|interest(?:ed|ing)? part\w+|model answer sheet|flow (?:of|from)|"
        r"feasibility study|accessible (?:entrance|toilet|parking|name|design)|latest (?:by|date|"
        r"on)|"
        r"patient (?:is|are|can|would|will) (?:to|not|be)|knows? (?:your|its) customer|"
        r"original (?:invoice|document|contract|deed|copy|text|term)|practical (?:completion|"
        r"training|exam\w*|experience)|informed consent|student (?:is|are|will) \w+ed|"
        r"interesting(?:ly)? enough|attractive (?:force|nuisance)|written (?:by|in) (?:hand|ink)|"
        r"reads? the (?:question|value|scale))\b",
    ),
    Pattern(
        "zh", r"经营现金流|逻辑回归|可行域|最新修订|用户体验地图|熟悉程度表|操作性条件反射|了解客户"
    ),
)
_TABLE = [
    (
        kind,
        row.language,
        re.compile(
            rf"\b(?:{row.expression})" if row.language == "en" else row.expression, re.IGNORECASE
        ),
    )
    for kind, row in TABLE
]
_FIXED = re.compile("|".join(row.expression for row in FIXED), re.IGNORECASE)


def find(text: str) -> Iterator[Mark]:
    """Yield at most one mark; words inside the content that the answer reports are skipped."""
    yield from first(_marks(text))


def _marks(text: str) -> Iterator[Mark]:
    content = reported_from(text)
    fixed = Spans(match.span() for match in _FIXED.finditer(text))
    found = []
    spoken = {language for language in ("en", "zh") if has_words(language, text)}
    for kind, language, pattern in _TABLE:
        if language not in spoken:
            continue
        for match in pattern.finditer(text, 0, content):
            if match.start() not in fixed:
                found.append((match.span(), kind))
                break
    if found:
        (start, end), kind = min(found, key=lambda one: one[0])
        yield Mark(RULE, (start, end), "", text[start:end], values=(("kind", kind),))

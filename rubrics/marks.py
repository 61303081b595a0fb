"""The linter's tables: what it looks for, and what it says. English and Chinese."""

import re

from django.utils.translation import gettext_lazy

MESSAGES = {
    "several_requirements": gettext_lazy(
        "Two checks in one line, joined by “%(words)s”. An answer with only one of them could not "
        "be marked."
    ),
    "vague_words": gettext_lazy(
        "“%(words)s” can be read two ways. Name the figure, the rule or the words you expect."
    ),
    "no_concrete_content": gettext_lazy(
        "Two people could not check this alike. Name what the answer must contain."
    ),
    "negation": gettext_lazy(
        "An empty answer would pass this line. Say what must be there, or name exactly what must "
        "not."
    ),
    "near_duplicate": gettext_lazy("Almost the same as line %(n)s. One of them can go."),
    "weight_fits": gettext_lazy(
        "Weight %(weight)s is unusual for this importance: most lines of its kind have "
        "%(low)s to %(high)s."
    ),
}

# --- several requirements ------------------------------------------------------------------------
# Verbs that rubric lines start with; after "and" they open a second check.
_VERBS = (
    "adds|advises|analyses|analyzes|applies|argues|asks|assesses|assigns|attributes|calculates|"
    "cautions|checks|cites|classifies|compares|computes|concludes|confirms|considers|contains|"
    "converts|corrects|covers|defines|derives|describes|determines|discusses|distinguishes|"
    "documents|establishes|estimates|evaluates|excludes|explains|flags|formulates|gives|"
    "highlights|identifies|includes|indicates|informs|instructs|justifies|keeps|links|lists|"
    "mentions|names|notes|offers|orders|outlines|points|presents|proposes|provides|quantifies|"
    "quotes|recognises|recognizes|recommends|records|refers|refuses|rejects|reports|requires|"
    "requests|reserves|says|sets|shows|specifies|states|stops|suggests|summarises|summarizes|"
    "supports|tells|treats|uses|verifies|warns|writes"
)
_PAIRS = (  # fixed expressions in which "and" joins one thing
    r"terms and conditions|profits? and loss|rights and obligations|duties and obligations|"
    r"supply and demand|pros and cons|research and development|health and safety|"
    r"safety and risk|mergers and acquisitions|cause and effect|property, plant and equipment|"
    r"time and materials|cost and benefit|risks? and rewards?|cash and cash equivalents|"
    r"and/or|and so on|trial and error|plant and machinery|goods and services|"
    r"null and void|signs and symptoms|input and output|lying and standing"
)
_JOINERS: tuple[tuple[str, str], ...] = (
    # (pattern whose group 1 is the joining word, language)
    (rf"[\s,](and(?: also| then)?)\s+(?:{_VERBS})\b", "en"),
    (r"\d[^.;]*?\s(and)\s+[^.;]*\d", "figures"),
    (r",?\s(as well as|in addition to)\s", "en"),
    (r"(;)\s+\S", "en"),
    (r"(以及|并且|同时(?!间)|而且)", "zh"),
    (r"[，,](并(?!非|不|购|发|列|行|网|联)|且)", "zh"),
    (r"(；)\s*\S", "zh"),
)
JOINERS = tuple((re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in _JOINERS)
PAIRS = re.compile(rf"\b(?:{_PAIRS})\b", re.IGNORECASE)
RANGE = re.compile(r"\b(?:between|from|both|either)\b(?:[^.;]|\.\d)*$", re.IGNORECASE)

# --- vague words ---------------------------------------------------------------------------------
_VAGUE_EN = (
    "appropriate(?:ly)?|adequate(?:ly)?|proper(?:ly)?|reasonabl[ey]|sufficient(?:ly)?|"
    "satisfactor(?:y|ily)|suitabl[ey]|comprehensive(?:ly)?|thorough(?:ly)?|in[- ]depth|"
    "well[- ](?:structured|written|organi[sz]ed|reasoned|argued)|high[- ]quality|"
    "good|nice(?:ly)?|convincing(?:ly)?|meaningful(?:ly)?|insightful|professional(?:ly)?|"
    "clear(?:ly)? and concise(?:ly)?|clearly|effective(?:ly)?|efficient(?:ly)?|as needed|"
    "if necessary|where appropriate|various|several|some|many|etc\\.?|and so on|to some extent|"
    "relevant (?:aspects?|factors?|points?|issues?|details?|information)"
)
_FIXED_EN = (  # terms of a trade in which the word has a meaning
    r"reasonable (?:doubt|care|notice|period|time|accommodations?|assurance|endeavours|efforts|"
    r"adjustments?|person|steps|grounds?)|good (?:faith|cause|practice|title|manufacturing|"
    r"industry|clinical)|clearing|adequate (?:protection|consideration)|"
    r"sufficient consideration|professional (?:indemnity|negligence|services|conduct|body|"
    r"scepticism|skepticism)|effective (?:date|interest|tax|dose|from)|"
    r"thorough examination|proper officer|proper law|some of|good[- ]?will|"
    r"effective\w*[- ](?:rate|interest)"
)
_VAGUE_ZH = (
    "适当|恰当|妥善|妥当|合理(?!性|用药|期限|怀疑|注意|利润|价格|开支|费用)|充分(?!就业|必要|条件)|"
    "清晰|清楚地|较好|良好|全面|深入|详细|翔实|专业性强|有条理|逻辑性强|高质量|"
    "若干|一些|必要时|视情况|等等|尽量|尽可能|有效地|相关(?:因素|问题|方面|内容|信息)"
)
VAGUE = re.compile(rf"\b(?:{_VAGUE_EN})(?![\w-])|{_VAGUE_ZH}", re.IGNORECASE)
FIXED = re.compile(rf"\b(?:{_FIXED_EN})\b", re.IGNORECASE)
# What makes a vague word precise: a figure, quoted words, or examples in the line.
MEASURE = re.compile(
    r"\d|[“\"「『《].+?[”\"」』》]|\((?!s\))[^)]{4,}\)|（[^）]{2,}）|\bat least\b|\bat most\b|"
    r"\bnamely\b|\bsuch as\b|: \S|至少|至多|不少于|不超过|即|例如|如：|：",
    re.IGNORECASE,
)

# --- no concrete content, negation --------------------------------------------------------------
_EMPTY = (  # words that say nothing to check
    "a|an|and|are|as|at|be|by|for|from|good|has|have|in|is|it|its|of|on|or|that|the|their|this|to|"
    "was|with|all|any|answer|response|text|output|report|memo|letter|correct|correctly|accurate|"
    "accurately|right|true|complete|completely|full|fully|clear|clearly|well|relevant|appropriate|"
    "important|key|main|necessary|correctness|accuracy|quality|topic|question|task|problem|issue|"
    "point|points|content|information|detail|details|aspect|aspects|requirements|everything"
)
EMPTY_WORDS = re.compile(rf"(?:{_EMPTY}|{_VERBS})", re.IGNORECASE)
EMPTY_ZH = re.compile(
    "答案|回答|内容|正确|准确|完整|全面|清晰|清楚|合理|说明|指出|提到|提及|包括|给出|写明|列出|"
    "分析|问题|题目|要求|相关|重点|要点|主要|信息|[的地得了是与和并且对于在，。、；：！？\\s]"
)
NEGATIVE = re.compile(
    r"^\W*(?:the )?(?:answer |response |text |output |report |memo |letter )?"
    r"((?:does|do|is|are|must|should|may|has|have|will|can)(?: not|n[’']t)|cannot|never|avoids?|"
    r"refrains? from|omits?|fails? to)\b"
    r"|^\W*(?:答案|回答|全文|文中)?(不得|不应|不要|不能|不含|不包含|没有|未曾|未(?!来|成年|婚)|避免|无需)",
    re.IGNORECASE,
)

# --- weights -------------------------------------------------------------------------------------
USUAL_WEIGHTS = {"essential": (6, 10), "important": (3, 8), "optional": (1, 5)}


# --- joining words at a place somebody chose --------------------------------------------------
JOINT_BEFORE = re.compile(
    r"(?:[\s,;，；]*\b(?:and also|and then|and|as well as)|"
    r"[，；,;]?\s*(?:以及|并且|同时|而且|并|且|和))\s*$",
    re.IGNORECASE,
)
JOINT_AFTER = re.compile(
    r"\s*(?:(?:and|as well as)\b|以及|并且|同时|而且|，并|，且)\s*", re.IGNORECASE
)

"""Rules that find passages of a response which may try to steer its judge.

A mark tells people where to look. It changes no verdict: the response is judged as it is, between
fences. Pure functions on text, linear in its length.
"""

# ruff: noqa: E501 - a pattern stays on one line

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

VERSION = 3  # raise it with every change of a rule: all responses are then looked at again
AROUND = 60  # characters of context on each side of a mark
MOST = 20  # marks kept of one kind

INSTRUCTION = "instruction"
VERDICT = "verdict"
FENCE = "fence"
INVISIBLE = "invisible"
DIRECTION = "direction"
KINDS = (INSTRUCTION, VERDICT, FENCE, INVISIBLE, DIRECTION)


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked passage: kind, offset in characters, number of hits of the kind, and context."""

    kind: str
    at: int
    count: int
    excerpt: str


# Orders to the reader or grader in each language. Gaps are bounded, so that matching is linear.
_LATIN_ORDERS = (
    # English
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:instruction|prompt|rubric|checklist|criteri|rule|guideline)",
    r"\b(?:mark|grade|score|rate|judge|set|treat)\b[^.\n]{0,40}\b(?:all|every|each)\b[^.\n]{0,40}\b(?:true|met|pass(?:ed)?|satisfied|full marks|fulfilled)\b",
    r"\b(?:note|message|instruction|reminder)s? (?:to|for) (?:the |all )?(?:ai |llm )?(?:grader|judge|evaluator|assessor|model|assistant)",
    r"\b(?:as|you are) (?:the |an? )?(?:ai |llm |impartial |automatic )?(?:grader|judge|evaluator)\b[^.\n]{0,60}\b(?:must|should|will|have to|need to)\b",
    r"\b(?:award|give|assign)\b[^.\n]{0,30}\b(?:full|maximum|highest|perfect|top) (?:marks?|scores?|points?|credit|grade)",
    # German, French, Spanish, Portuguese, Italian, Dutch
    r"\b(?:ignorier\w*|vergiss|missacht\w*)\b[^.\n]{0,40}\b(?:anweisung|anleitung|vorgabe|regel|kriteri)",
    r"\bbewerte\w*\b[^.\n]{0,40}\b(?:alle|jede\w*)\b[^.\n]{0,40}\b(?:wahr|erfüllt|true|voll)",
    r"\b(?:ignore[zr]?|oublie[zr]?)\b[^.\n]{0,40}\b(?:instruction|consigne|règle|critère)",
    r"\b(?:marque[zr]?|note[zr]?|évalue[zr]?)\b[^.\n]{0,40}\b(?:tous|toutes|chaque)\b[^.\n]{0,40}\b(?:vrai|true|rempli|satisfait)",
    r"\b(?:ignor[ae]|ignoren|olvida|esquece)\b[^.\n]{0,40}\b(?:instrucci|instruç|regla|regra|criterio|critério)",
    r"\b(?:marca|marque|califica|avalie)\b[^.\n]{0,40}\b(?:tod[oa]s|cada)\b[^.\n]{0,40}\b(?:verdader|verdadeir|true|cumplid|cumprid)",
    r"\bignora\b[^.\n]{0,40}\b(?:istruzion|regol|criteri)",
    r"\bnegeer\b[^.\n]{0,40}\b(?:instructie|regel|criteri)",
    # Polish, Turkish, Vietnamese, Indonesian
    r"\bzignoruj\w*[^.\n]{0,40}\b(?:instrukcj|polece|zasad|kryteri)",
    r"\b(?:talimat|kural|ölçüt|yönerge)[^.\n]{0,40}\b(?:yok say|görmezden gel|unut)",
    r"\bbỏ qua\b[^.\n]{0,40}(?:hướng dẫn|chỉ dẫn|quy tắc|tiêu chí)",
    r"\babaikan\b[^.\n]{0,40}\b(?:instruksi|petunjuk|perintah|aturan|kriteria)",
)
# Each of these needs a letter of its script. They are slow to match, because the decisive word may
# come late, so they are tried only on texts with such letters.
_OTHER_ORDERS = (
    # Chinese
    r"(?:忽略|无视|不要理会|忽視|無視)[^。\n]{0,20}(?:指令|指示|提示|说明|說明|规则|規則|标准|標準|要求)",
    r"(?:请|必须|應|应)?[^。\n]{0,8}(?:全部|所有|每一?(?:条|项|個|个))[^。\n]{0,16}(?:判为|判定为|标记为|標記為|视为|打)[^。\n]{0,10}(?:真|TRUE|满足|滿足|通过|通過|达标|满分|滿分)",
    r"(?:致|给|給)(?:评审|評審|评分|評分|阅卷|裁判)(?:员|員|者|模型|系统)",
    # Ukrainian, Hindi, Hebrew, Thai
    r"(?:ігноруй\w*|забудь\w*)[^.\n]{0,40}(?:інструкц|вказівк|правил|критері)",
    r"(?:निर्देश|नियम|मानदंड)[^।\n]{0,24}(?:अनदेखा|नज़रअंदाज़|भूल)",
    r"(?:התעלמ?ם?ו?|שכחו?)[^.\n]{0,24}(?:הוראות|כללים|קריטריונים|ההנחיות)",
    r"(?:ละเว้น|เพิกเฉย|ไม่ต้องสนใจ)[^\n]{0,16}(?:คำสั่ง|คำแนะนำ|กฎ|เกณฑ์)",
    # Russian, Japanese, Korean, Arabic
    r"(?:игнорируй\w*|забудь\w*|не обращай\w* внимания)[^.\n]{0,40}(?:инструкц|указани|правил|критери)",
    r"(?:これまで|以前|上記|すべて)?の?(?:指示|命令|ルール)を(?:すべて)?(?:無視|忘れ)",
    r"(?:すべて|全て)[^。\n]{0,20}(?:真|TRUE|満たす|合格|満点)と(?:判定|評価|採点)",
    r"(?:지시|명령|규칙)[^.\n]{0,12}(?:무시|잊)",
    r"(?:모두|모든)[^.\n]{0,20}(?:참|TRUE|충족|만점)[^.\n]{0,10}(?:판정|평가|채점)",
    r"(?:تجاهل|انس)[^.\n]{0,40}(?:التعليمات|القواعد|المعايير)",
)
# Letters of other scripts: neither Latin with its diacritics nor general punctuation.
_OTHER_LETTERS = re.compile("[\u0400-\u1dff\u2e80-\U0010ffff]")

# The shape of a judge's own reply, or something like it.
_VERDICT = re.compile(
    r"[\"'“”]?verdicts?[\"'“”]?\s{0,4}[:=]\s{0,4}[\[{]"
    r"|[\"'“”](?:met|verdict|score|passed)[\"'“”]\s{0,4}:\s{0,4}(?:true|false|null|\d|[\"'“”](?:true|met|pass))"
    r"|[\"'“”](?:grade|agrees|correct|invented)[\"'“”]\s{0,4}:\s{0,4}(?:true|false|null|\d|[\"'“”](?:true|yes|no))"
    r"|\{\s{0,4}[\"'“”](?:id|extracted|entry)[\"'“”]\s{0,4}:",
    re.IGNORECASE,
)
# Fences and roles as prompts and chat formats write them.
_FENCE = re.compile(
    r"<<<\s?(?:TASK|CHECKLIST|EXAMPLE|DECISIONS|CANDIDATE|REFERENCE|POINTS|SCALE|GOLD|RIGHTANSWER|QUESTIONS|CONDITIONS|PROFILE|SUMMARIES)\b"
    r"|\b(?:TASK|CHECKLIST|EXAMPLE|DECISIONS|CANDIDATE|REFERENCE|POINTS|SCALE|GOLD|RIGHTANSWER|QUESTIONS|CONDITIONS|PROFILE|SUMMARIES)>>>"
    r"|</?(?:response|answer|candidate|submission|system|assistant|user|instructions?)>"
    r"|<\|[a-z_]{2,24}\|>|\[/?INST\]|<</?SYS>>"
    r"|(?:^|\n)\s{0,4}(?:#{1,6}\s?|[-=*]{3,}\s?)?(?:end of (?:the )?(?:response|answer|submission|candidate)|(?:system|assistant)\s{0,2}:)"
    r"|(?:回答|答案|作答)(?:结束|結束|到此为止)",
    re.IGNORECASE,
)
# Invisible characters: control characters, zero-width signs, tags and variation selectors.
INVISIBLE_SIGNS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f"
    "\U000e0100-\U000e01ef\ufff9-\ufffb"
)
DIRECTION_SIGNS = "\u202a-\u202e\u2066-\u2069"
# Thai, Lao, Burmese and Khmer separate words by a zero-width space; it is legitimate there.
_ZERO_WIDTH_SCRIPTS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_INVISIBLE = re.compile(f"[{INVISIBLE_SIGNS}]+")
_DIRECTION = re.compile(f"[{DIRECTION_SIGNS}]")
_RULES = (
    (VERDICT, _VERDICT),
    (FENCE, _FENCE),
    (INVISIBLE, _INVISIBLE),
    (DIRECTION, _DIRECTION),
)
_UNSEEN = re.compile(
    f"[{INVISIBLE_SIGNS}{DIRECTION_SIGNS}\u00ad\u200c-\u200f\u034f\u115f\u1160\u2800\u3164\ufe00-\ufe0f\uffa0]"
)


def marks(text: str) -> list[Mark]:
    """Return the marks of a response by offset, at most MOST of a kind; `count` has all hits.

    Orders and verdicts are also looked for in the text as a reader sees it (`as_seen`): without
    invisible characters, with wide, ornate and lookalike letters replaced, and with line breaks
    inside a sentence joined. Those marks have offsets in that text.
    """
    text = _plain(text)
    found: list[Mark] = [*_first(INSTRUCTION, text, _orders_in(text))]
    for kind, pattern in _RULES:
        found += _first(kind, text, pattern.finditer(text))
    seen = as_seen(text)
    if seen != text:
        for kind, hits in ((INSTRUCTION, _orders_in), (VERDICT, _VERDICT.finditer)):
            if not any(mark.kind == kind for mark in found):
                found += _first(kind, seen, hits(seen))
    if not any(mark.kind == INSTRUCTION for mark in found):
        hidden = tag_text(text)
        if hidden.strip():
            found.append(Mark(INSTRUCTION, 0, 1, visible(hidden[: 2 * AROUND])))
    return sorted(found, key=lambda mark: (mark.at, KINDS.index(mark.kind)))


def _orders_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the orders in a text, in the languages that its letters allow."""
    others = bool(_OTHER_LETTERS.search(text))
    return _instruction(others=others).finditer(text)


@cache
def _instruction(*, others: bool) -> re.Pattern[str]:
    """Return one pattern for all orders; compiled on first use, because it takes long."""
    orders = _LATIN_ORDERS + _OTHER_ORDERS if others else _LATIN_ORDERS
    return re.compile("|".join(orders), re.IGNORECASE)


def as_seen(text: str) -> str:
    """Return a text as a reader sees it; see `marks`."""
    folded = unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
    folded = _MIXED.sub(lambda word: word.group().translate(_ALIKE), folded)
    return _BROKEN.sub(" ", folded)


# Cyrillic and Greek letters that look Latin; replaced in words that also have a Latin letter.
_ALIKE = str.maketrans(
    "аеорсухіјѕԁԛԝАВЕКМНОРСТХІЈЅοαιυνρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdqwABEKMHOPCTXIJSoaiuvpABEZHIKMNOPTYX",
)
_MIXED = re.compile(
    r"(?<![a-zA-Z])[a-zA-Z]++[\u0370-\u052f]\w*+"
    r"|(?<![\u0370-\u052f])[\u0370-\u052f]++[a-zA-Z]\w*+"
)
_BROKEN = re.compile(r"(?<=\w)[ \t]?\n(?=[ \t]{0,4}\w)")


def _plain(text: str) -> str:
    """Drop a byte order mark and the zero-width spaces of scripts that separate words by them."""
    text = text.removeprefix("\ufeff")
    return text.replace("\u200b", "") if _ZERO_WIDTH_SCRIPTS.search(text) else text


def _first(kind: str, text: str, hits: Iterable[re.Match[str]]) -> Iterator[Mark]:
    spans = [hit.span() for hit in hits]
    apart, last = [], -AROUND
    for start, end in spans:
        if start >= last + AROUND:  # a closer hit is in the context of the one before
            apart.append((start, end))
            last = end
    for start, end in apart[:MOST]:
        before, after = max(0, start - AROUND), end + AROUND
        yield Mark(kind, start, len(spans), visible(text[before:after]))


def tag_text(text: str) -> str:
    """Return as letters what a text writes in invisible tag characters (U+E0020 to U+E007E)."""
    return "".join(chr(ord(c) - 0xE0000) for c in text if 0xE0020 <= ord(c) <= 0xE007E)


def visible(text: str) -> str:
    """Return a text with its invisible characters spelt out: "a⟦U+200B⟧b", "⟦U+200B … 3 signs⟧"."""

    def spell(hit: re.Match[str]) -> str:
        run = hit.group()
        name = f"U+{ord(run[0]):04X}"
        return f"⟦{name}⟧" if len(run) == 1 else f"⟦{name} … {len(run)} signs⟧"

    return _RUNS.sub(spell, _plain(text))


_RUNS = re.compile(f"[{INVISIBLE_SIGNS}{DIRECTION_SIGNS}]+")


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text as (kind, part): "text" as it is, "sign" a run of invisible ones spelt out."""
    text, at = _plain(text), 0
    for hit in _RUNS.finditer(text):
        if hit.start() > at:
            yield "text", text[at : hit.start()]
        yield "sign", visible(hit.group())
        at = hit.end()
    if at < len(text):
        yield "text", text[at:]

"""Extracts terms and amounts from English and Chinese text, without a model.

Terms are lightly stemmed English words and pairs of Chinese characters; amounts are numbers
converted to a base unit. Everything is pure and deterministic.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HAN = re.compile(f"[{_CJK}]")
_WORD = re.compile(rf"[A-Za-z][A-Za-z0-9]*(?:['’&\-][A-Za-z0-9]+)*|[{_CJK}]+")

_STOP = frozenset(
    """a an the of to in on at by for with from into onto over under about as and or but nor so than
    then that this these those it its they them their there here he she his her we our you your i is
    are was were be been being am do does did done have has had having will would shall should can
    could may might must not no none never without if when while where which who whom whose what how
    why also only just such each any all some both either more most less least very too other
    another same own per via between within among during before after above below up down out off
    again further once e.g i.e eg ie etc vs one""".split()  # noqa: SIM905
)
# Words with which checklist lines address the answer rather than its subject.
_CHECK_WORDS = frozenset(
    """state mention identify provide explain describe include note give name list report say
    discuss answer response candidate correctly clearly explicitly specify specific indicate
    recommend suggest point present address cover show demonstrate calculate compute conclude
    acknowledge recognize recognise advise propose refer make use require requirement value least
    approximately roughly following reader question""".split()  # noqa: SIM905
)
_HAN_STOP = frozenset("的了是在和与及或也其该此这那被把吗呢吧着")
_HAN_CHECK = re.compile(
    "指出|给出|说明|提到|提及|列出|回答|包括|包含|明确|正确|计算出|应当|应该|需要|是否|建议|描述|解释|阐述"
)

_NEGATION = re.compile(
    r"\b(?:not|no|never|without|cannot|neither|nor|none|avoids?|refrains?|excludes?|fails? to)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_HAN_NEGATION = re.compile(
    "不(?![仅但只同断可避])|没有|未(?!来)|无(?:需|法|须|权|效)|禁止|避免|勿|非(?!常)"
)


def is_chinese(text: str) -> bool:
    """Return whether a text is mostly Chinese; a character counts as a word of five letters."""
    han = len(_HAN.findall(text))
    return han > 0 and han * 5 > sum(map(str.isalpha, text)) - han


def is_negated(text: str) -> bool:
    """Return whether a sentence denies, forbids or excludes something."""
    return bool(_NEGATION.search(text) or _HAN_NEGATION.search(text))


# What a denial does not reach over: "not clear, but paid" says that it was paid.
_CLAUSE_END = re.compile(
    r"[,;:()–—，；：、（）]|\b(?:that|which|who|because|while|whereas|but|although|though|if|unless)\b"
    "|但|而|因为",
    re.IGNORECASE,
)


def denied_terms(sentence: str) -> frozenset[str]:
    """Return the terms of the clauses of a sentence that deny, forbid or exclude something."""
    clauses = [clause for clause in _CLAUSE_END.split(sentence) if is_negated(clause)]
    return frozenset[str]().union(*map(terms, clauses))


# -- terms --------------------------------------------------------------------------------------


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return a light English stem: without plural, -ing, -ed, -ly and some noun endings.

    Words of three letters or with digits are returned in lower case, unchanged otherwise.
    """
    word = word.lower().replace("’", "'").removesuffix("'s")
    if len(word) <= 3 or any(character.isdigit() for character in word):
        return word
    for ending, instead, rest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= rest:
            word = word[: len(word) - len(ending)] + instead
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


_ENDINGS = (
    ("osures", "os", 3),
    ("osure", "os", 3),
    ("isations", "is", 3),
    ("izations", "iz", 3),
    ("isation", "is", 3),
    ("ization", "iz", 3),
    ("ations", "at", 3),
    ("ation", "at", 3),
    ("ments", "", 3),
    ("ment", "", 3),
    ("ingly", "", 4),
    ("edly", "", 4),
    ("ities", "ity", 3),
    ("ies", "y", 2),
    ("sses", "ss", 1),
    ("xes", "x", 2),
    ("ches", "ch", 2),
    ("shes", "sh", 2),
    ("ing", "", 4),
    ("ied", "y", 2),
    ("ed", "", 3),
    ("ly", "", 4),
    ("ss", "ss", 1),
    ("us", "us", 1),
    ("is", "is", 1),
    ("s", "", 3),
)


def terms(text: str) -> frozenset[str]:
    """Return the content terms: stems of English words, pairs of adjacent Chinese characters."""
    found: set[str] = set()
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0] < "\u3400":
            if word.lower() not in _STOP and (len(word) > 1 or word.isupper()):
                found.add(stem(word))
                if "-" in word:
                    found.update(
                        stem(part) for part in word.split("-") if part.lower() not in _STOP
                    )
        else:
            found.update(_pairs(word))
    return frozenset(found)


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [] if run in _HAN_STOP else [run]
    return [
        run[n : n + 2]
        for n in range(len(run) - 1)
        if run[n] not in _HAN_STOP and run[n + 1] not in _HAN_STOP
    ]


_CHECK_STEMS = frozenset(stem(word) for word in _CHECK_WORDS)


def check_terms(line: str) -> frozenset[str]:
    """Return the content terms of a checklist line, without words that every line uses."""
    return terms(_HAN_CHECK.sub(" ", line)) - _CHECK_STEMS


# -- amounts ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Amount:
    """A number found in a text.

    Attributes:
        value: in the base unit of its kind.
        unit: the kind ("%", "year", "gram", "$" …); "" for a number without a known unit.
        text: as written, with the unit.
        digits: the number alone in digits, even where it was spelled out.
    """

    value: float
    unit: str
    text: str
    digits: str = ""

    def agrees(self, other: "Amount") -> bool:
        """Return whether two amounts are equal within 0.5 %.

        The units must be of one kind, or one of them is missing. A number of at most 1 without a
        unit may stand for a percentage.
        """
        if self.unit and other.unit and self.unit != other.unit:
            return False
        if self.unit != other.unit and "%" in (self.unit, other.unit):
            share, bare = (self, other) if self.unit == "%" else (other, self)
            return _near(share.value, bare.value) or (
                abs(bare.value) <= 1 and _near(share.value, bare.value * 100)
            )
        return _near(self.value, other.value)


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= 0.005 * max(abs(a), abs(b)) + 1e-9


_SCALES = {
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "m": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "b": 1e9,
    "千": 1e3,
    "万": 1e4,
    "百万": 1e6,
    "千万": 1e7,
    "亿": 1e8,
    "万亿": 1e12,
}
# unit as written -> (kind, factor to its base unit)
_UNITS = {
    **dict.fromkeys(("%", "percent", "per cent", "％"), ("%", 1.0)),
    **dict.fromkeys(("bp", "bps", "basis points", "个基点", "基点"), ("%", 0.01)),
    **dict.fromkeys(("percentage points", "个百分点", "百分点"), ("%", 1.0)),
    **dict.fromkeys(("years", "year", "年"), ("year", 1.0)),
    **dict.fromkeys(("months", "month", "个月"), ("month", 1.0)),
    **dict.fromkeys(("weeks", "week", "周"), ("day", 7.0)),
    **dict.fromkeys(("days", "day", "日", "天"), ("day", 1.0)),
    **dict.fromkeys(("hours", "hour", "h", "小时"), ("second", 3600.0)),
    **dict.fromkeys(("minutes", "minute", "min", "分钟"), ("second", 60.0)),
    **dict.fromkeys(("seconds", "second", "秒"), ("second", 1.0)),
    **dict.fromkeys(("mg", "毫克"), ("gram", 0.001)),
    **dict.fromkeys(("kg", "千克", "公斤"), ("gram", 1000.0)),
    **dict.fromkeys(("g", "克"), ("gram", 1.0)),
    **dict.fromkeys(("mm", "毫米"), ("metre", 0.001)),
    **dict.fromkeys(("cm", "厘米"), ("metre", 0.01)),
    **dict.fromkeys(("km", "公里", "千米"), ("metre", 1000.0)),
    **dict.fromkeys(("metres", "meters", "米"), ("metre", 1.0)),
    **dict.fromkeys(("ml", "毫升"), ("litre", 0.001)),
    **dict.fromkeys(("litres", "liters", "升"), ("litre", 1.0)),
    **dict.fromkeys(("usd", "dollars", "美元"), ("$", 1.0)),
    **dict.fromkeys(("eur", "euros", "euro", "欧元"), ("€", 1.0)),
    **dict.fromkeys(("gbp", "pounds", "英镑"), ("£", 1.0)),
    **dict.fromkeys(("cny", "rmb", "yuan", "元", "人民币"), ("¥", 1.0)),
    **dict.fromkeys(("jpy", "yen", "日元"), ("jpy", 1.0)),
    **dict.fromkeys(("hkd", "港元", "港币"), ("hkd", 1.0)),
}
_CODES = ["aud", "cad", "chf", "dkk", "inr", "krw", "nok", "sek", "sgd"]
_UNITS |= {code: (code, 1.0) for code in _CODES}
# currency as written before the number -> kind
_BEFORE = {
    **dict.fromkeys(("$", "us$", "usd"), "$"),
    **dict.fromkeys(("€", "eur"), "€"),
    **dict.fromkeys(("£", "gbp"), "£"),
    **dict.fromkeys(("¥", "￥", "rmb", "cny", "人民币"), "¥"),
    **dict.fromkeys(("hk$", "hkd"), "hkd"),
    **dict.fromkeys(("a$", "aud"), "aud"),
    **dict.fromkeys(("c$", "ca$", "cad"), "cad"),
    **dict.fromkeys(("s$", "sgd"), "sgd"),
    "jpy": "jpy",
    **{code: code for code in _CODES},
}


def _any(names: object) -> str:
    written = sorted((re.escape(name) for name in names), key=len, reverse=True)  # type: ignore[attr-defined]
    return "|".join(name + r"(?![A-Za-z])" if name[-1].isascii() else name for name in written)


_LATIN = [re.escape(name) for name in sorted(_BEFORE, key=len, reverse=True) if name[0].isalpha()]
_LATIN = [name for name in _LATIN if name.isascii()]
_FEW = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SPELLED = {word: number for number, word in enumerate(_FEW + _TEENS, start=1)}
_SPELLED |= {word: 10 * number for number, word in enumerate(_TENS, start=2)}
NUMBER_WORDS = (*_SPELLED, "hundred")
_UNDER_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_FEW)}))?|{'|'.join(_TEENS + _FEW)})"
# "One" alone is excluded: it is an article as often as a number.
_WORDS = (
    rf"(?:(?:an?|{'|'.join(_FEW)})\shundred(?:\s(?:and\s)?{_UNDER_100})?|(?!one\b){_UNDER_100})"
    r"(?![A-Za-z])"
)
_AMOUNT = re.compile(
    rf"(?:(?P<before>[€£¥￥]|人民币|(?<![A-Za-z])(?:{'|'.join(_LATIN)})|\$)\s?|(?<![A-Za-z0-9_.]))"
    r"(?P<sign>[-−](?=\d))?"
    rf"(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|{_WORDS})"
    rf"(?:\s?(?P<scale>{_any(_SCALES)}))?"
    rf"(?:[\s-]?(?P<unit>{_any(_UNITS)}))?",
    re.IGNORECASE,
)
_HAN_DIGITS = {"两": 2, **{digit: n for n, digit in enumerate("一二三四五六七八九十", start=1)}}
_HAN_NUMBER = re.compile(
    r"([两一二三四五六七八九十])(?=个|年|天|日|周|月|项|种|次|条|类|步|名|家|倍)"
)
# "1." or "(2)" at the start of a line numbers the items and is no amount.
_ENUMERATION = re.compile(r"(?m)^[^\S\n]*+[(（]?\d{1,2}[.)）、](?!\d)\s*")


def amounts(text: str) -> tuple[Amount, ...]:
    """Return every number in a text, in digits or spelled out, in order of appearance."""
    text = _HAN_NUMBER.sub(lambda m: str(_HAN_DIGITS[m.group()]), _ENUMERATION.sub(" ", text))
    found = []
    for match in _AMOUNT.finditer(text):
        number = match["number"]
        value = float(number.replace(",", "")) if number[0].isdigit() else _spelled(number)
        digits = number if number[0].isdigit() else f"{value:.0f}"
        value *= _SCALES[match["scale"].lower()] if match["scale"] else 1
        unit = _BEFORE.get((match["before"] or "").lower(), "")
        if match["unit"]:
            unit, factor = _UNITS[match["unit"].lower()]
            value *= factor
        signed = -value if match["sign"] else value
        found.append(Amount(signed, unit, match.group().strip(), digits))
    return tuple(found)


def _spelled(words: str) -> float:
    """Convert number words: "two hundred and fifty" is 250, "twenty-three" is 23."""
    total = 0
    for word in re.findall("[a-z]+", words.lower()):
        total = (total or 1) * 100 if word == "hundred" else total + _SPELLED.get(word, 0)
    return float(total)


# "(4)", "b)", "iv.", "四、", "（四）", "①", with any signs before it.
_ITEM_NUMBER = re.compile(
    r"^[\s*_•-]{0,5}(?:[(（]?(?:\d{1,2}|[a-z]|[ivx]{2,4}|[一二三四五六七八九十]{1,3})[.)）、．](?!\d)"
    r"|[①-⑳])\s*",
    re.IGNORECASE,
)


def without_item_number(text: str) -> str:
    """Return a text that was cut out of a list without the number of its item."""
    return _ITEM_NUMBER.sub("", text, count=1)

"""Prompts that say nearly the same, found without reading all of them. Pure functions.

Two ways to be alike:

- **By wording.** A text is the set of its shingles (runs of five letters or digits, so that it
  works for any script). The likeness of two texts is the Jaccard index of these sets. Of each
  text the smallest 128 hashes are kept (a bottom-k sketch, Broder 1997): of two sketches the
  index is estimated with a standard error of at most 0.045. The smallest 24 are marks to look up.
- **By anchors**, for a translation. Numbers, dates, shares, sections of a law, and names in Latin
  script stay when the language changes. Two prompts that share most of their anchors tell of the
  same case. A case without figures and names, or with other ones, is not found in this way.
"""

import hashlib
import re
import struct
import unicodedata
from decimal import Decimal

METHOD = 1
"""Edition of the method. A change of anything below makes the stored fingerprints stale."""
SHINGLE = 5
"""Characters of a shingle; Chinese words are shorter, so a shingle there spans a phrase."""
SKETCH = 128
"""Hashes of a sketch."""
MARKS = 24
"""Hashes of a sketch by which it is looked up."""
ANCHORS = 40
"""Anchors by which a text is looked up; of more, those with the smallest hashes."""
ALIKE = 0.5
"""Likeness by wording from which a prompt is reported."""
LEAST_SHARED = 5
"""Anchors two prompts share at least to be reported, if they share half of them."""


def shingles(text: str) -> frozenset[str]:
    """All runs of five letters or digits of a text; case, width, spaces and punctuation aside."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(c for c in folded if c.isalnum())
    if len(letters) <= SHINGLE:
        return frozenset({letters} if letters else ())
    return frozenset(letters[i : i + SHINGLE] for i in range(len(letters) - SHINGLE + 1))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Size of the intersection over size of the union; 0 for two empty sets."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return common / union if union else 0.0


def _hash(piece: str) -> int:
    """A number of 63 bits, the same in every process; it fits the database's largest integer."""
    digest = hashlib.blake2b(piece.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


# --- wording --------------------------------------------------------------------------------------
def sketch(text: str) -> tuple[int, ...]:
    """The smallest hashes of a text's shingles, ascending; all of them if they are few."""
    return tuple(sorted(map(_hash, shingles(text)))[:SKETCH])


def packed(numbers: tuple[int, ...]) -> bytes:
    """A sketch as it is stored: 8 bytes each."""
    return struct.pack(f">{len(numbers)}Q", *numbers)


def unpacked(stored: bytes) -> tuple[int, ...]:
    """The sketch that was stored."""
    return struct.unpack(f">{len(stored) // 8}Q", stored)


def marks(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The hashes of a sketch by which it is looked up."""
    return numbers[:MARKS]


def enough_marks(numbers: tuple[int, ...]) -> int:
    """How many marks another text must share to be looked at: one in six.

    Of texts that are half alike every mark is shared with a chance of one half, so that fewer
    than four of 24 are shared once in some seven thousand cases.
    """
    return max(1, len(marks(numbers)) // 6)


def estimate(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """The Jaccard index as the smallest hashes of both tell it; exact for short texts."""
    union = sorted({*one, *other})[:SKETCH]
    if not union:
        return 0.0
    both = set(one) & set(other)
    return sum(number in both for number in union) / len(union)


# --- anchors --------------------------------------------------------------------------------------
_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
    "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATES = (
    (re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)"), "ymd"),
    (re.compile(r"(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]"), "ymd"),
    (re.compile(r"(?<!\d)(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)"), "dmy"),
    (re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?\s{_MONTH}\s(\d{{4}})(?!\d)", re.I), "dmy"),
    (re.compile(rf"\b{_MONTH}\s(\d{{1,2}})(?:st|nd|rd|th)?,?\s(\d{{4}})(?!\d)", re.I), "mdy"),
)
_SECTION = re.compile(
    r"(?:§{1,2}|\b(?:section|sections|article|articles|art\.|clause|paragraph|regulation|rule))"
    r"\s?(\d{1,4})|第\s?(\d{1,4}|[零一二三四五六七八九十百]{1,6})\s?[条條]",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\d.,])(\d{1,3}(?:[,. \u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,6})?|\d{1,15}(?:[.,]\d{1,6})?)"
    r"(?:\s?(%|％|per cent|percent|thousand|million|billion|bn|mn|m(?![\w])|k(?![\w])|[万萬億亿千])"
    r"([万萬億亿]?))?",
    re.IGNORECASE,
)
_TIMES = {
    "thousand": 3, "k": 3, "千": 3, "万": 4, "萬": 4, "million": 6, "mn": 6, "m": 6, "亿": 8,
    "億": 8, "billion": 9, "bn": 9,
}  # fmt: skip
_LATIN = re.compile(r"(?<![^\W_])[A-Za-zÀ-ÖØ-öø-ÿ][A-Za-zÀ-ÖØ-öø-ÿ0-9]{2,29}(?![^\W_])")
_CALENDAR = re.compile(
    r"january|february|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|usd|eur|gbp|cny|rmb",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")}


def anchors(text: str) -> frozenset[str]:
    """What stays when a text is translated: dates, sections, figures, shares, Latin names.

    Years and small whole numbers are left out: half of all cases share them.
    """
    body = unicodedata.normalize("NFKC", text)
    found: set[str] = set()
    for pattern, order in _DATES:
        found.update(filter(None, (_date(m.groups(), order) for m in pattern.finditer(body))))
        body = pattern.sub(" ", body)
    found.update(f"section {_counted(m.group(1) or m.group(2))}" for m in _SECTION.finditer(body))
    body = _SECTION.sub(" ", body)
    found.update(filter(None, (_figure(m) for m in _NUMBER.finditer(body))))
    return frozenset(found | _names(body))


def _date(groups: tuple[str, ...], order: str) -> str:
    parts = dict(zip(order, groups, strict=True))
    month = _MONTHS.get(parts["m"][:3].lower()) or int(parts["m"])
    if not (1 <= month <= 12 and 1 <= int(parts["d"]) <= 31):
        return ""
    return f"date {int(parts['y'])}-{month:02}-{int(parts['d']):02}"


def _counted(number: str) -> int:
    """A number in digits or in Chinese numerals under a thousand."""
    if number.isdigit():
        return int(number)
    total = digit = 0
    for character in number:
        if character in "十百":
            total += (digit or 1) * (10 if character == "十" else 100)
            digit = 0
        else:
            digit = _DIGITS[character]
    return total + digit


def _figure(match: re.Match[str]) -> str:
    typed, unit, more = match.group(1), (match.group(2) or "").lower(), match.group(3) or ""
    value = _value(typed)
    if unit in ("%", "per cent", "percent"):
        return f"share {value:f}"
    for word in (unit, more):
        value = value.scaleb(_TIMES.get(word, 0))
    value = value.normalize()
    plain = f"{value:f}"
    whole = value == value.to_integral_value()
    if whole and (value < 100 or (1900 <= value <= 2100 and not unit)):
        return ""
    if not whole and len(plain.replace(".", "").lstrip("0")) < 3:
        return ""
    return f"figure {plain}"


def _value(typed: str) -> Decimal:
    """A typed number, by its separators: 1,250.50 and 1.250,50 are the same."""
    plain = re.sub(r"[ \u00a0\u202f]", "", typed)
    dot, comma = plain.rfind("."), plain.rfind(",")
    if dot >= 0 and comma >= 0:
        thousands, decimal = (",", ".") if dot > comma else (".", ",")
        plain = plain.replace(thousands, "").replace(decimal, ".")
    elif re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", plain) and not plain.startswith("0"):
        plain = plain.replace(",", "").replace(".", "")
    else:
        plain = plain.replace(",", ".", 1) if plain.count(",") == 1 else plain.replace(",", "")
    if plain.count(".") > 1:
        plain = plain.replace(".", "")
    return Decimal(plain).normalize()


def _names(body: str) -> set[str]:
    """Names in Latin script: every Latin word of a Chinese text; else capitalised inner words."""
    found = set()
    eastern = len(_CJK.findall(body)) * 5 > len(body)
    for match in _LATIN.finditer(body):
        word = match.group()
        if not eastern:
            before = body[max(0, match.start() - 2) : match.start()].rstrip(" ")
            inner = before[-1:].isalnum() or before[-1:] in tuple(",;(\"'“‘/&")
            if not (word[0].isupper() and inner and before) and not word[1:].isupper():
                continue
        if not _CALENDAR.fullmatch(word):
            found.add(f"name {word.casefold()}")
    return found


def anchor_marks(found: frozenset[str]) -> tuple[int, ...]:
    """The hashes by which the anchors of a text are looked up."""
    return tuple(sorted(map(_hash, found))[:ANCHORS])


def shown(anchor: str) -> str:
    """An anchor as people read it: "section 17" as "§ 17", "share 4.75" as "4.75 %"."""
    kind, _space, value = anchor.partition(" ")
    return {"section": f"§\u00a0{value}", "share": f"{value}\u00a0%"}.get(kind, value)

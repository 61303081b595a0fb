"""Finds near-duplicate prompts without comparing all pairs. Pure functions.

Two prompts can be similar in two ways:

- **By wording.** A text is the set of its shingles (runs of five letters or digits, which works for
  any script). The similarity of two texts is the Jaccard index of these sets. The smallest 128
  hashes of each text are kept (a bottom-k sketch, Broder 1997); from two sketches the index is
  estimated with a standard error of at most 0.045. The smallest 24 are marks, stored for look-up.
- **By anchors**, which finds translations. Numbers, dates, shares, sections of a law and names in
  Latin script stay the same in another language, so two prompts that share most of them are about
  the same case. A case without figures and names, or with changed ones, is not found this way.
"""

import hashlib
import re
import struct
import unicodedata
from decimal import Decimal

METHOD = 1
"""Version of the method. Any change below needs a new one: stored fingerprints become stale."""
SHINGLE = 5
"""Characters of a shingle. Chinese words are shorter, so there a shingle spans a phrase."""
SKETCH = 128
"""Hashes of a sketch."""
MARKS = 24
"""Hashes of a sketch that are stored for look-up."""
ANCHORS = 40
"""Anchors of a text that are stored for look-up: those with the smallest hashes."""
ALIKE = 0.5
"""Similarity by wording from which a prompt is reported."""
LEAST_SHARED = 5
"""Anchors that two prompts must share to be reported, besides half of all."""


def shingles(text: str) -> frozenset[str]:
    """Return all runs of five letters or digits, ignoring case, width, spaces and punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(c for c in folded if c.isalnum())
    if len(letters) <= SHINGLE:
        return frozenset({letters} if letters else ())
    return frozenset(letters[i : i + SHINGLE] for i in range(len(letters) - SHINGLE + 1))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard index: intersection over union; 0 for two empty sets."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return common / union if union else 0.0


def _hash(piece: str) -> int:
    """Hash to 63 bits, which fit a signed database integer; the same in every process."""
    digest = hashlib.blake2b(piece.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


# --- wording --------------------------------------------------------------------------------------
def sketch(text: str) -> tuple[int, ...]:
    """Return the smallest `SKETCH` hashes of a text's shingles, ascending."""
    return tuple(sorted(map(_hash, shingles(text)))[:SKETCH])


def packed(numbers: tuple[int, ...]) -> bytes:
    """Encode a sketch for storage, 8 bytes per hash."""
    return struct.pack(f">{len(numbers)}Q", *numbers)


def unpacked(stored: bytes) -> tuple[int, ...]:
    """Decode a stored sketch."""
    return struct.unpack(f">{len(stored) // 8}Q", stored)


def marks(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return the hashes of a sketch that are stored for look-up."""
    return numbers[:MARKS]


def enough_marks(numbers: tuple[int, ...]) -> int:
    """Return how many marks another text must share to be compared: one in six.

    At a similarity of one half each mark is shared with probability one half, so fewer than four
    of 24 are shared in about one of seven thousand cases.
    """
    return max(1, len(marks(numbers)) // 6)


def estimate(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Estimate the Jaccard index from two sketches; exact for short texts."""
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
    """Return what survives a translation: dates, sections, figures, shares, Latin names.

    Years and whole numbers under 100 are left out, because too many cases share them.
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
    """Convert a number in digits, or in Chinese numerals under a thousand."""
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
    """Parse a number with either kind of separators: 1,250.50 and 1.250,50 are the same."""
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
    """Return names in Latin script: all Latin words in CJK text, else capitalised inner words."""
    found = set()
    is_cjk = len(_CJK.findall(body)) * 5 > len(body)
    for match in _LATIN.finditer(body):
        word = match.group()
        if not is_cjk:
            before = body[max(0, match.start() - 2) : match.start()].rstrip(" ")
            inner = before[-1:].isalnum() or before[-1:] in tuple(",;(\"'“‘/&")
            if not (word[0].isupper() and inner and before) and not word[1:].isupper():
                continue
        if not _CALENDAR.fullmatch(word):
            found.add(f"name {word.casefold()}")
    return found


def anchor_marks(found: frozenset[str]) -> tuple[int, ...]:
    """Return the hashes of anchors that are stored for look-up."""
    return tuple(sorted(map(_hash, found))[:ANCHORS])


def shown(anchor: str) -> str:
    """Format an anchor for people: "section 17" as "§ 17", "share 4.75" as "4.75 %"."""
    kind, _space, value = anchor.partition(" ")
    return {"section": f"§\u00a0{value}", "share": f"{value}\u00a0%"}.get(kind, value)

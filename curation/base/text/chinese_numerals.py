"""Whole numbers in Chinese numerals, as far as they can be read in one way only.

What is said loosely is no number here: 三四 (three or four), 一万二 (12,000 to some), 十几.
"""

import re

_DIGITS = {
    sign: value
    for value, signs in enumerate(
        ("零〇", "一壹", "二贰貳两兩", "三叁參", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
    )
    for sign in signs
}
# Full and older forms of the same signs.
_SAME = str.maketrans("拾佰仟萬億〇", "十百千万亿零")
SIGNS = "".join(_DIGITS) + "十百千万亿拾佰仟萬億"
_ONE = "[一壹二贰貳两兩三叁參四肆五伍六陆陸七柒八捌九玖]"
_UNDER_10_000 = re.compile(
    rf"(?:(?P<thousands>{_ONE})千)?(?P<gap_1>零)?(?:(?P<hundreds>{_ONE})百)?(?P<gap_2>零)?"
    rf"(?:(?P<tens>{_ONE})?(?P<ten>十))?(?P<gap_3>零)?(?P<ones>{_ONE})?"
)
_YEAR = re.compile(r"[一二][零一二三四五六七八九]{3}")
LONGEST = 40  # signs; a longer one is no number


def whole_number(text: str) -> int | None:
    """Return the number that Chinese numerals say, from 0 up; None if they say none, or loosely.

    Four digits that begin with 一 or 二 are read one by one, as years are written (二〇二四).
    """
    said = text.translate(_SAME)
    if not said or len(said) > LONGEST:
        return None
    if said == "零":
        return 0
    if _YEAR.fullmatch(said):
        return int("".join(str(_DIGITS[sign]) for sign in said))
    high, hundred_million, rest = said.rpartition("亿")
    above, below = 0, 0
    if hundred_million:
        found = _in_ten_thousands(high, leads=True)
        if not found:
            return None
        above = found * 10**8
    if rest or not hundred_million:
        value = _in_ten_thousands(rest, leads=not hundred_million)
        if value is None:
            return None
        below = value
    return above + below if below < 10**8 else None


def _in_ten_thousands(text: str, *, leads: bool) -> int | None:
    high, ten_thousand, rest = text.partition("万")
    if not ten_thousand:
        return _under_10_000(text, leads=leads)
    above = _under_10_000(high, leads=leads)
    if not above:
        return None
    if not rest:
        return above * 10_000
    below = _under_10_000(rest, leads=False)
    return None if below is None else above * 10_000 + below


def _under_10_000(text: str, *, leads: bool) -> int | None:
    """Return the number of a group of four places.

    Args:
        leads: whether nothing stands before it. Behind a higher group, a place that is left out
            has to be named by 零; else the last digit may count another place.
    """
    match = _UNDER_10_000.fullmatch(text)
    if not text or match is None or text.endswith("零"):
        return None
    value, last = 0, None if leads else 10_000
    for name, unit in (("thousands", 1000), ("hundreds", 100), ("tens", 10), ("ones", 1)):
        digit = match[name]
        if name == "tens" and match["ten"] and not digit:
            digit = "一"
        if not digit:
            continue
        skipped = last is not None and last != unit * 10
        if skipped != _has_gap(text, match, name):
            return None
        value, last = value + _DIGITS[digit] * unit, unit
    return value if value else None


def _has_gap(text: str, match: re.Match[str], name: str) -> bool:
    start = match.start(name) if match[name] else match.start("ten")
    return start > 0 and text[start - 1] == "零"

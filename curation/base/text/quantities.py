"""A short text that is one number with or without its unit, read exactly or not at all.

Numbers are fractions, so nothing is rounded. What can be read in two ways says so (`other`), and
what stands beside the number is its unit: "about 5" is five of the unit "about", which no other
text has. `curation.base.text.language` finds figures in long texts, and is looser.
"""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from curation.base.text import written_forms
from curation.base.text.chinese_numerals import SIGNS, whole_number

_DIGITS = re.compile(
    r"(?P<sign>[-−+]?)(?P<whole>[0-9]{1,3}(?P<sep>[,' ’\u2009\u202f\u00a0])[0-9]{3}"
    r"(?:(?P=sep)[0-9]{3}){0,9}(?![0-9])|[0-9]{0,40})(?P<part>\.[0-9]{1,40})?"
    r"(?:[eE](?P<power>[-+]?[0-9]{1,2})(?![0-9A-Za-z]))?"
)
_FRACTION = re.compile(
    r"(?P<sign>[-−]?)(?:(?P<a>[0-9]{1,15}) ?[/⁄] ?(?P<b>[0-9]{1,15})"
    r"|\\[dt]?frac\{(?P<c>[0-9]{1,15})\}\{(?P<d>[0-9]{1,15})\})(?![0-9/.,])"
)
_PART_OF = re.compile(rf"(?P<b>[{SIGNS}]+)分之(?P<a>[{SIGNS}]+|[0-9]+(?:\.[0-9]+)?)")
_CHINESE = re.compile(rf"[{SIGNS}]+")
# Words of scale; of 千 alone it is not certain that it is one (千米, 千克).
_SCALES = {
    "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "十万": 5, "百万": 6, "千万": 7,
    "万亿": 12, "万": 4, "萬": 4, "亿": 8, "億": 8,
}  # fmt: skip
_SCALE = re.compile(rf" ?(?P<scale>{'|'.join(_SCALES)})(?![A-Za-z])", re.IGNORECASE)
_PERCENT = "%"
# Each line names one unit. Only names of the same unit stand together; nothing is converted.
_UNITS = [
    ("%", "percent", "per cent", "per-cent", "pct"),
    ("km", "kilometre", "kilometres", "kilometer", "kilometers", "公里", "千米"),
    ("m", "metre", "metres", "meter", "meters", "米"),
    ("cm", "centimetre", "centimetres", "centimeter", "centimeters", "厘米"),
    ("mm", "millimetre", "millimetres", "millimeter", "millimeters", "毫米"),
    ("km²", "km2", "square kilometres", "square kilometers", "sq km", "平方公里", "平方千米"),
    ("m²", "m2", "square metres", "square meters", "平方米"),
    ("kg", "kilogram", "kilograms", "公斤", "千克"),
    ("g", "gram", "grams", "克"),
    ("MW", "megawatt", "megawatts", "兆瓦"),
    ("kW", "kilowatt", "kilowatts", "千瓦"),
    ("GW", "gigawatt", "gigawatts", "吉瓦"),
    ("°C", "℃", "degrees Celsius", "摄氏度"),
    ("hour", "hours", "小时"),
    ("minute", "minutes", "分钟"),
    ("second", "seconds", "秒"),
    ("day", "days", "天"),
    ("year", "years"),
    ("个", "個"),
    ("$", "dollar", "dollars"),
    ("US$", "USD", "US dollars", "U.S. dollars", "美元"),
    ("€", "EUR", "euro", "euros", "欧元"),
    ("£", "GBP", "英镑"),
    ("元", "yuan", "CNY", "RMB", "人民币", "元人民币"),
]
_SAME_UNIT = {name: group[0] for group in _UNITS for name in group}
_BEFORE = ("US$", "HK$", "A$", "C$", "S$", "USD", "EUR", "GBP", "CNY", "RMB", "$", "€", "£", "¥")
# Of these there are whole ones only, and nobody answers in thousands of them without saying so.
COUNTED = frozenset("个人位名家次只条件张部本座场届") | {"people", "persons", "items", "countries"}
KNOWN = frozenset(_SAME_UNIT.values()) | COUNTED


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number with its unit.

    Attributes:
        value: the number, with its scale: "1.5 million" is 1500000; a per cent is not divided.
        unit: in one spelling; "" for none.
        step: what one more in the last written place adds, at least two zeros at the end of a whole
            number aside; None for a fraction.
        other: further values that the same signs can mean: 1,234 is 1.234 in other countries.
        written: the digits without separators, such as "3.10"; "" for other numerals.
        scaled: whether a word of scale stands behind the number.
        numeral: whether it is written in Chinese numerals.
        listed: whether its separators could also stand between numbers of a list: 100,200.
    """

    value: Fraction
    unit: str = ""
    step: Fraction | None = None
    other: tuple[Fraction, ...] = ()
    written: str = ""
    scaled: bool = False
    numeral: bool = False
    listed: bool = False


def quantity(text: str) -> Quantity | None:
    """Return the number and unit that are all of a short text; None for anything else."""
    said = written_forms.bare(text)
    if not said or len(said) > written_forms.LONGEST:
        return None
    before = next((sign for sign in _BEFORE if said.startswith(sign)), "")
    found = _number_at_the_start(said[len(before) :].lstrip())
    if found is None:
        return None
    number, rest = found
    if number.step is not None and (scale := _SCALE.match(rest)):
        number = _times(number, Fraction(10) ** _SCALES[scale["scale"].lower()])
        rest = rest[scale.end() :]
    unit = rest.strip()
    if bool(before) + bool(number.unit) + bool(unit) > 1 or _says_more(unit):
        return None
    return replace(number, unit=number.unit or one_name(before or unit))


def number_with(text: str, unit: str) -> Quantity | None:
    """Return the bare number of a text that has a given unit before or behind it, as written.

    None where the unit does not stand there, or anything else does.
    """
    said, wanted = written_forms.bare(text), written_forms.same_width(unit)
    if not wanted or len(said) > written_forms.LONGEST:
        return None
    if said.endswith(wanted):
        found = quantity(said.removesuffix(wanted))
    elif said.startswith(wanted) and (not wanted[-1].isalpha() or said[len(wanted) :][:1] == " "):
        found = quantity(said.removeprefix(wanted))
    else:
        return None
    return found if found is not None and not found.unit and not found.scaled else None


def is_in_digits(text: str) -> bool:
    """Return whether a text is one number in digits and nothing else."""
    match = _DIGITS.fullmatch(written_forms.same_width(text))
    return match is not None and bool(match["whole"] or match["part"])


def one_name(unit: str) -> str:
    """Return the name under which equal units are compared: "公里" and "kilometres" are "km"."""
    said = written_forms.same_width(unit)
    if said in _SAME_UNIT:
        return _SAME_UNIT[said]
    for name, one in _SAME_UNIT.items():
        if written_forms.same_but_for_case(said, name, amount=True):
            return one
    return said


def same_unit(one: str, other: str) -> bool:
    """Return whether two units, each in its one name, are the same. Their case counts."""
    return one == other or written_forms.same_but_for_case(one, other, amount=True)


def _number_at_the_start(said: str) -> tuple[Quantity, str] | None:
    """Return the number that a text begins with, and the rest of the text."""
    if match := _PART_OF.match(said):
        return _part_of(match, said)
    if match := _FRACTION.match(said):
        below = int(match["b"] or match["d"])
        if not below:
            return None
        value = Fraction(int(match["a"] or match["c"]), below)
        return Quantity(-value if match["sign"] else value), said[match.end() :]
    if match := _CHINESE.match(said):
        number = whole_number(match.group())
        if number is None:
            return None
        value = Fraction(number)
        return Quantity(value, step=_step(str(number), 0), numeral=True), said[match.end() :]
    match = _DIGITS.match(said)
    if match is None or not (match["whole"] or match["part"]):
        return None
    return _in_digits(match), said[match.end() :]


def _part_of(match: re.Match[str], said: str) -> tuple[Quantity, str] | None:
    parts = match["a"]
    above = Fraction(parts) if parts[0].isascii() else whole_number(parts)
    below = whole_number("一百" if match["b"] in ("百", "佰") else match["b"])
    if above is None or not below:
        return None
    if below == 100:
        return Quantity(Fraction(above), _PERCENT), said[match.end() :]
    return Quantity(Fraction(above) / below), said[match.end() :]


def _in_digits(match: re.Match[str]) -> Quantity:
    separator, part = match["sep"], match["part"] or ""
    whole = match["whole"].replace(separator, "") if separator else match["whole"]
    minus = match["sign"] in ("-", "−")
    power = int(match["power"] or 0)
    value = Fraction(Decimal(f"{whole or 0}{part}")) * Fraction(10) ** power
    value = -value if minus else value
    other: tuple[Fraction, ...] = ()
    if separator == "," and match["whole"].count(",") == 1 and not part:
        other = (value / 1000,)
    elif len(part) == 4 and whole.strip("0") and len(whole) < 4:
        other = (value * 1000,)
    groups = match["whole"].split(separator)[1:] if separator else []
    return Quantity(
        value,
        step=_step(whole + part, power),
        other=other,
        written=f"{'-' if minus else ''}{whole}{part}" if not power else "",
        listed=bool(groups) and not part and not any(group[0] == "0" for group in groups),
    )


def _step(digits: str, power: int) -> Fraction:
    _whole, dot, part = digits.partition(".")
    zeros = len(digits) - len(digits.rstrip("0"))
    places = -len(part) if dot else (zeros if zeros >= 2 else 0)
    return Fraction(10) ** (places + power)


def _times(number: Quantity, scale: Fraction) -> Quantity:
    return Quantity(
        number.value * scale,
        step=None if number.step is None else number.step * scale,
        other=tuple(value * scale for value in number.other),
        scaled=True,
        numeral=number.numeral,
    )


def _says_more(unit: str) -> bool:
    """Return whether what stands behind a number has another number in it."""
    return unit not in _SAME_UNIT and any(sign in "0123456789" for sign in unit)

"""Spellings of a short text that certainly say the same: a closed list, and nothing is left out.

Width of signs, spaces, kinds of dashes and quotation marks, what encloses the whole, a full stop at
its end, the case of words. No sign within a text is ever dropped, so that C# is not C. The case of
what may be a unit or a formula counts: mW is not MW.
"""

import re
import unicodedata

LONGEST = 200  # characters of a text that is compared; a longer one is no short answer

_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}  # ！ to ～ as ! to ~
_KINDS = (
    str.maketrans(dict.fromkeys("‐‑‒–—―−﹣", "-"))
    | str.maketrans(dict.fromkeys("“”„‟", '"'))
    | str.maketrans(dict.fromkeys("‘’‚‛", "'"))
)
_SPACES = re.compile(r"\s+")
_LABEL = re.compile(
    r"(?:(?:the )?(?:final )?answer(?: is)?|(?:最终|最后)?答案(?:是|为)?)\s?:", re.I
)
# Signs around a whole text: they mark it, and say nothing.
_PAIRS = (
    ('"', '"'), ("'", "'"), ("«", "»"), ("‹", "›"), ("「", "」"), ("『", "』"), ("《", "》"),
    ("〈", "〉"), ("**", "**"), ("`", "`"), ("$$", "$$"), ("$", "$"), (r"\(", r"\)"),
    (r"\[", r"\]"),
)  # fmt: skip
_COMMANDS = re.compile(r"\\(?:boxed|text|textbf|mathrm|mathbf)\s?\{(?P<inner>[^{}]*)\}")
_WRAPPED_AT_MOST = 6  # times, such as **$\boxed{12}$**.
_TOKEN = re.compile(r"[^\W\d_]+|[0-9]+|.", re.DOTALL)
_AMOUNT = re.compile(
    r"[0-9零一二两三四五六七八九十百千万亿]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|twenty|thirty|forty|fifty|hundred|thousand|million|billion|trillion|half|quarter|per)\b",
    re.IGNORECASE,
)
_SMALL_WORDS = frozenset(
    ("of", "in", "on", "at", "to", "by", "as", "is", "or", "an", "no")
    + ("la", "le", "de", "el", "du", "di", "da", "st", "mr", "dr")
)
_CASE_COUNTS = frozenset({"calorie", "calories"})  # a Calorie is a thousand calories


def same_width(text: str) -> str:
    """Return a text with signs of one width, composed, with single spaces and none at its ends."""
    composed = unicodedata.normalize("NFC", text).translate(_WIDTH)
    return _SPACES.sub(" ", composed).strip()


def same_kinds(text: str) -> str:
    """Return a text of one width with one kind of dashes, quotation marks and spaces."""
    return same_width(text).translate(_KINDS)


def bare(text: str) -> str:
    """Return a text of one width without what marks it as a whole.

    That is “Answer:” before it, a full stop behind it, and quotation marks, bold type, code marks,
    `$…$`, `\\boxed{…}` or `\\text{…}` around all of it.
    """
    said = same_width(text)
    for _ in range(_WRAPPED_AT_MOST):
        before, said = said, _without_one_mark(said)
        if said == before:
            break
    return said


def _without_one_mark(said: str) -> str:
    if label := _LABEL.match(said):
        return said[label.end() :].strip()
    if said.endswith((".", "。")) and not said[:-1].endswith((".", "。")):
        return said[:-1].rstrip()
    if command := _COMMANDS.fullmatch(said):
        return command["inner"].replace(r"\%", "%").strip()
    for opening, closing in _PAIRS:
        inner = said[len(opening) : len(said) - len(closing)]
        if (
            said.startswith(opening)
            and said.endswith(closing)
            and len(said) >= len(opening) + len(closing)
            and opening not in inner
            and closing not in inner
        ):
            return (
                inner.replace(r"\%", "%") if "$" in opening or "\\" in opening else inner
            ).strip()
    return said


def spelled(text: str) -> str:
    """Return a text in the one spelling that its certain equals share, but for case."""
    return bare(same_kinds(text))


def same_words(one: str, other: str) -> bool:
    """Return whether two short texts certainly say the same in the same words.

    False where they are too long, or empty, too.
    """
    if max(len(one), len(other)) > LONGEST:
        return False
    first, second = spelled(one), spelled(other)
    if first == second:
        return first.strip(".") != ""
    return same_but_for_case(first, second)


def same_but_for_case(one: str, other: str, *, amount: bool = False) -> bool:
    """Return whether two texts differ in the case of words alone, and not in that of units.

    Beside a number only words of five letters and more are read without case; elsewhere shorter
    ones are, if both are in small letters, capitals, or small letters after one capital.

    Args:
        amount: whether a number stands beside them.
    """
    if len(one) != len(other):
        return False
    first, second = _TOKEN.findall(one), _TOKEN.findall(other)
    if [word.lower() for word in first] != [word.lower() for word in second]:
        return False
    amount = amount or bool(_AMOUNT.search(one))
    long = any(len(word) > 3 and word.isalpha() for word in first)
    return all(
        a == b or _case_of_a_word(a, b, amount=amount, long=long)
        for a, b in zip(first, second, strict=True)
    ) and not _in_formula(one, other)


def _in_formula(one: str, other: str) -> bool:
    """Return whether case differs next to a digit or a sign, as in p53, H2O or x_1."""
    return any(
        a != b and any(c in "0123456789_^*/\\=+#&²³" for c in one[max(0, n - 1) : n + 2])
        for n, (a, b) in enumerate(zip(one, other, strict=True))
    )


def _case_of_a_word(a: str, b: str, *, amount: bool, long: bool) -> bool:
    if a.lower() in _CASE_COUNTS:
        return False
    if len(a) > 4:
        return True
    if amount or not (_usual(a) and _usual(b)):
        return False
    if len(a) == 4:
        return True
    if a.isupper() or b.isupper():  # US and us, unless all is in capitals
        return long and (len(a) == 3 or a.lower() in _SMALL_WORDS)
    return len(a) == 3 or a.lower() in _SMALL_WORDS


def _usual(word: str) -> bool:
    return word.islower() or word.isupper() or word.istitle()

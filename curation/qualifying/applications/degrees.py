"""The level of a degree, read from the words in which people name it. Pure."""

import re

from django.utils.translation import gettext_lazy as _

# Borders of a word in Latin letters: Chinese may follow without a space.
_A, _Z = r"(?<![a-zß-ɏ])", r"(?![a-zß-ɏ])"


def _one_of(*words: str) -> str:
    return f"{_A}(?:{'|'.join(words)}){_Z}"


LEVELS = {  # highest first; a person's highest one counts
    "doctorate": (
        _("Doctorate"),
        _one_of(r"ph\s?d", r"d\s?phil", "pharmd", "md", "jd", "dr", "dba", "dsc", "edd")
        + f"|{_A}doctor|博士",
    ),
    "master": (
        _("Master's degree"),
        _one_of(r"m\s?sc", "m(?:s|a|ba|eng|ed|ph|phil|res|pa|fin|tech|arch|fa)", r"ll\s?m")
        + f"|{_A}master|硕士",
    ),
    "bachelor": (
        _("Bachelor's degree"),
        _one_of(r"b\s?sc", "b(?:s|a|ba|com|eng|ed|n|tech|arch|fa)", r"ll\s?b", r"mb\W*b(?:ch|s)")
        + f"|{_A}bachelor|学士|本科",
    ),
    "licence": (
        _("Licence or other qualification"),
        r"\S",
    ),
}
UNKNOWN = _("not known")
# Who is on the way to a doctorate has none; a supervisor of doctoral students has one.
_NOT_YET = re.compile(
    rf"{_A}(?:ph\s?d|doctoral)\W+(?:student|candidate){_Z}"
    r"|博士生(?!导师)|博士在读|在读博士|博士候选人"
)


def level_of(degree: str) -> str:
    """Return the key in `LEVELS` of the highest level that the words name; "" for no words."""
    words = _NOT_YET.sub("-", degree.casefold().replace(".", ""))
    return next((key for key, (_name, rule) in LEVELS.items() if re.search(rule, words)), "")

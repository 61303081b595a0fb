"""What an author should look at before submitting: remarks on the text, which never block.

Pure functions on text. The sentences quote the words they are about, because inside a text box
nothing can be underlined.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation import text

SHORTEST_ANSWER, LONGEST_ANSWER = 200, 3000  # words of a reference answer
PARTS = ("title", "scenario", "materials", "requirements", "reference_answer")
QUOTES_AT_MOST = 3

# Words two experts read differently. A requirement that needs one needs a test instead.
_VAGUE_EN = re.compile(
    r"\b(?:appropriate(?:ly)?|adequate(?:ly)?|suitabl[ey]|reasonabl[ey]|sufficient(?:ly)?"
    r"|relevant|proper(?:ly)?|as needed|where necessary|if possible|and so on|etc\.?"
    r"|high[- ]quality|in[- ]depth|comprehensive(?:ly)?|user[- ]friendly|best practices?"
    r"|some kind of|various|good enough)(?!\w)",
    re.IGNORECASE,
)
_VAGUE_ZH = re.compile(
    "适当|合适|恰当|合理|适量|必要时|尽可能|尽量|等等|高质量|较好|充分|全面深入|若干|相关内容"
)
# A number beside a unit of length, in either order: "two pages", "at most 600 words", 不超过800字.
_NUMBER = (
    r"(?:\d[\d.,\u2009\u00a0 ]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen"
    r"|twenty|half an?|an?|single)"
)
_UNIT = (
    r"(?:words?|pages?|paragraphs?|sentences?|lines?|characters?|slides?|bullets?|bullet points?"
    r"|rows?|sides?|minutes?)"
)
_LENGTH_EN = re.compile(rf"\b{_NUMBER}[- ](?:[a-z0-9]+[- ])?{_UNIT}\b", re.IGNORECASE)
_LENGTH_ZH = re.compile(
    r"[\d一二两三四五六七八九十百千]+\s*(?:个)?\s*(?:字|页|段|句|行|条|词|分钟)"
)

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(
    r"(?<![\w.,/])(?<!\d[ \u00a0-])"
    r"(?:\+\d{1,3}[ \u00a0./-]?(?:\(\d{1,4}\)[ \u00a0]?)?(?:\d[ \u00a0./-]?){6,12}\d"
    r"|\(0\d{1,4}\)[ \u00a0]?\d{3,4}[ \u00a0-]?\d{3,4}|0\d{2,4}[ \u00a0-]\d{3,4}[ \u00a0-]?\d{3,5}"
    r"|1[3-9]\d{9})(?![\w%]|[ \u00a0-]\d)"
)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]{4}){2,7}(?:[ \u00a0]?[A-Z0-9]{1,3})?\b")
_CARD = re.compile(r"(?<![\w.,-])\d(?:[ \u00a0-]?\d){12,18}(?![\w%])")


@dataclass(frozen=True)
class Remark:
    """One look at one part.

    Attributes:
        part: the field it is about; empty for the whole task.
        kind: ok, look (amber) or later (known only after submission).
        sentence: what was found.
        label: the part's name, for the list.
    """

    part: str
    kind: str
    sentence: str
    label: Any = ""


def part_label(part: str) -> str:
    """The name of a part on every page."""
    return {
        "title": _("Title"),
        "scenario": _("Work scenario"),
        "materials": _("Materials"),
        "requirements": _("Output requirements"),
        "reference_answer": _("Reference answer"),
    }[part]


def vague_words(requirements: str) -> list[str]:
    """The words two experts would read differently, as typed, each once."""
    found = _VAGUE_EN.findall(requirements) + _VAGUE_ZH.findall(requirements)
    return list(dict.fromkeys(word.lower() for word in found))


def states_a_length(requirements: str) -> bool:
    """Whether the requirements say how long the answer may be."""
    return bool(_LENGTH_EN.search(requirements) or _LENGTH_ZH.search(requirements))


def personal_data(body: str) -> list[str]:
    """E-mail addresses, telephone and account numbers in a text, as typed, each once.

    An account number counts only with a correct check digit (IBAN: mod 97, card: Luhn), so that
    figures of a case are not taken for one.
    """
    found = _EMAIL.findall(body)
    found += [m.group() for m in _PHONE.finditer(body)]
    found += [m.group() for m in _IBAN.finditer(body) if _is_iban(m.group())]
    found += [m.group() for m in _CARD.finditer(body) if _is_card(m.group())]
    return list(dict.fromkeys(found))


def _is_iban(typed: str) -> bool:
    plain = re.sub(r"\s", "", typed)
    turned = plain[4:] + plain[:4]
    return 15 <= len(plain) <= 34 and int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def _is_card(typed: str) -> bool:
    digits = [int(c) for c in typed if c.isdigit()][::-1]
    doubled = [sum(divmod(d * 2, 10)) for d in digits[1::2]]
    return len(set(digits)) > 1 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _quoted(words: list[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:QUOTES_AT_MOST])


def remarks(parts: Mapping[str, str]) -> list[Remark]:
    """Every remark on a draft: those to look at first, then what is in order.

    Args:
        parts: the five texts by field name.
    """
    found = [
        *_completeness(parts),
        *_requirements(parts["requirements"]),
        *_answer(parts["reference_answer"]),
        *_people(parts),
    ]
    later = Remark(
        "",
        "later",
        _("Likeness to other tasks and difficulty for models are measured after you submit."),
    )
    looks = [r for r in found if r.kind == "look"]
    return [*looks, *(r for r in found if r.kind == "ok"), later]


def _look(part: str, sentence: str) -> Remark:
    return Remark(part, "look", sentence, part_label(part))


def _completeness(parts: Mapping[str, str]) -> list[Remark]:
    missing = [part for part in PARTS if text.is_blank(parts[part])]
    if not missing:
        return [Remark("", "ok", _("Title, three parts and a reference answer are present."))]
    return [
        _look(part, _("still empty. A task is submitted with all of its parts."))
        for part in missing
    ]


def _requirements(body: str) -> list[Remark]:
    if text.is_blank(body):
        return []
    found = []
    if not states_a_length(body):
        found.append(
            _look(
                "requirements",
                _("no length limit. Say how long the answer may be, so that a line can test it."),
            )
        )
    vague = vague_words(body)
    if vague:
        found.append(
            _look(
                "requirements",
                _("%(words)s: two experts must read a requirement alike. Name the test instead.")
                % {"words": _quoted(vague)},
            )
        )
    return found or [Remark("requirements", "ok", _("The requirements can be read in one way."))]


def _answer(body: str) -> list[Remark]:
    if text.is_blank(body):
        return []
    words = text.word_count(body)
    if words < SHORTEST_ANSWER:
        sentence = ngettext(
            "%(n)s word. Answers under %(low)s words rarely carry fifteen lines of a rubric.",
            "%(n)s words. Answers under %(low)s words rarely carry fifteen lines of a rubric.",
            words,
        )
    elif words > LONGEST_ANSWER:
        sentence = _(
            "%(n)s words. Above %(high)s words reviewers lose the thread; cut what no line tests."
        )
    else:
        return [
            Remark(
                "reference_answer",
                "ok",
                _("The reference answer is between %(low)s and %(high)s words.")
                % {"low": SHORTEST_ANSWER, "high": f"{LONGEST_ANSWER:,}"},
            )
        ]
    return [
        _look(
            "reference_answer",
            sentence % {"n": f"{words:,}", "low": SHORTEST_ANSWER, "high": f"{LONGEST_ANSWER:,}"},
        )
    ]


def _people(parts: Mapping[str, str]) -> list[Remark]:
    found = []
    for part in PARTS[1:]:
        data = personal_data(parts[part])
        if data:
            found.append(
                _look(
                    part,
                    _(
                        "%(words)s looks like an address, telephone or account number. Take "
                        "out what identifies a person."
                    )
                    % {"words": _quoted(data)},
                )
            )
    if found:
        return found
    return [Remark("", "ok", _("No e-mail addresses, telephone or account numbers found."))]

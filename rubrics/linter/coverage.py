"""Rule for requirements of the prompt that no line checks."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from django.utils.translation import gettext_lazy as _

from curation.base.text.language import is_chinese, terms
from rubrics.linter.rule import Example, Mark, Pattern, Rule
from rubrics.linter.words import content_terms

RULE = Rule(
    code="uncovered_requirement",
    name=_("a requirement without a line"),
    message=_("No line checks “%(words)s”, which the task asks for. Add one."),
    teaches=_(
        "If the task asks for something that the rubric does not check, an answer can leave it "
        "out without losing a point."
    ),
    examples=(
        Example(
            "en",
            "Recommends consent to the purchase.",
            "Recommends the purchase once both conditions precedent are met.",
            "Give a recommendation on the purchase. List the conditions precedent.",
        ),
        Example(
            "zh",
            "建议同意该收购。",
            "建议在两项放款先决条件满足后同意该收购。",
            "给出关于该收购的建议；列出放款先决条件。",
        ),
    ),
    scope="rubric",
)
SHARE = 0.3  # of a requirement's terms must be in one line
TOGETHER = 0.6  # or this share in all lines together
ALONE = 3  # with more sentences than this, the first one only introduces the others
MOST = 12  # marks of one rubric
_UNIT = re.compile(r"[\n。；;!?！？]+|(?<=[a-z0-9)%”\"])\.(?=\s|$)")
_BULLET = re.compile(r"^[\s>#*•●–—_-]*(?:[(（]?[0-9a-zA-Z]{1,2}[.)）、])?\s*")
# Courtesy, roles and context are no requirements.
_IDLE = re.compile(
    "|".join(
        row.expression
        for row in (
            Pattern(
                "en",
                r"^(?:you are|act as|imagine|please note|thank|good luck|your answer will|the "
                r"following|"
                r"(?:i|we|my|our|it)\b(?![^.]*\b(?:want|need|require|expect|would like)\b)|"
                r"background|context|note that|hello|dear)\b",
            ),
            Pattern("zh", r"^(?:你是|您是|假设|背景|谢谢|注意：|以下|请注意)"),
        )
    ),
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def requirements(prompt: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the prompt's requirements by sentence: (words, content terms)."""
    found = []
    for part in _UNIT.split(prompt):
        words = " ".join(_BULLET.sub("", part, count=1).split())
        if _IDLE.match(words) or words.endswith((":", "：")):
            continue
        content = _stems(content_terms(words) or terms(words))
        if len(content) >= (2 if is_chinese(words) else 1):
            found.append((words, content))
    # The first of several sentences names the task as a whole; the others are its parts.
    return tuple(found[1:] if len(found) > ALONE else found)


def find(texts: Sequence[str], prompt: str, reference: str = "") -> Iterator[Mark]:
    """Yield a mark for each requirement covered neither by one line nor by all together.

    A line also covers a requirement if it shares words with the sentence of the reference answer
    that answers it.
    """
    lines = [_terms(text) for text in texts if text.strip()]
    if not lines or not prompt.strip():
        return
    every = frozenset().union(*lines)
    told_of: frozenset[str] | None = None
    written = {is_chinese(text) for text in texts if text.strip()}
    told = 0
    for words, content in requirements(prompt):
        if is_chinese(words) not in written:
            continue  # texts in different languages share no words
        best = max(len(content & line) for line in lines)
        if best >= SHARE * len(content) or len(content & every) >= TOGETHER * len(content):
            continue
        if told_of is None:
            told_of = _told_of(lines, reference)
        if content & told_of:
            continue
        told += 1
        if told > MOST:
            return
        shown = words if len(words) <= 140 else f"{words[:139].rstrip()}…"
        yield Mark(RULE, None, "", shown, about=words[:500])


def _told_of(lines: Sequence[frozenset[str]], reference: str) -> frozenset[str]:
    """Return the terms of the reference sentences that share two or more terms with a line."""
    return frozenset().union(
        *(
            sentence
            for sentence in _sentences(reference)
            if any(len(line & sentence) >= 2 for line in lines)
        )
    )


@lru_cache(maxsize=64)
def _sentences(reference: str) -> tuple[frozenset[str], ...]:
    return tuple(_terms(part) for part in _UNIT.split(reference) if part.strip())


@lru_cache(maxsize=2_000)
def _terms(text: str) -> frozenset[str]:
    return _stems(terms(text) | content_terms(text))


def _stems(found: frozenset[str]) -> frozenset[str]:
    """Return the terms' first six letters, so that "superior" covers "superiority"."""
    return frozenset(term[:6] for term in found)


CACHED = (requirements, _sentences, _terms)

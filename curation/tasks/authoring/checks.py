"""Remarks on a draft that an author should read before submitting; they never block.

Pure functions on text. The sentences quote the words they are about, because a text box cannot
underline them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import personal_data, storable, wording
from curation.tasks.authoring import exam_style
from curation.tasks.task.fields import EXACT_PARTS, PARTS, label_of

SHORTEST_ANSWER, LONGEST_ANSWER = 200, 3000  # words of a reference answer
QUOTES_AT_MOST = REASONS_AT_MOST = 3

# Words that two experts read differently; a requirement should name a test instead.
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
# Repetitions are bounded or cannot backtrack: texts of 200,000 characters are matched in one pass.
_NUMBER = (
    r"(?:\d[\d.,\u2009\u00a0 ]{0,15}|one|two|three|four|five|six|seven|eight|nine|ten|twelve"
    r"|fifteen|twenty|half an?|an?|single)"
)
_UNIT = (
    r"(?:words?|pages?|paragraphs?|sentences?|lines?|characters?|slides?|bullets?|bullet points?"
    r"|rows?|sides?|minutes?)"
)
_LENGTH_EN = re.compile(rf"\b{_NUMBER}[- ](?:[a-z0-9]{{1,30}}[- ])?{_UNIT}\b", re.IGNORECASE)
_LENGTH_ZH = re.compile(
    r"[\d一二两三四五六七八九十百千]\s{0,3}个?\s{0,3}(?:字|页|段|句|行|条|词|分钟)"
)


@dataclass(frozen=True)
class Remark:
    """A remark on one part of a draft.

    Attributes:
        part: name of the field; empty for the whole task.
        kind: "ok", "look" (a problem), "name" (a reminder) or "later" (known after submission).
        sentence: what was found.
        label: label of the part.
        missing: the part or fact is empty, so that the task cannot be submitted.
    """

    part: str
    kind: str
    sentence: str
    label: Any = ""
    missing: bool = False


def vague_words(requirements: str) -> list[str]:
    """Return the words two experts would read differently, in lower case, each once."""
    found = _VAGUE_EN.findall(requirements) + _VAGUE_ZH.findall(requirements)
    return list(dict.fromkeys(word.lower() for word in found))


def states_a_length(requirements: str) -> bool:
    """Return whether the requirements limit the length of the answer."""
    return bool(_LENGTH_EN.search(requirements) or _LENGTH_ZH.search(requirements))


def _quoted(words: list[str]) -> str:
    return wording.listed(f"“{word}”" for word in words[:QUOTES_AT_MOST])


def remarks(
    parts: Mapping[str, str],
    *,
    facts: Mapping[str, list[str]] | None = None,
    similar: Sequence[Any] | None = None,
    exact: Sequence[str] | None = None,
) -> list[Remark]:
    """Return every remark on a draft: problems, then reminders, then what is in order.

    Args:
        parts: field name -> text, for the title and the four long texts.
        facts: missing facts: field -> sentences.
        similar: the similar prompts (`similar.queries.SimilarPrompt`); None if not compared yet.
        exact: what an exact answer lacks, and remarks on it; None for an answer that is a text.
    """
    found = [
        *_completeness(parts, facts or {}, exact=exact is not None),
        *(_of_a_text(parts) if exact is None else _of_an_exact_answer(exact)),
        *_people(parts),
        *_similar(similar),
    ]
    later = Remark(
        "",
        "later",
        _("Difficulty for models is measured after you submit.")
        if similar is not None
        else _(
            "Similarity to other tasks and difficulty for models are measured after you submit."
        ),
    )
    looks = [r for r in found if r.kind == "look"]
    return [
        *looks,
        *(r for r in found if r.kind == "name"),
        *(r for r in found if r.kind == "ok"),
        later,
    ]


def _look(part: str, sentence: str) -> Remark:
    return Remark(part, "look", sentence, label_of(part))


def _of_a_text(parts: Mapping[str, str]) -> list[Remark]:
    return [
        *_work(parts),
        *_requirements(parts["requirements"]),
        *_answer(parts["reference_answer"]),
    ]


def _of_an_exact_answer(found: Sequence[str]) -> list[Remark]:
    if not found:
        return [Remark("reference_answer", "ok", _("The answer, its steps and sources are there."))]
    return [
        Remark("reference_answer", "look", sentence, _("Answer and steps")) for sentence in found
    ]


def _completeness(
    parts: Mapping[str, str], facts: Mapping[str, list[str]], *, exact: bool = False
) -> list[Remark]:
    missing = [p for p in (EXACT_PARTS if exact else PARTS) if storable.is_blank(parts[p])]
    if not missing and not facts:
        if exact:
            return [Remark("", "ok", _("Title and question are present."))]
        return [Remark("", "ok", _("Title, three parts and a reference answer are present."))]
    return [
        *(
            Remark(part, "look", _("Still empty."), label_of(part), missing=True)
            for part in missing
        ),
        *(
            Remark(name, "look", sentences[0], label_of(name), missing=True)
            for name, sentences in facts.items()
        ),
    ]


def _work(parts: Mapping[str, str]) -> list[Remark]:
    why = exam_style.signs(parts)
    if not why:
        return []
    return [
        _look(
            "scenario",
            _(
                "Looks like an exam question: %(why)s. Describe work you did for somebody who "
                "was waiting for it."
            )
            % {"why": wording.clauses(why[:REASONS_AT_MOST])},
        )
    ]


def _similar(found: Sequence[Any] | None) -> list[Remark]:
    """Return remarks on similar prompts; they name a prompt only if it is the author's own."""
    if found is None:
        return []
    if not found:
        return [
            Remark(
                "",
                "ok",
                _(
                    "Not very similar to any other prompt. Wording is compared and, across "
                    "languages, figures, dates and names. The same case with other figures goes "
                    "unnoticed."
                ),
            )
        ]
    looks = []
    for one in found:
        words = {"percent": one.percent, "n": one.shared, "title": one.title or one.key}
        if one.shared:
            sentence = (
                _(
                    "Shares %(n)s figures, dates or names with your prompt “%(title)s”. The panel "
                    "sees this too."
                )
                if one.mine
                else _(
                    "Shares %(n)s figures, dates or names with another prompt, perhaps in another "
                    "language. The panel sees this too."
                )
            )
        else:
            sentence = (
                _("Its wording is very similar to your prompt “%(title)s”: %(percent)s %%.")
                if one.mine
                else _(
                    "Its wording is very similar to another prompt: %(percent)s %%. The panel "
                    "sees this too."
                )
            )
        remark = (sentence % words).replace(" %", "\u00a0%")  # gettext would keep the escape
        looks.append(Remark("", "look", remark, _("Similarity")))
    return looks


def _requirements(body: str) -> list[Remark]:
    if storable.is_blank(body):
        return []
    found = []
    if not states_a_length(body):
        found.append(
            _look(
                "requirements",
                _("No length limit. Say how long the answer may be, so that a line can test it."),
            )
        )
    vague = vague_words(body)
    if vague:
        found.append(
            _look(
                "requirements",
                _(
                    "%(words)s: two experts must read a requirement the same way. Name the test "
                    "instead."
                )
                % {"words": _quoted(vague)},
            )
        )
    return found or [
        Remark("requirements", "ok", _("The requirements can be read in only one way."))
    ]


def _answer(body: str) -> list[Remark]:
    if storable.is_blank(body):
        return []
    words = storable.word_count(body)
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
        data = personal_data.personal_data(parts[part])
        if data:
            found.append(
                _look(
                    part,
                    _(
                        "%(words)s looks like an address, telephone, account or personal number. "
                        "Take out what identifies a person."
                    )
                    % {"words": _quoted(data)},
                )
            )
        named = personal_data.people_named(parts[part])
        if named:
            found.append(
                Remark(
                    part,
                    "name",
                    _("%(words)s: leave a name in only if you made it up.")
                    % {"words": _quoted(named)},
                    label_of(part),
                )
            )
    if any(remark.kind == "look" for remark in found):
        return found
    return [
        *found,
        Remark(
            "",
            "ok",
            _("No e-mail addresses, telephone, account or national numbers found."),
        ),
    ]

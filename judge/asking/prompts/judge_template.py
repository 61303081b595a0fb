"""The parts of the judge's prompt that staff may rewrite, and the text with other parts.

What fences the texts of others, says that they are data and asks for the reply in a fixed form is
no part: the safety of a judge and the reading of its replies rest on it.
"""

import re
from dataclasses import dataclass
from string import Template

from judge.asking.prompts import PromptFile, load, parse

PLACEHOLDERS = ("domain", "language")  # what the instructions may name
MOST_LETTERS = 20_000

_FIXED_FROM = "\n\nWhat is data\n"  # from here on the prefix is fixed
_FENCE = "\n<<<EXAMPLE "  # from here on the section of the example is fixed
_MARKS = re.compile(r"<<<|>>>|^=== \w+ ===$|^What is data$", re.MULTILINE)


@dataclass(frozen=True)
class JudgeText:
    """What staff may write: how to decide, and what is said before the example."""

    instructions: str
    example: str


def text_of(template: PromptFile) -> JudgeText:
    """Return the parts that may be rewritten.

    Raises:
        ValueError: the template does not have the fixed parts.
    """
    instructions, found, _rest = template.sections["prefix"].partition(_FIXED_FROM)
    example, fenced, _rest = template.sections["exemplar"].partition(_FENCE)
    if not found or not fenced:
        raise ValueError("The template lacks the fixed parts of a judge's prompt.")
    return JudgeText(instructions, example.removeprefix("\n"))


def content_with(text: JudgeText) -> str:
    """Return the whole template with other parts; the built-in ones give the built-in file."""
    built_in = load("judge")
    _old, _found, rest = built_in.sections["prefix"].partition(_FIXED_FROM)
    _old, _fenced, example_rest = built_in.sections["exemplar"].partition(_FENCE)
    sections = {
        "prefix": f"{text.instructions}{_FIXED_FROM}{rest}",
        "exemplar": f"\n{text.example}{_FENCE}{example_rest}",
        "suffix": built_in.sections["suffix"],
    }
    return "".join(f"=== {name} ===\n{section}" for name, section in sections.items())


def template_from(content: str) -> PromptFile:
    """Read a stored text of the judge's prompt."""
    return parse("judge", content)


def unknown_placeholders(text: str, allowed: tuple[str, ...] = PLACEHOLDERS) -> list[str]:
    """Return the placeholders that a text must not name, "$" for a lone sign of dollars.

    Only domain and language can be named: so no text can put anything else about the task, the
    candidate or the experts where it does not stand anyway.
    """
    template = Template(text)
    found = [f"${name}" for name in template.get_identifiers() if name not in allowed]
    return found if template.is_valid() else [*found, "$"]


def has_marks(text: str) -> bool:
    """Return whether a text holds what could be taken for a fence or the head of a section."""
    return _MARKS.search(text) is not None

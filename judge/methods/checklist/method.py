"""Judging line by line, with the task's scored example (one-shot) or without one (zero-shot)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from judge.asking.prompts import builder, parsing
from judge.methods.base.material import Frame, Material
from judge.methods.base.method import Method
from judge.methods.base.values import ABSTAINED, MET, UNMET, Outcomes, Read
from rubrics.policy import weights

_OUTCOME = {True: MET, False: UNMET, None: ABSTAINED}


class Checklist(Method):
    """Verdicts on the lines of a rubric; the score is the weighted share of the lines met."""

    per_line = True
    variants = True
    replies_with_verdicts = True

    def frame(self, material: Material) -> Frame:
        """Return the builder of prompts: task, checklist and example are their common part."""
        return builder.JudgeFrame(
            material.task, material.lines, material.exemplar, material.template
        )

    def read(
        self,
        material: Material,
        response_text: str,
        reply: str,
        wanted: Sequence[str],
        *,
        cut: bool,
    ) -> Read:
        """Read verdicts; of a reply that was cut short, those that came whole."""
        parsed = parsing.parse_verdicts(reply, wanted)
        lines = {name: (_OUTCOME[met], why) for name, (met, why) in parsed.verdicts.items()}
        if parsed.problem:
            return Read(lines, reason="unreadable", problem=parsed.problem)
        alone = parsed.missing and set(parsed.missing) <= set(parsed.conflicting)
        if not (parsed.unknown or parsed.conflicting or parsed.repaired):
            return Read(lines)
        return Read(
            lines,
            reason="conflicting" if alone else "missing",
            notes={
                "unknown ids": parsed.unknown,
                "conflicting": parsed.conflicting,
                "repaired": parsed.repaired,
            },
        )

    def score(
        self, material: Material, outcomes: Outcomes, findings: Mapping[str, Any]
    ) -> weights.Score:
        """Return S = sum(w * x) / sum(w) over the lines."""
        return weights.score(
            weights.Line(line.weight, line.importance, line.dimension, outcomes.get(line.id))
            for line in material.lines
        )


class OneShot(Checklist):
    """The judge sees the task's baseline as its experts scored it."""

    key = "one_shot"
    label = _("One-shot")
    short = _("one-shot")
    choice = _("One-shot: the judge sees the task's anchor")
    sees = _(
        "The task with its files, the words of each line, the anchor, and the response; never a "
        "line's weight, importance or dimension, nor the reference answer."
    )
    needs_example = True
    counterpart = "zero_shot"


class ZeroShot(Checklist):
    """The judge sees no example."""

    key = "zero_shot"
    label = _("Zero-shot")
    short = _("zero-shot")
    choice = _("Zero-shot: the judge sees no example")
    sees = _(
        "The task with its files, the words of each line, and the response; never a line's weight, "
        "importance or dimension, nor the reference answer."
    )
    counterpart = "one_shot"

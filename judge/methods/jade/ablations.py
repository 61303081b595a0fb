"""JADE without some of its parts, so that each can be measured on the same responses.

The paper's table 3 compares them with a single grade for the whole response, which is the method
`graded`. Each is judged by itself: none reuses the answers of another.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from judge.methods.base.framing import ELSEWHERE, ELSEWHERE_WORDS
from judge.methods.base.values import Outcomes, Role
from judge.methods.jade.facts import Own
from judge.methods.jade.method import GENERATE, UNKNOWN_NAME, Jade, judged, judged_in
from judge.methods.jade.outcomes import JadeScore, reasoning_score
from judge.methods.jade.pages.words import WHY
from judge.methods.jade.reading.flat import read_flat
from judge.methods.jade.scoring import Why

_FAULTS: Mapping[str, Any] = {
    ELSEWHERE: ELSEWHERE_WORDS,
    UNKNOWN_NAME: Jade.faults[UNKNOWN_NAME],
    **{
        str(code): WHY[code]
        for code in (Why.NOT_TAKEN_APART, Why.NO_ANSWER, Why.NO_POSITIVE_WEIGHT)
    },
}


class JadeReport(Jade):
    """Layer 2 alone: S from the claims and reasoning items of the response."""

    key = "jade_report"
    label = _("JADE, report only")
    short = _("JADE, report only")
    choice = _("JADE, report only: the response's own checklist with verified claims")
    sees = _(
        "The model that takes the response apart and the judge see the task with its files and the "
        "response; the verifier sees one claim and excerpts of pages, and not the response."
    )
    skips: ClassVar[Mapping[str, Any]] = {}
    with_checklist = False


class JadeSkills(Jade):
    """Layer 1 alone: max(S_reason, 0) of the task's checklist; no claims, no gates."""

    key = "jade_skills"
    label = _("JADE, skills only")
    short = _("JADE, skills only")
    choice = _("JADE, skills only: the skill checklist, nothing verified")
    sees = _(
        "The task with its files, the lines of its checklist without their weights, and the "
        "response."
    )
    one_call_per_part = False
    needs_search = False
    further_roles: ClassVar[Mapping[str, Role]] = {}
    faults: ClassVar[Mapping[str, Any]] = _FAULTS
    with_claims = False

    def groups(self, parts: Sequence[str]) -> Sequence[tuple[str, ...]]:
        """Ask for all lines at once, as a batch does."""
        return [tuple(parts)] if parts else []

    def score(self, material: Any, outcomes: Outcomes, findings: Mapping[str, Any]) -> JadeScore:
        """Return max(S_reason, 0) in exact parts, or why there is none."""
        return reasoning_score(findings, judged(outcomes))

    def score_of(self, findings: Mapping[str, Any]) -> JadeScore:
        """Return max(S_reason, 0) in exact parts, or why there is none."""
        return reasoning_score(findings, judged_in(findings))


class JadeFlat(JadeSkills):
    """One flat checklist for the response: max(S_reason, 0); no skills, no claims, no gates."""

    key = "jade_flat"
    label = _("Flat checklist")
    short = _("flat checklist")
    choice = _("Flat checklist: written for each response, without skills, nothing verified")
    sees = _("The task with its files, the response, and a checklist that was written for both.")
    one_call_per_part = True
    further_roles: ClassVar[Mapping[str, Role]] = {
        GENERATE: Role(_("Writes checklists"), _("checklist written"))
    }
    skips: ClassVar[Mapping[str, Any]] = {}
    with_checklist = False
    flat = True

    def read_report(
        self, own: Own, response_text: str, reply: str, repaired: list[str]
    ) -> Mapping[str, Any]:
        """Return the flat checklist, as a report's checklist without claims."""
        return read_flat(reply, repaired)

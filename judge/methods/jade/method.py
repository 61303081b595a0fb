"""Judging by JADE: a checklist of the task, one of the response, claims verified, gates, S.

The stages: what needs no model (`basis`), the checklist of the response (`report`), what is found
for each claim (`found:c1`), its verification (`claim:c1`), and the answers to all items (`item:q1`
of layer 1, `item:r1` of layer 2). docs/methods.md describes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from curation.tasks.task.models import AnswerForm
from curation.tasks.task.text_basis import Basis
from judge.asking.prompts.envelope import UnreadableError
from judge.methods.base.framing import ECHO, ELSEWHERE, ELSEWHERE_WORDS, echoes, template_of
from judge.methods.base.material import Frame, Material
from judge.methods.base.method import Method
from judge.methods.base.overruling import Overrulable, Said
from judge.methods.base.values import (
    FOUND,
    JUDGE,
    Expected,
    Judged,
    Outcomes,
    Part,
    Read,
    Role,
    Score,
    TaskFacts,
)
from judge.methods.evidence.search.interface import SearchError
from judge.methods.jade.facts import (
    BASIS,
    CLAIM,
    FOUND_IN,
    ITEM,
    REPORT,
    Own,
    basis_of,
    claims_of,
    id_of,
    load,
    sources_of,
)
from judge.methods.jade.frame import JadeFrame, items_of
from judge.methods.jade.looking_up import look_up
from judge.methods.jade.outcomes import JadeScore, verified_score
from judge.methods.jade.overruling import overrulable, overruled
from judge.methods.jade.pages.report import Report
from judge.methods.jade.pages.response import shown
from judge.methods.jade.pages.words import WHY
from judge.methods.jade.reading.answers import read_answers
from judge.methods.jade.reading.claims import InconsistentError, read_claim
from judge.methods.jade.reading.reports import (
    MOST_CLAIMS,
    MOST_ITEMS,
    ElsewhereError,
    UnknownNameError,
    read_report,
)
from judge.methods.query_checklists.queries import checklist_in_use

GENERATE, VERIFY = "generate", "verify"
NO_CHECKLIST, SEARCH_FAILED = "no_checklist", "search_failed"
UNKNOWN_NAME, INCONSISTENT = "unknown_name", "inconsistent"

ASKED_AT_ONCE = 30  # items of one question
ITEM_TOKENS = 60  # of a line in a question, with the claims it rests on; for estimates
EXCERPTS_TOKENS = 3_000  # of a question about one claim, with its excerpts; for estimates


class Jade(Method):
    """Both layers, with verification and gates: S = max(S_reason, 0) * S_evid.

    Attributes:
        with_checklist: whether the task's checklist is answered (layer 1).
        with_claims: whether the response's claims are verified (layer 2).
    """

    key = "jade"
    label = _("JADE")
    short = _("JADE")
    choice = _("JADE: the skill checklist and the response's own, with verified claims")
    sees = _(
        "The model that takes the response apart and the judge see the task with its files, the "
        "lines of its checklist without their weights, and the response; the verifier sees one "
        "claim and excerpts of pages, and not the response."
    )
    forms = frozenset({AnswerForm.TEXT})
    reads = frozenset({Basis.PROMPT})
    needs_rubric = False
    has_lines = False
    scored_by_lines = False
    has_findings = True
    can_be_overruled = True
    one_call_per_part = True  # several questions for each response; `groups` says which
    needs_search = True
    further_roles: ClassVar[Mapping[str, Role]] = {
        GENERATE: Role(_("Takes responses apart"), _("response taken apart")),
        VERIFY: Role(_("Verifies claims"), _("claim verified")),
    }
    sees_no_files = frozenset({VERIFY})
    fences: ClassVar[Mapping[str, Any]] = {
        "tasklines": _("Skill checklist of the task"),
        "sources": _("Addresses that the response cites"),
        "claim": _("Claim"),
        "claims": _("Verified claims"),
        "excerpts": _("Excerpts of pages"),
        "lines": _("Lines to answer"),
    }
    skips: ClassVar[Mapping[str, Any]] = {
        NO_CHECKLIST: _("the task has no skill checklist in use"),
    }
    faults: ClassVar[Mapping[str, Any]] = {
        ELSEWHERE: ELSEWHERE_WORDS,
        UNKNOWN_NAME: _("Reply names a claim, line or excerpt that there is not"),
        INCONSISTENT: _("Reply decides against what it names"),
        SEARCH_FAILED: _("The source of documents failed"),
        **{str(code): words for code, words in WHY.items()},
    }
    outages = frozenset({SEARCH_FAILED})
    with_checklist: ClassVar[bool] = True
    with_claims: ClassVar[bool] = True
    flat: ClassVar[bool] = False

    # -- planning ---------------------------------------------------------------------------------

    def own_facts(self, versions: Mapping[int, int | None]) -> Mapping[int, Own]:
        """Load checklists and source tiers. Two queries for 5,000 tasks."""
        return load(versions.keys(), with_checklists=self.with_checklist)

    def why_not(self, task: TaskFacts, own: Any) -> str:
        """Skip a task without a checklist in use."""
        return "" if own is not None else NO_CHECKLIST

    def fitting(self) -> Q | None:
        """Return the tasks with a checklist in use."""
        return checklist_in_use() if self.with_checklist else None

    def marks(self, material: Material) -> tuple[str, ...]:
        """The first question shows neither the later ones nor what a line of layer 1 counts."""
        own: Own = material.own
        checklist = own.checklist.sha256 if own.checklist else "none"
        return (f"checklist {checklist}", f"prompts {template_of('jade').version}")

    # -- asking -----------------------------------------------------------------------------------

    def parts(self, material: Material) -> tuple[str, ...]:
        """Return the parts that are known of so far, stage after stage."""
        own: Own = material.own
        found = [BASIS]
        if self.with_claims or self.flat:
            found.append(REPORT)
            if own.report is None:
                return tuple(found)
        if own.report is not None and self.with_claims:
            found += [f"{FOUND_IN}{name}" for name in claims_of(own.report)]
            if own.found is None and own.report["claims"]:
                return tuple(found)
            found += [f"{CLAIM}{name}" for name in _to_verify(own)]
            if own.claims is None and own.report["claims"]:
                return tuple(found)
        return (*found, *(f"{ITEM}{item['id']}" for item in items_of(own)))

    def following(
        self, material: Material, response_text: str, findings: Mapping[str, Any]
    ) -> Material | None:
        """Return the material of the next stage that has further parts."""
        here, parts = material, self.parts(material)
        while (own := self._next(here.own, findings)) is not None:
            here = replace(here, own=own)
            if self.parts(here) != parts:
                return here
        return None

    def _next(self, own: Own, findings: Mapping[str, Any]) -> Own | None:
        """Return what is known one stage later; None after the last."""
        if own.report is None:
            report = findings.get(REPORT)
            return None if report is None else replace(own, report=report)
        if not self.with_claims:
            return None
        names = claims_of(own.report)
        if own.found is None:
            return replace(own, found={name: findings[f"{FOUND_IN}{name}"] for name in names})
        if own.claims is None:
            verified = {name: findings[f"{CLAIM}{name}"] for name in _to_verify(own)}
            return replace(own, claims=verified)
        return None

    def groups(self, parts: Sequence[str]) -> Sequence[tuple[str, ...]]:
        """Ask for items together, for everything else one by one."""
        items = [part for part in parts if part.startswith(ITEM)]
        starts = range(0, len(items), ASKED_AT_ONCE)
        return [
            *((part,) for part in parts if not part.startswith(ITEM)),
            *(tuple(items[at : at + ASKED_AT_ONCE]) for at in starts),
        ]

    def expected(self, material: Material) -> Sequence[Expected]:
        """Expect as many claims and items as a checklist of a response may have."""
        own: Own = material.own
        if not (self.with_claims or self.flat):
            return ()
        items = len(own.lines) + MOST_ITEMS
        asked = -(-items // ASKED_AT_ONCE)
        judging = Expected(JUDGE, asked, ITEM_TOKENS * items // asked, 150 * items // asked)
        if not self.with_claims:
            return (judging,)
        return (Expected(VERIFY, MOST_CLAIMS, EXCERPTS_TOKENS, 450, repeats=False), judging)

    def role_of(self, part: str) -> str:
        """Return who takes apart, who verifies, who judges."""
        if part == REPORT:
            return GENERATE
        return VERIFY if part.startswith(CLAIM) else JUDGE

    def is_looked_up(self, part: str) -> bool:
        """Return whether a part is what was found for a claim."""
        return part.startswith(FOUND_IN)

    def look_up(self, material: Material, response_text: str, part: str) -> Read:
        """Return the excerpts for a claim. A source that fails is no source without a hit."""
        own: Own = material.own
        assert own.report is not None
        assert material.search is not None
        try:
            found = look_up(material.search, claims_of(own.report)[id_of(part)])
        except SearchError as problem:
            return Read(reason=SEARCH_FAILED, problem=str(problem))
        return Read(findings={part: found})

    def counted(self, material: Material) -> int:
        """Count all parts but the one that needs nobody."""
        return len(self.parts(material)) - 1

    def frame(self, material: Material) -> Frame:
        """Return the builder of prompts."""
        return JadeFrame(material, flat=self.flat)

    def reply_tokens(self, material: Material, parts: int) -> int:
        """A checklist has three pages; a verification, and an answer, a few sentences."""
        own: Own = material.own
        if (self.with_claims or self.flat) and own.report is None:
            return 4_000
        return 300 + 150 * parts

    # -- reading ----------------------------------------------------------------------------------

    def decided(self, material: Material, response_text: str) -> Read:
        """Say what needs no model."""
        return Read(findings={BASIS: basis_of(material.own, response_text)})

    def read(
        self,
        material: Material,
        response_text: str,
        reply: str,
        wanted: Sequence[str],
        *,
        cut: bool,
    ) -> Read:
        """Read the reply to one question; what names something it was not shown is refused."""
        repaired: list[str] = []
        wanted = [part for part in wanted if part != BASIS]  # which no question asks for
        try:
            if echoes(reply, response_text):
                raise UnreadableError(ECHO)
            if wanted and wanted[0].startswith(ITEM):
                return self._read_items(material, response_text, reply, wanted, repaired)
            if cut:
                raise UnreadableError("The reply was cut short.")
            if len(wanted) != 1:
                raise UnreadableError("One part is asked for at a time.")
            found = self._read_one(material, response_text, reply, wanted[0], repaired)
        except UnreadableError as problem:
            return Read(reason="unreadable", problem=str(problem))
        except ElsewhereError as problem:
            return Read(reason=ELSEWHERE, notes={"not in the text": [str(problem)]})
        except UnknownNameError as problem:
            return Read(reason=UNKNOWN_NAME, notes={"not shown": [str(problem)]})
        except InconsistentError as problem:
            return Read(reason=INCONSISTENT, notes={"contradicts itself": [str(problem)]})
        notes = {"repaired": repaired} if repaired else {}
        return Read(findings={wanted[0]: found}, notes=notes)

    def _read_one(
        self, material: Material, response_text: str, reply: str, part: str, repaired: list[str]
    ) -> Mapping[str, Any]:
        own: Own = material.own
        if part == REPORT:
            return self.read_report(own, response_text, reply, repaired)
        assert own.report is not None
        assert own.found is not None
        name = id_of(part)
        found = own.found[name]
        if any(echoes(reply, one["text"]) for one in found["excerpts"]):
            raise UnreadableError("The reply repeats what a page wrote for the judge.")
        return read_claim(reply, claims_of(own.report)[name], found, repaired)

    def read_report(
        self, own: Own, response_text: str, reply: str, repaired: list[str]
    ) -> Mapping[str, Any]:
        """Return the checklist of a response; see `reading.reports.read_report`."""
        return read_report(
            reply,
            response_text,
            sources=sources_of(response_text),
            lines=[line["id"] for line in own.lines],
            repaired=repaired,
        )

    def _read_items(
        self,
        material: Material,
        response_text: str,
        reply: str,
        wanted: Sequence[str],
        repaired: list[str],
    ) -> Read:
        known = [item["id"] for item in items_of(material.own)]
        asked = [id_of(part) for part in wanted]
        found = read_answers(reply, response_text, asked, known, repaired)
        notes = {"repaired": repaired, "not asked for": found.unknown, "refused": [*found.faults]}
        return Read(
            findings={f"{ITEM}{name}": said for name, said in found.found.items()},
            reasons={f"{ITEM}{name}": why for name, why in found.faults.items()},
            notes={name: said for name, said in notes.items() if said},
        )

    def score(
        self, material: Material, outcomes: Outcomes, findings: Mapping[str, Any]
    ) -> JadeScore:
        """Return S in exact parts, or why there is none."""
        return verified_score(findings, judged(outcomes))

    # -- overruling -------------------------------------------------------------------------------

    def overrulable(self, findings: Mapping[str, Any]) -> Mapping[str, Overrulable]:
        """Let people overrule the answers to items and the verdicts on claims."""
        return overrulable(findings)

    def overruled(self, findings: Mapping[str, Any], said: Mapping[str, Said]) -> Mapping[str, Any]:
        """Return the findings with what people say laid over them."""
        return overruled(findings, said)

    def score_of(self, findings: Mapping[str, Any]) -> JadeScore:
        """Return S in exact parts, or why there is none."""
        return verified_score(findings, judged_in(findings))

    # -- showing ----------------------------------------------------------------------------------

    def part(self, findings: Mapping[str, Any], *, points: float | None) -> Part | None:
        """Show the scores, what rests on what, and each claim with its evidence."""
        found = shown(findings, points, verified=self.with_claims)
        return Part("methods/base/jade.html", found) if found else None

    def report(self, rows: Sequence[Judged]) -> Part | None:
        """Show the gaps, laundering and density of each candidate."""
        found = Report.of(rows, verified=self.with_claims)
        return Part("methods/base/jade_report.html", found) if found else None

    def why(self, score: Score) -> str:
        """Return the first reason of the equations; one stands also where no claim makes it 0."""
        assert isinstance(score, JadeScore)
        return score.why[0] if score.why else ""


def judged(outcomes: Outcomes) -> int:
    """Return how many parts are decided, without the one that needs nobody."""
    return sum(outcome == FOUND for part, outcome in outcomes.items() if part != BASIS)


def judged_in(findings: Mapping[str, Any]) -> int:
    """Return how many findings there are, without the one that needs nobody."""
    return sum(bool(data) for name, data in findings.items() if name != BASIS)


def _to_verify(own: Own) -> list[str]:
    """Return the claims that something was found for, in order."""
    return [name for name, found in (own.found or {}).items() if found["excerpts"]]

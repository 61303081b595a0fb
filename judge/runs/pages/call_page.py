"""The page of one call: the parts of the request, and what the reply says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from curation.base.text import wording
from judge.asking import providers
from judge.asking.calls import request_parts
from judge.asking.calls.error_words import in_words
from judge.asking.calls.models import Call
from judge.asking.calls.request_parts import Part
from judge.asking.prompts import parsing
from judge.methods.base import registry
from judge.runs.engine.models import Verdict
from judge.runs.pages import failure_kinds
from judge.runs.pages.queries import pretty
from rubrics.policy.dimensions import Dimension, Importance

Outcome = Verdict.Outcome
SIBLINGS_SHOWN = 50

PARTS: Mapping[str, Any] = {
    request_parts.INSTRUCTIONS: gettext_lazy("Instructions"),
    request_parts.QUESTION: pgettext_lazy("of a prompt", "Question"),
    request_parts.WHOLE: gettext_lazy("Task"),
    "task": gettext_lazy("Task"),
    "checklist": gettext_lazy("Rubric"),
    "lines": gettext_lazy("Rubric"),
    "example": gettext_lazy("Example response"),
    "decisions": gettext_lazy("What experts decided about the example"),
    "candidate": gettext_lazy("Candidate's response"),
    "reference": gettext_lazy("Reference answer"),
    "remarks": gettext_lazy("Author's remarks on an earlier draft"),
    **registry.fences(),
}
_OUTCOMES = {True: Outcome.MET, False: Outcome.UNMET, None: Outcome.ABSTAINED}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the prompt with its heading, "" for text between two parts."""

    label: str
    part: Part
    numbers: tuple[tuple[int, request_parts.Row], ...] = ()

    @property
    def length(self) -> int:
        return len(self.part.text)

    @property
    def has_verdicts(self) -> bool:
        """Whether its rows hold verdicts."""
        return self.part.name == "decisions"


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """The verdict of a reply on one line; `outcome` is "" without a usable one."""

    n: int
    id: str
    line: str
    outcome: str
    why: str
    url: str

    @property
    def label(self) -> str:
        return str(Outcome(self.outcome).label) if self.outcome else _("no verdict")


@dataclass(frozen=True, slots=True)
class DraftedLine:
    """A line that a reply proposes for a rubric."""

    text: str
    importance: str
    weight: int
    dimension: str
    quote: str


@dataclass(frozen=True, slots=True)
class ReplySummary:
    """A reply in one sentence, with its text, verdicts, proposed lines or remarks."""

    sentence: str
    text: str = ""  # as it came, without the vendor's JSON around it
    readable: bool = True
    verdicts: tuple[JudgedLine, ...] = ()
    lines: tuple[DraftedLine, ...] = ()
    opinions: tuple[tuple[str, str, str], ...] = ()  # number, line, remark


@dataclass(frozen=True, slots=True)
class CallPage:
    """Everything the page of a call shows."""

    call: Call
    provider: str
    offline: bool
    outcome: str
    detail: str
    sections: tuple[Section, ...]
    prompt: str
    parameters: tuple[tuple[str, str], ...]
    said: ReplySummary
    request: str
    siblings: tuple[tuple[Call, str], ...]
    before: int | None
    after: int | None


def call_page(call: Call) -> CallPage:
    """Prepare the page of a call with its reply and neighbours. Eight queries at most."""
    request = call.request
    parts = request_parts.parts_of(request, fenced=request_parts.is_fenced(request))
    before, after = _neighbours(call)
    return CallPage(
        call=call,
        provider=providers.label_of(call.provider),
        offline=providers.is_offline(call.provider),
        outcome=_outcome(call) or _("Answered"),
        detail=in_words(call.detail),
        sections=tuple(
            Section(
                str(PARTS.get(part.name, part.name.capitalize()))
                if part.name != request_parts.BETWEEN
                else "",
                part,
                _numbered(part, parts),
            )
            for part in parts
        ),
        prompt="\n\n".join(request_parts.texts_of(request)),
        parameters=tuple(request_parts.parameters_of(request)),
        said=_said(call, parts),
        request=pretty(request),
        siblings=_siblings(call),
        before=before,
        after=after,
    )


# -- the prompt ----------------------------------------------------------------------------------
def _checklist(parts: Sequence[Part]) -> dict[str, tuple[int, str]]:
    """Return number and text of each line the prompt lists, by id, in rubric order."""
    rows = [row for part in parts if part.name in ("checklist", "lines") for row in part.rows]
    return {row.id: (n, row.line) for n, row in enumerate(rows, start=1)}


def _numbered(part: Part, parts: Sequence[Part]) -> tuple[tuple[int, request_parts.Row], ...]:
    known = _checklist(parts)
    return tuple((known.get(row.id, (0, ""))[0], row) for row in part.rows)


# -- the reply -----------------------------------------------------------------------------------
def _said(call: Call, parts: list[Part]) -> ReplySummary:
    text = providers.reply_text(call.provider, call.reply)
    if text is None or not text.strip():
        return ReplySummary(
            _("The reply holds no text.") if call.reply else _("Nothing came back.")
        )
    names = {part.name for part in parts}
    how = registry.METHODS.get(call.judgment.method) if call.judgment else None
    if {"checklist", "candidate"} <= names and (how is None or how.replies_with_verdicts):
        return _verdicts(call, parts, text)
    if call.purpose == Call.Purpose.DRAFT:
        return _draft(text)
    if call.purpose == Call.Purpose.LINT:
        return _opinions(parts, text)
    return ReplySummary(
        ngettext(
            "The reply is a text of %(n)s character.",
            "The reply is a text of %(n)s characters.",
            len(text),
        )
        % {"n": len(text)},
        text=text,
    )


def _unreadable(text: str) -> ReplySummary:
    return ReplySummary(
        _("The reply is not in the form that was asked for. It is shown below as received."),
        text=text,
        readable=False,
    )


def _verdicts(call: Call, parts: list[Part], text: str) -> ReplySummary:
    wanted = request_parts.wanted_in(parts)
    found = parsing.parse_verdicts(text, wanted)
    if found.problem:
        return _unreadable(text)
    known, page = _checklist(parts), _page_of_lines(call)
    rows = []
    for name in wanted:
        n, line = known.get(name, (0, ""))
        met, why = found.verdicts.get(name, (None, ""))
        outcome = _OUTCOMES[met].value if name in found.verdicts else ""
        rows.append(
            JudgedLine(n, name, line, outcome, why, f"{page}#line-{n}" if page and n else "")
        )
    return ReplySummary(_counted(rows, found.conflicting), text=text, verdicts=tuple(rows))


def _counted(rows: Sequence[JudgedLine], conflicting: Sequence[str]) -> str:
    """Count the verdicts in a few words."""
    counts = {outcome: sum(row.outcome == outcome for row in rows) for outcome in (*Outcome, "")}
    said = [
        ngettext("%(n)s line was asked for", "%(n)s lines were asked for", len(rows))
        % {"n": len(rows)},
        _("%(n)s met") % {"n": counts[Outcome.MET]},
        _("%(n)s unmet") % {"n": counts[Outcome.UNMET]},
    ]
    if counts[Outcome.ABSTAINED]:
        said.append(_("%(n)s abstained") % {"n": counts[Outcome.ABSTAINED]})
    if counts[""] - len(conflicting):
        said.append(_("%(n)s without a usable verdict") % {"n": counts[""] - len(conflicting)})
    if conflicting:
        said.append(_("%(n)s with two different verdicts") % {"n": len(conflicting)})
    return " · ".join(said)


def _page_of_lines(call: Call) -> str:
    """Return the address of the page with all verdicts on the response, or ""."""
    if call.judgment is None or not call.run_id:
        return ""
    return f"{reverse('verdict', args=[call.judgment.response_id])}?judge={call.run_id}"


def _draft(text: str) -> ReplySummary:
    found = parsing.parse_draft(text)
    if found.problem:
        return _unreadable(text)
    said = [
        ngettext(
            "The reply proposes %(n)s line.", "The reply proposes %(n)s lines.", len(found.lines)
        )
        % {"n": len(found.lines)}
    ]
    if found.refused:
        said.append(
            ngettext(
                "%(n)s more line cannot be used.",
                "%(n)s more lines cannot be used.",
                len(found.refused),
            )
            % {"n": len(found.refused)}
        )
    return ReplySummary(
        wording.sentences(said),
        text=text,
        lines=tuple(
            DraftedLine(
                line.text,
                str(Importance(line.importance).label),
                line.weight,
                str(Dimension(line.dimension).label),
                line.quote,
            )
            for line in found.lines
        ),
    )


def _opinions(parts: Sequence[Part], text: str) -> ReplySummary:
    known = _checklist(parts)
    found = parsing.parse_opinions(text, list(known))
    if found is None:
        return _unreadable(text)
    return ReplySummary(
        ngettext(
            "The reply remarks on %(n)s line.", "The reply remarks on %(n)s lines.", len(found)
        )
        % {"n": len(found)}
        if found
        else _("The reply would change nothing."),
        text=text,
        opinions=tuple((str(known[name][0]), known[name][1], says) for name, says in found.items()),
    )


# -- the neighbours ------------------------------------------------------------------------------
def _siblings(call: Call) -> tuple[tuple[Call, str], ...]:
    """Return the calls on the same response, else about the same task, with what came of each."""
    if call.judgment_id is not None:
        rows = Call.objects.filter(judgment_id=call.judgment_id)
    elif call.task_id is not None:
        rows = Call.objects.filter(task_id=call.task_id, judgment=None, purpose=call.purpose)
    else:
        return ()
    rows = rows.select_related("run").defer("request", "reply").order_by("id")[:SIBLINGS_SHOWN]
    return tuple((row, _outcome(row) or _("answered")) for row in rows)


def _outcome(call: Call) -> str:
    """Return why a call failed, or what it did in a further role; "" for another answer."""
    if call.error:
        return failure_kinds.name_of(call.error)
    return registry.done_in(call.run.method, call.role) if call.run else ""


def _neighbours(call: Call) -> tuple[int | None, int | None]:
    """Return the previous and next call of the run; outside of runs, of those about the task."""
    if call.run_id is not None:
        rows = Call.objects.filter(run_id=call.run_id)
    elif call.task_id is not None:
        rows = Call.objects.filter(task_id=call.task_id, run=None)
    else:
        return None, None
    numbers = rows.order_by().values_list("pk", flat=True)
    return (
        numbers.filter(pk__lt=call.pk).order_by("-pk").first(),
        numbers.filter(pk__gt=call.pk).order_by("pk").first(),
    )

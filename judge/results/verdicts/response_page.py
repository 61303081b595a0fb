"""One response with the verdicts of judge, experts and anchor on every line. For staff."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Q
from django.utils.translation import gettext as _

from curation.base.web.refusals import NotFound
from judge.asking.calls.models import Call
from judge.asking.candidates import earlier_text
from judge.asking.candidates.models import Response
from judge.base.gold_sets.task_sets import closed_of, why_closed
from judge.methods.base.values import Part
from judge.results.alignment.raters import Rater
from judge.results.flags.flags import VerdictFlag, anchor_of, shown_flags
from judge.results.verdicts.asking import Asking, whom_a_set_asks
from judge.results.verdicts.method_part import MethodPart, Overrules, imported_part, method_part
from judge.results.verdicts.quotes import Passage, passages
from judge.runs.engine.models import RunItem, Verdict
from judge.runs.engine.planning.skipping import SKIPPED
from judge.runs.pages import failure_kinds
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.scoring.sheets.queries import submitted_sheets
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.task_text import TaskText, task_text

DIFFER, JUDGES = "differ", "judges"
UNMET, FLAGGED, UNDECIDED = "unmet", "flagged", "undecided"
OTHERS_SHOWN = 8  # runs


@dataclass(frozen=True, slots=True)
class Said:
    """A verdict with its reason; `met` is None without one, and `gap` says why, where known.

    It is a row of a run's verdicts (`verdict`) or of a sheet's lines (`sheet_line`).
    """

    met: bool | None
    why: str = ""
    gap: str = ""
    verdict: int | None = None
    sheet_line: int | None = None

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        return anchor_of(verdict=self.verdict, sheet_line=self.sheet_line)


@dataclass(frozen=True, slots=True)
class RaterSaid:
    """What one expert, or another judge, said of a line."""

    rater: str
    said: Said


@dataclass(frozen=True, slots=True)
class LineVerdicts:
    """A line with every verdict on it; `judge` is None without a judge or its verdicts.

    `others` are the verdicts of the newest other runs, without their reasons. `flags` are open;
    `taken_back` are those that somebody other than their author took back.
    """

    n: int
    text: str
    importance: str
    dimension: str
    weight: int
    importance_label: str
    dimension_label: str
    judge: Said | None
    experts: tuple[RaterSaid, ...]
    others: tuple[RaterSaid, ...]
    anchor: Said | None
    quotes: Sequence[Passage]
    flags: tuple[VerdictFlag, ...]
    taken_back: tuple[VerdictFlag, ...]

    @property
    def differ(self) -> bool:
        """Whether an expert gave another verdict than the judge."""
        return (
            self.judge is not None
            and self.judge.met is not None
            and any(e.said.met not in (None, self.judge.met) for e in self.experts)
        )

    @property
    def divided(self) -> bool:
        """Whether two judges differ."""
        judges = [self.judge, *(other.said for other in self.others)]
        return len({said.met for said in judges if said and said.met is not None}) > 1

    def fits(self, only: str) -> bool:
        """Whether the line belongs to a choice of lines; "" are all."""
        met = self.judge.met if self.judge else None
        return {
            DIFFER: self.differ,
            JUDGES: self.divided,
            UNMET: met is False,
            UNDECIDED: met is None,
            FLAGGED: bool(self.flags),
        }.get(only, True)


@dataclass(frozen=True, slots=True)
class Score:
    """S of one rater in points of 100, None while a line is undecided."""

    rater: str
    points: float | None


@dataclass(frozen=True, slots=True)
class ResponsePage:
    """Everything the page shows.

    Attributes:
        why: why there are no verdicts of the judge; "" if there are.
        stale: why its scores are left out of results; "" if they count.
        closed: whether no verdict is shown at all, as the task is held out.
        asking: whom the next alignment set asks about it where a verdict is flagged.
        part: what the judge's method says beside verdicts on lines, None if nothing.
        overrules: what people overruled of it, and could; None where nothing can be overruled.
    """

    response: Response
    task: TaskText
    lines: tuple[LineVerdicts, ...]
    judge: Score | None
    experts: tuple[Score, ...]
    calls: tuple[Call, ...]
    why: str
    stale: str = ""
    closed: bool = False
    asking: Asking = Asking.NOBODY
    part: Part | None = None
    overrules: Overrules | None = None

    @property
    def differing(self) -> int:
        return sum(line.differ for line in self.lines)

    @property
    def says_lines(self) -> bool:
        """Whether there is more to read than the method's own part: a verdict on some line."""
        said = any(line.judge or line.experts or line.others for line in self.lines)
        return said or self.part is None


def response_page(pk: int, judge: Rater | None) -> ResponsePage:
    """Return a response with the verdicts of a judge and of all experts. 22 queries at most.

    The lines are those of the version that the judge read, else of the newest scored one.

    Raises:
        NotFound: no such response, or a baseline, whose scores belong to its anchor.
    """
    responses = Response.objects.filter(pk=pk, baseline=False).select_related("task", "candidate")
    response = responses.annotate(closed=closed_of("task")).first()
    if response is None:
        raise NotFound()
    if response.closed:
        return ResponsePage(
            response, task_text(response.task_id), (), None, (), (), why_closed(), closed=True
        )
    source = _source(judge, response)
    sheets = list(
        submitted_sheets()
        .filter(response=response, version__isnull=False)
        .select_related("user")
        .order_by("rater", "pk")
    )
    version = source.version or max((sheet.version_id or 0 for sheet in sheets), default=0) or None
    experts = _sheets_said([sheet.pk for sheet in sheets])
    others = _other_runs(judge, response)
    anchor = _sheet_said(source.exemplar) if source.exemplar else {}
    flags, taken_back = _flags(source.said.values())
    lines = []
    for n, line in enumerate(
        Criterion.objects.filter(version=version).order_by("position", "id"), 1
    ):
        same = (line.key, line.text)
        said = source.said.get(same, Said(None)) if source.said else None
        lines.append(
            LineVerdicts(
                n=n,
                text=line.text,
                importance=line.importance,
                dimension=line.dimension,
                weight=line.weight,
                importance_label=str(Importance(line.importance).label),
                dimension_label=str(Dimension(line.dimension).label),
                judge=said,
                experts=tuple(
                    RaterSaid(_rater(sheet), experts[sheet.pk].get(same, Said(None)))
                    for sheet in sheets
                ),
                others=tuple(
                    RaterSaid(run, said_there[same])
                    for run, said_there in others.items()
                    if same in said_there
                ),
                anchor=anchor.get(same),
                quotes=passages(said.why, response.text) if said else (),
                flags=tuple(flags.get(said.anchor, ())) if said else (),
                taken_back=tuple(taken_back.get(said.anchor, ())) if said else (),
            )
        )
    return ResponsePage(
        response=response,
        task=task_text(response.task_id),
        lines=tuple(lines),
        judge=Score(judge.label, _judges_points(source.own, lines)) if judge else None,
        experts=tuple(
            Score(
                _rater(sheet),
                _points((line.weight, line.experts[i].said.met) for line in lines),
            )
            for i, sheet in enumerate(sheets)
        ),
        calls=source.calls,
        why=source.why,
        stale=_stale(response, version, source.answer_version),
        asking=whom_a_set_asks(response),
        part=source.own.part if source.own else None,
        overrules=source.own.overrules if source.own else None,
    )


def _rater(sheet: Sheet) -> str:
    """Return who filled a sheet: the pseudonym of an expert, the name of an imported rater."""
    return sheet.user.pseudonym if sheet.user else sheet.rater


def _judges_points(own: MethodPart | None, lines: Sequence[LineVerdicts]) -> float | None:
    """Return the judge's score: its method's own, else S over the lines."""
    if own is not None and not own.by_lines:
        return own.points
    return _points((line.weight, line.judge.met if line.judge else None) for line in lines)


def _stale(response: Response, version: int | None, read: int | None) -> str:
    """Return why scores of a response are left out of results; "" if they count."""
    task = response.task
    written = RubricVersion.objects.filter(pk=version or 0).values_list("text_version", flat=True)
    code = earlier_text.code_of(
        response.text_version,
        task.prompt_since,
        written.first() if task.rubric_since else None,
        task.rubric_since,
        read,
        task.answer_since,
    )
    return str(earlier_text.LABELS[code]) if code else ""


_Flags = Mapping[str, Sequence[VerdictFlag]]  # by the verdict's anchor


def _flags(said: Collection[Said]) -> tuple[_Flags, _Flags]:
    """Return the open flags, and those that others took back, oldest first. One query."""
    flags: dict[str, list[VerdictFlag]] = defaultdict(list)
    taken_back: dict[str, list[VerdictFlag]] = defaultdict(list)
    on_these = Q(verdict__in=[one.verdict for one in said if one.verdict]) | Q(
        sheet_line__in=[one.sheet_line for one in said if one.sheet_line]
    )
    rows = shown_flags().filter(on_these).select_related("by", "withdrawn_by")
    for flag in rows.order_by("pk"):
        (taken_back if flag.withdrawn_at else flags)[flag.anchor].append(flag)
    return flags, taken_back


_LineKey = tuple[str, str]  # key and text of the line, as versions may differ
_Lines = Mapping[_LineKey, Said]


@dataclass(frozen=True, slots=True)
class _Source:
    """What a judge said, on which version, with which example."""

    said: _Lines
    version: int | None = None
    exemplar: int | None = None
    calls: tuple[Call, ...] = ()
    why: str = ""
    own: MethodPart | None = None
    answer_version: int | None = None


def _source(judge: Rater | None, response: Response) -> _Source:
    if judge is None:
        return _Source({})
    if judge.run is None:
        sheet = (
            Sheet.objects.filter(response=response, rater=judge.name, state=Sheet.State.SUBMITTED)
            .order_by(F("version_id").desc(nulls_last=True))
            .first()
        )
        if sheet is None:
            return _Source({}, why=_("This judge was not asked about it."))
        why = _skipped(sheet.skipped) if sheet.skipped else failure_kinds.name_of(sheet.reason)
        own = imported_part(sheet)
        said = _sheet_said(sheet.pk)
        read = sheet.answer_version
        return _Source(said, sheet.version_id, why=why, own=own, answer_version=read)
    items = RunItem.objects.filter(run=judge.run, response=response)
    item = items.select_related("judgment").first()
    if item is None:
        return _Source({}, why=_("This response is not part of the run."))
    said = {
        (key, text): Said(
            _MET.get(outcome), why, failure_kinds.name_of(reason) if reason else "", pk
        )
        for key, text, outcome, why, reason, pk in Verdict.objects.filter(
            judgment=item.judgment_id
        ).values_list("criterion__key", "criterion__text", "outcome", "why", "reason", "pk")
    }
    calls: tuple[Call, ...] = ()
    if item.judgment_id is not None:  # calls for other purposes have no judgment either
        asked = Call.objects.filter(judgment=item.judgment_id)
        calls = tuple(asked.defer("request", "reply").order_by("pk"))
    own = method_part(judge.run, item.judgment_id)
    why = "" if said or own.part else _why(item)
    read = item.judgment.answer_version if item.judgment else None
    return _Source(said, item.version_id, item.exemplar_id, calls, why, own, read)


def _other_runs(judge: Rater | None, response: Response) -> dict[str, dict[_LineKey, Said]]:
    """Return the verdicts of the newest other runs by the run's number, newest first."""
    items = RunItem.objects.filter(response=response, judgment__isnull=False).order_by("-run_id")
    if judge is not None and judge.run is not None:
        mine = items.filter(run=judge.run).values("judgment")
        items = items.exclude(run=judge.run).exclude(judgment__in=mine)
    run_of: dict[int, str] = {}
    for run, judgment in items.values_list("run_id", "judgment_id"):
        run_of.setdefault(judgment, str(run))
        if len(run_of) == OTHERS_SHOWN:
            break
    found: dict[str, dict[_LineKey, Said]] = {run: {} for run in run_of.values()}
    for judgment, key, text, outcome in Verdict.objects.filter(judgment__in=run_of).values_list(
        "judgment_id", "criterion__key", "criterion__text", "outcome"
    ):
        found[run_of[judgment]][key, text] = Said(_MET.get(outcome))
    return found


_MET = {Verdict.Outcome.MET.value: True, Verdict.Outcome.UNMET.value: False}


def _why(item: RunItem) -> str:
    if item.reason in SKIPPED:
        return _skipped(item.reason)
    if item.reason:
        return _("No verdict: %(why)s.") % {"why": failure_kinds.name_of(item.reason)}
    return _("It has not been judged yet.")


def _skipped(reason: str) -> str:
    return _("It was skipped, because %(why)s.") % {"why": SKIPPED.get(reason, reason)}


def _sheet_said(sheet: int) -> _Lines:
    return _sheets_said([sheet])[sheet]


def _sheets_said(sheets: Sequence[int]) -> dict[int, dict[_LineKey, Said]]:
    found: dict[int, dict[_LineKey, Said]] = {sheet: {} for sheet in sheets}
    for sheet, key, text, met, why, pk in SheetLine.objects.filter(sheet__in=sheets).values_list(
        "sheet_id", "criterion__key", "criterion__text", "met", "rationale", "pk"
    ):
        found[sheet][key, text] = Said(met, why, sheet_line=pk)
    return found


def _points(rows: Iterable[tuple[int, bool | None]]) -> float | None:
    """Return S in points of 100; None unless every line has a verdict."""
    above = below = 0
    for weight, met in rows:
        if met is None:
            return None
        above += weight * met
        below += weight
    return 100 * above / below if below else None

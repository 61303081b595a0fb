"""The workbench, and the draft beside it, read for the author's page."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from zlib import crc32

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from curation.process.lifecycle import Stage
from curation.tasks.models import Task
from rubrics.drafts.queries import against_draft, basis_among, is_draft, lines_by_version
from rubrics.lines import history, reference_marks, step_names, threads
from rubrics.lines.actions import line_token
from rubrics.lines.history import unread
from rubrics.lines.threads import Proposal, Request, Thread
from rubrics.linter import rules
from rubrics.marks import model_opinions
from rubrics.marks import queries as marking
from rubrics.marks.queries import ASIDE, Shown
from rubrics.policy.dimensions import Dimension
from rubrics.policy.policy import RubricPolicy, policy_for
from rubrics.sending.actions import Gap, gaps_before_sending, unsettled
from rubrics.versions import balance, diff
from rubrics.versions.models import Criterion, LineChange, RubricVersion
from rubrics.versions.typical_lines import usual_essential_share


@dataclass
class LineView:
    """A line of the working version with everything its page shows.

    Attributes:
        fare: whether the reference answer meets it, if its author said so.
        unread: as the machine drafted it, and the author has not confirmed it yet.
        todo: something must be done here before the rubric is sent.
        marks, aside: what the linter says; what of it the author set aside.
    """

    line: Criterion
    n: int
    marks: list[Shown]
    aside: list[Shown] = field(default_factory=list)
    request: Request | None = None
    thread: Thread | None = None
    settled: bool = True
    unread: bool = False
    todo: bool = False
    reason: str = ""
    n_draft: int | None = None
    fare: reference_marks.Mark | None = None

    @property
    def token(self) -> str:
        return line_token(self.line)

    @property
    def looks(self) -> str:
        """A digest of what the page shows of the line, but for its number and its thread.

        Compared with what a browser has, it tells which lines an answer must bring.
        """
        draft = self.edited_draft
        return _digest(
            get_language(),
            self.token,
            self.line.provenance,
            self.line.copied_from_id,
            self.line.quote,
            [(m.token, m.state, m.reason, m.message, m.span) for m in (*self.marks, *self.aside)],
            self.request and (str(self.request.aspect), self.settled),
            (self.todo, self.unread, self.fare, self.n_draft),
            draft and (draft.text, draft.weight),
        )

    @property
    def talk(self) -> str:
        """The same of what was asked for and said on the line."""
        said = self.thread.remarks if self.thread else ()
        return _digest(
            [(remark.at, remark.who) for remark in said],
            self.request and self.settled,
            [(proposal.pk, taken) for proposal, taken in self.proposals],
        )

    @property
    def sight(self) -> str:
        """What a browser says of a line it shows: `id:looks:talk`."""
        return f"{self.line.pk}:{self.looks}:{self.talk}"

    @property
    def remark(self) -> str:
        """The newest words on a line of which nothing is asked, unless they are the author's."""
        said = self.thread.remarks if self.thread and self.request is None else ()
        return said[-1].text if said and said[-1].who != _("You") else ""

    @property
    def offered(self) -> set[int]:
        """Ids of the suggestions shown with the request; the thread need not repeat them."""
        return {proposal.pk for proposal in self.request.proposals} if self.request else set()

    @property
    def proposals(self) -> list[tuple[Proposal, bool]]:
        """What those who asked for a change propose, each with whether the line says so now."""
        found = self.request.proposals if self.request else ()
        return [(proposal, diff.same_content(proposal, self.line)) for proposal in found]

    @property
    def runs(self) -> list[tuple[str, str]]:
        """The text in runs, for underlining what is marked."""
        return rules.segments(self.line.text, [shown.mark for shown in self.marks])

    @property
    def edited_draft(self) -> Criterion | None:
        """The draft line it came from, if it is no longer the same."""
        same = self.line.provenance != Criterion.Provenance.EDITED
        return None if same else self.line.source


def _digest(*facts: object) -> str:
    """Eight characters that change with the facts; for telling sights apart, never for safety."""
    return f"{crc32(repr(facts).encode()):08x}"


@dataclass
class Workbench:
    """The author's page. `views` in order; `gaps` empty means ready to be sent.

    `undoes` names what `undoable` did: "weight of line 3".
    """

    task: Task
    version: RubricVersion
    views: list[LineView]
    draft: RubricVersion | None
    drafted: list[Criterion]
    gaps: list[Gap]
    round: int
    sent_back: str
    undoable: history.Step | None
    undoes: str
    fare: reference_marks.Fare
    policy: RubricPolicy
    usual: tuple[int, int] | None = None
    counts: diff.Counts = field(default_factory=diff.Counts)
    whole: list[Shown] = field(default_factory=list)
    reading: model_opinions.Reading = field(default_factory=model_opinions.Reading)

    @property
    def lines(self) -> list[Criterion]:
        return [view.line for view in self.views]

    @property
    def total(self) -> int:
        return sum(line.weight for line in self.lines)

    @property
    def within(self) -> bool:
        """Whether the number of lines lies within the limits of the domain."""
        return self.policy.holds(len(self.views))

    @property
    def marks(self) -> int:
        return sum(len(view.marks) for view in self.views)

    @property
    def plain_marks(self) -> list[Shown]:
        """One mark of each rule that has something to say here."""
        plain = (shown for view in self.views for shown in view.marks if shown.plain)
        return list({shown.code: shown for shown in plain}.values())

    @property
    def missing(self) -> list[Shown]:
        """What the task asks for and no line checks."""
        return [shown for shown in self.whole if shown.state != ASIDE]

    @property
    def waived(self) -> list[Shown]:
        """Marks of the whole rubric that the author set aside."""
        return [shown for shown in self.whole if shown.state == ASIDE]

    @property
    def model_available(self) -> bool:
        return model_opinions.available()

    @property
    def asked(self) -> list[LineView]:
        """The lines the last round asks to change."""
        return [view for view in self.views if view.request is not None]

    @property
    def unsettled(self) -> list[LineView]:
        return [view for view in self.views if not view.settled]

    @property
    def importance(self) -> list[balance.Part]:
        return balance.by_importance(self.lines)

    @property
    def dimensions(self) -> list[balance.Part]:
        return balance.by_dimension(self.lines)

    @property
    def dimension_count(self) -> int:
        return len(Dimension.values)

    @property
    def heaviest(self) -> balance.Part | None:
        return next(iter(self.dimensions), None)

    @property
    def unread(self) -> int:
        """How many lines of the draft the author has not confirmed yet."""
        return sum(view.unread for view in self.views)

    @property
    def todo(self) -> list[LineView]:
        """The lines at which something must be done before the rubric is sent."""
        return [view for view in self.views if view.todo]

    @property
    def step(self) -> str:
        """What comes next, and so has the filled button: "line", "add" or "send"."""
        if self.todo:
            return "line"
        if not self.gaps:
            return "send"
        return "add" if self.gaps[0].code == "too_few_lines" else "line"

    def following(self, pk: int) -> LineView | None:
        """Where "Done" leads from a line: to the next one that needs the author, else onward."""
        at = next((n for n, view in enumerate(self.views) if view.line.pk == pk), 0)
        later = [*self.views[at + 1 :], *self.views[:at]]
        waiting = next((view for view in later if view.todo), None)
        if waiting is not None or self.asked:
            return waiting
        return next(iter(self.views[at + 1 :]), None)

    def view_of(self, pk: int | None) -> LineView | None:
        return next((view for view in self.views if view.line.pk == pk), None)

    def first_sight(self) -> LineView | None:
        """Where the page opens: an open request, a request, an unread line, a mark, the first."""
        return next(
            iter(
                [
                    *self.unsettled,
                    *self.asked,
                    *(view for view in self.views if view.unread),
                    *(view for view in self.views if view.marks),
                    *self.views,
                ]
            ),
            None,
        )


def workbench(task: Task, version: RubricVersion) -> Workbench:
    """Everything the author's page shows, in a fixed number of queries."""
    versions = sorted(task.rubric_versions.all(), key=lambda v: v.number)
    of_version = lines_by_version([v for v in versions if is_draft(v) or v.pk == version.pk])
    draft, drafted = basis_among(versions, of_version)
    places = {line.pk: n for n, line in enumerate(drafted, start=1)}
    lines = of_version[version.pk]
    rounds = sum(not is_draft(v) and v.frozen for v in versions)
    # Before a version was sent nobody can have said anything about it.
    requests = threads.requests([task.pk]).get(task.pk, {}) if rounds else {}
    remarks = threads.threads(task.pk) if rounds else {}
    steps = history.steps_of(task)
    reasons = {step.key: step.reason for step in steps if step.reason}
    open_ones = {line.pk for line in unsettled(lines, requests)}
    unread_ones = {line.pk for line in unread(version, lines, sent=rounds > 0, steps=steps)}
    policy = policy_for(task.domain_id)
    gaps = gaps_before_sending(lines, requests, policy=policy)
    fare = reference_marks.fare_of(task, lines)
    doubled = {gap.line.pk for gap in gaps if gap.line is not None}
    required = policy.reference == RubricPolicy.Reference.REQUIRE
    unmarked = {line.pk for line in fare.open} if required else set()
    marked = marking.mark_up(task, lines)
    undoable = history.newest_to_undo(steps, version)
    views = [
        LineView(
            line=line,
            n=n,
            marks=[shown for shown in marks if shown.state != ASIDE],
            aside=[shown for shown in marks if shown.state == ASIDE],
            request=requests.get(line.key),
            thread=remarks.get(line.key),
            settled=line.pk not in open_ones,
            unread=line.pk in unread_ones,
            todo=line.pk in open_ones | unread_ones | doubled | unmarked,
            reason=reasons.get(line.key, ""),
            fare=fare.marks.get(line.key),
            n_draft=places.get(line.source_id),  # type: ignore[arg-type]
        )
        for n, (line, marks) in enumerate(zip(lines, marked.lines, strict=True), start=1)
    ]
    return Workbench(
        task=task,
        version=version,
        views=views,
        draft=draft,
        drafted=drafted,
        gaps=gaps,
        round=rounds + 1,
        sent_back=_sent_back(task) if rounds else "",
        undoable=undoable,
        undoes=_name_of(undoable, lines),
        fare=fare,
        policy=policy,
        usual=usual_essential_share(task.domain_id),
        counts=counts_against(drafted, lines) if draft else diff.Counts(),
        whole=list(marked.whole),
        reading=marked.reading,
    )


def _name_of(step: history.Step | None, lines: Sequence[Criterion]) -> str:
    if step is None:
        return ""
    return step_names.named(LineChange.objects.get(pk=step.change), lines)


def counts_against(drafted: Sequence[Criterion], lines: Sequence[Criterion]) -> diff.Counts:
    """The draft beside the working version in numbers; lines taken from later drafts are not the
    author's own."""
    later = [
        row.new.provenance
        for row in against_draft(drafted, lines)
        if row.kind == "added" and row.new.source_id is not None
    ]
    counts = diff.count(against_draft(drafted, lines))
    kept = later.count(Criterion.Provenance.DRAFT)
    edited = later.count(Criterion.Provenance.EDITED)
    return diff.Counts(
        counts.kept + kept, counts.edited + edited, counts.added - kept - edited, counts.removed
    )


def _sent_back(task: Task) -> str:
    """Why a senior or staff sent an approved rubric back, if that is how it came here."""
    last = task.history.filter(to_stage=Stage.REFINING).exclude(from_stage=Stage.REFINING).last()
    if last is None or last.from_stage not in (
        *(Stage.DECIDING, Stage.SPOT_CHECK, Stage.APPROVED),
    ):
        return ""
    return last.reason

"""What the author's page shows: the working version, its marks, threads and draft."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from curation.base.process.lifecycle import Stage
from curation.base.process.stored_results import CURRENT
from curation.tasks.task.models import Task
from rubrics.drafts.queries import against_draft, basis_among, is_draft, lines_by_version
from rubrics.lines import history, threads
from rubrics.lines.history import step_name, unread
from rubrics.lines.reference_marks import ReferenceScore, reference_score
from rubrics.marks import model_opinions
from rubrics.marks.queries import ASIDE, ShownMark, last_marks
from rubrics.policy.checkpoints import policy_of
from rubrics.policy.dimensions import dimension_choices
from rubrics.policy.policy import RubricPolicy
from rubrics.sending.actions import Gap, gaps_before_sending, unsettled
from rubrics.versions import balance, diff
from rubrics.versions.balance import usual_essential_share
from rubrics.versions.models import Criterion, LineChange, RubricVersion
from rubrics.versions.queries import is_behind_the_text
from rubrics.workbench.shown_lines import LineView


@dataclass
class Workbench:
    """The author's page.

    Attributes:
        views: the lines, in order.
        drafted: the lines of the draft.
        gaps: what keeps the rubric from being sent; empty if it can be.
        behind: the task's text was amended, and the lines not compared with it since.
        round: number of the round that sending opens.
        sent_back: why an approved rubric was sent back; empty if it was not.
        undoable, undoes: the step that can be undone, and its name ("weight of line 3").
        usual: the usual share of weight in Essential lines (low, high) in percent; None with too
            few approved rubrics.
        counts: the working version compared with the draft.
        whole: the linter's marks of the whole rubric.
        reading: what a model said of the lines.
        not_checked: what the linter left out because a text is too long, in whole sentences.
        marks_state, marks_made: whether its marks are those of the lines as they are now, and
            whether there are any earlier ones, as `rubrics.marks.stored.Last` has it.
    """

    task: Task
    version: RubricVersion
    views: list[LineView]
    draft: RubricVersion | None
    drafted: list[Criterion]
    gaps: list[Gap]
    behind: bool
    round: int
    sent_back: str
    undoable: history.Step | None
    undoes: str
    reference_score: ReferenceScore
    policy: RubricPolicy
    usual: tuple[int, int] | None = None
    counts: diff.Counts = field(default_factory=diff.Counts)
    whole: list[ShownMark] = field(default_factory=list)
    reading: model_opinions.Reading = field(default_factory=model_opinions.Reading)
    not_checked: Sequence[str] = ()
    marks_state: str = CURRENT
    marks_made: bool = False

    @property
    def lines(self) -> list[Criterion]:
        return [view.line for view in self.views]

    @property
    def total(self) -> int:
        return sum(line.weight for line in self.lines)

    @property
    def within_limits(self) -> bool:
        """Whether the number of lines is within the domain's limits."""
        return self.policy.holds(len(self.views))

    @property
    def marks(self) -> int:
        return sum(len(view.marks) for view in self.views)

    @property
    def first_mark(self) -> str:
        """The query that opens the first line with a mark; empty if none has one."""
        pk = next((view.line.pk for view in self.views if view.marks), None)
        return f"?line={pk}#line-{pk}" if pk else ""

    @property
    def asks_for_marks(self) -> bool:
        """Whether sending asks for marks of the reference answer that are missing."""
        asked = self.policy.reference == RubricPolicy.Reference.ASK and self.round == 1
        return bool(self.reference_score.open) and (asked or self.requires_marks)

    @property
    def requires_marks(self) -> bool:
        return self.policy.reference == RubricPolicy.Reference.REQUIRE

    @property
    def plain_marks(self) -> list[ShownMark]:
        """One open mark of each rule that fires, without a model's opinions."""
        plain = (shown for view in self.views for shown in view.marks if shown.plain)
        return list({shown.code: shown for shown in plain}.values())

    @property
    def missing(self) -> list[ShownMark]:
        """Open marks of the whole rubric: requirements no line checks."""
        return [shown for shown in self.whole if shown.state != ASIDE]

    @property
    def waived(self) -> list[ShownMark]:
        """Marks of the whole rubric that the author set aside."""
        return [shown for shown in self.whole if shown.state == ASIDE]

    @property
    def model_available(self) -> bool:
        return self.reading.available

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
    def flaws(self) -> int:
        return balance.count_flaws(self.lines)

    @property
    def dimension_count(self) -> int:
        return len(dimension_choices(skill=self.task.is_skill))

    @property
    def heaviest(self) -> balance.Part | None:
        return next(iter(self.dimensions), None)

    @property
    def unread(self) -> int:
        """How many drafted lines the author has not confirmed yet."""
        return sum(view.unread for view in self.views)

    @property
    def todo(self) -> list[LineView]:
        """The lines on which something must be done before the rubric is sent."""
        return [view for view in self.views if view.todo]

    @property
    def step(self) -> str:
        """The next step, which gets the primary button: "line", "add", "reference" or "send"."""
        if self.todo:
            return "line"
        if not self.gaps:
            return "reference" if self.requires_marks and self.asks_for_marks else "send"
        return "add" if self.gaps[0].code == "too_few_lines" else "line"

    def following(self, pk: int) -> LineView | None:
        """Return the line that "Done" opens: the next one to do, else the next one.

        None after the last line, or where the last round made requests and nothing is left to do.
        """
        at = next((n for n, view in enumerate(self.views) if view.line.pk == pk), 0)
        later = [*self.views[at + 1 :], *self.views[:at]]
        waiting = next((view for view in later if view.todo), None)
        if waiting is not None or self.asked:
            return waiting
        return next(iter(self.views[at + 1 :]), None)

    def view_of(self, pk: int | None) -> LineView | None:
        return next((view for view in self.views if view.line.pk == pk), None)

    def initial_line(self) -> LineView | None:
        """Return the line to open: an open request, a request, unread, marked, or the first."""
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
    """Load everything the author's page shows, in a fixed number of queries."""
    versions = sorted(task.rubric_versions.all(), key=lambda v: v.number)
    of_version = lines_by_version([v for v in versions if is_draft(v) or v.pk == version.pk])
    draft, drafted = basis_among(versions, of_version)
    draft_numbers = {line.pk: n for n, line in enumerate(drafted, start=1)}
    lines = of_version[version.pk]
    rounds = sum(not is_draft(v) and v.frozen for v in versions)
    # Nobody has remarked on a rubric before its first version was sent.
    requests = threads.requests([task.pk]).get(task.pk, {}) if rounds else {}
    remarks = threads.threads(task.pk) if rounds else {}
    steps = history.steps_of(task)
    reasons = {step.key: step.reason for step in steps if step.reason}
    open_ones = {line.pk for line in unsettled(lines, requests)}
    unread_ones = {line.pk for line in unread(version, lines, sent=rounds > 0, steps=steps)}
    policy = policy_of(task)
    behind = is_behind_the_text(version, task)
    gaps = gaps_before_sending(lines, requests, policy=policy, behind=behind, form=task.answer_form)
    score = reference_score(task, lines)
    doubled = {gap.line.pk for gap in gaps if gap.line is not None}
    marked, last = last_marks(task, version, lines)
    undoable = history.newest_undoable(steps, version)
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
            todo=line.pk in open_ones | unread_ones | doubled,
            reason=reasons.get(line.key, ""),
            reference_mark=score.marks.get(line.key),
            n_draft=draft_numbers.get(line.source_id),  # type: ignore[arg-type]
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
        behind=behind,
        round=rounds + 1,
        sent_back=_sent_back(task) if rounds else "",
        undoable=undoable,
        undoes=_name_of(undoable, lines),
        reference_score=score,
        policy=policy,
        usual=usual_essential_share(task.domain_id),
        counts=draft_counts(drafted, lines) if draft else diff.Counts(),
        whole=list(marked.whole),
        reading=marked.reading,
        not_checked=marked.not_checked,
        marks_state=last.state,
        marks_made=last.made,
    )


def _name_of(step: history.Step | None, lines: Sequence[Criterion]) -> str:
    if step is None:
        return ""
    return step_name(LineChange.objects.get(pk=step.change), lines)


def draft_counts(drafted: Sequence[Criterion], lines: Sequence[Criterion]) -> diff.Counts:
    """Count kept, edited, added and removed lines against the draft.

    Lines taken over from later drafts count as kept or edited, not as added by the author.
    """
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
    """Return why a senior or staff sent the rubric back; empty if neither did."""
    last = task.history.filter(to_stage=Stage.REFINING).exclude(from_stage=Stage.REFINING).last()
    if last is None or last.from_stage not in (
        *(Stage.DECIDING, Stage.SPOT_CHECK, Stage.APPROVED),
    ):
        return ""
    return last.reason

"""Rubrics read for pages: the workbench, the draft beside it, its versions, what waits."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.lifecycle import Stage
from curation.models import Origin, Task
from curation.waiting import Waiting
from rubrics import balance, diff, linter, threads
from rubrics.actions import Gap, gaps_before_sending, last_change, line_token
from rubrics.actions.sending import unsettled
from rubrics.dimensions import Dimension
from rubrics.linter import Mark
from rubrics.models import Criterion, LineChange, RubricVersion
from rubrics.threads import Request, Thread

RECENT = 50  # approved rubrics that "most" is read from
AT_ONCE = 5_000  # tasks named in one statement; SQLite takes 32,766 values


@dataclass
class LineView:
    """A line of the working version with everything its page shows."""

    line: Criterion
    n: int
    marks: list[Mark]
    request: Request | None = None
    thread: Thread | None = None
    settled: bool = True
    reason: str = ""
    n_draft: int | None = None

    @property
    def token(self) -> str:
        return line_token(self.line)

    @property
    def runs(self) -> list[tuple[str, str]]:
        """The text in runs, for underlining what is marked."""
        return linter.segments(self.line.text, self.marks)

    @property
    def edited_draft(self) -> Criterion | None:
        """The draft line it came from, if it is no longer the same."""
        same = self.line.provenance != Criterion.Provenance.EDITED
        return None if same else self.line.source


@dataclass
class Workbench:
    """The author's page. `views` in order; `gaps` empty means ready to be sent."""

    task: Task
    version: RubricVersion
    views: list[LineView]
    draft: RubricVersion | None
    drafted: list[Criterion]
    gaps: list[Gap]
    round: int
    sent_back: str
    undoable: LineChange | None
    usual: tuple[int, int] | None = None
    counts: diff.Counts = field(default_factory=diff.Counts)

    @property
    def lines(self) -> list[Criterion]:
        return [view.line for view in self.views]

    @property
    def total(self) -> int:
        return sum(line.weight for line in self.lines)

    @property
    def marks(self) -> int:
        return sum(len(view.marks) for view in self.views)

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
    def untouched(self) -> bool:
        """Whether the lines are still the draft's."""
        return self.draft is not None and not self.undoable and not self.counts.differ

    def view_of(self, pk: int | None) -> LineView | None:
        return next((view for view in self.views if view.line.pk == pk), None)

    def first_sight(self) -> LineView | None:
        """Where the page opens: an open request, then a request, a mark, the first line."""
        return next(
            iter(
                [
                    *self.unsettled,
                    *self.asked,
                    *(view for view in self.views if view.marks),
                    *self.views,
                ]
            ),
            None,
        )


def working_version(task: Task) -> RubricVersion | None:
    """The open version of a task that is being refined; None otherwise."""
    if task.stage != Stage.REFINING:
        return None
    return task.rubric_versions.filter(frozen_at__isnull=True).first()


def workbench(task: Task, version: RubricVersion) -> Workbench:
    """Everything the author's page shows, in a fixed number of queries."""
    versions = list(task.rubric_versions.order_by("number"))
    draft = next((v for v in reversed(versions) if v.origin == RubricVersion.Origin.DRAFT), None)
    drafted = list(draft.criteria.order_by("position", "id")) if draft else []
    places = {line.pk: n for n, line in enumerate(drafted, start=1)}
    lines = list(version.criteria.select_related("source").order_by("position", "id"))
    requests = threads.requests([task.pk]).get(task.pk, {})
    remarks = threads.threads(task.pk)
    reasons = reasons_of(task)
    open_ones = {line.pk for line in unsettled(lines, requests)}
    views = [
        LineView(
            line=line,
            n=n,
            marks=marks,
            request=requests.get(line.key),
            thread=remarks.get(line.key),
            settled=line.pk not in open_ones,
            reason=reasons.get(line.key, ""),
            n_draft=places.get(line.source_id),  # type: ignore[arg-type]
        )
        for n, (line, marks) in enumerate(
            zip(lines, linter.lint_rubric(lines), strict=True), start=1
        )
    ]
    rounds = sum(v.origin != RubricVersion.Origin.DRAFT and v.frozen for v in versions)
    return Workbench(
        task=task,
        version=version,
        views=views,
        draft=draft,
        drafted=drafted,
        gaps=gaps_before_sending(lines, requests),
        round=rounds + 1,
        sent_back=_sent_back(task),
        undoable=last_change(version),
        usual=usual_essential_share(task.domain_id),
        counts=diff.count(against_draft(drafted, lines)) if draft else diff.Counts(),
    )


def against_draft(drafted: Sequence[Criterion], lines: Sequence[Criterion]) -> list[diff.Row]:
    """The draft beside the working version."""
    return diff.align(
        drafted, lines, old_id=lambda line: line.pk, new_id=lambda line: line.source_id
    )


def reasons_of(task: Task) -> dict[str, str]:
    """Line key -> why the author left the draft there; the newest reason counts."""
    rows = (
        LineChange.objects.filter(version__task=task)
        .filter(Q(kind=LineChange.Kind.REASON) | ~Q(reason=""))
        .order_by("id")
        .values_list("key", "reason")
    )
    return {key: reason for key, reason in dict(rows).items() if reason}


def _sent_back(task: Task) -> str:
    """Why a senior or staff sent an approved rubric back, if that is how it came here."""
    last = task.history.filter(to_stage=Stage.REFINING).exclude(from_stage=Stage.REFINING).last()
    if last is None or last.from_stage not in (Stage.SPOT_CHECK, Stage.APPROVED):
        return ""
    return last.reason


def usual_essential_share(domain_id: int) -> tuple[int, int] | None:
    """What share of the weight approved rubrics of a domain hold in Essential lines.

    The middle half over the newest approved tasks, in whole percent; None with too few.
    """
    tasks = list(
        Task.objects.filter(stage=Stage.APPROVED, domain_id=domain_id)
        .order_by("-id")
        .values_list("pk", flat=True)[:RECENT]
    )
    if len(tasks) < balance.ENOUGH:
        return None
    rows = (
        Criterion.objects.filter(version__in=versions_that_count(tasks).values())
        .order_by()
        .values("version_id")
        .annotate(all=Sum("weight"), essential=Sum("weight", filter=Q(importance="essential")))
    )
    return balance.usual_share([(row["essential"] or 0) / row["all"] for row in rows])


# --- the version that counts ---------------------------------------------------------------------
def counting_versions() -> QuerySet[RubricVersion]:
    """Closed versions with lines; a machine's draft only for the task of another benchmark."""
    return (
        RubricVersion.objects.filter(frozen_at__isnull=False)
        .exclude(origin=RubricVersion.Origin.DRAFT, task__origin=Origin.OWN)
        .filter(Exists(Criterion.objects.filter(version=OuterRef("pk"))))
    )


def versions_that_count(tasks: Iterable[int]) -> dict[int, RubricVersion]:
    """Task id -> the version that is reviewed, scored by, judged and released.

    It is the latest closed version an expert wrote or a file brought; for the task of another
    benchmark a machine's draft will do. Versions without lines do not count, and tasks without
    such a version are left out. One query for 5,000 tasks; other tasks' versions are not read.
    """
    wanted = sorted(set(tasks))
    found: dict[int, RubricVersion] = {}
    for start in range(0, len(wanted), AT_ONCE):
        rows = counting_versions().filter(task_id__in=wanted[start : start + AT_ONCE])
        for version in rows.order_by("task_id", "number"):
            before = found.get(version.task_id)
            drafted = version.origin == RubricVersion.Origin.DRAFT
            # People's lines come before a machine's, whichever was written last.
            if before is None or not drafted or before.origin == RubricVersion.Origin.DRAFT:
                found[version.task_id] = version
    return found


def version_that_counts(task: Task) -> RubricVersion | None:
    """The version of one task that is reviewed, scored by, judged and released."""
    return versions_that_count([task.pk]).get(task.pk)


# --- read views ----------------------------------------------------------------------------------
def version_to_read(task: Task) -> RubricVersion | None:
    """The version that counts; before there is one, the newest closed one, a draft included."""
    return (
        version_that_counts(task)
        or task.rubric_versions.filter(frozen_at__isnull=False).order_by("-number").first()
    )


def lines_of(version: RubricVersion | None) -> list[Criterion]:
    """The lines of a version, in order."""
    return list(version.criteria.order_by("position", "id")) if version else []


def versions_of(task: Task) -> list[RubricVersion]:
    """Every version, newest first, each with `line_count` and `weight_total`."""
    return list(
        task.rubric_versions.annotate(
            line_count=Count("criteria"), weight_total=Sum("criteria__weight")
        ).order_by("-number")
    )


# --- what waits ----------------------------------------------------------------------------------
def waiting(user: Any) -> list[Waiting]:
    """An author's rubrics: the first refinement, or a reviewer's requests to answer."""
    tasks = list(
        Task.objects.filter(author=user, stage=Stage.REFINING)
        .only("pk", "title", "key", "stage_since")
        .order_by("stage_since")
    )
    if not tasks:
        return []
    ids = [task.pk for task in tasks]
    asked = threads.requests(ids)
    lines: dict[int, list[Criterion]] = defaultdict(list)
    counts = dict(
        Criterion.objects.filter(version__task__in=ids, version__frozen_at__isnull=True)
        .values_list("version__task_id")
        .annotate(n=Count("pk"))
    )
    keys = {key for requests in asked.values() for key in requests}
    for line in (
        Criterion.objects.filter(
            version__task__in=ids, version__frozen_at__isnull=True, key__in=keys
        )
        .select_related("version")
        .order_by("position", "id")
    ):
        lines[line.version.task_id].append(line)
    return [
        _waiting(task, asked.get(task.pk, {}), lines[task.pk], counts.get(task.pk, 0))
        for task in tasks
    ]


def _waiting(task: Task, requests: Any, lines: list[Criterion], count: int) -> Waiting:
    url = reverse("rubric", args=[task.pk])
    open_ones = unsettled([line for line in lines if line.key in requests], requests)
    if open_ones:
        n = len(open_ones)
        return Waiting(
            due=None,
            title=ngettext(
                "Answer %(n)s request on your rubric", "Answer %(n)s requests on your rubric", n
            )
            % {"n": n},
            detail=task.title,
            url=f"{url}?line={open_ones[0].pk}",
            button=ngettext("Open the line", "Open the %(n)s lines", n) % {"n": n},
            blocks=True,
            section="tasks",
        )
    if requests:
        return Waiting(
            due=None,
            title=_("Send your rubric to its reviewer again"),
            detail=_("%(title)s · every request is answered or followed") % {"title": task.title},
            url=url,
            button=_("Open the rubric"),
            blocks=True,
            section="tasks",
        )
    return Waiting(
        due=None,
        title=_("Refine a rubric"),
        detail=ngettext("%(title)s · %(n)s line", "%(title)s · %(n)s lines", count)
        % {"title": task.title, "n": count},
        url=url,
        button=_("Open the rubric"),
        section="tasks",
    )

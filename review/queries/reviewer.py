"""What a reviewer sees: the pages are built from frozen values without anybody's name."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from curation.lifecycle import Stage
from curation.models import Task
from review.actions.assignment import still_qualified
from review.conflicts import people_in_conflict_with
from review.models import Comment, LineReview, Review, Round
from review.queries.author import newest_closed_version, reviewer_name, round_name
from rubrics import diff
from rubrics.dimensions import Dimension
from rubrics.models import Criterion
from rubrics.queries import reasons_of
from rubrics.reading import TaskText, task_text
from rubrics.threads import Remark


@dataclass(frozen=True)
class Content:
    """What a line asks for. Nothing of who wrote it."""

    pk: int
    key: str
    text: str
    importance: str
    weight: int
    dimension: str

    @property
    def dimension_label(self) -> str:
        return str(Dimension(self.dimension).label)


@dataclass(frozen=True)
class ReviewLine:
    """A line with the reviewer's verdict and thread.

    Attributes:
        state: "approve", "change", or "open" without a verdict.
        approved_in: the round an approval was carried over from; 0 if given in this round.
        old: the line as it was in the reviewer's last round, if it changed since.
        is_new: added since that round.
        why: the author's reason for leaving the model's draft here.
    """

    n: int
    content: Content
    state: str
    aspect: str
    approved_in: int
    old: Content | None
    is_new: bool
    remarks: tuple[Remark, ...]
    why: str

    @property
    def pk(self) -> int:
        return self.content.pk

    @property
    def changed(self) -> bool:
        """Changed or added since the reviewer's last round."""
        return self.old is not None or self.is_new

    @property
    def aspect_label(self) -> str:
        return str(LineReview.Aspect(self.aspect).label) if self.aspect else ""

    @property
    def tick(self) -> str:
        return {"approve": "yes", "change": "no"}.get(self.state, "open")

    @property
    def last_words(self) -> str:
        """The reviewer's own newest remark, for the folded line."""
        return next((r.text for r in reversed(self.remarks) if r.who == _("You")), "")

    @property
    def old_meta(self) -> str:
        """Which of importance, weight and dimension changed, as "weight 5 → 7"."""
        if self.old is None:
            return ""
        parts = []
        if self.old.weight != self.content.weight:
            parts.append(
                _("weight %(old)s → %(new)s") % {"old": self.old.weight, "new": self.content.weight}
            )
        if self.old.importance != self.content.importance:
            parts.append(_("importance changed"))
        if self.old.dimension != self.content.dimension:
            parts.append(_("dimension was %(old)s") % {"old": self.old.dimension_label})
        return " · ".join(parts)


@dataclass(frozen=True)
class ReviewPage:
    """A reviewer's page over one round, open or finished."""

    pk: int
    number: int
    round: int
    round_pk: int
    open: bool
    stage: str
    due_at: datetime
    saved_at: datetime | None
    task: TaskText
    lines: tuple[ReviewLine, ...]
    removed: tuple[Content, ...]

    def count(self, state: str) -> int:
        return sum(line.state == state for line in self.lines)

    @property
    def approved(self) -> int:
        return self.count("approve")

    @property
    def requested(self) -> int:
        return self.count("change")

    @property
    def undecided(self) -> int:
        return self.count("open")

    @property
    def complete(self) -> bool:
        return not self.undecided

    @property
    def edited(self) -> int:
        return sum(line.old is not None for line in self.lines)

    @property
    def added(self) -> int:
        return sum(line.is_new for line in self.lines)

    @property
    def changed(self) -> int:
        return self.edited + self.added

    @property
    def carried(self) -> int:
        return sum(line.approved_in > 0 for line in self.lines)

    @property
    def with_thread(self) -> int:
        return sum(bool(line.remarks) for line in self.lines)

    @property
    def ticks(self) -> list[str]:
        return [line.tick for line in self.lines]

    @property
    def last_round(self) -> int:
        return self.round - 1

    def line(self, pk: int | None) -> ReviewLine | None:
        return next((line for line in self.lines if line.pk == pk), None)

    def first_open(self, after: int = 0) -> ReviewLine | None:
        """The next line without a verdict, from number `after` on and then from the top."""
        undecided = [line for line in self.lines if line.state == "open"]
        return next((line for line in undecided if line.n > after), None) or next(
            iter(undecided), None
        )


def review_page(review: Review) -> ReviewPage:
    """The page of a review: its open round, or the last finished one."""
    rounds = list(review.rounds.order_by("-number"))
    current = rounds[0]
    previous = rounds[1] if len(rounds) > 1 else None
    rows = _contents([current.version_id, *([previous.version_id] if previous else [])])
    now = rows[current.version_id]
    before = rows[previous.version_id] if previous else []
    verdicts = {v.criterion_id: v for v in current.lines.all()}
    approvals = _approvals(review, current) if previous else {}
    remarks = _remarks(review, current)
    reasons = reasons_of(Task(pk=review.task_id))
    compared = diff.align(before, now) if previous else []
    changed = {row.new.key: row for row in compared if row.new is not None and row.kind != "kept"}
    lines = []
    for n, content in enumerate(now, start=1):
        verdict = verdicts.get(content.pk)
        row = changed.get(content.key)
        lines.append(
            ReviewLine(
                n=n,
                content=content,
                state=verdict.verdict if verdict else "open",
                aspect=verdict.aspect if verdict else "",
                approved_in=approvals.get(content.key, current.number - 1)
                if verdict and verdict.carried_over
                else 0,
                old=row.old if row else None,
                is_new=row is not None and row.kind == "added",
                remarks=tuple(remarks[content.key]),
                why=reasons.get(content.key, ""),
            )
        )
    return ReviewPage(
        pk=review.pk,
        number=review.number,
        round=current.number,
        round_pk=current.pk,
        open=current.finished_at is None,
        stage=Task.objects.filter(pk=review.task_id).values_list("stage", flat=True).get(),
        due_at=review.due_at,
        saved_at=max((v.at for v in verdicts.values()), default=None),
        task=task_text(review.task_id),
        lines=tuple(lines),
        removed=tuple(row.old for row in compared if row.kind == "removed"),
    )


def _contents(version_ids: Sequence[int]) -> dict[int, list[Content]]:
    found: dict[int, list[Content]] = defaultdict(list)
    rows: Any = (
        Criterion.objects.filter(version_id__in=version_ids)
        .order_by("position", "id")
        .values_list("version_id", "pk", "key", "text", "importance", "weight", "dimension")
    )
    for version_id, *fields in rows:
        found[version_id].append(Content(*fields))
    return found


def _approvals(review: Review, current: Round) -> dict[str, int]:
    """Line key -> the last earlier round in which it was approved by hand."""
    return dict(
        LineReview.objects.filter(
            round__review=review,
            round__number__lt=current.number,
            verdict=LineReview.Verdict.APPROVE,
            carried_over=False,
        )
        .order_by("round__number")
        .values_list("criterion__key", "round__number")
    )


def _remarks(review: Review, current: Round) -> dict[str, list[Remark]]:
    """The threads of the task as this reviewer may read them.

    A colleague's remarks appear with the version that follows them, never before this reviewer
    has finished the same one.
    """
    found: dict[str, list[Remark]] = defaultdict(list)
    rows = (
        Comment.objects.filter(task_id=review.task_id)
        .filter(
            Q(side=Comment.Side.AUTHOR)
            | Q(round__review=review)
            | Q(
                round__finished_at__isnull=False,
                round__version__number__lt=F("task__rubric_versions__number"),
                task__rubric_versions=current.version_id,
            )
        )
        .order_by("at", "id")
        .values_list(
            "pk",
            "line_key",
            "side",
            "round__number",
            "round__review_id",
            "round__review__number",
            "at",
            "text",
        )
        .distinct()
    )
    for _pk, key, side, round_number, review_id, reviewer, at, text in rows:
        if side == Comment.Side.AUTHOR:
            who = _("Author")
        elif review_id == review.pk:
            who = _("You")
        else:
            who = reviewer_name(reviewer)
        found[key].append(Remark(who=who, meta=round_name(round_number), at=at, text=text))
    return found


# --- lists ---------------------------------------------------------------------------------------
def _count(rows: QuerySet) -> Coalesce:
    """A correlated count, instead of a join that multiplies rows."""
    counted = rows.order_by().values(one=F("pk") * 0).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def mine(user: Any) -> QuerySet[Any]:
    """The person's reviews that are not over, by due date.

    Each with `open_round` and `last_round` (numbers, or None), `line_count`, `decided`,
    `requested`, and of the task only what a list shows.
    """
    rounds = Round.objects.filter(review=OuterRef("pk"))
    unfinished = rounds.filter(finished_at__isnull=True)
    decided = LineReview.objects.filter(
        round__review=OuterRef("pk"), round__finished_at__isnull=True
    )
    return (
        Review.objects.filter(reviewer=user, state=Review.State.ASSIGNED)
        .exclude(task__stage__in=[Stage.WITHDRAWN, Stage.DISCARDED])
        .annotate(
            open_round=Subquery(unfinished.values("number")[:1]),
            last_round=Subquery(rounds.order_by("-number").values("number")[:1]),
            line_count=_count(
                Criterion.objects.filter(
                    version__rounds__review=OuterRef("pk"),
                    version__rounds__finished_at__isnull=True,
                )
            ),
            decided=_count(decided),
            requested=_count(decided.filter(verdict=LineReview.Verdict.CHANGE)),
        )
        .select_related("task", "task__domain")
        .only("due_at", "number", "task__title", "task__stage", "task__stage_since", "task__domain")
        .order_by("due_at", "pk")
    )


def pool(user: Any) -> QuerySet[Task]:
    """Tasks whose review has an empty place that this person may take, the oldest first.

    In their domains, without a seat of theirs, by nobody they have a conflict with.
    """
    return (
        Task.objects.filter(stage=Stage.IN_REVIEW, domain_id__in=user.qualified_domain_ids())
        .exclude(author_id=user.pk)
        .exclude(author_id__in=people_in_conflict_with(user))
        .exclude(seats__user=user)
        .annotate(
            reviewers=Count(
                "reviews",
                filter=Q(reviews__state=Review.State.ASSIGNED)
                & still_qualified(F("domain_id"), "reviews__"),
                distinct=True,
            ),
            newest=newest_closed_version("pk"),
        )
        .filter(reviewers__lt=settings.REVIEWERS_PER_TASK)
        .annotate(line_count=_count(Criterion.objects.filter(version_id=OuterRef("newest"))))
        .select_related("domain", "category")
        .only("title", "language", "stage_since", "domain", "category")
        .order_by("stage_since", "pk")
    )

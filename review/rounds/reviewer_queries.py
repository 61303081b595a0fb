"""The data of a reviewer's page: frozen values, with names only where the terms show them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Q
from django.utils.translation import gettext as _

from curation.tasks.task.models import Task
from review.policy.actions import terms_of
from review.policy.models import ReviewTerms
from review.rounds import pace
from review.rounds.access import Content, differences
from review.rounds.assignment_models import Comment, LineReview, Review, Round, Suggestion
from review.rounds.closing import rounds_over
from review.rounds.threads import SpeakerNames, names_of, round_name, threads
from review.senior_seats.models import SpotCheck, SpotCheckMark
from rubrics.lines.threads import Remark
from rubrics.marks.queries import ShownMark, waived_marks
from rubrics.versions import diff
from rubrics.versions.models import Criterion
from rubrics.versions.queries import reasons_of
from rubrics.versions.task_text import TaskText, text_of


@dataclass(frozen=True)
class LastRequest:
    """The request on a line in the last round.

    Attributes:
        who: who made it: "you", "colleague" or "senior".
        aspect: the aspect or test, in words; empty if none was named.
        suggested: the reviewer's suggestion, if any.
    """

    who: str
    aspect: str
    suggested: Content | None = None

    def taken_by(self, line: Content) -> bool:
        """Return whether the author took the suggestion unchanged."""
        return self.suggested is not None and diff.same_content(self.suggested, line)


@dataclass(frozen=True)
class ReviewLine:
    """A line with the reviewer's verdict and thread.

    Attributes:
        n: its number, from 1.
        state: "approve", "change", or "open" without a verdict.
        approved_in: the round an approval was carried over from; 0 if given in this round.
        old: the line in the reviewer's previous round, if it changed since.
        is_new: added since that round.
        why: the author's reason for changing the drafted line.
        aside: the linter's marks that the author set aside, with the reasons.
        asked: the last round's request on it.
        suggestion: this reviewer's suggestion in this round.
        remark: this reviewer's newest remark in this round.
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
    aside: tuple[ShownMark, ...] = ()
    asked: LastRequest | None = None
    suggestion: Content | None = None
    remark: str = ""

    @property
    def group(self) -> str:
        """Its group in the list: "asked", "changed" or "rest"."""
        return "asked" if self.asked else "changed" if self.changed else "rest"

    @property
    def suggested_meta(self) -> str:
        """What this reviewer suggests besides the text, as "weight 5 → 7"."""
        wanted = self.suggestion
        return differences(self.content, wanted) if wanted is not None else ""

    @property
    def taken(self) -> bool:
        """Whether the author took the suggestion unchanged."""
        return self.asked is not None and self.asked.taken_by(self.content)

    @property
    def pk(self) -> int:
        return self.content.pk

    @property
    def changed(self) -> bool:
        """Whether it was changed or added since the reviewer's previous round."""
        return self.old is not None or self.is_new

    @property
    def aspect_label(self) -> str:
        return str(LineReview.Aspect(self.aspect).label) if self.aspect else ""

    @property
    def tick(self) -> str:
        return {"approve": "yes", "change": "no"}.get(self.state, "open")

    @property
    def last_words(self) -> str:
        """This reviewer's newest remark of any round."""
        return next((r.text for r in reversed(self.remarks) if r.who == _("You")), "")

    @property
    def old_meta(self) -> str:
        """Which of importance, weight and dimension changed, as "weight 5 → 7"."""
        return differences(self.old, self.content) if self.old is not None else ""


@dataclass(frozen=True)
class ReviewPage:
    """A reviewer's page over one round, open or finished.

    Attributes:
        lines: lines with a request first, then changed ones, then the rest.
        removed: lines removed since the reviewer's previous round.
        aside: marks of the whole rubric that the author set aside.
        author: the author's name where the terms show names; else empty.
        is_last_round: whether a senior settles what is open after this round.
        pace: a warning that drafted lines were kept faster than they can be read; usually empty.
    """

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
    aside: tuple[ShownMark, ...] = ()
    author: str = ""
    reviewers: int = 1
    is_last_round: bool = False
    pace: str = ""

    @property
    def still_asked(self) -> int:
        return sum(line.asked is not None for line in self.lines)

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
        """Return the next line without a verdict after a line number, starting again at the top."""
        numbers = [line.n for line in self.lines]
        at = numbers.index(after) + 1 if after in numbers else 0
        following = [*self.lines[at:], *self.lines[:at]]
        return next((line for line in following if line.state == "open"), None)


ORDER = ("asked", "changed", "rest")


def review_page(review: Review) -> ReviewPage:
    """Load the page of a review's open or last finished round. A fixed number of queries."""
    rounds = list(review.rounds.select_related("version").order_by("-number"))
    current = rounds[0]
    previous = rounds[1] if len(rounds) > 1 else None
    task = Task.objects.select_related("review_terms", "domain", "category").get(pk=review.task_id)
    terms = terms_of(task)
    names = names_of(task.pk, hidden=terms.hide_names)
    rows = _contents([current.version_id, *([previous.version_id] if previous else [])])
    now = rows[current.version_id]
    before = rows[previous.version_id] if previous else []
    verdicts = {v.criterion_id: v for v in current.lines.select_related("suggestion")}
    approvals = _approvals(review, current) if previous else {}
    remarks = _remarks(review, current, terms, names)
    reasons = reasons_of(task)
    asked = _asked(review, current, previous)
    text = text_of(task)
    aside = waived_marks(text, current.version, now)
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
                remarks=tuple(remarks.get(content.key, ())),
                why=reasons.get(content.key, ""),
                aside=tuple(aside.get(content.key, ())),
                asked=asked.get(content.key),
                suggestion=_suggestion_content(content.key, getattr(verdict, "suggestion", None)),
                remark=_own_newest_remark(remarks.get(content.key, ()), current.number),
            )
        )
    return ReviewPage(
        pk=review.pk,
        number=review.number,
        round=current.number,
        round_pk=current.pk,
        open=current.finished_at is None,
        stage=task.stage,
        due_at=review.due_at,
        saved_at=max((v.at for v in verdicts.values()), default=None),
        task=text,
        lines=tuple(sorted(lines, key=lambda line: (ORDER.index(line.group), line.n))),
        removed=tuple(row.old for row in compared if row.kind == "removed"),
        aside=tuple(aside.get("", ())),
        author=names.get(task.author_id or 0, ""),
        reviewers=terms.reviewers,
        # There are never more rounds than versions, so the query is often not needed.
        is_last_round=current.version.number >= terms.rounds
        and rounds_over(task, current.version) >= terms.rounds,
        pace=pace.of_author(task) if current.number == 1 and not current.finished_at else "",
    )


def _own_newest_remark(remarks: Sequence[Remark], number: int) -> str:
    """Return the reviewer's own newest remark of this round."""
    own = (r.text for r in reversed(remarks) if r.who == _("You") and r.meta == round_name(number))
    return next(filter(None, own), "")


def _suggestion_content(key: str, suggestion: Any) -> Content | None:
    if suggestion is None:
        return None
    fields = ("text", "importance", "weight", "dimension")
    return Content(suggestion.pk, key, *(getattr(suggestion, name) for name in fields))


def _asked(review: Review, current: Round, previous: Round | None) -> dict[str, LastRequest]:
    """Return line key -> the request since the previous version.

    This reviewer's own request takes precedence, then a senior's, then a colleague's.
    """
    since = previous.version.number if previous else 0
    found: dict[str, LastRequest] = {}
    requests = (
        LineReview.objects.filter(
            round__review__task=review.task_id,
            round__version__number__gte=since,
            round__version__number__lt=current.version.number,
            round__finished_at__isnull=False,
            verdict=LineReview.Verdict.CHANGE,
        )
        .exclude(round__finished_at=F("round__opened_at"))  # rounds that were not finished
        .annotate(review=F("round__review"))
        .select_related("criterion", "suggestion")
        .order_by("round__version__number", "pk")
    )
    for row in sorted(requests, key=lambda row: row.review == review.pk):
        who = "you" if row.review == review.pk else "colleague"
        key = row.criterion.key
        wanted = _suggestion_content(key, getattr(row, "suggestion", None))
        found[key] = LastRequest(who, row.get_aspect_display(), wanted)
    marks = SpotCheckMark.objects.filter(
        spot_check__task=review.task_id,
        spot_check__verdict=SpotCheck.Verdict.SEND_BACK,
        spot_check__version__number__gte=since,
        spot_check__version__number__lt=current.version.number,
    )
    for key, test in marks.values_list("criterion__key", "test"):
        if key not in found or found[key].who == "colleague":
            found[key] = LastRequest("senior", str(SpotCheckMark.Test(test).label))
    return found


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
    """Return line key -> the last earlier round in which it was approved by hand."""
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


def _remarks(
    review: Review, current: Round, terms: ReviewTerms, names: dict[int, str]
) -> dict[str, list[Remark]]:
    """Return line key -> the remarks this reviewer may read.

    A colleague's remarks appear only after this reviewer has finished the same version: at once, or
    with the next version, as the terms say.
    """
    before = Q(round__version__number__lt=current.version.number)
    if current.finished_at and terms.colleagues == ReviewTerms.Colleagues.OWN_ROUND:
        before |= Q(round__version__number=current.version.number)
    colleagues = Q(round__finished_at__isnull=False) & before
    mine = Q(round__review=review.pk)
    others = Q(side__in=[Comment.Side.AUTHOR, Comment.Side.SENIOR])
    suggestions = Suggestion.objects.annotate(
        of=F("line__round__review"), number=F("line__round__version__number")
    ).filter(line__round__review__task=review.task_id)
    newest_readable = current.version.number - (
        not (current.finished_at and terms.colleagues == ReviewTerms.Colleagues.OWN_ROUND)
    )
    return threads(
        Comment.objects.filter(others | mine | colleagues, task_id=review.task_id),
        suggestions.filter(
            Q(of=review.pk) | Q(line__round__finished_at__isnull=False, number__lte=newest_readable)
        ),
        SpeakerNames(review=review.pk, names=names),
    )

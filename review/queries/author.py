"""What an author may read of the reviews of a task: finished rounds, roles instead of names."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import F, OuterRef, Subquery
from django.utils.translation import gettext as _

from review.models import Comment, LineReview, Review
from rubrics.queries import counting_versions
from rubrics.threads import Remark, Request, Thread


def newest_closed_version(task: str) -> Subquery:
    """A subquery: the version that counts, of the (own) task in the outer column."""
    return Subquery(
        counting_versions().filter(task_id=OuterRef(task)).order_by("-number").values("pk")[:1]
    )


class AuthorReader:
    """Answers `rubrics.threads` from the reviews."""

    def requests(self, task_ids: Collection[int]) -> Mapping[int, Mapping[str, Request]]:
        """Task id -> line key -> what the finished round over the newest version asks for."""
        asked = (
            LineReview.objects.filter(
                round__review__task_id__in=task_ids,
                round__review__state=Review.State.ASSIGNED,
                round__finished_at__isnull=False,
                verdict=LineReview.Verdict.CHANGE,
            )
            .annotate(
                newest=newest_closed_version("round__review__task_id"),
                task_id=F("round__review__task_id"),
                finished_at=F("round__finished_at"),
            )
            .filter(round__version_id=F("newest"))
            .select_related("criterion")
            .order_by("criterion__position", "at")
        )
        rows = list(asked)
        replies: dict[tuple[int, str], list] = defaultdict(list)
        if rows:
            for task_id, key, at in Comment.objects.filter(
                task_id__in={row.task_id for row in rows}, side=Comment.Side.AUTHOR
            ).values_list("task_id", "line_key", "at"):
                replies[task_id, key].append(at)
        found: dict[int, dict[str, Request]] = defaultdict(dict)
        for row in rows:
            line = row.criterion
            found[row.task_id][line.key] = Request(
                key=line.key,
                aspect=LineReview.Aspect(row.aspect).label,
                asked=line,
                answered=any(at >= row.finished_at for at in replies[row.task_id, line.key]),
            )
        return found

    def threads(self, task_id: int) -> Mapping[str, Thread]:
        """Line key -> the remarks of finished rounds and the author's own."""
        remarks: dict[str, list[Remark]] = defaultdict(list)
        rows = (
            Comment.objects.filter(task_id=task_id)
            .exclude(round__isnull=False, round__finished_at__isnull=True)
            .order_by("at", "id")
            .values_list("line_key", "side", "round__number", "round__review__number", "at", "text")
        )
        for key, side, round_number, reviewer, at, text in rows:
            remarks[key].append(
                Remark(
                    who=_("You") if side == Comment.Side.AUTHOR else reviewer_name(reviewer),
                    meta=round_name(round_number),
                    at=at,
                    text=text,
                )
            )
        return {key: Thread(key, tuple(rows)) for key, rows in remarks.items()}


def reviewer_name(number: int | None) -> str:
    """What a reviewer is called on every page."""
    return _("Reviewer %(n)s") % {"n": number} if number else _("Reviewer")


def round_name(number: int | None) -> str:
    """ "round 2", or nothing for a remark outside a round."""
    return _("round %(n)s") % {"n": number} if number else ""

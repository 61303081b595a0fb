"""What an author may read of a task's reviews: finished rounds, roles instead of names."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Exists, F, OuterRef

from review.rounds.assignment_models import Comment, LineReview, Suggestion
from review.rounds.assignment_queries import asks_the_author, newest_closed_version
from review.rounds.threads import SpeakerNames, names_of, proposal_of, reviewer_name, threads
from review.senior_seats.models import SpotCheck, SpotCheckMark
from rubrics.lines.threads import Request, Thread


class AuthorReader:
    """Reader of `rubrics.lines.threads`, from the reviews and the spot checks."""

    def requests(self, task_ids: Collection[int]) -> Mapping[int, Mapping[str, Request]]:
        """Return task id -> line key -> the request on the newest version.

        From finished rounds, or from the spot check that sent the version back. Two queries at
        most.
        """
        asked = _by_reviewers(task_ids)
        # A version with requests from reviewers was not spot-checked, and the other way round.
        rest = set(task_ids) - {row[0] for row in asked}
        asked += _by_seniors(rest) if rest else []
        together: dict[tuple[int, str], list] = defaultdict(list)
        for task_id, line, aspect, answered, proposals in asked:
            together[task_id, line.key].append((line, aspect, answered, proposals))
        found: dict[int, dict[str, Request]] = defaultdict(dict)
        for (task_id, key), rows in together.items():
            found[task_id][key] = Request(
                key=key,
                aspect=", ".join(dict.fromkeys(str(row[1]) for row in rows if row[1])),
                asked=rows[0][0],
                answered=all(row[2] for row in rows),
                proposals=tuple(proposal for row in rows for proposal in row[3]),
            )
        return found

    def threads(self, task_id: int) -> Mapping[str, Thread]:
        """Return line key -> the remarks of finished rounds and the author's own."""
        said = threads(
            Comment.objects.filter(task_id=task_id).exclude(
                round__isnull=False, round__finished_at__isnull=True
            ),
            Suggestion.objects.filter(
                line__round__review__task=task_id, line__round__finished_at__isnull=False
            ),
            SpeakerNames(author=True, names=names_of(task_id)),
        )
        return {key: Thread(key, tuple(rows)) for key, rows in said.items()}


def _answered(task: str, since: str) -> Exists:
    """Return the condition that the author replied in the line's thread since a time.

    Args:
        task, since: outer columns with the task's id and the time.
    """
    return Exists(
        Comment.objects.filter(
            task=OuterRef(task),
            line_key=OuterRef("criterion__key"),
            side=Comment.Side.AUTHOR,
            at__gte=OuterRef(since),
        )
    )


def _by_reviewers(task_ids: Collection[int]) -> list[tuple[Any, ...]]:
    """Return (task id, line, aspect, answered, proposals) of each reviewer's request."""
    rows = (
        LineReview.objects.filter(
            asks_the_author("round__"),
            round__review__task_id__in=task_ids,
            verdict=LineReview.Verdict.CHANGE,
        )
        .annotate(
            newest=newest_closed_version("round__review__task_id"),
            task_id=F("round__review__task_id"),
            answered=_answered("round__review__task_id", "round__finished_at"),
            reviewer=F("round__review__number"),
        )
        .filter(round__version_id=F("newest"))
        .select_related("criterion", "suggestion")
        .order_by("criterion__position", "at")
    )
    return [
        (
            row.task_id,
            row.criterion,
            row.get_aspect_display(),
            row.answered,
            tuple(filter(None, [proposal_of(row, reviewer_name(row.reviewer))])),
        )
        for row in rows
    ]


def _by_seniors(task_ids: Collection[int]) -> list[tuple[Any, ...]]:
    """Return the same tuples for lines marked by the spot check that sent the version back."""
    rows = (
        SpotCheckMark.objects.filter(
            spot_check__task_id__in=task_ids, spot_check__verdict=SpotCheck.Verdict.SEND_BACK
        )
        .annotate(
            newest=newest_closed_version("spot_check__task_id"),
            answered=_answered("spot_check__task_id", "spot_check__at"),
        )
        .filter(spot_check__version_id=F("newest"))
        .select_related("criterion", "spot_check")
        .order_by("criterion__position")
    )
    return [
        (
            mark.spot_check.task_id,
            mark.criterion,
            SpotCheckMark.Test(mark.test).label,
            mark.answered,
            (),
        )
        for mark in rows
    ]

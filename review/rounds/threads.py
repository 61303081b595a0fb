"""The threads of a task's lines: remarks and suggestions, with the names a reader may see."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, IntegerField, QuerySet, TextField, Value
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from curation.joining.people import User
from review.policy.models import ReviewTerms
from review.rounds.assignment_models import Comment, Suggestion
from rubrics.lines.threads import Proposal, Remark


def reviewer_name(number: int | None) -> str:
    """Return what a reviewer is called on every page: "Reviewer 2"."""
    return _("Reviewer %(n)s") % {"n": number} if number else _("Reviewer")


def round_name(number: int | None) -> str:
    """Return a round's name ("round 2"); empty outside a round."""
    return _("round %(n)s") % {"n": number} if number else ""


@dataclass(frozen=True)
class SpeakerNames:
    """What a reader may call the writers of remarks: a role, with a name if the terms show names.

    Attributes:
        author: whether the reader is the author.
        review: id of the reader's own review, if they are a reviewer.
        names: person id -> name; empty where names are hidden.
    """

    author: bool = False
    review: int | None = None
    names: Mapping[int, str] = field(default_factory=dict)

    def name_for(self, side: str, review: int | None, number: int | None, person: int) -> str:
        """Return what the writer of a remark is called."""
        if side == Comment.Side.SENIOR:
            return _("Senior")
        mine = self.author if side == Comment.Side.AUTHOR else review == self.review is not None
        if mine:
            return _("You")
        role = _("Author") if side == Comment.Side.AUTHOR else reviewer_name(number)
        name = self.names.get(person)
        return f"{role}, {name}" if name else role


def names_of(task_id: int, *, hidden: bool | None = None) -> dict[int, str]:
    """Return person id -> name of author and reviewers; empty if the review's terms hide names.

    Hidden names are never selected.

    Args:
        hidden: whether names are hidden; None to look it up.
    """
    if hidden is None:
        terms = ReviewTerms.objects.filter(task=task_id)
        hidden = terms.values_list("hide_names", flat=True).first() is not False
    if hidden:
        return {}
    people = User.objects.filter(seats__task=task_id, seats__role__in=["author", "reviewer"])
    return {who.pk: who.display_name or who.pseudonym for who in people.only("display_name")}


COMMENT = {
    "key": "line_key",
    "by": "side",
    "in_round": "round__number",
    "of_review": "round__review_id",
    "reviewer": "round__review__number",
    "who": "person_id",
    "when": "at",
    "body": "text",
}
SUGGESTION = {
    "key": "line__criterion__key",
    "in_round": "line__round__number",
    "of_review": "line__round__review_id",
    "reviewer": "line__round__review__number",
    "who": "line__round__review__reviewer_id",
    "when": "line__at",
    "body": "text",
    "suggestion": "pk",
    "its_importance": "importance",
    "its_weight": "weight",
    "its_dimension": "dimension",
    "instead_of": "line__criterion__text",
    "old_importance": "line__criterion__importance",
    "old_weight": "line__criterion__weight",
    "old_dimension": "line__criterion__dimension",
}
COLUMNS = list(COMMENT | SUGGESTION)
NUMBERS = ("suggestion", "its_weight", "old_weight")


def threads(
    comments: QuerySet[Comment], suggestions: QuerySet[Suggestion], speakers: SpeakerNames
) -> dict[str, list[Remark]]:
    """Return line key -> the remarks and suggestions on it, oldest first. One query.

    Args:
        comments, suggestions: those the reader may see.
    """
    found: dict[str, list[Remark]] = defaultdict(list)
    said = _columns(comments, COMMENT).union(
        _columns(suggestions, SUGGESTION | {"by": Value(Comment.Side.REVIEWER)}), all=True
    )
    for row in sorted(said, key=lambda row: (row["when"], row["suggestion"] or 0)):
        who = speakers.name_for(row["by"], row["of_review"], row["reviewer"], row["who"])
        proposal = None
        if row["suggestion"] is not None:
            proposal = Proposal(
                pk=row["suggestion"],
                who=who,
                text=row["body"],
                importance=row["its_importance"],
                weight=row["its_weight"],
                dimension=row["its_dimension"],
                instead_of=row["instead_of"],
                was=(row["old_importance"], row["old_weight"], row["old_dimension"]),
            )
        words = "" if proposal else row["body"]
        found[row["key"]].append(
            Remark(who, round_name(row["in_round"]), row["when"], words, proposal)
        )
    return found


def _columns(rows: Any, known: Mapping[str, Any]) -> Any:
    """Select the columns of a thread, in a fixed order; NULL for columns the rows do not have."""
    nothing = {
        name: Cast(Value(None), IntegerField() if name in NUMBERS else TextField())
        for name in COLUMNS
    }
    columns = nothing | {name: F(at) if isinstance(at, str) else at for name, at in known.items()}
    return rows.order_by().values(**columns)


def proposal_of(row: Any, who: str) -> Proposal | None:
    """Return the suggestion of a request; None without one.

    Args:
        row: a `LineReview` with its `suggestion` and `criterion` loaded.
    """
    suggestion = getattr(row, "suggestion", None)
    if suggestion is None:
        return None
    return Proposal(
        pk=suggestion.pk,
        who=who,
        text=suggestion.text,
        importance=suggestion.importance,
        weight=suggestion.weight,
        dimension=suggestion.dimension,
        instead_of=row.criterion.text,
    )

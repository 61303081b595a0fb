"""What a copy of a person's data holds of their reviews and audits."""

from django.db.models import F, Q

from curation.leaving.data_copies.parts import Part
from review.conflicts.models import ConflictOfInterest, ConflictStep, Declaration
from review.decisions.models import LineDecision
from review.rounds.assignment_models import Comment, LineReview, Review, Suggestion
from review.senior_seats.models import SpotCheck, SpotCheckMark, SpotCheckRelease

_CONFLICT = ("kind", "since", "until", "state", "at")

PARTS = (
    Part(
        "reviews",
        Review,
        "reviewer",
        ("task__key", "state", "number", "reason", "assigned_at", "due_at"),
    ),
    Part(
        "review_verdicts",
        LineReview,
        "round__review__reviewer",
        (
            *("round__review__task__key", "round__number", "criterion__key"),
            *("verdict", "aspect", "carried_over", "at"),
        ),
    ),
    Part(
        "review_suggestions",
        Suggestion,
        "line__round__review__reviewer",
        (
            *("line__round__review__task__key", "line__criterion__key", "text"),
            *("importance", "weight", "dimension"),
        ),
    ),
    Part(
        "comments_on_own_lines",
        Comment,
        "task__author",
        ("task__key", "line_key", "side", "text", "at"),
        Q(round=None) | Q(round__finished_at__isnull=False),
    ),
    Part(
        "decisions_on_own_lines",
        LineDecision,
        "task__author",
        ("task__key", "criterion__key", "outcome", "text", "reason", "at"),
        Q(closed_at__isnull=False),
    ),
    Part("comments", Comment, "person", ("task__key", "line_key", "side", "text", "at")),
    Part(
        "line_decisions",
        LineDecision,
        "senior",
        (
            *("task__key", "criterion__key", "outcome", "text", "importance", "weight"),
            *("dimension", "reason", "at"),
        ),
    ),
    Part(
        "spot_checks",
        SpotCheck,
        "senior",
        ("task__key", "consistent", "aligned", "evaluable", "verdict", "remarks", "at"),
    ),
    Part(
        "spot_check_marks",
        SpotCheckMark,
        "spot_check__senior",
        ("spot_check__task__key", "criterion__key", "test", "remark"),
    ),
    Part("spot_checks_released", SpotCheckRelease, "senior", ("task__key", "at")),
    Part(
        "declarations",
        Declaration,
        "person",
        ("kind", "name", "email", "since", "until", "note", "at", "withdrawn_at"),
    ),
    Part(
        "conflict_answers",
        ConflictStep,
        "by",
        ("conflict__kind", "kind", "reason", "at"),
        Q(kind__in=["confirmed", "disputed"]),
    ),
    # The other person is left out: a number would link a name to a pseudonym.
    # Those that the person declared are among the declarations, which do not tell who is a member.
    Part("conflicts_as_one", ConflictOfInterest, "one", _CONFLICT, ~Q(declared_by=F("one"))),
    Part("conflicts_as_other", ConflictOfInterest, "other", _CONFLICT, ~Q(declared_by=F("other"))),
)

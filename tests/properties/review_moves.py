"""What the panel and the reviewers can do."""

from collections.abc import Callable
from typing import Any

from curation.base.process.roles import Role
from curation.tasks.task.models import Seat
from review.rounds.assignment_models import Review
from rubrics.versions.models import Criterion
from tests.properties.asking import MOVES, WORDS, Ask, Move, move, pick, task_of
from tests.properties.world import World


@move
def join_panel(world: World, a: int, b: int) -> Ask | None:
    return Ask("screening-join", (task_of(world, a).pk,), {}, ("first", "second")[b % 2])


@move
def vote(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    seated = Seat.objects.filter(task=task, role=Role.SCREENER).order_by("pk")
    decision = ("keep", "keep", "keep", "return", "reject", "perhaps")[b % 6]
    form = {
        **dict.fromkeys(("difficult", "representative", "gradable"), "yes"),
        "decision": decision,
        "reasons": "Hard, typical, gradable." if b % 5 else "",
    }
    who = pick(list(seated), b)
    return Ask("screening-vote", (task.pk,), form, world.name_of(who.user_id if who else None))


# --- reviews --------------------------------------------------------------------------------------
@move
def take_review(world: World, a: int, b: int) -> Ask | None:
    return Ask("review-take", (task_of(world, a).pk,), {}, ("first", "second", "tied")[b % 3])


@move
def give_reviewer(world: World, a: int, b: int) -> Ask | None:
    people = [world.people[name] for name in ("first", "second", "tied", "author", "senior")]
    chosen = pick(people, b)
    assert chosen is not None
    return Ask("staff-review-assign", (task_of(world, a).pk,), {"reviewer": chosen.pk}, "staff")


def review_of(world: World, a: int) -> Review | None:
    return pick(list(Review.objects.filter(task__in=world.task_ids).order_by("-pk")), a)


def _reviewed_line(review: Review, b: int) -> Criterion | None:
    """A line of the newest round, or now and then of another version or task."""
    newest = review.rounds.order_by("-number").first()
    if newest is None or b % 11 == 10:
        return pick(list(Criterion.objects.order_by("pk")), b)
    return pick(list(newest.version.criteria.order_by("position", "id")), b)


def _on_review(route: str, form: Callable[[int], dict[str, Any]]) -> Move:
    def do(world: World, a: int, b: int) -> Ask | None:
        review = review_of(world, a)
        line = _reviewed_line(review, b) if review else None
        if review is None or line is None:
            return None
        sent = form(b)
        return Ask(
            route,
            (review.pk, line.pk),
            sent,
            world.name_of(review.reviewer_id),
            says=sent.get("comment", ""),
        )

    return do


MOVES["approve"] = _on_review("review-line", lambda b: {"verdict": "approve"})
MOVES["ask_for_change"] = _on_review(
    "review-line",
    lambda b: {
        "verdict": "change",
        "aspect": ("factual", "clarity", "atomicity", "weight", "tone")[b % 5],
        "comment": f"Say which figure, {b}." if b % 7 else "",
        **({"suggest_text": f"{WORDS[b % 4]} {b}", "suggest_weight": str(b % 12)} if b % 2 else {}),
    },
)
MOVES["take_verdict_back"] = _on_review("review-line-undo", lambda b: {})
MOVES["remark"] = _on_review(
    "review-comment", lambda b: {"comment": f"See also line {b}." if b % 6 else " "}
)


@move
def finish(world: World, a: int, b: int) -> Ask | None:
    review = review_of(world, a)
    if review is None:
        return None
    return Ask("review-finish", (review.pk,), {}, world.name_of(review.reviewer_id))


@move
def decline(world: World, a: int, b: int) -> Ask | None:
    review = review_of(world, a)
    if review is None:
        return None
    form = {"reason": "I am away next week."} if b % 3 == 0 else {}
    return Ask("review-decline", (review.pk,), form, world.name_of(review.reviewer_id))


@move
def resume(world: World, a: int, b: int) -> Ask | None:
    reviews = Review.objects.filter(task__in=world.task_ids).order_by("state", "-pk")
    expired = list(reviews.filter(state=Review.State.EXPIRED))
    review = pick(expired * 3 + list(reviews), a)  # those that expired more often
    if review is None:
        return None
    return Ask("review-resume", (review.pk,), {}, world.name_of(review.reviewer_id))

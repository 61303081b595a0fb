"""Every step a person can take on a task, its rubric or its review, as a request.

A move picks its target by number, so that a walk is a list of small numbers: it can be repeated
and made shorter. `rightly` names the person whose move it would be.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.urls import reverse

from curation.amendments.models import Amendment
from curation.process.roles import Role
from curation.tasks.models import Seat
from review.assignment.models import Review, Suggestion
from rubrics.marks.queries import rubric_marks
from rubrics.versions.models import Criterion, LineChange
from tests.properties.world import World

T = TypeVar("T")
WORDS = (
    "States the covenant ratio as 3.4 times.",
    "Names the lender and the date of the test.",
    "Gives EUR 38.0 million as the price.",
    "",
)


@dataclass(frozen=True)
class Ask:
    """A request, and the person whose step it would rightly be."""

    route: str
    args: tuple[Any, ...]
    form: dict[str, Any]
    rightly: str
    method: str = "post"
    says: str = ""  # a remark that is on record once the request was taken

    @property
    def path(self) -> str:
        return reverse(self.route, args=self.args)


def pick(items: Sequence[T], number: int) -> T | None:
    return items[number % len(items)] if items else None


Move = Callable[[World, int, int], Ask | None]
MOVES: dict[str, Move] = {}


def move(do: Move) -> Move:
    MOVES[do.__name__] = do
    return do


def _task(world: World, a: int) -> Any:
    return pick(world.tasks(), a)


def _line(task: Any, b: int) -> Criterion | None:
    """A line of the task, twice as often of its newest version as of an older one."""
    newest = task.rubric_versions.order_by("-number").first()
    lines = list(Criterion.objects.filter(version__task=task).order_by("pk"))
    return pick([line for line in lines if line.version_id == newest.pk] * 2 + lines, b)


def _rubric(route: str, form: Callable[[int, Criterion], dict[str, Any]]) -> Move:
    def do(world: World, a: int, b: int) -> Ask | None:
        task = _task(world, a)
        line = _line(task, b) if task.rubric_versions.exists() else None
        if line is None:
            return None
        return Ask(route, (task.pk, line.pk), form(b, line), world.name_of(task.author_id))

    return do


MOVES["edit"] = _rubric(
    "rubric-line", lambda b, line: {"text": f"{WORDS[b % 4]} {b}", "weight": str(1 + b % 12)}
)
MOVES["confirm"] = _rubric("rubric-line", lambda b, line: {"then": "next"})
MOVES["shift"] = _rubric("rubric-line-move", lambda b, line: {"by": str(b % 5 - 2)})
MOVES["split"] = _rubric("rubric-line-split", lambda b, line: {"at": str(b % 30)})
MOVES["merge"] = _rubric("rubric-line-merge", lambda b, line: {})
MOVES["remove"] = _rubric("rubric-line-remove", lambda b, line: {})


@move
def add(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    form = {"text": f"{WORDS[b % 4]} {a}.{b}" if b % 4 < 3 else " "}
    return Ask("rubric-line-add", (task.pk,), form, world.name_of(task.author_id))


@move
def undo(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    steps = list(LineChange.objects.filter(version__task=task).order_by("-pk"))
    step = pick(steps, b)
    if step is None:
        return None
    return Ask("rubric-line-restore", (task.pk, step.pk), {}, world.name_of(task.author_id))


@move
def bring_back(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    drafted = pick(list(Criterion.objects.filter(version__task=task, version__origin="draft")), b)
    form = {"bring_back": drafted.pk if drafted else 0}
    return Ask("rubric-draft", (task.pk,), form, world.name_of(task.author_id))


@move
def send(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    form = {"as_drafted": "1"} if b % 3 else {}
    return Ask("rubric-send", (task.pk,), form, world.name_of(task.author_id))


@move
def set_aside(world: World, a: int, b: int) -> Ask | None:
    """Give a reason for a mark of the linter, take one back, or name a mark that is gone."""
    task = _task(world, a)
    version = task.rubric_versions.filter(frozen_at__isnull=True).first()
    lines = list(version.criteria.order_by("position", "id")) if version else []
    marked = rubric_marks(task, lines)
    found = [
        (line, mark) for line, marks in zip(lines, marked.lines, strict=True) for mark in marks
    ]
    chosen = pick(found, b)
    line = chosen[0] if chosen else pick(lines, b)
    if line is None:
        return None
    token = chosen[1].token if chosen else "0" * 64
    reason = "The memo calls it so." if b % 4 else " "
    form = {"unmark": token} if b % 5 == 4 else {"mark": token, f"because-{token}": reason}
    args = (task.pk, line.pk)
    return Ask("rubric-line-mark", args, form, world.name_of(task.author_id))


@move
def mark_reference(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    line = _line(task, b) if task.rubric_versions.exists() else None
    if line is None:
        return None
    form = {"met": ("1", "0", "")[b % 3], "why": "It names no table." if b % 2 else ""}
    args = (task.pk, line.pk)
    return Ask("rubric-line-reference", args, form, world.name_of(task.author_id))


@move
def reply(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    line = _line(task, b) if task.rubric_versions.exists() else None
    words = f"As the memo says, {a}.{b}."
    form = {"key": line.key if line else "c1", "comment": words}
    who = world.name_of(task.author_id)
    return Ask("rubric-comment", (task.pk,), form, who, says=words)


@move
def withdraw(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    form = {"reason": "The figures are confidential."} if b % 4 == 0 else {}
    return Ask("task-withdraw", (task.pk,), form, world.name_of(task.author_id))


# --- the panel ------------------------------------------------------------------------------------
@move
def join_panel(world: World, a: int, b: int) -> Ask | None:
    return Ask("screening-join", (_task(world, a).pk,), {}, ("first", "second")[b % 2])


@move
def vote(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
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
    return Ask("review-take", (_task(world, a).pk,), {}, ("first", "second", "tied")[b % 3])


@move
def give_reviewer(world: World, a: int, b: int) -> Ask | None:
    people = [world.people[name] for name in ("first", "second", "tied", "author", "senior")]
    chosen = pick(people, b)
    assert chosen is not None
    return Ask("staff-review-assign", (_task(world, a).pk,), {"reviewer": chosen.pk}, "staff")


def _review(world: World, a: int) -> Review | None:
    return pick(list(Review.objects.filter(task__in=world.task_ids).order_by("-pk")), a)


def _reviewed_line(review: Review, b: int) -> Criterion | None:
    """A line of the newest round, or now and then of another version or task."""
    newest = review.rounds.order_by("-number").first()
    if newest is None or b % 11 == 10:
        return pick(list(Criterion.objects.order_by("pk")), b)
    return pick(list(newest.version.criteria.order_by("position", "id")), b)


def _on_review(route: str, form: Callable[[int], dict[str, Any]]) -> Move:
    def do(world: World, a: int, b: int) -> Ask | None:
        review = _review(world, a)
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
    review = _review(world, a)
    if review is None:
        return None
    return Ask("review-finish", (review.pk,), {}, world.name_of(review.reviewer_id))


@move
def decline(world: World, a: int, b: int) -> Ask | None:
    review = _review(world, a)
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


# --- seniors and staff ----------------------------------------------------------------------------
@move
def take_spot_check(world: World, a: int, b: int) -> Ask | None:
    return Ask("spot-check-take", (_task(world, a).pk,), {}, ("senior", "deputy")[b % 2])


@move
def decide_spot_check(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    seat = Seat.objects.filter(task=task, role=Role.SPOT_CHECKER).order_by("-taken_at").first()
    verdict = ("accept", "send_back", "accept", "discard", "send_back", "perhaps")[b % 6]
    form = {
        "consistent": "yes",
        "aligned": "no" if b % 4 == 3 else "yes",
        "evaluable": "yes",
        "verdict": verdict,
        "remarks": "Read line by line." if b % 5 else "",
        "confirmed": "1",
    }
    return Ask("spot-check", (task.pk,), form, world.name_of(seat.user_id if seat else None))


def _of_staff(route: str) -> Move:
    def do(world: World, a: int, b: int) -> Ask | None:
        form = {"reason": "The owner asked for it."} if b % 3 else {"reason": " "}
        return Ask(route, (_task(world, a).pk,), form, "staff")

    return do


@move
def take_suggestion(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    offered = Suggestion.objects.filter(line__round__review__task=task).order_by("-pk")
    suggestion = pick(list(offered), b)
    if suggestion is None:
        return None
    args = (task.pk, suggestion.pk)
    return Ask("rubric-suggestion-take", args, {}, world.name_of(task.author_id))


def _decider(world: World, task: Any) -> str:
    seat = Seat.objects.filter(task=task, role=Role.DECIDER).order_by("-taken_at").first()
    return world.name_of(seat.user_id) if seat else "senior"


@move
def take_decision(world: World, a: int, b: int) -> Ask | None:
    return Ask("decision-take", (_task(world, a).pk,), {}, ("senior", "deputy")[b % 2])


@move
def decide_line(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    line = _line(task, b) if task.rubric_versions.exists() else None
    if line is None:
        return None
    form = {
        "outcome": ("keep", "own", "suggestion:1", "keep", "perhaps")[b % 5],
        "reason": "The memo settles it." if b % 6 else "",
        "suggest_text": f"States figure {b} of the memo.",
    }
    return Ask("decision-line", (task.pk, line.pk), form, _decider(world, task))


@move
def close_decisions(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    return Ask("decision-close", (task.pk,), {}, _decider(world, task))


@move
def suspend_or_reinstate(world: World, a: int, b: int) -> Ask | None:
    """Suspending hands open work over to colleagues; it is lifted more often than it is done."""
    person = world.people[("first", "second", "senior", "deputy")[a % 4]]
    held = person.qualifications.get()
    form = {
        "domain": held.domain_id,
        "active": "1" if b % 3 else "0",
        "reason": "The review of standings." if b % 7 else "",
    }
    return Ask("staff-standing", (person.pk,), form, "staff")


MOVES["one_more_round"] = _of_staff("staff-one-more-round")
MOVES["release_spot_check"] = _of_staff("staff-spot-check-release")
MOVES["reopen"] = _of_staff("staff-task-reopen")
MOVES["discard"] = _of_staff("staff-task-discard")

PAGES = (
    "task",
    "rubric",
    "rubric-versions",
    "rubric-draft",
    "staff-task",
    "spot-check",
    "api-task",
)


@move
def read(world: World, a: int, b: int) -> Ask | None:
    """Open one of the pages; whoever it is, it never breaks."""
    review = _review(world, a)
    if b % 4 == 0 and review is not None:
        return Ask("review", (review.pk,), {}, world.name_of(review.reviewer_id), "get")
    task = _task(world, a)
    return Ask(PAGES[b % len(PAGES)], (task.pk,), {}, world.name_of(task.author_id), "get")


@move
def amend(world: World, a: int, b: int) -> Ask | None:
    """Staff propose another reference answer."""
    task = _task(world, a)
    form = {"version": task.version, "reference_answer": f"{WORDS[b % 4]} {b}.", "reason": "Wrong."}
    return Ask("task-amend", (task.pk,), form, "staff")


@move
def decide_amendment(world: World, a: int, b: int) -> Ask | None:
    task = _task(world, a)
    amendment = Amendment.objects.filter(task=task).first()
    if amendment is None:
        return None
    decision = ("rubric", "agree", "rubric", "refuse")[b % 4]
    form = {"decision": decision, "reason": "It is." if b % 5 else ""}
    return Ask("amendment", (amendment.pk,), form, ("senior", "deputy")[b % 2])


@move
def compare(world: World, a: int, b: int) -> Ask | None:
    """The author says that the rubric fits the amended text, keeping all lines, or none."""
    task = _task(world, a)
    lines = Criterion.objects.filter(version__task=task, version__frozen_at__isnull=True)
    kept = list(lines.values_list("pk", flat=True)) if b % 3 else []
    form = {"text_version": task.version, "kept": kept}
    return Ask("rubric-amended", (task.pk,), form, world.name_of(task.author_id))

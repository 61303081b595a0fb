"""What seniors and staff can do, and what everybody can open."""

from typing import Any

from curation.base.process.roles import Role
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.models import Seat
from review.rounds.assignment_models import Suggestion
from rubrics.versions.models import Criterion
from tests.properties.asking import MOVES, WORDS, Ask, Move, line_of, move, pick, task_of
from tests.properties.review_moves import review_of
from tests.properties.world import World


@move
def take_spot_check(world: World, a: int, b: int) -> Ask | None:
    return Ask("spot-check-take", (task_of(world, a).pk,), {}, ("senior", "deputy")[b % 2])


@move
def decide_spot_check(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
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
        return Ask(route, (task_of(world, a).pk,), form, "staff")

    return do


@move
def take_suggestion(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
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
    return Ask("decision-take", (task_of(world, a).pk,), {}, ("senior", "deputy")[b % 2])


@move
def decide_line(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    line = line_of(task, b) if task.rubric_versions.exists() else None
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
    task = task_of(world, a)
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
    review = review_of(world, a)
    if b % 4 == 0 and review is not None:
        return Ask("review", (review.pk,), {}, world.name_of(review.reviewer_id), "get")
    task = task_of(world, a)
    return Ask(PAGES[b % len(PAGES)], (task.pk,), {}, world.name_of(task.author_id), "get")


@move
def amend(world: World, a: int, b: int) -> Ask | None:
    """Staff propose another reference answer."""
    task = task_of(world, a)
    form = {"version": task.version, "reference_answer": f"{WORDS[b % 4]} {b}.", "reason": "Wrong."}
    return Ask("task-amend", (task.pk,), form, "staff")


@move
def decide_amendment(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    amendment = Amendment.objects.filter(task=task).first()
    if amendment is None:
        return None
    decision = ("rubric", "agree", "rubric", "refuse")[b % 4]
    form = {"decision": decision, "reason": "It is." if b % 5 else ""}
    return Ask("amendment", (amendment.pk,), form, ("senior", "deputy")[b % 2])


@move
def compare(world: World, a: int, b: int) -> Ask | None:
    """The author says that the rubric fits the amended text, keeping all lines, or none."""
    task = task_of(world, a)
    lines = Criterion.objects.filter(version__task=task, version__frozen_at__isnull=True)
    kept = list(lines.values_list("pk", flat=True)) if b % 3 else []
    form = {"text_version": task.version, "kept": kept}
    return Ask("rubric-amended", (task.pk,), form, world.name_of(task.author_id))

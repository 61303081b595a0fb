"""A walk: a seeded list of steps, taken one by one, looked at after each, and shortened on failure.

A step is four small values that pick their targets by number, so any part of a walk can be
repeated without the rest. The mix of steps is set here, so that a short walk gets through rounds
and spot checks instead of ending in the first withdrawal.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.http import HttpResponseBase
from django.utils import timezone

from curation.base.access import permissions as access
from curation.base.process.lifecycle import Stage
from review.policy.actions import change_policy, policy_for, rules_of
from review.rounds.assignment_models import Review, Round, Suggestion
from review.rounds.expiry import expire_overdue
from rubrics.versions.actions import record_draft
from tests.properties.moves import MOVES, Ask, pick
from tests.properties.truths import Truths, state
from tests.properties.world import ACTORS, World
from tests.rubrics.walk import drafted_lines

TAKEN, REFUSED = {200, 302}, {400, 401, 403, 404, 405, 409, 410}
JSON = {"HTTP_ACCEPT": "application/json, text/html"}
LEAVING = {
    "withdraw",
    "discard",
    "decline",
    "vote",
    "suspend_or_reinstate",
}  # tried, but not so often that all ends early
RIGHTLY = "the right person"


@dataclass(frozen=True)
class Step:
    """What is tried, by whom, on which targets."""

    name: str
    who: str
    a: int
    b: int


class Walker:
    """Takes steps in a world and keeps what they answered."""

    def __init__(self, world: World, reviewers: int = 1, draw: bool = True) -> None:
        self.world = world
        self.reviewers = reviewers  # at once; a line of two needs the approval of both
        self.draw = draw  # reviewers; otherwise they take their places
        self.taken: Counter[str] = Counter()
        self.refused: Counter[int] = Counter()

    def walk(self, steps: list[Step]) -> AssertionError | None:
        """Take the steps from the world as it was made; the first truth that broke, or None."""
        with transaction.atomic():
            if self.reviewers > 1 or not self.draw:
                n = self.reviewers
                rules = rules_of(policy_for(0)) | {"reviewers": n, "quorum": n, "draw": self.draw}
                change_policy(actor=self.world.people["staff"], domain=None, **rules)
            self.now = state(self.world)
            self.truths = Truths(self.world, self.now)
            self.said: list[str] = []
            try:
                for step in steps:
                    self.take(step)
            except AssertionError as broken:
                return broken
            except Exception as crash:  # a bug of the product: the step is what matters
                return AssertionError(f"{type(crash).__name__}: {crash}")
            finally:
                transaction.set_rollback(True)
        return None

    def take(self, step: Step) -> None:
        purposeful = PURPOSEFUL.get(step.name)
        if purposeful is not None:
            purposeful(self, step.a, step.b)
            return
        ask = MOVES[step.name](self.world, step.a, step.b)
        if ask is not None and ask.route in access.routes():
            self.send(ask, ask.rightly if step.who == RIGHTLY else step.who)

    def send(self, ask: Ask, who: str) -> None:
        """One request, and everything that must hold after it."""
        reply = getattr(self.world.browsers[who], ask.method)(ask.path, ask.form, **JSON)
        status = reply.status_code
        assert status in TAKEN | REFUSED, f"{ask} by {who}: {status}"
        if status in REFUSED or ask.method == "get" or _to_sign_in(reply):
            if status in REFUSED:
                self.refused[status] += 1
            assert _explained(reply), f"{ask} by {who}: refused without a reason"
            after = state(self.world)
            assert after == self.now, f"{ask} by {who}: answered {status}, yet it wrote"
        else:
            self.taken[ask.route] += 1
            if ask.says.strip():
                self.said.append(ask.says)
            self.look()

    def look(self) -> None:
        self.now = state(self.world)
        self.truths.check(self.now)
        kept = {text for _pk, text in self.now["comments"]}
        for words in self.said:
            assert words in kept, f"a remark is lost: {words}"

    # -- several steps with a purpose, so that walks get far ---------------------------------------
    def read_a_round(self, a: int, b: int) -> None:
        """Every open line gets a verdict, a few of them a request; then the round ends."""
        rounds = Round.objects.filter(
            review__task__in=self.world.task_ids, finished_at__isnull=True
        ).select_related("review")
        found = pick(list(rounds.order_by("pk")), a)
        if found is None:
            return
        who = self.world.name_of(found.review.reviewer_id)
        decided = found.lines.values_list("criterion_id", flat=True)
        for n, line in enumerate(found.version.criteria.exclude(pk__in=decided)):
            form: dict[str, Any] = {"verdict": "approve"}
            if n < b % 5 - 2:
                form = {"verdict": "change", "aspect": "clarity", "comment": f"Why {a}.{n}?"}
            args = (found.review_id, line.pk)
            self.send(Ask("review-line", args, form, who, says=form.get("comment", "")), who)
        self.send(Ask("review-finish", (found.review_id,), {}, who), who)

    def answer_and_send(self, a: int, b: int) -> None:
        """Half of the lines are answered, the others changed; then the rubric is sent."""
        task = pick([t for t in self.world.tasks() if t.stage == Stage.REFINING], a)
        if task is None:
            return
        who = self.world.name_of(task.author_id)
        version = task.rubric_versions.get(frozen_at__isnull=True)
        for n, line in enumerate(version.criteria.order_by("position", "id")):
            if (n + b) % 2:
                form = {"text": f"States figure {n} of table {a} as {b}."}
                self.send(Ask("rubric-line", (task.pk, line.pk), form, who), who)
            else:
                form = {"key": line.key, "comment": f"It is in the annex, {a}.{b}.{line.key}."}
                self.send(Ask("rubric-comment", (task.pk,), form, who, says=form["comment"]), who)
        self.send(Ask("rubric-send", (task.pk,), {"as_drafted": "1"}, who), who)

    def check_a_rubric(self, a: int, b: int) -> None:
        """A senior takes a spot check and decides it."""
        task = pick([t for t in self.world.tasks() if t.stage == Stage.SPOT_CHECK], a)
        where = self.world.task_ids.index(task.pk) if task else a
        for name in ("take_spot_check", "decide_spot_check"):
            ask = MOVES[name](self.world, where, b)
            assert ask is not None
            self.send(ask, ("senior", "deputy")[b % 2])

    def decide(self, a: int, b: int) -> None:
        """A senior settles what the rounds left open."""
        task = pick([t for t in self.world.tasks() if t.stage == Stage.DECIDING], a)
        if task is None or "decision-take" not in access.routes():
            return
        who = ("senior", "deputy")[b % 2]
        self.send(Ask("decision-take", (task.pk,), {}, who), who)
        version = task.rubric_versions.filter(frozen_at__isnull=False).latest("number")
        for n, line in enumerate(version.criteria.order_by("position", "id")):
            form = {
                "outcome": "own" if (n + b) % 3 == 0 else "keep",
                "reason": "The memo settles it.",
                "suggest_text": f"States figure {n} of the memo as {b}.",
            }
            self.send(Ask("decision-line", (task.pk, line.pk), form, who), who)
        self.send(Ask("decision-close", (task.pk,), {}, who), who)

    def argue(self, a: int, b: int) -> None:
        """Asked for, answered, asked for again, until the rounds are used up and a senior is asked.

        Every second request comes with a wording of the reviewer's own; the author takes it or
        answers, as it falls.
        """
        task = pick(self.world.tasks(), a)
        assert task is not None
        for turn in range(6):
            task.refresh_from_db()
            if task.stage == Stage.REFINING:
                self._answer_only(task, b + turn)
            elif task.stage == Stage.IN_REVIEW:
                self._ask_in_every_round(task, b + turn)
            else:
                return

    def _answer_only(self, task: Any, b: int) -> None:
        who = self.world.name_of(task.author_id)
        for wanted in Suggestion.objects.filter(line__round__review__task=task).order_by("-pk")[:1]:
            if b % 3 == 0:
                self.send(Ask("rubric-suggestion-take", (task.pk, wanted.pk), {}, who), who)
        version = task.rubric_versions.get(frozen_at__isnull=True)
        for line in version.criteria.order_by("position", "id"):
            words = f"It is in the annex, {b}.{line.key}."
            form = {"key": line.key, "comment": words}
            self.send(Ask("rubric-comment", (task.pk,), form, who, says=words), who)
        self.send(Ask("rubric-send", (task.pk,), {"as_drafted": "1"}, who), who)

    def _ask_in_every_round(self, task: Any, b: int) -> None:
        rounds = Round.objects.filter(review__task=task, finished_at__isnull=True)
        for one in rounds.select_related("review").order_by("pk"):
            who = self.world.name_of(one.review.reviewer_id)
            for n, line in enumerate(one.version.criteria.order_by("position", "id")):
                form: dict[str, Any] = {"verdict": "approve"}
                if n == b % 4:
                    form = {"verdict": "change", "aspect": "clarity", "comment": f"Why {b}.{n}?"}
                    form |= {"suggest_text": f"States figure {n} of note {b}."} if n % 2 else {}
                args = (one.review_id, line.pk)
                self.send(Ask("review-line", args, form, who, says=form.get("comment", "")), who)
            self.send(Ask("review-finish", (one.review_id,), {}, who), who)

    def time_passes(self, a: int, b: int) -> None:
        """A review is past its date: the chore puts it back into the pool."""
        held = Review.objects.filter(task__in=self.world.task_ids, state=Review.State.ASSIGNED)
        review = pick(list(held.order_by("pk")), a)
        if review is not None:
            Review.objects.filter(pk=review.pk).update(due_at=timezone.now() - timedelta(hours=1))
            expire_overdue()
            self.look()

    def draft(self, a: int, b: int) -> None:
        """The machine drafts a rubric that waits for it."""
        task = pick([t for t in self.world.tasks() if t.stage == Stage.DRAFTING], a)
        if task is not None:
            record_draft(task=task, lines=drafted_lines(3), drafted_by="Model D")
            self.look()


PURPOSEFUL: dict[str, Callable[[Walker, int, int], None]] = {
    "read_a_round": Walker.read_a_round,
    "answer_and_send": Walker.answer_and_send,
    "argue": Walker.argue,
    "time_passes": Walker.time_passes,
    "check_a_rubric": Walker.check_a_rubric,
    "decide": Walker.decide,
    "draft": Walker.draft,
}


def steps_of(seed: int, length: int) -> list[Step]:
    """The steps of a walk: a third by anybody, half by the right person, the rest purposeful."""
    dice = random.Random(seed)  # noqa: S311
    names, found = sorted(MOVES), []
    while len(found) < length:
        kind, name = dice.random(), dice.choice(names)
        a, b = dice.randrange(61), dice.randrange(61)
        if kind < 0.3:
            found.append(Step(name, dice.choice(ACTORS), a, b))
        elif kind < 0.75:
            if name not in LEAVING or b % 6 == 0:
                found.append(Step(name, RIGHTLY, a, b))
        else:
            found.append(Step(dice.choice(sorted(PURPOSEFUL)), RIGHTLY, a, b))
    return found


def shortened(
    world: World, steps: list[Step], reviewers: int = 1
) -> tuple[list[Step], AssertionError]:
    """The fewest of these steps that still break something, and what they break."""
    broken = Walker(world, reviewers).walk(steps)
    assert broken is not None
    size = len(steps) // 2
    while size:
        for start in range(0, len(steps), size):
            fewer = steps[:start] + steps[start + size :]
            still = Walker(world, reviewers).walk(fewer)
            if still is not None:
                steps, broken = fewer, still
                break
        else:
            size //= 2
    return steps, broken


def _to_sign_in(reply: HttpResponseBase) -> bool:
    return reply.status_code == 302 and "/login/" in reply.headers.get("Location", "")


def _explained(reply: Any) -> bool:
    """A refusal says why: a sentence in the JSON, or a page."""
    if reply.status_code not in REFUSED:
        return True
    if reply.headers.get("Content-Type", "").startswith("application/json"):
        body = json.loads(reply.content)
        return bool(body.get("detail") or body.get("fields"))
    return len(reply.content) > 100

"""What holds after every step, whoever took it; and what a refused step must not have touched."""

from collections import Counter, defaultdict
from typing import Any

from curation.base.process.lifecycle import TASK, Stage
from curation.base.process.roles import Role
from curation.tasks.task.models import Seat, Task, TaskEvent
from review.decisions.models import LineDecision
from review.policy.actions import policy_for
from review.policy.models import ReviewTerms
from review.rounds.assignment_models import Comment, LineReview, Review, Round, Suggestion
from review.rounds.verdict_steps import VerdictStep
from review.senior_seats.models import SEATS, SpotCheck, SpotCheckRelease, seniors_with_the_seat
from rubrics.marks.models import Waiver
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange, RubricVersion, lines_sha256
from tests.properties.world import World

Content = tuple[Any, ...]
State = dict[str, Any]

DONE_REVIEWING = (Stage.SPOT_CHECK, Stage.APPROVED)


def state(world: World) -> State:
    """The rows a step may write, as values."""
    ids = world.task_ids
    lines = Criterion.objects.filter(version__task__in=ids).order_by("version_id", "position", "pk")
    return {
        "tasks": list(
            Task.objects.filter(pk__in=ids).order_by("pk").values_list("pk", "stage", "author_id")
        ),
        "events": list(
            TaskEvent.objects.filter(task__in=ids)
            .order_by("pk")
            .values_list("task_id", "pk", "from_stage", "to_stage", "data__event")
        ),
        "seats": sorted(
            Seat.objects.filter(task__in=ids).values_list("task_id", "user_id", "role")
        ),
        "versions": list(
            RubricVersion.objects.filter(task__in=ids)
            .order_by("pk")
            .values_list("pk", "task_id", "number", "revision", "frozen_at", "sha256", "origin")
        ),
        "lines": list(lines.values_list("version_id", "pk", "key", *CONTENT)),
        "changes": list(
            LineChange.objects.filter(version__task__in=ids)
            .order_by("pk")
            .values_list("version_id", "revision", "before", "after", "kind")
        ),
        "reviews": list(
            Review.objects.filter(task__in=ids)
            .order_by("pk")
            .values_list("pk", "task_id", "reviewer_id", "state")
        ),
        "rounds": list(
            Round.objects.filter(review__task__in=ids)
            .order_by("pk")
            .values_list("pk", "review_id", "version_id", "number", "opened_at", "finished_at")
        ),
        "verdicts": sorted(
            LineReview.objects.filter(round__review__task__in=ids).values_list(
                "round_id", "criterion_id", "verdict", "aspect", "carried_over"
            )
        ),
        "comments": list(
            Comment.objects.filter(task__in=ids).order_by("pk").values_list("pk", "text")
        ),
        "decisions": sorted(
            LineDecision.objects.filter(task__in=ids, closed_at__isnull=False).values_list(
                "task_id", "criterion__key", *CONTENT
            )
        ),
        "suggestions": list(
            Suggestion.objects.filter(line__round__review__task__in=ids)
            .order_by("pk")
            .values_list("pk", "line__round", "line__verdict", *CONTENT)
        ),
        "steps": list(
            VerdictStep.objects.filter(round__review__task__in=ids)
            .order_by("pk")
            .values_list("pk", "round_id", "criterion_id", "verdict", "aspect")
        ),
        "waivers": list(
            Waiver.objects.filter(version__task__in=ids)
            .order_by("pk")
            .values_list("pk", "version_id", "key", "code", "fingerprint", "reason")
        ),
        "releases": list(
            SpotCheckRelease.objects.filter(task__in=ids)
            .order_by("pk")
            .values_list("pk", "task_id", "senior_id", "reason")
        ),
        "checks": sorted(
            SpotCheck.objects.filter(task__in=ids).values_list("pk", "version_id", "verdict")
        ),
    }


class Truths:
    """Compares every state with the ones before it."""

    def __init__(self, world: World, first: State) -> None:
        self.tied = {
            world.people["author"].pk: {world.people["tied"].pk},
            world.people["tied"].pk: {world.people["author"].pk},
        }
        self.last = first
        self.opened: dict[int, tuple[int, int, dict[str, Content]]] = {}
        self.frozen: dict[int, list[Any]] = {}
        self.check(first)

    def check(self, now: State) -> None:
        self._nothing_is_lost(now)
        self._histories_have_no_gap(now)
        self._versions(now)
        self._seats(now)
        self._rounds(now)
        self._approved_lines(now)
        self._seniors(now)
        self._verdicts_are_told(now)
        self.last = now

    def _nothing_is_lost(self, now: State) -> None:
        for rows in ("events", "changes", "comments", "steps", "waivers", "releases"):
            before = self.last[rows]
            assert now[rows][: len(before)] == before, f"rows of {rows} changed or went"

    def _histories_have_no_gap(self, now: State) -> None:
        at: dict[int, str] = defaultdict(str)
        for task, _pk, before, after, event in now["events"]:
            assert before == at[task], f"task {task}: a move from {before} at {at[task]}"
            if event:
                assert before == after, f"a remark ({event}) moved the task"
            elif before:
                assert after in TASK.stages[before].to, f"{before} → {after} is not in the table"
            at[task] = after
        for pk, stage, _author in now["tasks"]:
            assert stage in TASK.stages, f"task {pk} is at {stage}, which the table does not hold"
            assert stage == at[pk], f"task {pk} is at {stage}, its history says {at[pk]}"

    def _versions(self, now: State) -> None:
        lines: dict[int, list[Any]] = defaultdict(list)
        for version, _pk, key, *content in now["lines"]:
            lines[version].append((key, *content))
        steps: dict[int, list[Any]] = defaultdict(list)
        for version, revision, before, after, _kind in now["changes"]:
            steps[version].append((revision, before, after))
        open_in: Counter[int] = Counter()
        stages = {pk: stage for pk, stage, _author in now["tasks"]}
        numbers: Counter[tuple[int, int]] = Counter()
        for pk, task, number, revision, frozen_at, sha256, _origin in now["versions"]:
            numbers[task, number] += 1
            if pk not in self.opened:
                given = {key: tuple(content) for key, *content in lines[pk]}
                self.opened[pk] = (revision, len(steps[pk]), given)
            self._steps_lead_to_the_lines(pk, revision, steps[pk], lines[pk])
            if frozen_at is None:
                open_in[task] += 1
                assert stages[task] in (Stage.REFINING, Stage.WITHDRAWN)
                continue
            assert sha256 == lines_sha256(lines[pk]), f"version {pk} is not what was frozen"
            assert self.frozen.setdefault(pk, lines[pk]) == lines[pk]
        assert max(numbers.values(), default=1) == 1
        for task, stage in stages.items():
            assert open_in[task] <= 1
            assert open_in[task] == 1 or stage != Stage.REFINING, f"{task} has nothing to refine"

    def _steps_lead_to_the_lines(
        self, pk: int, revision: int, steps: list[Any], lines: list[Any]
    ) -> None:
        """Taking every recorded step from the start gives the lines there are."""
        first, known, given = self.opened[pk]
        revisions = [step[0] for step in steps[known:]]
        assert revisions == list(range(first + 1, revision + 1)), f"a gap in version {pk}"
        found = dict(given)
        for _revision, before, after in steps[known:]:
            for kept in before:
                found.pop(kept["key"], None)
            for kept in after:
                found[kept["key"]] = tuple(kept[name] for name in CONTENT)
        assert found == {key: tuple(content) for key, *content in lines}, (
            f"version {pk} is not told"
        )

    def _seats(self, now: State) -> None:
        held = Counter((task, user) for task, user, _role in now["seats"])
        assert max(held.values()) == 1, "a seat held twice"
        authors = {pk: author for pk, _stage, author in now["tasks"]}
        roles = {(task, user): role for task, user, role in now["seats"]}
        assigned: Counter[int] = Counter()
        for _pk, task, reviewer, how in now["reviews"]:
            assert roles[task, reviewer] == Role.REVIEWER
            assert reviewer not in self.tied.get(authors[task], ())
            assigned[task] += how == Review.State.ASSIGNED
        for task, count in assigned.items():
            assert count <= self.terms(task).reviewers, "more reviewers than the rules allow"
        for (task, user), role in roles.items():
            assert (authors[task] == user) == (role == Role.AUTHOR)

    def terms(self, task: int) -> Any:
        """The rules the task's review goes by."""
        found = ReviewTerms.objects.filter(task=task).first()
        return found or policy_for(Task.objects.get(pk=task).domain_id)

    def _rounds(self, now: State) -> None:
        lines = Counter(version for version, *_rest in now["lines"])
        given = Counter(round_id for round_id, *_rest in now["verdicts"])
        handed_back = {pk for pk, _task, _who, how in now["reviews"] if how != "assigned"}
        still_open: Counter[int] = Counter()
        for pk, review, version, _number, opened_at, finished_at in now["rounds"]:
            if finished_at is None:
                still_open[review] += 1
                assert review not in handed_back, "a round of somebody who left is open"
            elif finished_at != opened_at:  # equal: it ended without counting
                assert given[pk] == lines[version], "a round was closed with an open line"
        assert max(still_open.values(), default=0) <= 1

    def _approved_lines(self, now: State) -> None:
        """A rubric that passed its review says, line by line, what somebody approved."""
        content = {pk: (key, *rest) for _version, pk, key, *rest in now["lines"]}
        finished = {pk: review for pk, review, _v, _n, _o, at in now["rounds"] if at}
        task_of = {pk: task for pk, task, _who, _how in now["reviews"]}
        approved: dict[tuple[int, Content], set[int]] = defaultdict(set)
        for round_id, criterion, verdict, _aspect, carried in now["verdicts"]:
            if verdict == LineReview.Verdict.APPROVE and not carried and round_id in finished:
                review = finished[round_id]
                approved[task_of[review], content[criterion]].add(review)
        decided = {(task, tuple(line)) for task, *line in now["decisions"]}
        newest: dict[int, int] = {}
        for pk, task, _number, _revision, frozen_at, _sha, origin in now["versions"]:
            if frozen_at and origin != "draft":
                newest[task] = pk
        for task, stage, _author in now["tasks"]:
            if stage not in DONE_REVIEWING:
                continue
            quorum = self.terms(task).quorum
            for version, _pk, *line in now["lines"]:
                if version == newest[task] and (task, tuple(line)) not in decided:
                    by = approved[task, tuple(line)]
                    assert len(by) >= quorum, f"{line} went on with {len(by)} approvals"

    def _seniors(self, now: State) -> None:
        """One senior at most holds a task, and a line is decided by one who held it."""
        for task in Task.objects.filter(stage__in=SEATS, pk__in=[pk for pk, *_ in now["tasks"]]):
            assert len(seniors_with_the_seat(task)) <= 1, f"two seniors hold {task.pk}"
        deciders = {(task, who) for task, who, role in now["seats"] if role == Role.DECIDER}
        for task, senior in LineDecision.objects.values_list("task_id", "senior_id"):
            assert (task, senior) in deciders, "a line was decided by somebody without the seat"
        for _pk, task, senior, reason in now["releases"]:
            assert reason, "a task was taken from its senior without a reason"
            held = (Role.DECIDER, Role.SPOT_CHECKER)
            assert any((task, senior, role) in now["seats"] for role in held)

    def _verdicts_are_told(self, now: State) -> None:
        """The last step on a line is its verdict; a wording of the reviewer's goes with a request
        and stays as it was once its round is finished."""
        last = {(one, line): (verdict, aspect) for _pk, one, line, verdict, aspect in now["steps"]}
        for one, line, verdict, aspect, carried in now["verdicts"]:
            if not carried:
                assert last[one, line] == (verdict, aspect), "a verdict its story does not tell"
        kept = {pk: content for pk, *content in now["suggestions"]}
        assert all(verdict == "change" for _pk, _of, verdict, *_rest in now["suggestions"])
        closed = {pk for pk, _r, _v, _n, opened_at, at in now["rounds"] if at and at != opened_at}
        for pk, of, *content in self.last["suggestions"]:
            assert of not in closed or kept.get(pk) == [of, *content], "changed after its round"

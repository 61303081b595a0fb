"""Every move the tables do not hold is refused, with its reason, and changes nothing.

Generated from the lifecycle: a new stage or a new move is tried without a line added here. For
each address of the process the stages in which it may do its work are named once; in every other
stage the right person is told why not.
"""

from typing import Any

import pytest
from django.urls import get_resolver, reverse

from curation.base.access import permissions as access
from curation.base.process.lifecycle import ANCHOR, APPLICATION, TASK, Process, Stage
from curation.base.process.roles import Role
from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Seat, Task
from review.rounds.assignment_models import Review
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import Criterion
from tests.properties.truths import state
from tests.properties.walking import JSON
from tests.properties.world import World

S = Stage

# Address -> (who would do it, what they send, the stages in which it may succeed).
STEPS: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    "task-submit": ("author", {}, {S.DRAFT}),
    "task-withdraw": ("author", {"reason": "Confidential."}, {S.DRAFT, S.REFINING}),
    "screening-join": ("first", {}, {S.SCREENING}),
    "rubric-line": ("author", {"text": "Another text."}, {S.REFINING}),
    "rubric-line-add": ("author", {"text": "One more line."}, {S.REFINING}),
    "rubric-line-move": ("author", {"by": "1"}, {S.REFINING}),
    "rubric-line-split": ("author", {"at": "9"}, {S.REFINING}),
    "rubric-line-merge": ("author", {}, {S.REFINING}),
    "rubric-line-remove": ("author", {}, {S.REFINING}),
    "rubric-line-passage": ("author", {"quote": "Net debt rises"}, {S.REFINING}),
    "rubric-line-reference": ("author", {"met": "1"}, {S.REFINING}),
    "rubric-lines-several": ("author", {"by": "1"}, {S.REFINING}),
    "rubric-draft": ("author", {"key": "c1", "reason": "The figure is clearer."}, {S.REFINING}),
    "rubric-comment": ("author", {"key": "c1", "comment": "As the memo says."}, {S.REFINING}),
    "rubric-send": ("author", {"as_drafted": "1"}, {S.REFINING}),
    "review-take": ("second", {}, {S.IN_REVIEW}),
    "review-finish": ("reviewer", {}, {S.IN_REVIEW}),
    "staff-review-assign": ("staff", {"reviewer": "second"}, {S.IN_REVIEW}),
    "spot-check-take": ("deputy", {}, {S.SPOT_CHECK}),
    "spot-check": (
        "senior",
        {
            **dict.fromkeys(("consistent", "aligned", "evaluable"), "yes"),
            "verdict": "accept",
            "remarks": "Read.",
        },
        {S.SPOT_CHECK},
    ),
    "staff-spot-check-release": ("staff", {"reason": "She is ill."}, {S.SPOT_CHECK}),
    "staff-task-reopen": ("staff", {"reason": "A figure is wrong."}, {S.APPROVED}),
    "staff-task-discard": ("staff", {"reason": "Published elsewhere."}, {S.APPROVED}),
}
HIDDEN = {"screening-join"}  # what waits for no panel looks like a missing task
IN_REVIEW_STATES = ("review-line", "review-line-undo", "review-comment", "review-finish")


def steps() -> dict[str, tuple[str, dict[str, Any], set[str]]]:
    """The table, and whatever else the author can send about lines, with nothing in the form."""
    more = {
        route: ("author", {}, {S.REFINING})
        for route, verbs in access.routes().items()
        if route.startswith("rubric-line") and "POST" in verbs and route not in STEPS
        if parameters(route) in (["pk"], ["pk", "line"])
    }
    return STEPS | more


def parameters(route: str) -> list[str]:
    """What an address is about, by name."""
    (_pattern, names), *_others = get_resolver().reverse_dict.getlist(route)[0][0]
    return list(names)


@pytest.mark.parametrize("process", [TASK, APPLICATION, ANCHOR], ids=lambda p: p.name)
def test_the_table_refuses_what_it_does_not_hold_and_names_both_stages(process: Process) -> None:
    for before, spec in process.stages.items():
        assert set(spec.to) <= process.stages.keys()
        for after in process.stages.keys() - set(spec.to):
            with pytest.raises(Conflict) as refused:
                process.check(before, after)
            assert refused.value.code == "wrong_stage"
            assert refused.value.data == {"stage": before, "wanted": after}
            assert str(process.stage_label(before)) in str(refused.value.detail)


def test_a_task_takes_no_step_the_table_does_not_hold(world: World) -> None:
    task = world.tasks()[0]
    rows = task.history.count()
    for before in TASK.stages:
        for after in TASK.stages.keys() - set(TASK.stages[before].to):
            Task.objects.filter(pk=task.pk).update(stage=before)
            task.stage = before
            with pytest.raises(Conflict):
                task.advance(after, actor=None)
            assert Task.objects.values_list("stage", flat=True).get(pk=task.pk) == before
    assert task.history.count() == rows


@pytest.fixture
def reviewed(world: World) -> tuple[Task, Review]:
    """A task with a reviewer and a spot-checker, so that only its stage can be in the way."""
    task = world.tasks()[0]
    send_to_review(actor=world.people["author"], task=task)
    Seat.objects.create(task=task, user=world.people["senior"], role=Role.SPOT_CHECKER)
    return task, Review.objects.get(task=task)


def test_every_step_out_of_its_stage_is_a_conflict_that_says_why(
    world: World, reviewed: tuple[Task, Review]
) -> None:
    task, review = reviewed
    line = Criterion.objects.filter(version__task=task).latest("pk")
    wrong = []
    for stage in TASK.stages:
        Task.objects.filter(pk=task.pk).update(stage=stage)
        before = state(world)
        for route, (who, form, allowed) in steps().items():
            if stage in allowed:
                continue
            about = review if route == "review-finish" else task
            args = [about.pk, line.pk][: len(parameters(route))]
            name = world.name_of(review.reviewer_id) if who == "reviewer" else who
            sent = {k: world.people[v].pk if k == "reviewer" else v for k, v in form.items()}
            reply: Any = world.browsers[name].post(reverse(route, args=args), sent, **JSON)
            expected = {409} | ({404, 403} if route in HIDDEN else set())
            expected |= set() if route in STEPS else {400}
            if reply.status_code not in expected or not reply.json().get("detail"):
                wrong.append(f"{route} at {stage} by {name}: {reply.status_code}")
        assert state(world) == before, stage
    assert wrong == []


@pytest.mark.parametrize("how", ["finished", "declined"])
def test_a_round_that_is_over_takes_nothing_more_and_says_so(
    world: World, reviewed: tuple[Task, Review], how: str
) -> None:
    _task, review = reviewed
    desk = world.browsers[world.name_of(review.reviewer_id)]
    found = review.rounds.get()
    line = found.version.criteria.earliest("position")
    if how == "declined":
        desk.post(reverse("review-decline", args=[review.pk]), {"reason": "Away."})
    else:
        for each in found.version.criteria.all():
            desk.post(reverse("review-line", args=[review.pk, each.pk]), {"verdict": "approve"})
        desk.post(reverse("review-finish", args=[review.pk]))
    before = state(world)
    for route in IN_REVIEW_STATES:
        args = (review.pk,) if route == "review-finish" else (review.pk, line.pk)
        form = {"verdict": "approve", "comment": "One more word."}
        reply: Any = desk.post(reverse(route, args=args), form, **JSON)
        body = reply.json()
        assert reply.status_code == 409, route
        assert body["detail"]
        assert body["code"] in {"handed_back", "round_finished", "wrong_stage"}
    again: Any = desk.post(reverse("review-decline", args=[review.pk]), {"reason": "Away."}, **JSON)
    assert again.status_code == 409
    assert state(world) == before


def test_a_line_of_another_version_or_task_takes_no_verdict(
    world: World, reviewed: tuple[Task, Review]
) -> None:
    task, review = reviewed
    desk = world.browsers[world.name_of(review.reviewer_id)]
    drafted = Criterion.objects.filter(version__task=task, version__origin="draft").latest("pk")
    elsewhere = Criterion.objects.filter(version__task=world.tasks()[1]).latest("pk")
    for line, status in ((drafted, 409), (elsewhere, 404)):
        url = reverse("review-line", args=[review.pk, line.pk])
        reply: Any = desk.post(url, {"verdict": "approve"}, **JSON)
        assert reply.status_code == status
        assert reply.json()["detail"]

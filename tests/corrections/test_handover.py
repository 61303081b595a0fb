"""A rubric passes to another expert; both stay on record, and what follows goes to the new one."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.notices.models import Notice
from curation.qualifying.experts.suspension import suspend_expert
from curation.tasks.task.models import Seat, Task
from curation.telling.activity.trail import Reader
from review.conflicts.actions import propose_conflict
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_actions import eligible_reviewers
from review.rounds.assignment_models import Review
from rubrics.handover.actions import ask_for_help, hand_over_rubric
from rubrics.handover.models import HelpRequest, RubricHandover
from rubrics.lines.actions import edit_line
from rubrics.sending.actions import send_to_review
from rubrics.versions.queries import own_rubrics
from rubrics.versions.trail import versions_trail
from tests.conftest import make_staff, new_domain, new_person
from tests.markup import words_of
from tests.rubrics.walk import lines_of, open_version, to_refining
from tests.worlds import World

pytestmark = pytest.mark.django_db
WHY = "On leave until spring."


@pytest.fixture(autouse=True)
def nothing_is_drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 0.0


@pytest.fixture(scope="module")
def refining_world(world_database: None) -> World:
    """A rubric that its author refines, and colleagues."""
    finance = new_domain("finance")
    names = ("author", "screener", "taker", "peer")
    people = {name: new_person(name, finance) for name in names}
    people["staff"] = new_person("staff", is_staff=True)
    task = to_refining(people["author"], people["screener"], finance)
    return World(finance=finance, task=task, **people)


@pytest.fixture
def task(refining_world: World) -> Task:
    return refining_world["task"]


@pytest.fixture
def taker(refining_world: World) -> Any:
    return refining_world["taker"]


@pytest.fixture
def handed_over(task: Task, taker: Any, staff: Any) -> Task:
    hand_over_rubric(actor=staff, task=task, taker=taker, reason=WHY)
    return Task.objects.get(pk=task.pk)


def url_of(task: Task) -> str:
    return f"/staff/tasks/{task.pk}/rubric-author/"


class TestAskingForHelp:
    def test_the_author_asks_and_staff_find_it_on_home(self, task, author, staff, sign_in):
        client, url = sign_in(author), f"/tasks/{task.pk}/rubric/help/"
        assert url in client.get(f"/tasks/{task.pk}/rubric/").content.decode()
        assert client.post(url, {"reason": " "}).status_code == 400
        assert client.post(url, {"reason": WHY}).status_code == 302
        assert "Staff look for another expert" in client.get(url).content.decode()
        home = sign_in(staff).get("/").content.decode()
        assert url_of(task) in home
        assert WHY in sign_in(staff).get(url_of(task)).content.decode()
        with pytest.raises(Conflict) as refused:
            ask_for_help(actor=author, task=task, reason=WHY)
        assert refused.value.code == "asked_already"

    def test_the_reason_is_read_by_staff_alone(self, task, author, refining_world, sign_in):
        ask_for_help(actor=author, task=task, reason=WHY)
        send_to_review(actor=author, task=task)
        for name in ("peer", "taker"):
            if Seat.objects.filter(task=task, user=refining_world[name]).exists():
                page = sign_in(refining_world[name]).get(f"/tasks/{task.pk}/").content.decode()
                assert WHY not in page

    def test_the_author_withdraws_it(self, task, author, sign_in):
        ask_for_help(actor=author, task=task, reason=WHY)
        url = f"/tasks/{task.pk}/rubric/help/withdraw/"
        assert sign_in(author).post(url).status_code == 302
        assert HelpRequest.objects.get().state == HelpRequest.State.WITHDRAWN
        assert sign_in(author).post(url).status_code == 409

    def test_nobody_else_asks(self, task, taker, staff, sign_in):
        for user in (taker, staff):
            reply = sign_in(user).post(f"/tasks/{task.pk}/rubric/help/", {"reason": WHY})
            assert reply.status_code in (403, 404)


class TestHandingOver:
    def test_staff_choose_an_expert_on_the_page(self, task, taker, author, staff, sign_in):
        ask_for_help(actor=author, task=task, reason=WHY)
        client = sign_in(staff)
        assert url_of(task) in client.get(f"/staff/tasks/{task.pk}/").content.decode()
        reply = client.post(url_of(task), {"taker": taker.pk, "reason": WHY})
        assert reply.status_code == 302
        task = Task.objects.get(pk=task.pk)
        assert task.rubric_author == taker
        assert task.author == author
        assert Seat.objects.get(task=task, user=taker).role == Role.RUBRIC_AUTHOR
        assert HelpRequest.objects.get().state == HelpRequest.State.ANSWERED
        (row,) = RubricHandover.objects.all()
        assert (row.giver, row.taker, row.by, row.reason) == (author, taker, staff, WHY)
        for user, kind in ((taker, "rubric_taken_over"), (author, "rubric_given_away")):
            assert Notice.objects.filter(recipient=user, kind=kind).count() == 1
        assert f'href="{url_of(task)}"' not in client.get("/").content.decode()

    def test_from_then_on_the_new_author_writes_and_the_former_one_reads(
        self, handed_over, taker, author, sign_in
    ):
        page = f"/tasks/{handed_over.pk}/rubric/"
        assert "data-add" in sign_in(taker).get(page).content.decode()
        reads = sign_in(author).get(page)
        assert reads.status_code == 200
        assert "data-add" not in reads.content.decode()
        line = lines_of(handed_over)[0]
        for user, allowed in ((taker, True), (author, False)):
            if allowed:
                edit_line(actor=user, task=handed_over, criterion=line, weight=9)
            else:
                with pytest.raises(Denied):
                    edit_line(actor=user, task=handed_over, criterion=line, weight=4)
        assert open_version(handed_over).criteria.get(pk=line.pk).weight == 9
        status = words_of(sign_in(author).get(f"/tasks/{handed_over.pk}/").content.decode())
        assert "With another expert of the domain." in status
        assert page in sign_in(taker).get("/").content.decode()
        assert f'href="{page}"' not in sign_in(author).get("/").content.decode()

    def test_the_new_author_does_not_see_the_former_ones_other_rubrics(
        self, handed_over, author, refining_world
    ):
        to_refining(author, refining_world["screener"], refining_world["finance"], title="Other")
        assert own_rubrics(handed_over) == []

    def test_the_new_author_sends_it_and_hears_of_the_review(
        self, handed_over, taker, author, refining_world
    ):
        task = handed_over
        send_to_review(actor=taker, task=task)
        review = Review.objects.get(task=task)
        assert review.reviewer == refining_world["peer"]
        opened = review.rounds.get()
        first, *others = opened.version.criteria.all()
        set_verdict(
            actor=review.reviewer,
            round=opened,
            criterion=first,
            verdict="change",
            aspect="clarity",
            comment="Which year?",
        )
        for line in others:
            set_verdict(actor=review.reviewer, round=opened, criterion=line, verdict="approve")
        finish_round(actor=review.reviewer, round=opened)
        told = Notice.objects.filter(kind="review_returned").values_list("recipient", flat=True)
        assert list(told) == [taker.pk]

    def test_each_version_is_credited_to_who_sent_it(self, handed_over, taker, author):
        send_to_review(actor=taker, task=handed_over)
        closed = [
            entry
            for entry in versions_trail(handed_over, Reader(0, names=True))
            if entry.source == "version"
        ]
        assert [(entry.person, entry.role) for entry in closed] == [(taker.pk, Role.RUBRIC_AUTHOR)]

    def test_it_can_go_back_to_the_author(self, handed_over, author, taker, staff):
        hand_over_rubric(actor=staff, task=handed_over, taker=author, reason="Back from leave.")
        task = Task.objects.get(pk=handed_over.pk)
        assert task.rubric_author is None
        send_to_review(actor=author, task=task)
        assert Seat.objects.get(task=task, user=taker).role == Role.RUBRIC_AUTHOR
        assert not eligible_reviewers(task).filter(pk=taker.pk).exists()

    def test_a_suspended_author_is_replaced(self, task, author, taker, staff, sign_in):
        suspend_expert(actor=staff, person=author, domain=task.domain, reason="Inconsistent.")
        assert url_of(task) in sign_in(staff).get("/").content.decode()
        with pytest.raises(Denied):
            send_to_review(actor=author, task=task)
        hand_over_rubric(actor=staff, task=task, taker=taker, reason="Suspended.")
        task = Task.objects.get(pk=task.pk)
        send_to_review(actor=taker, task=task)
        assert task.stage == Stage.IN_REVIEW


class TestWhoMayTakeIt:
    def refusal(self, task: Task, staff: Any, taker: Any) -> str:
        with pytest.raises(Denied) as refused:
            hand_over_rubric(actor=staff, task=task, taker=taker, reason=WHY)
        assert Task.objects.get(pk=task.pk).rubric_author_id == task.rubric_author_id
        return refused.value.code

    def test_nobody_with_another_seat(self, task, staff, refining_world):
        assert self.refusal(task, staff, refining_world["screener"]) == "not_eligible"

    def test_nobody_of_another_domain_or_suspended(self, task, staff, taker, stranger):
        assert self.refusal(task, staff, stranger) == "not_eligible"
        taker.qualifications.update(active=False)
        assert self.refusal(task, staff, taker) == "not_eligible"

    def test_nobody_in_conflict_with_the_author_or_the_reviewer(
        self, task, staff, author, taker, refining_world
    ):
        propose_conflict(actor=staff, person=author, other=taker, kind="coauthor")
        assert self.refusal(task, staff, taker) == "not_eligible"
        send_to_review(actor=author, task=task)
        reviewer = Review.objects.get(task=task).reviewer
        other = new_person("other", refining_world["finance"])
        propose_conflict(actor=staff, person=reviewer, other=other, kind="family")
        assert self.refusal(task, staff, other) == "not_eligible"

    def test_a_reviewer_in_conflict_with_the_new_author_is_not_drawn(
        self, handed_over, taker, staff, refining_world
    ):
        peer = refining_world["peer"]
        propose_conflict(actor=staff, person=taker, other=peer, kind="business")
        send_to_review(actor=taker, task=handed_over)
        assert not Review.objects.filter(task=handed_over, reviewer=peer).exists()

    def test_staff_who_wrote_task_or_rubric_do_not_hand_it_over(
        self, handed_over, taker, author, refining_world
    ):
        for user in (author, taker):
            make_staff(user)
            with pytest.raises(Denied):
                hand_over_rubric(
                    actor=user, task=handed_over, taker=refining_world["peer"], reason=WHY
                )

    def test_a_reason_and_an_open_rubric_are_needed(self, task, staff, taker, sign_in):
        with pytest.raises(BadInput):
            hand_over_rubric(actor=staff, task=task, taker=taker, reason=" ")
        assert sign_in(staff).post(url_of(task), {"taker": "x"}).status_code == 400
        Task.objects.filter(pk=task.pk).update(stage=Stage.APPROVED)
        with pytest.raises(Conflict):
            hand_over_rubric(actor=staff, task=task, taker=taker, reason=WHY)
        assert sign_in(staff).get(url_of(task)).status_code == 409

    def test_the_database_keeps_author_and_rubric_author_apart(self, task, author):
        with pytest.raises(IntegrityError), transaction.atomic():
            Task.objects.filter(pk=task.pk).update(rubric_author=author)

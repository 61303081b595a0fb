"""Propose an amendment, decide it: who may, what is refused, what changes, who is told."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.notices.models import Notice
from curation.tasks.amendments.actions import (
    agree_to_amendment,
    propose_amendment,
    refuse_amendment,
    withdraw_amendment,
)
from curation.tasks.amendments.models import Amendment
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.models import Seat, Task, TextVersion
from review.conflicts.actions import propose_conflict
from tests.attached import attach
from tests.corrections.conftest import ANSWER, REQUIREMENTS, RIGHT, WHY, amended, proposed
from tests.markup import words_of
from tests.rubrics.walk import PARTS

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(built_world: Any) -> Any:
    return built_world["author"]


@pytest.fixture
def senior(built_world: Any) -> Any:
    return built_world["senior"]


def form_of(task: Task, **changed: str) -> dict[str, Any]:
    parts = {"title": task.title, **{n: PARTS[n] for n in ("scenario", "materials")}}
    parts |= {"requirements": PARTS["requirements"], "reference_answer": ANSWER}
    return {"version": task.version, "reason": WHY, **parts, **changed}


class TestReading:
    def test_a_senior_reads_the_files_of_the_task_while_the_amendment_waits_for_them(
        self, task, author, senior, sign_in, settings, tmp_path, person, finance
    ):
        settings.MEDIA_ROOT = tmp_path / "files"
        row = attach(task, "debt.csv", b"year,debt\n2025,134.5")
        address, peer = f"/attachments/{row.pk}/view/", person("other", finance)
        assert sign_in(senior).get(address).status_code == 404
        one = proposed(task, author)
        page = sign_in(senior).get(f"/amendments/{one.pk}/").content.decode()
        assert "debt.csv" in page
        assert address in page
        assert "134.5" in sign_in(senior).get(address).content.decode()
        assert sign_in(peer).get(address).status_code == 404
        withdraw_amendment(actor=author, amendment=one)
        assert sign_in(senior).get(address).status_code == 404


class TestProposing:
    def test_the_author_corrects_in_place_and_sees_the_differences_first(
        self, task, author, sign_in
    ):
        client, url = sign_in(author), f"/tasks/{task.pk}/amend/"
        assert "Propose an amendment" in client.get(f"/tasks/{task.pk}/").content.decode()
        sent = form_of(task, reference_answer=RIGHT.replace("\n", "\r\n"))
        look = client.post(url, {**sent, "look": "1"})
        assert look.status_code == 200
        assert not Amendment.objects.exists()
        page = look.content.decode()
        assert "134.4" in page.split("<ins>")[0]
        assert "<ins>" in page
        reply = client.post(url, sent)
        one = Amendment.objects.get()
        assert (reply.status_code, reply.url) == (302, f"/amendments/{one.pk}/")
        assert (one.before, one.after) == (
            {"reference_answer": ANSWER},
            {"reference_answer": RIGHT},
        )
        task.refresh_from_db()
        assert task.reference_answer == ANSWER

    def test_staff_propose_and_the_author_is_told(self, task, built_world, sign_in, author):
        client = sign_in(built_world["staff"])
        page = client.get(f"/staff/tasks/{task.pk}/").content.decode()
        assert f"/tasks/{task.pk}/amend/" in page
        client.post(f"/tasks/{task.pk}/amend/", form_of(task, reference_answer=RIGHT))
        assert Amendment.objects.get().by_staff
        assert Notice.objects.filter(recipient=author, kind="amendment_by_staff").count() == 1

    def test_seniors_without_another_seat_are_told(self, task, author, built_world):
        proposed(task, author)
        told = Notice.objects.filter(kind="amendment_waiting").values_list("recipient", flat=True)
        assert list(told) == [built_world["senior"].pk]  # the other one validated the anchor

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({}, "Nothing differs from the present text."),
            ({"reference_answer": "  "}, "Write the reference answer you would stand behind."),
            ({"reference_answer": RIGHT, "reason": " "}, "Say what is wrong with the text"),
            ({"reference_answer": "a\x00b"}, "Null characters"),
            ({"reference_answer": RIGHT, "version": 99}, "was amended after you opened this page"),
        ],
    )
    def test_what_cannot_be_proposed_is_refused(self, task, author, sign_in, changed, said):
        reply = sign_in(author).post(f"/tasks/{task.pk}/amend/", form_of(task, **changed))
        assert reply.status_code in (400, 409)
        assert said in words_of(reply.content.decode())
        assert not Amendment.objects.exists()

    def test_a_task_has_one_open_amendment(self, task, author, built_world):
        proposed(task, author)
        with pytest.raises(Conflict) as refused:
            proposed(task, built_world["staff"], requirements=REQUIREMENTS)
        assert refused.value.code == "amendment_open"

    def test_strangers_and_colleagues_propose_nothing(self, task, built_world, stranger, sign_in):
        for user, status in ((stranger, 404), (built_world["reviewer"], 403)):
            url = f"/tasks/{task.pk}/amend/"
            assert sign_in(user).get(url).status_code == status
            assert sign_in(user).post(url, form_of(task)).status_code == status
            with pytest.raises(Denied):
                proposed(task, user)

    def test_a_suspended_author_asks_staff(self, task, author):
        author.qualifications.update(active=False)
        with pytest.raises(Denied) as refused:
            proposed(task, author)
        assert refused.value.code == "not_qualified"

    @pytest.mark.parametrize(
        ("stage", "said"),
        [
            (Stage.DRAFT, "changes the text in the editor"),
            (Stage.SUBMITTED, "The panel is judging this text."),
            (Stage.SCREENING, "The panel is judging this text."),
            (Stage.DRAFTING, "being drafted from this text"),
            (Stage.REJECTED, "This task is closed"),
            (Stage.WITHDRAWN, "This task is closed"),
            (Stage.DISCARDED, "This task is closed"),
        ],
    )
    def test_elsewhere_the_page_says_what_to_do_instead(self, task, author, sign_in, stage, said):
        Task.objects.filter(pk=task.pk).update(stage=stage)
        reply = sign_in(author).get(f"/tasks/{task.pk}/amend/")
        assert reply.status_code == 409
        assert said in words_of(reply.content.decode())
        with pytest.raises(Conflict, match=said):
            proposed(task, author)

    def test_a_draft_is_edited_as_ever(self, built_world, author, finance):
        draft = create_task(actor=author, domain=finance, title="New", **PARTS)
        with pytest.raises(Conflict):
            proposed(draft, author, requirements=REQUIREMENTS)
        submit_task(actor=author, task=draft)

    def test_its_proposer_withdraws_it_until_it_is_decided(self, task, author, senior, sign_in):
        one = proposed(task, author)
        assert sign_in(senior).post(f"/amendments/{one.pk}/withdraw/").status_code == 404
        assert sign_in(author).post(f"/amendments/{one.pk}/withdraw/").status_code == 302
        one.refresh_from_db()
        assert one.state == Amendment.State.WITHDRAWN
        with pytest.raises(Conflict):
            withdraw_amendment(actor=author, amendment=one)
        with pytest.raises(Conflict):
            agree_to_amendment(actor=senior, amendment=one, rubric_affected=True, reason="Late.")
        proposed(task, author)  # another one may follow


class TestDeciding:
    def test_a_senior_agrees_on_the_page_and_the_text_changes(self, task, author, senior, sign_in):
        one = proposed(task, author)
        client, url = sign_in(senior), f"/amendments/{one.pk}/"
        assert url in client.get("/").content.decode()
        page = client.get(url).content.decode()
        assert "<ins>" in page
        assert author.display_name not in page
        assert author.email not in page
        reply = client.post(url, {"decision": "rubric", "reason": "The annex says so."})
        assert reply.status_code == 302
        task.refresh_from_db()
        assert task.reference_answer == RIGHT
        assert task.rubric_since == task.version == 2
        assert task.prompt_since == 0
        kept = TextVersion.objects.filter(task=task).first()
        assert (kept.why, kept.parts["reference_answer"]) == ("amended", ANSWER)
        assert Seat.objects.get(task=task, user=senior).role == Role.AMENDMENT_DECIDER
        assert Notice.objects.filter(recipient=author, kind="amendment_rubric").count() == 1
        story = words_of(sign_in(author).get(f"/tasks/{task.pk}/").content.decode())
        assert "A senior agreed to the amendment. Changed: Reference answer." in story
        assert "Back with its author: the text was amended." in story
        assert senior.display_name not in story

    def test_the_fingerprint_follows_an_amended_prompt(self, task, author, senior):
        before = task.fingerprint.pk
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        assert Task.objects.get(pk=task.pk).fingerprint.pk != before

    def test_a_refusal_changes_nothing_and_is_read_by_its_proposer(
        self, task, author, senior, built_world, sign_in
    ):
        staff = built_world["staff"]
        one = proposed(task, staff)
        reply = sign_in(senior).post(
            f"/amendments/{one.pk}/", {"decision": "refuse", "reason": "The figure is right."}
        )
        assert reply.status_code == 302
        task.refresh_from_db()
        assert task.reference_answer == ANSWER
        for user in (author, staff):
            assert Notice.objects.filter(recipient=user, kind="amendment_refused").count() == 1
            page = sign_in(user).get(f"/amendments/{one.pk}/").content.decode()
            assert "The figure is right." in page

    @pytest.mark.parametrize(
        ("sent", "said"),
        [
            ({"decision": "", "reason": "Yes."}, "Choose: agree or refuse."),
            ({"decision": "maybe", "reason": "Yes."}, "maybe"),
            ({"decision": "agree", "reason": " "}, "Say why you agree"),
            ({"decision": "refuse", "reason": ""}, "Say why you refuse it"),
        ],
    )
    def test_a_decision_without_its_reason_is_refused(
        self, task, author, senior, sign_in, sent, said
    ):
        one = proposed(task, author)
        reply = sign_in(senior).post(f"/amendments/{one.pk}/", sent)
        assert reply.status_code == 400
        assert said in words_of(reply.content.decode())
        one.refresh_from_db()
        assert one.open
        assert not Seat.objects.filter(task=task, user=senior).exists()

    def test_nobody_decides_their_own_proposal(self, task, person, finance, author):
        both = person("both", finance, senior=True, is_staff=True)
        one = proposed(task, both)
        with pytest.raises(Denied):
            agree_to_amendment(actor=both, amendment=one, rubric_affected=False, reason="Mine.")
        with pytest.raises(IntegrityError), transaction.atomic():
            Amendment.objects.filter(pk=one.pk).update(
                state="refused", decided_by=both, decided_at=one.at, answer="Mine."
            )

    def test_a_senior_in_conflict_with_the_author_or_with_a_blind_seat_does_not_decide(
        self, task, author, senior, built_world, sign_in
    ):
        one = proposed(task, author)
        assert sign_in(built_world["checker"]).get(f"/amendments/{one.pk}/").status_code == 404
        propose_conflict(actor=built_world["staff"], person=author, other=senior, kind="coauthor")
        assert sign_in(senior).get(f"/amendments/{one.pk}/").status_code == 404
        assert f"/amendments/{one.pk}/" not in sign_in(senior).get("/amendments/").content.decode()
        with pytest.raises(Denied):
            refuse_amendment(actor=senior, amendment=one, reason="No.")

    def test_experts_and_seniors_of_other_domains_see_no_proposal(
        self, task, author, built_world, person, law, sign_in
    ):
        one = proposed(task, author)
        for user in (built_world["reviewer"], person("other", law, senior=True)):
            assert sign_in(user).get(f"/amendments/{one.pk}/").status_code == 404

    def test_whoever_reads_the_task_reads_what_was_amended(
        self, task, author, senior, built_world, sign_in
    ):
        one = amended(task, author, senior, rubric=True)
        reviewer = built_world["reviewer"]
        assert Notice.objects.filter(recipient=reviewer, kind="review_begins_anew").count() == 1
        page = sign_in(reviewer).get(f"/amendments/{one.pk}/").content.decode()
        assert "<ins>" in page
        assert author.display_name not in page

    def test_two_decisions_at_once_are_one(self, task, author, senior):
        one = proposed(task, author)
        same = Amendment.objects.get(pk=one.pk)
        refuse_amendment(actor=senior, amendment=one, reason="No.")
        with pytest.raises(Conflict):
            agree_to_amendment(actor=senior, amendment=same, rubric_affected=True, reason="Yes.")
        task.refresh_from_db()
        assert task.reference_answer == ANSWER

    def test_a_task_that_was_discarded_meanwhile_is_not_amended(self, task, author, senior):
        one = proposed(task, author)
        Task.objects.filter(pk=task.pk).update(stage=Stage.DISCARDED)
        with pytest.raises(Conflict, match="closed"):
            agree_to_amendment(actor=senior, amendment=one, rubric_affected=True, reason="Yes.")
        one.refresh_from_db()
        assert one.open


class TestTheList:
    def test_staff_see_all_by_role_in_a_fixed_number_of_queries(
        self, task, author, senior, built_world, sign_in, django_assert_num_queries
    ):
        client = sign_in(built_world["staff"])
        amended(task, author, senior, rubric=False)
        client.get("/amendments/")
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        with CaptureQueriesContext(connection) as one:
            assert "by the author" in client.get("/amendments/").content.decode()
        for n in range(3):
            amended(task, author, senior, rubric=False, reference_answer=f"{RIGHT} {n}.")
        with django_assert_num_queries(len(one)):
            page = client.get("/amendments/").content.decode()
        assert page.count("by the author") == 4
        assert author.email not in page

    def test_it_is_narrowed_by_state_and_refuses_other_words(self, task, author, senior, sign_in):
        one = amended(task, author, senior, rubric=False)
        client = sign_in(senior)
        assert f"/amendments/{one.pk}/" in client.get("/amendments/?state=agreed").content.decode()
        page = client.get("/amendments/?state=refused").content.decode()
        assert f"/amendments/{one.pk}/" not in page
        assert client.get("/amendments/?state=maybe").status_code == 400
        assert client.get("/amendments/?before=0").status_code == 400

    def test_an_expert_has_no_list(self, author, sign_in):
        assert sign_in(author).get("/amendments/").status_code == 403


def test_a_proposal_of_another_field_is_refused(task, author):
    with pytest.raises(BadInput):
        propose_amendment(
            actor=author,
            task=task,
            version=task.version,
            reason=WHY,
            parts={"minutes": "5"},
        )


class TestDifferences:
    def test_the_page_says_how_many_lines_are_folded(self, task, author, senior, sign_in):
        answer = "\n".join(f"Point {n} of the answer." for n in range(1, 31))
        Task.objects.filter(pk=task.pk).update(reference_answer=answer)
        one = proposed(task, author, reference_answer=f"{answer}\nOne more.")
        page = sign_in(senior).get(f"/amendments/{one.pk}/").content.decode()
        assert "28 unchanged lines" in page
        assert "One more." in page

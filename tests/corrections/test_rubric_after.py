"""After an amendment the rubric goes back, is compared with the new text, and reviewed again."""

from typing import Any

import pytest

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.amendments.actions import refuse_amendment
from judge.scoring.anchors.models import Anchor
from review.rounds.assignment_models import Round
from review.rounds.closing import rounds_over
from rubrics.corrections.views import confirm_rubric
from rubrics.lines.actions import edit_line
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import LineChange
from tests.corrections.conftest import RIGHT, amended, proposed, reviewed_again
from tests.rubrics.walk import lines_of, open_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(built_world: Any) -> Any:
    return built_world["author"]


@pytest.fixture
def senior(built_world: Any) -> Any:
    return built_world["senior"]


def kept_all(task: Any) -> dict[str, Any]:
    return {"text_version": task.version, "kept": [line.pk for line in lines_of(task)]}


class TestTheAuthor:
    def test_cannot_send_before_comparing_the_lines_with_the_new_text(
        self, task, author, senior, sign_in
    ):
        amended(task, author, senior, rubric=True)
        client = sign_in(author)
        page = client.get(f"/tasks/{task.pk}/rubric/").content.decode()
        assert f"/tasks/{task.pk}/rubric/amended/" in page
        reply = client.post(f"/tasks/{task.pk}/rubric/send/", {"as_drafted": "1"})
        assert reply.status_code == 400
        with pytest.raises(BadInput) as refused:
            send_to_review(actor=author, task=task)
        assert refused.value.code == "text_amended"

    def test_reads_what_changed_and_which_lines_it_touches(self, task, author, senior, sign_in):
        amended(task, author, senior, rubric=True)
        page = sign_in(author).get(f"/tasks/{task.pk}/rubric/amended/").content.decode()
        assert "Checked with the annex." in page
        assert "<ins>" in page
        assert "Open line 15" in page

    def test_says_of_each_touched_line_that_it_stays_or_changes_it(
        self, task, author, senior, sign_in
    ):
        amended(task, author, senior, rubric=True)
        first, *others = lines_of(task)
        url, client = f"/tasks/{task.pk}/rubric/amended/", sign_in(author)
        sent = {"text_version": task.version, "kept": [line.pk for line in others]}
        reply = client.post(url, sent)
        assert reply.status_code == 400
        assert "1 line quotes a passage that is gone." in reply.content.decode()
        type(first).objects.filter(pk=first.pk).update(quote=RIGHT.split(". ")[0] + ".")
        assert client.post(url, sent).status_code == 302
        version = open_version(task)
        assert version.text_version == task.version
        confirmed = version.changes.filter(kind=LineChange.Kind.CONFIRMED)
        assert set(confirmed.values_list("key", flat=True)) == {line.key for line in others}
        assert client.get(url).status_code == 302  # nothing is left to compare

    def test_compares_again_after_a_second_amendment(self, task, author, senior):
        amended(task, author, senior, rubric=True)
        sent = kept_all(task)
        amended(task, author, senior, rubric=True, reference_answer=f"{RIGHT} Ask for a fee.")
        with pytest.raises(Conflict) as refused:
            confirm_rubric(actor=author, task=task, **sent)
        assert refused.value.code == "changed_meanwhile"
        confirm_rubric(actor=author, task=task, **kept_all(task))
        send_to_review(actor=author, task=task)


class TestTheReview:
    def test_no_approval_is_carried_over(self, task, author, senior, built_world):
        amended(task, author, senior, rubric=True)
        confirm_rubric(actor=author, task=task, **kept_all(task))
        send_to_review(actor=author, task=task)
        opened = Round.objects.get(review__task=task, finished_at__isnull=True)
        assert not opened.lines.exists()
        assert rounds_over(task) == 0

    def test_an_unaffected_reopening_still_carries_them_over(
        self, task, author, senior, built_world
    ):
        from review.spot_checks.actions import reopen

        amended(task, author, senior, rubric=False)
        reopen(actor=built_world["staff"], task=task, reason="Look at line 3.")
        send_to_review(actor=author, task=task)
        opened = Round.objects.get(review__task=task, finished_at__isnull=True)
        assert opened.lines.count() == 15

    def test_an_open_round_ends_without_counting(self, task, author, senior, built_world):
        from review.spot_checks.actions import reopen

        reopen(actor=built_world["staff"], task=task, reason="Look at line 3.")
        line = lines_of(task)[0]
        edit_line(
            actor=author, task=task, criterion=line, text="States the figure as EUR 9 million."
        )
        send_to_review(actor=author, task=task)
        task.refresh_from_db()
        before = rounds_over(task)
        amended(task, author, senior, rubric=True)
        assert task.stage == Stage.REFINING
        assert not Round.objects.filter(review__task=task, finished_at__isnull=True).exists()
        assert rounds_over(task) == before == 0
        confirm_rubric(actor=author, task=task, **kept_all(task))
        reviewed_again(task, author, built_world["reviewer"])

    def test_neither_a_proposal_nor_a_refusal_changes_the_number_of_rounds(
        self, task, author, senior, built_world
    ):
        from review.spot_checks.actions import reopen

        reopen(actor=built_world["staff"], task=task, reason="Look at line 3.")
        before = rounds_over(task)
        refuse_amendment(actor=senior, amendment=proposed(task, author), reason="It is right.")
        assert rounds_over(task) == before == 0

    def test_a_senior_who_held_the_spot_check_gets_the_new_rubric(
        self, task, author, senior, built_world, settings
    ):
        from review.senior_seats.models import seniors_with_the_seat
        from review.spot_checks.actions import reopen, take_spot_check

        settings.SPOT_CHECK_RATE = 1.0
        reopen(actor=built_world["staff"], task=task, reason="Look at line 3.")
        send_to_review(actor=author, task=task)
        from review.rounds.actions import finish_round

        opened = Round.objects.get(review__task=task, finished_at__isnull=True)
        finish_round(actor=built_world["reviewer"], round=opened)
        task.refresh_from_db()
        assert task.stage == Stage.SPOT_CHECK
        take_spot_check(actor=senior, task=task)
        amended(task, author, senior, rubric=True)  # holding the senior's seat, they may decide
        assert task.stage == Stage.REFINING
        confirm_rubric(actor=author, task=task, **kept_all(task))
        send_to_review(actor=author, task=task)
        opened = Round.objects.get(review__task=task, finished_at__isnull=True)
        from review.rounds.actions import set_verdict

        for row in opened.version.criteria.all():
            set_verdict(
                actor=built_world["reviewer"], round=opened, criterion=row, verdict="approve"
            )
        finish_round(actor=built_world["reviewer"], round=opened)
        task.refresh_from_db()
        assert task.stage == Stage.SPOT_CHECK
        assert seniors_with_the_seat(task) == {senior.pk}


class TestTheAnchor:
    def test_is_scored_again_with_the_unchanged_lines_filled_in(
        self, task, author, senior, built_world
    ):
        amended(task, author, senior, rubric=True)
        confirm_rubric(actor=author, task=task, **kept_all(task))
        reviewed_again(task, author, built_world["reviewer"])
        anchor = Anchor.objects.get(task=task)
        assert anchor.stage == AnchorStage.SCORING
        sheet = anchor.current_sheet()
        assert sheet.state == "open"
        assert sheet.lines.filter(met__isnull=False).count() == 15

    def test_an_answer_to_the_earlier_prompt_that_comes_late_is_not_taken(
        self, task, author, senior, settings, monkeypatch
    ):
        from judge.asking.calls import model_client
        from judge.scoring.anchors import baseline
        from tests.corrections.conftest import REQUIREMENTS

        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        anchor = Anchor.objects.get(task=task)
        ask = model_client.ask

        def slowly(*args: Any, **options: Any) -> Any:
            """The model answers while another amendment comes into force."""
            reply = ask(*args, **options)
            amended(task, author, senior, rubric=False, requirements=f"{REQUIREMENTS} Sign it.")
            return reply

        monkeypatch.setattr(model_client, "ask", slowly)
        with pytest.raises(Conflict):
            baseline.answer(anchor)
        monkeypatch.undo()
        assert Anchor.objects.get(task=task).stage == AnchorStage.ANSWERING
        response = baseline.answer(Anchor.objects.get(task=task))
        task.refresh_from_db()
        assert response.text_version == task.version

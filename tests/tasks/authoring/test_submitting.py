"""Submitting, the cap of three, withdrawing."""

import pytest

from curation.base.process.lifecycle import Stage
from curation.screening.panels.voting_actions import vote
from curation.tasks.authoring.actions import create_task, grant_slot
from curation.tasks.task.models import Slot, Task, TaskEvent
from tests.tasks.authoring.conftest import PARTS, form_of
from tests.tasks.authoring.parallel import in_parallel


def url(task: Task, step: str = "submit") -> str:
    return f"/tasks/{task.pk}/{step}/"


def test_submitting_takes_a_slot_and_says_what_comes_next(sign_in, author, draft):
    answer = sign_in(author).post(url(draft), form_of(draft), follow=True)
    draft.refresh_from_db()
    assert draft.stage == Stage.SUBMITTED
    assert draft.slot.number == 1
    page = answer.content.decode()
    assert "It takes slot 1" in page
    assert "panel" in page


def test_submitting_saves_what_was_typed_a_moment_before(sign_in, author, draft):
    sign_in(author).post(url(draft), form_of(draft, title="Typed last"))
    draft.refresh_from_db()
    assert (draft.title, draft.stage) == ("Typed last", Stage.SUBMITTED)


def test_an_incomplete_draft_stays_and_names_each_missing_part(sign_in, author, draft):
    sent = form_of(draft, title="", reference_answer=" \u200b ", scenario="Kept as typed.")
    answer = sign_in(author).post(url(draft), sent)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Kept as typed." in page
    assert page.count("field-error") == 2
    assert "data-error-summary" in page
    draft.refresh_from_db()
    assert draft.stage == Stage.DRAFT
    assert not Slot.objects.exists()


def test_a_stale_submission_asks_which_text_is_meant(sign_in, author, draft):
    client = sign_in(author)
    stale = form_of(draft, scenario="Of this tab.")
    client.post(url(draft, "edit"), form_of(draft, scenario="Of the other tab."))
    assert client.post(url(draft), stale).status_code == 409
    draft.refresh_from_db()
    assert draft.stage == Stage.DRAFT


def test_submitting_twice_is_a_conflict_and_takes_one_slot(sign_in, author, draft):
    client = sign_in(author)
    assert client.post(url(draft)).status_code == 302
    assert client.post(url(draft)).status_code == 409
    assert Slot.objects.count() == 1


def test_the_fourth_prompt_is_refused_kindly_and_the_draft_stays(sign_in, author, make_draft):
    client = sign_in(author)
    for _n in range(3):
        client.post(url(make_draft(author)))
    fourth = make_draft(author)
    answer = client.post(url(fourth), form_of(fourth, title="The fourth"))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert 'data-code="prompt_limit"' in page
    assert "stays yours" in page
    fourth.refresh_from_db()
    assert (fourth.stage, fourth.title) == (Stage.DRAFT, "The fourth")
    assert client.get(url(fourth, "edit")).status_code == 200


def test_with_all_slots_taken_the_list_says_that_a_draft_cannot_be_submitted(
    sign_in, author, staff, make_draft
):
    client = sign_in(author)
    for _n in range(3):
        client.post(url(make_draft(author)))
    fourth = make_draft(author, title="The fourth")
    refused = "All your slots are used, so it cannot be submitted. Staff can grant another."
    for address in ("/tasks/", f"/tasks/{fourth.pk}/"):
        page = client.get(address).content.decode()
        assert refused in page
        assert "It takes a slot when you submit it" not in page
    grant_slot(actor=staff, expert=author, reason="Treasury is thin.")
    for address in ("/tasks/", f"/tasks/{fourth.pk}/"):
        page = client.get(address).content.decode()
        assert refused not in page
        assert "It takes a slot when you submit it" in page


def test_an_incomplete_fourth_draft_is_told_about_the_slots_and_not_about_its_gaps(
    sign_in, author, make_draft
):
    client = sign_in(author)
    for _n in range(3):
        client.post(url(make_draft(author)))
    fourth = make_draft(author, materials="", scenario="")
    answer = client.post(url(fourth), form_of(fourth))
    assert answer.status_code == 409
    assert "All 3 of your slots are used" in answer.content.decode()
    assert Slot.objects.count() == 3


def test_an_incomplete_draft_takes_no_slot_with_it(sign_in, author, make_draft):
    client = sign_in(author)
    draft = make_draft(author, materials="")
    assert client.post(url(draft)).status_code == 400
    assert not Slot.objects.exists()


def test_staff_can_grant_a_fourth_slot(sign_in, author, staff, make_draft):
    client = sign_in(author)
    for _n in range(3):
        client.post(url(make_draft(author)))
    grant_slot(actor=staff, expert=author, reason="Treasury is thin.")
    assert client.post(url(make_draft(author))).status_code == 302
    assert Slot.objects.filter(expert=author).count() == 4


def test_a_returned_task_keeps_its_slot_and_is_submitted_again(
    sign_in, author, peer, seated, settings
):
    settings.PANEL_QUORUM = 1
    vote(
        actor=peer,
        task=seated,
        difficult=True,
        representative=True,
        gradable=False,
        decision="return",
        reasons="Say how long the memo may be.",
    )
    client = sign_in(author)
    assert "Say how long the memo may be." in client.get(url(seated, "edit")).content.decode()
    assert client.post(url(seated)).status_code == 302
    assert Slot.objects.filter(expert=author).count() == 1
    seated.refresh_from_db()
    assert (seated.stage, seated.screening_round) == (Stage.SUBMITTED, 2)


def test_withdrawing_and_starting_anew_is_no_way_to_a_fourth_prompt(
    sign_in, author, peer, make_draft, settings
):
    from curation.screening.panels.actions import join_panel
    from curation.screening.panels.voting_actions import open_screening

    settings.PANEL_QUORUM = 1
    client = sign_in(author)
    for _n in range(3):
        task = make_draft(author)
        client.post(url(task))
        task.refresh_from_db()
        open_screening(task=task)
        join_panel(actor=peer, task=task)
        vote(
            actor=peer,
            task=task,
            difficult=True,
            representative=True,
            gradable=False,
            decision="return",
            reasons="Not gradable yet.",
        )
        answer = client.post(url(task, "withdraw"), {"reason": "To write another one."})
        assert answer.status_code == 302
    assert client.post(url(make_draft(author))).status_code == 409


def test_a_suspended_author_cannot_submit(sign_in, author, draft):
    author.qualifications.update(active=False)
    assert sign_in(author).post(url(draft)).status_code == 403
    draft.refresh_from_db()
    assert draft.stage == Stage.DRAFT


def test_withdrawing_asks_for_a_reason_and_keeps_it(sign_in, author, draft):
    client = sign_in(author)
    assert "Only staff can take this back" in client.get(url(draft, "withdraw")).content.decode()
    assert client.post(url(draft, "withdraw"), {"reason": "  "}).status_code == 400
    assert client.post(url(draft, "withdraw"), {"reason": "Client objects."}).status_code == 302
    assert TaskEvent.objects.get(task=draft, to_stage="withdrawn").reason == "Client objects."


def test_a_task_with_its_panel_cannot_be_withdrawn_now(sign_in, author, screened):
    assert sign_in(author).get(url(screened, "withdraw")).status_code == 409
    assert sign_in(author).post(url(screened, "withdraw"), {"reason": "x"}).status_code == 409


@pytest.mark.django_db(transaction=True)
def test_eight_parallel_submissions_end_in_exactly_three_prompts(author, finance, settings):
    tasks = [create_task(actor=author, domain=finance, **PARTS) for _n in range(8)]
    codes = in_parallel([(author, url(task)) for task in tasks])
    assert sorted(codes) == [302] * 3 + [409] * 5
    assert sorted(Slot.objects.values_list("number", flat=True)) == [1, 2, 3]
    assert Task.objects.filter(stage=Stage.DRAFT).count() == 5
    assert TaskEvent.objects.filter(to_stage="submitted").count() == 3


@pytest.mark.django_db(transaction=True)
def test_the_browser_and_the_api_share_one_cap(author, finance):
    tasks = [create_task(actor=author, domain=finance, **PARTS) for _n in range(12)]
    codes = in_parallel(
        [
            (author, url(task) if n % 2 else f"/api/v1/tasks/{task.pk}/submit/")
            for n, task in enumerate(tasks)
        ]
    )
    assert sum(code in (200, 302) for code in codes) == 3
    assert codes.count(409) == 9


@pytest.mark.django_db(transaction=True)
def test_one_task_submitted_by_many_tabs_at_once_takes_one_slot(author, finance):
    task = create_task(actor=author, domain=finance, **PARTS)
    codes = in_parallel([(author, url(task))] * 10)
    assert sorted(codes) == [302] + [409] * 9
    assert Slot.objects.count() == 1

"""A suspect task: a second expert answers first, and sees the reference answer only then."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.screening.panels.actions import fill_panel, join_panel
from curation.screening.panels.models import PanelPlace, ReferenceCheck
from curation.screening.panels.seats import expire_places
from curation.tasks.authoring.actions import submit_task
from curation.tasks.task.models import Seat, TaskEvent
from tests.screening.voting.test_voting import KEEP, url
from tests.tasks.authoring.parallel import in_parallel

PLANTED = "Leverage is 3.00 times"  # of the reference answer


@pytest.fixture
def checker(person, finance, suspect):
    """A colleague who took the check from the pool."""
    someone = person("checker", finance)
    join_panel(actor=someone, task=suspect, kind="check")
    return someone


def check_url(task, step=""):
    return url(task, f"check/{step}")


def answer(client, task, words="3.00 times; the covenant holds.", version=0):
    return client.post(check_url(task), {"answer": words, "version": version})


def test_the_reference_answer_is_not_even_selected_before_the_own_answer(sign_in, checker, suspect):
    client = sign_in(checker)
    with CaptureQueriesContext(connection) as asked:
        page = client.get(check_url(suspect))
        client.get("/screening/")
        client.get("/")
        saved = client.post(check_url(suspect, "save/"), {"answer": "Half", "version": 0})
        client.post(check_url(suspect, "decide/"), {"verdict": "right", "remarks": "x"})
    assert page.status_code == saved.status_code == 200
    assert PLANTED not in page.content.decode()
    assert "You are the credit analyst" in page.content.decode()
    assert not [q["sql"] for q in asked.captured_queries if "reference_answer" in q["sql"]]


def test_a_checker_reaches_the_reference_answer_by_no_other_way(sign_in, checker, suspect):
    client = sign_in(checker)
    for address in (f"/tasks/{suspect.pk}/", url(suspect), f"/tasks/{suspect.pk}/edit/"):
        reply = client.get(address)
        assert reply.status_code == 404
        assert PLANTED not in reply.content.decode()


def test_after_the_own_answer_both_stand_side_by_side_with_the_time(sign_in, checker, suspect):
    client = sign_in(checker)
    client.get(check_url(suspect))
    assert answer(client, suspect).status_code == 302
    page = client.get(check_url(suspect)).content.decode()
    assert PLANTED in page
    assert "3.00 times; the covenant holds." in page
    check = ReferenceCheck.objects.get(task=suspect)
    assert check.seconds is not None
    assert check.opened_at <= check.answered_at
    # From here the own answer stands.
    late = client.post(check_url(suspect, "save/"), {"answer": "Other", "version": check.revision})
    assert late.status_code == 409


def test_a_checker_who_reads_another_language_answers_in_it(sign_in, checker, suspect):
    checker.language = "zh-hans"
    checker.save(update_fields=["language"])
    client = sign_in(checker)
    assert client.get(check_url(suspect)).status_code == 200
    assert answer(client, suspect).status_code == 302
    assert PLANTED in client.get(check_url(suspect)).content.decode()


def test_typing_is_saved_and_comes_back_as_it_was(sign_in, checker, suspect):
    client = sign_in(checker)
    client.get(check_url(suspect))
    saved = client.post(check_url(suspect, "save/"), {"answer": "First line\r\n", "version": 0})
    assert saved.json()["version"] == 1
    assert "First line" in client.get(check_url(suspect)).content.decode()
    stale = client.post(
        check_url(suspect, "save/"), {"answer": "Another tab", "version": 0},
        headers={"accept": "application/json"},
    )  # fmt: skip
    assert stale.status_code == 409
    assert stale.json()["theirs"]["answer"].strip() == "First line"
    both = answer(client, suspect, "Another tab", 0)
    assert both.status_code == 409
    assert "Another tab" in both.content.decode()
    assert "First line" in both.content.decode()


def test_an_empty_answer_or_a_finding_without_remarks_is_refused(sign_in, checker, suspect):
    client = sign_in(checker)
    client.get(check_url(suspect))
    assert answer(client, suspect, " \u200b ").status_code == 400
    answer(client, suspect)
    for sent in ({"verdict": "right"}, {"remarks": "Fine."}, {"verdict": "maybe", "remarks": "?"}):
        assert client.post(check_url(suspect, "decide/"), sent).status_code == 400
    assert ReferenceCheck.objects.get(task=suspect).verdict == ""


def test_a_finding_before_the_own_answer_is_a_conflict(sign_in, checker, suspect):
    sent = {"verdict": "right", "remarks": "Fine."}
    assert sign_in(checker).post(check_url(suspect, "decide/"), sent).status_code == 409


def test_keeping_waits_for_the_check_and_then_happens(sign_in, peer, checker, suspect):
    join_panel(actor=peer, task=suspect)
    reply = sign_in(peer).post(url(suspect), KEEP, follow=True).content.decode()
    assert "the reference answer is checked" in reply
    suspect.refresh_from_db()
    assert suspect.stage == "screening"
    client = sign_in(checker)
    answer(client, suspect)
    client.post(check_url(suspect, "decide/"), {"verdict": "right", "remarks": "The same."})
    suspect.refresh_from_db()
    assert suspect.stage == "drafting"

    moved = TaskEvent.objects.get(task=suspect, to_stage="drafting")
    assert moved.actor_id is None, "the panel decided, not its checker"


@pytest.mark.parametrize("field", ["answer", "remarks"])
def test_what_was_typed_after_the_place_had_ended_is_shown_again(sign_in, checker, suspect, field):
    client = sign_in(checker)
    client.get(check_url(suspect))
    if field == "remarks":
        answer(client, suspect)
    expire_places(timezone.now() + timedelta(days=30))
    sent = {"answer": "An hour of thought", "version": 0, "remarks": "An hour of thought"}
    sent["verdict"] = "right"
    late = client.post(check_url(suspect, "decide/" if field == "remarks" else ""), sent)
    assert late.status_code == 409
    page = late.content.decode()
    assert "An hour of thought" in page
    assert "Your place has ended" in page


def test_an_answer_of_a_second_tab_is_shown_again_after_the_first_was_handed_in(
    sign_in, checker, suspect
):
    client = sign_in(checker)
    client.get(check_url(suspect))
    answer(client, suspect)
    late = answer(client, suspect, "Typed in a second tab")
    assert late.status_code == 409
    assert "Typed in a second tab" in late.content.decode()


def test_rejecting_does_not_wait_for_the_check(sign_in, peer, checker, suspect):
    join_panel(actor=peer, task=suspect)
    sign_in(peer).post(url(suspect), {**KEEP, "decision": "reject"})
    suspect.refresh_from_db()
    assert suspect.stage == "rejected"
    place = PanelPlace.objects.get(task=suspect, member=checker)
    assert place.state == PanelPlace.State.RELEASED
    assert not Seat.objects.filter(task=suspect, user=checker).exists()


def test_a_fault_returns_the_task_with_the_remarks(sign_in, author, peer, checker, suspect):
    join_panel(actor=peer, task=suspect)
    client = sign_in(checker)
    answer(client, suspect)
    fault = {"verdict": "flawed", "remarks": "Net debt leaves out the leases."}
    assert client.post(check_url(suspect, "decide/"), fault).status_code == 302
    suspect.refresh_from_db()
    assert suspect.stage == "draft"
    page = sign_in(author).get(f"/tasks/{suspect.pk}/").content.decode()
    assert "Net debt leaves out the leases." in page
    assert "a second expert found a fault" in page
    assert checker.pseudonym not in page
    # What the author writes now is nobody else's to read.
    assert PLANTED not in client.get(check_url(suspect)).content.decode()
    submit_task(actor=author, task=suspect)


def test_an_expired_check_keeps_what_was_written_to_itself(
    sign_in, person, finance, checker, suspect
):
    client = sign_in(checker)
    client.get(check_url(suspect))
    client.post(check_url(suspect, "save/"), {"answer": "My half thought", "version": 0})
    PanelPlace.objects.filter(member=checker).update(due_at="2020-01-01T00:00:00Z")
    second = person("second", finance)
    expire_places()
    check = ReferenceCheck.objects.get(task=suspect)
    assert (check.checker, check.answer, check.opened_at) == (second, "", None)
    assert "My half thought" not in sign_in(second).get(check_url(suspect)).content.decode()
    page = client.get(check_url(suspect)).content.decode()
    assert "My half thought" in page
    assert "This has ended" in page


def test_the_draw_gives_the_check_first(person, finance, suspect):
    one, two = person("one", finance), person("two", finance)
    assert fill_panel(suspect) == 2
    kinds = set(suspect.panel_places.values_list("kind", flat=True))
    assert kinds == {"check", "vote"}
    assert {p.member for p in suspect.panel_places.all()} == {one, two}


def test_the_panel_and_the_author_are_told_why(sign_in, author, peer, suspect):
    join_panel(actor=peer, task=suspect)
    for person, address in ((peer, url(suspect)), (author, f"/tasks/{suspect.pk}/")):
        page = sign_in(person).get(address).content.decode().replace("\u00a0", " ")
        assert "0 of 6 answers passed, a rate of 0 % (95 % interval: 0 to 39 %)" in page
        assert "That is under the limit of 10 %" in page


@pytest.mark.django_db(transaction=True)
def test_eight_people_reach_for_one_check(person, finance, suspect):
    people = [person(f"p{n}", finance) for n in range(8)]
    codes = in_parallel([(p, url(suspect, "join/")) for p in people], {"kind": "check"})
    assert codes.count(302) == 1
    assert Seat.objects.filter(task=suspect, role="checker").count() == 1

"""Two solvers: blind before handing in, timed on our clock, compared afterwards."""

from datetime import timedelta

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.base.web.refusals import Conflict, Denied
from curation.joining.notices.models import Notice
from curation.screening.panels.actions import assign_place, fill_panel, join_panel
from curation.screening.panels.models import PanelPlace, Solve
from curation.screening.panels.seats import expire_places
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.authoring.actions import submit_task
from curation.tasks.task.models import Seat, Task
from tests.tasks.authoring.parallel import in_parallel
from tests.tasks.exact_answers.conftest import (
    KEEP,
    STEPS,
    decide,
    opened_minutes_ago,
    solve,
    solve_url,
    write_answer,
)

pytestmark = pytest.mark.django_db
HIDDEN = ("Dandong-Kappa", "12 prefectures", "statistics.example.org", "defined by treaty")


def test_answer_and_steps_are_not_even_selected_before_the_own_answer(sign_in, solver, screened):
    client = sign_in(solver("ana"))
    with CaptureQueriesContext(connection) as asked:
        page = client.get(solve_url(screened))
        client.get("/screening/")
        client.get("/")
        early = client.post(solve_url(screened, "look/"))
        decide(client, screened)
    words = page.content.decode()
    assert page.status_code == 200
    assert early.status_code in (303, 409)
    assert "prefectures of the three north-eastern provinces" in words
    assert "Fifteen-minute mark" in words
    assert not [hidden for hidden in HIDDEN if hidden in words]
    selected = [q["sql"] for q in asked.captured_queries if q["sql"].startswith("SELECT")]
    assert not [sql for sql in selected if "reference_answer" in sql or "solutionstep" in sql]


def test_a_solver_who_reads_another_language_hands_in(sign_in, solver, screened):
    ana = solver("ana")
    ana.language = "zh-hans"
    ana.save(update_fields=["language"])
    client = sign_in(ana)
    assert client.get(solve_url(screened)).status_code == 200
    assert solve(client, screened).status_code == 302


def test_a_solver_reaches_the_answer_by_no_other_way(sign_in, solver, screened):
    client = sign_in(solver("ana"))
    client.get(solve_url(screened))
    for address in (
        f"/tasks/{screened.pk}/",
        f"/tasks/{screened.pk}/answer/",
        f"/tasks/{screened.pk}/edit/",
        f"/screening/{screened.pk}/",
        f"/screening/{screened.pk}/check/",
    ):
        reply = client.get(address)
        assert reply.status_code in (403, 404), address
        assert not [hidden for hidden in HIDDEN if hidden in reply.content.decode()]


def test_after_handing_in_both_answers_the_steps_and_the_time_are_shown(sign_in, solver, screened):
    ana = solver("ana")
    client = sign_in(ana)
    client.get(solve_url(screened))
    opened_minutes_ago(screened, ana, 9)
    assert client.post(solve_url(screened), {"answer": " **１２** "}).status_code == 302
    mine = Solve.objects.get(solver=ana)
    assert (mine.answer, mine.agrees, mine.looked_at) == ("**１２**", True, None)
    assert 530 <= mine.seconds <= 560
    page = client.get(solve_url(screened)).content.decode()
    assert STEPS[0].text in page
    assert "they say the same" in page
    assert "9 minutes" in page
    again = client.post(solve_url(screened), {"answer": "13"})
    assert again.status_code == 409
    assert Solve.objects.get(solver=ana).answer == "**１２**"


def test_opening_again_does_not_start_the_clock_anew(sign_in, solver, screened):
    ana = solver("ana")
    client = sign_in(ana)
    client.get(solve_url(screened))
    first = Solve.objects.get(solver=ana).started_at
    client.get(solve_url(screened))
    assert Solve.objects.get(solver=ana).started_at == first


def test_from_the_mark_on_the_steps_may_be_looked_at_which_makes_it_a_verification(
    sign_in, solver, screened
):
    ana = solver("ana")
    client = sign_in(ana)
    client.get(solve_url(screened))
    opened_minutes_ago(screened, ana, 14)
    before = client.get(solve_url(screened)).content.decode()
    assert "Look at the steps" not in before
    assert 'data-refresh-every="60"' in before or 'data-refresh-every="59"' in before
    assert client.post(solve_url(screened, "look/")).status_code in (303, 409)
    assert Solve.objects.get(solver=ana).ended_at is None
    opened_minutes_ago(screened, ana, 16)
    part = client.get(solve_url(screened), headers={"X-Parts": "1"}).content.decode()
    assert "<html" not in part
    for whole in (part, client.get(solve_url(screened)).content.decode()):
        assert "Fifteen minutes have passed" in whole
        assert "Look at the steps" in whole
        assert "data-refresh-every" not in whole
        assert STEPS[1].text not in whole
    assert client.post(solve_url(screened, "look/")).status_code == 302
    mine = Solve.objects.get(solver=ana)
    assert mine.looked_at is not None
    assert mine.answer == ""
    assert not mine.unaided
    assert STEPS[1].text in client.get(solve_url(screened)).content.decode()
    assert decide(client, screened).status_code == 302


@pytest.mark.parametrize("typed", ["", " ", "…", "a\x00b", "x" * 201])
def test_an_answer_that_says_nothing_or_cannot_be_stored_is_refused(
    sign_in, solver, screened, typed
):
    client = sign_in(solver("ana"))
    client.get(solve_url(screened))
    assert client.post(solve_url(screened), {"answer": typed}).status_code == 400
    assert not Solve.objects.filter(ended_at__isnull=False).exists()


def test_a_verdict_needs_a_reason_and_comes_after_the_answer(sign_in, solver, screened):
    client = sign_in(solver("ana"))
    client.get(solve_url(screened))
    assert decide(client, screened).status_code == 409
    solve(client, screened)
    assert decide(client, screened, remarks=" ").status_code == 400
    assert decide(client, screened, verdict="maybe").status_code == 400
    assert decide(client, screened, "unclear", "Which year?").status_code == 302
    assert Solve.objects.get(verdict="unclear").remarks == "Which year?"


def test_a_doubt_waits_for_the_solver_at_work_then_the_author_and_staff_hear_of_it(
    sign_in, solver, screened, author, staff
):
    ana, bela = solver("ana"), solver("bela")
    sign_in(bela).get(solve_url(screened))
    client = sign_in(ana)
    solve(client, screened, "13")
    decide(client, screened, "wrong", "Step 2 counts Jilin twice.")
    screened.refresh_from_db()
    assert screened.stage == "screening"
    client = sign_in(bela)
    solve(client, screened)
    decide(client, screened)
    screened.refresh_from_db()
    assert screened.stage == "draft"
    page = sign_in(author).get(f"/tasks/{screened.pk}/edit/").content.decode()
    assert "Step 2 counts Jilin twice." in page
    assert "the solvers did not confirm the answer" in page
    assert "ana@example.test" not in page
    assert Notice.objects.filter(recipient=staff, kind="solvers_disagree").exists()
    panel = sign_in(staff).get(f"/staff/screening/{screened.pk}/").content.decode()
    assert "Step 2 counts Jilin twice." in panel
    assert "13" in panel


def test_a_doubt_returns_the_task_at_once_where_nobody_else_is_solving(sign_in, solver, screened):
    client = sign_in(solver("ana"))
    solve(client, screened, "13")
    decide(client, screened, "wrong", "It is 13.")
    screened.refresh_from_db()
    assert screened.stage == "draft"
    assert "It is 13." in screened.history.last().reason
    # The author changes the answer then; the solver must not see how.
    page = client.get(solve_url(screened))
    assert page.status_code == 200
    assert not [hidden for hidden in HIDDEN if hidden in page.content.decode()]


def test_a_doubt_returns_the_task_once_the_other_solver_hands_back(sign_in, solver, screened):
    ana, bela = solver("ana"), solver("bela")
    client = sign_in(ana)
    solve(client, screened, "13")
    decide(client, screened, "wrong", "It is 13.")
    sign_in(bela).post(f"/screening/{screened.pk}/skip/", {"reason": "Not my field."})
    screened.refresh_from_db()
    assert screened.stage == "draft"
    assert "It is 13." in screened.history.last().reason


def test_a_doubt_returns_the_task_once_the_other_solvers_place_expires(sign_in, solver, screened):
    ana, bela = solver("ana"), solver("bela")
    sign_in(bela).get(solve_url(screened))
    client = sign_in(ana)
    solve(client, screened, "13")
    decide(client, screened, "wrong", "It is 13.")
    assert expire_places(timezone.now() + timedelta(days=30)) == 1
    screened.refresh_from_db()
    assert screened.stage == "draft"


def test_a_solver_meets_the_task_nowhere_but_on_the_page_for_solving(sign_in, solver, screened):
    client = sign_in(solver("ana"))
    assert client.get(solve_url(screened)).status_code == 200
    assert client.get(f"/tasks/{screened.pk}/").status_code == 404
    assert client.get("/api/v1/tasks/").json()["results"] == []
    assert f"/tasks/{screened.pk}/" not in client.get(f"/search/?q={screened.title}").text


def test_a_new_submission_gets_two_new_solvers_and_an_earlier_one_can_only_verify(
    sign_in, solver, screened, author, staff, person, finance
):
    ana = solver("ana")
    client = sign_in(ana)
    solve(client, screened, "13")
    decide(client, screened, "wrong", "It is 13.")
    screened.refresh_from_db()
    write_answer(author, screened, answer="13")
    submit_task(actor=author, task=screened)
    open_screening(task=screened)
    assert Solve.objects.filter(task=screened, round=2, solver=None).count() == 2
    with pytest.raises(Conflict):
        assign_place(actor=staff, task=screened, member=ana, kind="vote")
    page = sign_in(staff).get(f"/staff/screening/{screened.pk}/").content.decode()
    assert "verifies" in page
    assign_place(actor=staff, task=screened, member=ana, kind="solve")
    assert "13 prefectures" in client.get(solve_url(screened)).content.decode()
    mine = Solve.objects.get(task=screened, round=2, solver=ana)
    assert mine.looked_at is not None
    assert decide(client, screened).status_code == 302


def test_the_author_people_in_conflict_strangers_and_members_solve_nothing(
    sign_in, screened, author, peer, stranger, solver
):
    join_panel(actor=peer, task=screened)
    for person in (author, stranger):
        with pytest.raises(Denied):
            join_panel(actor=person, task=screened, kind="solve")
    with pytest.raises(Conflict):
        join_panel(actor=peer, task=screened, kind="solve")
    solver("ana"), solver("bela")
    with pytest.raises(Conflict):
        solver("cleo")
    assert not Seat.objects.filter(task=screened, user__email="cleo@example.test").exists()


def test_the_draw_gives_two_solves_and_the_vote_to_three_colleagues(screened, person, finance):
    for name in ("ana", "bela", "cleo", "dora"):
        person(name, finance)
    assert fill_panel(screened) == 3
    kinds = PanelPlace.objects.filter(task=screened).values_list("kind", flat=True)
    assert sorted(kinds) == ["solve", "solve", "vote"]
    assert Notice.objects.filter(kind="solve_given").count() == 2


def test_a_place_that_is_handed_back_or_expires_goes_to_somebody_else(
    sign_in, solver, screened, person, finance
):
    ana, bela = solver("ana"), solver("bela")
    client = sign_in(ana)
    solve(client, screened, "13")
    reply = client.post(f"/screening/{screened.pk}/skip/", {"reason": "Not my field."})
    assert reply.status_code == 302
    assert Solve.objects.filter(task=screened, solver=None).count() == 1
    assert PanelPlace.objects.get(member=ana).left_behind == "13"
    person("cleo", finance)
    expire_places(timezone.now() + timedelta(days=30))
    taken = Solve.objects.filter(task=screened).values_list("solver__email", flat=True)
    assert "cleo@example.test" in taken
    assert bela.email not in taken


def test_staff_cannot_keep_a_task_that_two_solvers_have_not_confirmed(
    sign_in, screened, peer, staff
):
    join_panel(actor=peer, task=screened)
    sign_in(peer).post(f"/screening/{screened.pk}/", KEEP)
    reply = sign_in(staff).post(
        f"/staff/screening/{screened.pk}/decide/", {"reason": "Nobody is left."}
    )
    assert reply.status_code in (303, 409)
    screened.refresh_from_db()
    assert screened.stage == "screening"


def test_the_database_takes_no_third_solve_no_verdict_before_an_answer(solver, screened):
    ana = solver("ana")
    rows = Solve.objects.filter(solver=ana)
    now = timezone.now()
    for wrong in (
        {"verdict": "right", "remarks": "x", "decided_at": now},
        {"ended_at": now},
        {"number": 3},
        {"number": 2},
        {"verdict": "fine"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**wrong)
    with pytest.raises(ObjectDoesNotExist):
        Task.objects.get(key="none")


def test_words_are_compared_by_what_they_say(sign_in, screened, solver):
    exact = screened.exact_answer
    type(exact).objects.filter(pk=exact.pk).update(
        kind="words", answer="Hamburger hands", unit="", alternatives=["La La Hand"]
    )
    client = sign_in(solver("ana"))
    solve(client, screened, "“la la hand”.")
    assert Solve.objects.get(solver__email="ana@example.test").agrees is True


@pytest.mark.django_db(transaction=True)
def test_two_colleagues_at_once_never_share_a_solve(screened, person, finance):
    people = [person(name, finance) for name in ("ana", "bela", "cleo")]
    join = f"/screening/{screened.pk}/join/"
    in_parallel([(someone, join) for someone in people], {"kind": "solve"})
    taken = Solve.objects.filter(task=screened).values_list("solver", flat=True)
    assert len(set(taken)) == 2
    assert None not in taken

"""A task's page and the list: where it stands, the story, and nobody's name."""

import pytest

from curation.base.process.roles import Role
from curation.screening.panels.voting_actions import vote
from curation.tasks.task.holding import take_seat


def page_of(client, task) -> str:
    answer = client.get(f"/tasks/{task.pk}/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_author_reads_the_reasons_of_the_panel_but_not_who_gave_them(
    sign_in, author, peer, seated, settings
):
    settings.PANEL_QUORUM = 1
    vote(
        actor=peer,
        task=seated,
        difficult=False,
        representative=True,
        gradable=True,
        decision="reject",
        reasons="Any model solves it.\n\n<b>Sorry.</b>",
    )
    page = page_of(sign_in(author), seated)
    assert "Any model solves it." in page
    assert "<b>Sorry.</b>" not in page
    assert "Rejected by the panel." in page
    assert peer.display_name not in page
    assert peer.pseudonym not in page
    assert "panel_joined" not in page
    assert "joined the panel" not in page


def test_a_screener_reads_the_task_without_its_author(sign_in, author, peer, seated):
    page = page_of(sign_in(peer), seated)
    assert seated.title in page
    assert author.display_name not in page.replace("The author is not named", "")
    assert author.pseudonym not in page
    assert author.email not in page


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.SPOT_CHECKER, Role.SCORER])
def test_everybody_with_a_seat_may_read_it(sign_in, person, finance, screened, role):
    somebody = person("somebody", finance)
    assert sign_in(somebody).get(f"/tasks/{screened.pk}/").status_code == 404
    take_seat(task=screened, user=somebody, role=role)
    page_of(sign_in(somebody), screened)


def test_strangers_and_missing_tasks_look_the_same(sign_in, stranger, screened):
    client = sign_in(stranger)
    hidden, missing = client.get(f"/tasks/{screened.pk}/"), client.get("/tasks/999999/")
    assert hidden.status_code == missing.status_code == 404
    said = [
        answer.content.decode().split("<main")[1].split("</main>")[0]
        for answer in (hidden, missing)
    ]
    assert said[0] == said[1]
    assert client.get(f"/tasks/{10**30}/").status_code == 404


def test_the_list_shows_ones_own_tasks_with_who_holds_them(sign_in, author, peer, screened):
    mine = sign_in(author).get("/tasks/").content.decode()
    assert screened.title in mine
    assert "With the panel: Finance." in mine
    assert screened.title not in sign_in(peer).get("/tasks/").content.decode()


def test_an_empty_list_says_what_to_do(sign_in, author, applicant):
    assert "Start a draft" in sign_in(author).get("/tasks/").content.decode()
    assert "See your applications" in sign_in(applicant).get("/tasks/").content.decode()


def test_the_list_costs_the_same_for_three_and_eight_tasks(
    sign_in, author, make_draft, django_assert_max_num_queries
):
    client = sign_in(author)
    for _n in range(3):
        make_draft(author)
    with django_assert_max_num_queries(12) as few:
        client.get("/tasks/")
    for _n in range(5):
        make_draft(author)
    with django_assert_max_num_queries(12) as many:
        client.get("/tasks/")
    assert len(few) == len(many)


def test_lists_never_load_the_long_texts(sign_in, author, staff, screened, peer):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    for person, address in (
        (author, "/tasks/"),
        (author, "/"),
        (peer, "/screening/"),
        (staff, "/staff/tasks/"),
        (staff, "/staff/pipeline/"),
        (staff, "/staff/audit/"),
        (staff, "/api/v1/tasks/"),
    ):
        with CaptureQueriesContext(connection) as queries:
            assert sign_in(person).get(address).status_code == 200
        columns = '"curation_task"."reference_answer"'
        loaded = [q["sql"] for q in queries if columns in q["sql"].replace(f"LENGTH({columns}", "")]
        assert loaded == [], address

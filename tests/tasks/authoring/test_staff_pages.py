"""Pipeline, list, one task and the audit, for staff only."""

import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.staff.pipeline.queries import percentile_90, pipeline
from curation.tasks.authoring.actions import withdraw_task
from curation.tasks.task.models import Origin, Task
from tests.markup import without_tokens

PAGES = ["/staff/pipeline/", "/staff/tasks/", "/staff/audit/"]


@pytest.mark.parametrize("address", [*PAGES, "/staff/tasks/1/"])
def test_the_pages_are_for_staff(sign_in, author, senior, applicant, client, address):
    for person in (author, senior, applicant):
        assert sign_in(person).get(address).status_code == 403
    assert client.get(address).status_code == 302


def age(task: Task, days: int) -> None:
    Task.objects.filter(pk=task.pk).update(stage_since=timezone.now() - timedelta(days=days))


def test_the_pipeline_says_where_tasks_wait(sign_in, staff, screened):
    age(screened, 20)
    page = sign_in(staff).get("/staff/pipeline/").content.decode()
    assert "Screening has the most late tasks" in page
    assert "1 prompt has waited for its panel for more than 14 days." in page
    assert "Finance, 20 days" in page


def test_ages_fall_into_the_right_part_of_the_bar(make_draft, author, person, finance):
    from curation.tasks.authoring.actions import submit_task

    for n, days in enumerate((0, 2, 3, 6, 7, 13, 14, 40)):
        writer = person(f"w{n}", finance)
        task = make_draft(writer)
        submit_task(actor=writer, task=task)
        age(task, days)
    row = next(r for r in pipeline().rows if r.stage == "submitted")
    assert row.ages == (2, 2, 2, 2)
    assert row.oldest == ("Finance", 40)


@pytest.mark.parametrize(
    ("stays", "expected"),
    [([], None), ([5], 5), (list(range(1, 11)), 9), (list(range(1, 101)), 90), ([1, 9], 9)],
)
def test_nine_of_ten_is_the_nearest_rank(stays, expected):
    assert percentile_90(stays) == expected


def test_an_empty_programme_has_a_pipeline_without_a_false_number(sign_in, staff):
    page = without_tokens(sign_in(staff).get("/staff/pipeline/").content.decode())
    assert "No task is under way" in page
    assert "NaN" not in page
    assert "None" not in page.replace("None has been", "")


def test_a_domain_narrows_the_pipeline(sign_in, staff, screened, law):
    client = sign_in(staff)
    assert "1 task is under way." in client.get("/staff/pipeline/?domain=finance").content.decode()
    assert "0 tasks are under way." in client.get("/staff/pipeline/?domain=law").content.decode()


def test_tasks_are_narrowed_by_stage_domain_origin_and_title(sign_in, staff, screened, draft):
    external = Domain.objects.create(key="llmbar", name="LLMBar", external=True)
    Task.objects.create(key="ext-1", domain=external, origin=Origin.EXTERNAL, title="Borrowed one")
    client = sign_in(staff)

    def titles(query: str) -> str:
        return client.get(f"/staff/tasks/?{query}").content.decode()

    assert screened.title in titles("stage=screening")
    assert screened.title not in titles("stage=approved")
    assert "Borrowed one" not in titles("domain=finance")
    assert "Borrowed one" in titles("origin=external")
    assert "Borrowed one" not in titles("origin=process")
    assert screened.title in titles("origin=process")
    assert "Borrowed one" in titles("q=borrowed")
    assert "Borrowed one" in titles("q=EXT-1")
    assert "No tasks match" in titles("q=credit+analyst")  # words of the text are not searched


@pytest.mark.parametrize(
    "query",
    [
        "author__password__startswith=a",
        "ordering=password",
        "user__email=x",
        "stage=nowhere",
        "domain=nowhere",
        "origin=mars",
        "page=-1",
        "page=x",
    ],
)
def test_unknown_parameters_and_values_are_refused(sign_in, staff, query, db):
    answer = sign_in(staff).get(f"/staff/tasks/?{query}")
    assert answer.status_code == 400
    name = query.split("=")[0]
    as_json = sign_in(staff).get(f"/staff/tasks/?{query}", HTTP_ACCEPT="application/json").json()
    assert name in as_json["fields"]


def test_fifty_tasks_fill_a_page(sign_in, staff, author, finance):
    Task.objects.bulk_create(
        Task(key=f"k{n}", title=f"Task {n:03}", domain=finance, author=author) for n in range(130)
    )
    client = sign_in(staff)
    assert client.get("/staff/tasks/").content.decode().count(">Task 1") == 30
    assert len(client.get("/staff/tasks/").context["list"].rows) == 50
    assert len(client.get("/staff/tasks/?page=3").context["list"].rows) == 30


@pytest.mark.parametrize("address", PAGES)
def test_the_number_of_queries_does_not_grow(
    sign_in, staff, person, finance, make_draft, address, django_assert_max_num_queries
):
    from curation.screening.panels.voting_actions import open_screening
    from curation.tasks.authoring.actions import submit_task

    def more(n: int, start: int) -> None:
        for i in range(n):
            writer = person(f"writer{start + i}", finance)
            task = make_draft(writer)
            submit_task(actor=writer, task=task)
            open_screening(task=task)
            age(task, 20)

    client = sign_in(staff)
    more(3, 0)
    with django_assert_max_num_queries(18) as few:
        client.get(address)
    more(27, 3)
    with django_assert_max_num_queries(18) as many:
        client.get(address)
    assert len(many) <= len(few)  # the audit asks less where only tasks stand on the page


def test_staff_see_names_seats_and_who_moved_the_task(sign_in, staff, author, peer, seated):
    page = sign_in(staff).get(f"/staff/tasks/{seated.pk}/").content.decode()
    assert author.display_name in page
    assert peer.display_name in page
    assert "Screener" in page
    assert "A colleague joined the panel." in page


def test_the_audit_can_be_narrowed(sign_in, staff, author, peer, seated):
    client = sign_in(staff)

    def count(query: str = "") -> int:
        answer = client.get(f"/staff/audit/?{query}")
        assert answer.status_code == 200
        return answer.context["page"].paginator.count

    assert count() == 4  # started, submitted, to screening, joined
    assert count(f"person={peer.pk}") == 1
    assert count(f"person={peer.email}") == 1
    assert count(f"task={seated.key}") == 4
    assert count(f"task={seated.pk}") == 4
    assert count("kind=application") == 0
    assert count("kind=task") == 4
    assert count(f"after={timezone.localdate() + timedelta(days=2)}") == 0
    assert count(f"before={timezone.localdate() + timedelta(days=2)}") == 4
    assert client.get("/staff/audit/?person=nobody@example.test").status_code == 400
    assert client.get("/staff/audit/?actor__password=x").status_code == 400


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "1899-12-31", "3000-01-01"])
def test_a_day_that_is_far_away_is_refused_with_a_sentence(sign_in, staff, draft, day, zone):
    browser = sign_in(staff)
    browser.cookies["zone"] = zone
    for name in ("after", "before"):
        for page in ("/staff/audit/", f"/tasks/{draft.pk}/story/"):
            answer = browser.get(f"{page}?{name}={day}")
            assert answer.status_code == 400
            assert "Choose a day from 1900 to 2999." in answer.content.decode()


def test_the_first_and_the_last_day_are_taken(sign_in, staff, draft):
    browser = sign_in(staff)
    browser.cookies["zone"] = "Pacific/Kiritimati"
    answer = browser.get("/staff/audit/?after=1900-01-01&before=2999-12-31")
    assert draft.title in answer.content.decode()


def test_the_audit_as_a_file_runs_nothing_in_a_spreadsheet(sign_in, staff, author, draft):
    withdraw_task(actor=author, task=draft, reason='=HYPERLINK("http://x","click")\nsecond, line')
    answer = sign_in(staff).get("/staff/audit/?kind=task&format=csv")
    assert answer["Content-Type"].startswith("text/csv")
    assert "attachment" in answer["Content-Disposition"]
    content = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(content)))
    assert len(rows) == 1 + 2
    assert rows[1][-1].startswith("'=HYPERLINK")
    assert rows[1][5:7] == ["draft", "withdrawn"]


def test_an_approved_task_offers_staff_its_steps_each_with_a_page_that_asks_why(
    sign_in, staff, draft
):
    client = sign_in(staff)
    assert "Reopen …" not in client.get(f"/staff/tasks/{draft.pk}/").content.decode()
    Task.objects.filter(pk=draft.pk).update(stage="approved")
    page = client.get(f"/staff/tasks/{draft.pk}/").content.decode()
    for step in ("reopen", "discard"):
        assert f'href="/staff/tasks/{draft.pk}/{step}/"' in page
        assert client.get(f"/staff/tasks/{draft.pk}/{step}/").status_code == 200


def test_long_in_a_stage_is_what_still_waits(sign_in, staff, author, finance):
    for n, stage in enumerate(("refining", "approved")):
        task = Task.objects.create(
            key=f"long-{n}", title=f"Long {n}", domain=finance, author=author, stage=stage
        )
        age(task, 20)
    desk = sign_in(staff)
    assert [row.title for row in desk.get("/staff/tasks/?days=14").context["list"].rows] == [
        "Long 0"
    ]
    ended = desk.get("/staff/tasks/?days=14&stage=approved").context["list"].rows
    assert [row.title for row in ended] == ["Long 1"]


def test_the_audit_finds_a_person_by_name_and_asks_which_of_two(sign_in, staff, author, person):
    desk = sign_in(staff)
    found = desk.get(f"/staff/audit/?person={author.display_name.upper()}")
    assert found.status_code == 200
    assert found.context["form"].cleaned_data["person"] == author.pk
    User.objects.filter(pk=person("another").pk).update(display_name=author.display_name)
    for typed, said in ((author.display_name, "Several people"), ("Nemo", "Nobody has this")):
        refused = desk.get(f"/staff/audit/?person={typed}")
        assert refused.status_code == 400
        assert said in refused.content.decode()

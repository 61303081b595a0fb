"""Every list of staff: order, saved views, files, and what each refuses."""

import csv
import io
from datetime import timedelta
from typing import Any

import openpyxl
import pytest
from django.test import Client
from django.utils import timezone

from curation.base.lists.models import SavedView
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task

TASKS = "/staff/tasks/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def four(author: User, finance: Domain, law: Domain) -> list[Task]:
    now = timezone.now()
    rows = [
        ("beta", "Beta", finance, "refining", 1),
        ("alpha", "alpha", law, "draft", 20),
        ("gamma", "=HYPERLINK(1)", finance, "approved", 5),
        ("delta", "", law, "screening", 9),
    ]
    return [
        Task.objects.create(
            key=key,
            title=title,
            domain=domain,
            author=author,
            stage=stage,
            stage_since=now - timedelta(days=days),
        )
        for key, title, domain, stage, days in rows
    ]


def shown(office: Client, query: str = "") -> list[int]:
    return [row.pk for row in office.get(f"{TASKS}?{query}").context["list"].rows]


def test_a_list_is_sorted_by_the_column_of_the_address(
    sign_in: Any, staff: User, four: list[Task]
) -> None:
    office = sign_in(staff)
    beta, alpha, gamma, delta = (task.pk for task in four)
    for sort, order in {
        "": [delta, gamma, alpha, beta],
        "number": [beta, alpha, gamma, delta],
        "title": [delta, gamma, alpha, beta],
        "-title": [beta, alpha, gamma, delta],
        "stage": [alpha, delta, beta, gamma],  # in the order of the process
        "domain": [beta, gamma, alpha, delta],
        "since": [alpha, delta, gamma, beta],
    }.items():
        assert shown(office, f"sort={sort}") == order, sort


def test_a_head_sorts_and_sorts_back_and_says_how_it_is_sorted(
    sign_in: Any, staff: User, four: list[Task]
) -> None:
    page = sign_in(staff).get(f"{TASKS}?sort=since&stage=").content.decode()
    assert 'aria-sort="ascending"' in page
    assert 'href="?sort=-since"' in page
    assert 'href="?sort=title"' in page


@pytest.mark.parametrize("sort", ["number", "-number", "affiliation", "-affiliation", "-seen"])
def test_the_pages_of_a_list_hold_each_row_once_in_order(
    sort: str, sign_in: Any, staff: User
) -> None:
    User.objects.bulk_create(
        User(
            email=f"many{n}@example.org",
            password="!",
            affiliation=("", "Alder", "Birch")[n % 3],
            last_login=timezone.now() if n % 4 == 0 else None,
        )
        for n in range(204)
    )
    office = sign_in(staff)
    pages = [
        office.get(f"/staff/people/?sort={sort}&page={n}").context["list"] for n in range(1, 6)
    ]
    assert [len(page.rows) for page in pages[:4]] == [50, 50, 50, 50]
    read = [row.pk for page in pages for row in page.rows]
    everyone = list(pages[0].found.values_list("pk", flat=True))
    assert read == everyone
    assert len(set(read)) == User.objects.count()


def test_filters_and_order_go_together_and_the_time_in_a_stage_narrows(
    sign_in: Any, staff: User, four: list[Task]
) -> None:
    assert shown(sign_in(staff), "days=7&sort=-since") == [four[3].pk, four[1].pk]


def test_a_file_has_exactly_what_is_shown_in_its_order_and_no_formula(
    sign_in: Any, staff: User, four: list[Task]
) -> None:
    office = sign_in(staff)
    reply = office.get(f"{TASKS}?domain=finance&sort=-since&format=csv")
    assert reply.streaming
    text = b"".join(reply.streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["Key"] for row in rows] == ["beta", "gamma"]
    assert rows[1]["Title"] == "'=HYPERLINK(1)"
    assert rows[1]["In this stage since"] == four[2].stage_since.isoformat(timespec="seconds")
    reply = office.get(f"{TASKS}?domain=finance&sort=since&format=xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(reply.content)).active
    head, *rest = sheet.iter_rows(values_only=True)
    assert [dict(zip(head, row, strict=True))["Key"] for row in rest] == ["gamma", "beta"]
    assert sheet["A2"].data_type == "s"
    assert sheet["A2"].value == "=HYPERLINK(1)"


def test_a_file_costs_the_same_queries_for_four_and_for_a_hundred(
    sign_in: Any, staff: User, four: list[Task], author: User, django_assert_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    office = sign_in(staff)
    counted = []
    for more in (0, 100):
        Task.objects.bulk_create(
            Task(key=f"k{n}", title=f"T {n}", domain=four[0].domain, author=author)
            for n in range(more)
        )
        with CaptureQueriesContext(connection) as queries:
            b"".join(office.get(f"{TASKS}?format=csv").streaming_content)
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_a_view_is_kept_shown_as_a_tab_and_removed(
    sign_in: Any, staff: User, four: list[Task]
) -> None:
    office = sign_in(staff)
    keep = "/staff/lists/tasks/views/?days=7&sort=-since&stage="
    page = office.post(keep, {"name": "  Late \n ones "}, follow=True)
    assert page.request["QUERY_STRING"] == "days=7&sort=-since"
    view = SavedView.objects.get()
    assert (view.name, view.query) == ("Late ones", "days=7&sort=-since")
    text = office.get(TASKS).content.decode()
    assert 'href="/staff/tasks/?days=7&amp;sort=-since"' in text
    assert "Remove this view" not in text
    assert "Remove this view" in office.get(f"{TASKS}?sort=-since&days=7").content.decode()
    assert "Late ones" not in office.get("/staff/people/").content.decode()
    office.post(f"/staff/lists/views/{view.pk}/remove/")
    assert not SavedView.objects.exists()


def test_a_view_of_the_same_name_is_replaced(sign_in: Any, staff: User) -> None:
    office = sign_in(staff)
    for query in ("days=7", "days=30"):
        office.post(f"/staff/lists/tasks/views/?{query}", {"name": "Late"})
    assert SavedView.objects.get().query == "days=30"


@pytest.mark.parametrize(
    ("query", "name", "words"),
    [
        ("days=7", " \u200b ", "Give the view a name."),
        ("days=7", "x" * 61, "61"),
        ("stage=nowhere", "Late", "This list does not support that query."),
        ("password=a", "Late", "cannot be narrowed by"),
        (f"q={'x' * 199}", "Late", ""),
    ],
)
def test_a_view_that_cannot_be_used_is_refused_with_the_reason(
    sign_in: Any, staff: User, query: str, name: str, words: str
) -> None:
    reply = sign_in(staff).post(f"/staff/lists/tasks/views/?{query}", {"name": name})
    assert reply.status_code == (400 if words else 302)
    if words:
        assert words in reply.content.decode()
    assert SavedView.objects.exists() is not bool(words)


def test_a_person_keeps_at_most_twelve_views_of_a_list(sign_in: Any, staff: User) -> None:
    office = sign_in(staff)
    for n in range(12):
        office.post("/staff/lists/tasks/views/?days=7", {"name": f"View {n}"})
    reply = office.post("/staff/lists/tasks/views/?days=7", {"name": "One more"})
    assert reply.status_code == 400
    assert "You have 12 views of this list." in reply.content.decode()
    assert office.post("/staff/lists/tasks/views/?days=3", {"name": "View 3"}).status_code == 302
    assert office.post("/staff/lists/people/views/?q=a", {"name": "Mine"}).status_code == 302


def test_a_view_is_its_owners_alone(sign_in: Any, staff: User, person: Any, author: User) -> None:
    sign_in(staff).post("/staff/lists/tasks/views/?days=7", {"name": "Late"})
    view = SavedView.objects.get()
    colleague = sign_in(person("other-staff", is_staff=True))
    assert "Late" not in colleague.get(TASKS).content.decode()
    assert colleague.post(f"/staff/lists/views/{view.pk}/remove/").status_code == 404
    assert sign_in(author).post(f"/staff/lists/views/{view.pk}/remove/").status_code == 403
    assert SavedView.objects.exists()


def test_people_are_narrowed_by_their_standing(
    sign_in: Any, staff: User, person: Any, finance: Domain, applicant: User, senior: User
) -> None:
    gone = person("gone", finance)
    gone.qualifications.update(active=False)
    closed = person("closed", finance)
    User.objects.filter(pk=closed.pk).update(is_active=False)
    office = sign_in(staff)
    for standing, found in {
        "active": {senior.pk},
        "senior": {senior.pk},
        "suspended": {gone.pk},
        "applicant": {applicant.pk},
        "staff": {staff.pk},
        "closed": {closed.pk},
    }.items():
        rows = office.get(f"/staff/people/?standing={standing}").context["list"].rows
        assert {row.pk for row in rows} == found, standing


def test_people_as_a_file_name_their_domains_and_standing(
    sign_in: Any, staff: User, senior: User, law: Domain
) -> None:
    senior.qualifications.create(domain=law, active=False)
    reply = sign_in(staff).get("/staff/people/?standing=senior&format=csv")
    text = b"".join(reply.streaming_content).decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["Domains"] == "Finance (senior), Law (suspended)"
    assert row["E-mail address"] == "senior@example.test"


def test_nobody_else_reads_a_list_or_its_file(sign_in: Any, author: User, client: Client) -> None:
    for address in ("/staff/tasks/", "/staff/people/", "/staff/applications/"):
        assert sign_in(author).get(f"{address}?format=csv").status_code == 403
        assert client.get(f"{address}?format=csv").status_code == 302

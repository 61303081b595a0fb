"""The editor before and after the first try to submit: no warnings, then one list."""

import re
from typing import Any

import pytest

from curation.joining.domains.models import Category
from curation.tasks.task.models import Task
from curation.tasks.work_map.models import WorkType
from tests.markup import one_line


@pytest.fixture
def blank(author: Any, make_draft: Any) -> Task:
    """A draft in which only the requirements are written, and those badly."""
    empty = dict.fromkeys(("title", "scenario", "materials", "reference_answer", "rate_band"), "")
    return make_draft(author, **empty, requirements="Write a suitable memo.")


def page_of(client: Any, task: Task) -> str:
    return one_line(client.get(f"/tasks/{task.pk}/edit/").content.decode())


def parts_of(client: Any, task: Task) -> str:
    """What the page's script asks for after a save."""
    return one_line(client.get(f"/tasks/{task.pk}/edit/", HTTP_X_PARTS="1").content.decode())


def test_the_editor_begins_with_the_scenario_and_ends_with_the_facts(sign_in, author, blank):
    page = page_of(sign_in(author), blank)
    order = re.findall(r'<section id="part-(\w+)"', page)
    assert order == ["scenario", "materials", "requirements", "reference_answer", "title"]
    links = re.findall(r'data-part-link="(\w+)"', page)
    assert links == order


def test_nothing_is_a_warning_before_the_first_try(sign_in, author, blank):
    client = sign_in(author)
    for html in (page_of(client, blank), parts_of(client, blank)):
        assert "icon-warning" not in html.split('id="checks"')[1].split("</section>")[0]
        assert "lint-note" not in html
        assert "missing:" not in html
        assert "to look at" not in html
        assert "What is missing is listed when you submit." in html
        assert "two experts must read a requirement the same way" in html  # a remark, not a warning


def test_the_first_try_lists_everything_that_is_missing_once_with_the_way_there(
    sign_in, author, blank
):
    client = sign_in(author)
    answer = client.post(f"/tasks/{blank.pk}/submit/")
    html = one_line(answer.content.decode())
    assert answer.status_code == 400
    assert "Not submitted. 5 things are missing:" in html
    listed = re.findall(r'<a href="#(id_\w+)">', html.split('id="missing"')[1].split("</ul>")[0])
    assert listed == [
        "id_title",
        "id_scenario",
        "id_materials",
        "id_reference_answer",
        "id_rate_band",
    ]
    assert "fields are missing or wrong" not in html
    # On top and at its field, and nowhere else.
    sentence = "what an hour of this work costs"
    assert html.count(sentence) == 2
    blank.refresh_from_db()
    assert blank.stage == "draft"


def test_after_the_first_try_the_list_follows_what_is_saved(sign_in, author, blank):
    client = sign_in(author)
    client.post(f"/tasks/{blank.pk}/submit/")
    assert "5 things are missing:" in parts_of(client, blank)
    Task.objects.filter(pk=blank.pk).update(title="A title", scenario="You advise a bank.")
    assert "3 things are missing:" in parts_of(client, blank)
    assert "2 to look at" in parts_of(client, blank)


def test_a_page_opened_again_says_on_top_what_each_missing_thing_is(sign_in, author, blank):
    client = sign_in(author)
    client.post(f"/tasks/{blank.pk}/submit/")
    html = page_of(client, blank)
    top = html.split('id="missing"')[1].split("</ul>")[0]
    assert "what an hour of this work costs" in re.sub('<span class="sr">.*?</span>', "", top)
    assert html.count("what an hour of this work costs") == 1


def test_work_types_are_offered_where_the_domain_has_some(sign_in, author, finance, blank):
    client = sign_in(author)
    assert 'name="work_type"' not in page_of(client, blank)
    credit = Category.objects.create(domain=finance, key="credit", name="Credit")
    WorkType.objects.create(
        domain=finance, category=credit, key="memo", name="Memo", feasible=True, evaluable=True
    )
    assert 'name="work_type"' in page_of(client, blank)


def test_another_draft_is_not_warned_of_because_one_was_tried(sign_in, author, blank, make_draft):
    client = sign_in(author)
    client.post(f"/tasks/{blank.pk}/submit/")
    other = make_draft(author, scenario="", title="Another one")
    assert "missing:" not in page_of(client, other)


def test_what_cannot_be_stored_is_said_at_its_field_as_before(sign_in, author, blank):
    sent = {"version": blank.version, "title": "x" * 400}
    answer = sign_in(author).post(f"/tasks/{blank.pk}/submit/", sent)
    assert answer.status_code == 400
    assert "missing or wrong" in answer.content.decode()


def test_a_new_task_takes_the_language_of_the_page(sign_in, author):
    client = sign_in(author)
    client.cookies["django_language"] = "zh-hans"
    page = client.get("/tasks/new/").content.decode()
    assert re.search(r'<option value="zh-hans"\s+selected', page)

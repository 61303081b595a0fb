"""Writing a task: saving, stale saves, preview, what must not be lost or seen."""

import re
from typing import Any

import pytest

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Category
from curation.tasks.task.models import Task
from tests.tasks.authoring.conftest import form_of

JSON = {"HTTP_ACCEPT": "application/json"}


def url(task: Task, step: str = "edit") -> str:
    return f"/tasks/{task.pk}/{step}/"


def test_starting_a_draft_takes_no_slot_and_opens_the_editor(sign_in, author, finance):
    answer = sign_in(author).post(
        "/tasks/new/", {"domain": "finance", "title": "Refinancing", "language": "en"}
    )
    task = Task.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, url(task))
    assert task.stage == Stage.DRAFT
    assert not hasattr(task, "slot")


def test_a_draft_cannot_be_started_in_a_domain_one_is_not_qualified_in(sign_in, author, law):
    answer = sign_in(author).post("/tasks/new/", {"domain": "law", "language": "en"})
    assert answer.status_code == 400
    assert Task.objects.count() == 0


def test_nobody_without_a_qualification_starts_a_draft(sign_in, applicant):
    assert sign_in(applicant).get("/tasks/new/").status_code == 403


def test_autosave_answers_with_the_time_and_the_next_version(sign_in, author, draft):
    answer = sign_in(author).post(url(draft, "save"), form_of(draft, scenario="Rewritten."), **JSON)
    assert answer.status_code == 200
    assert answer.json()["version"] == 2
    assert len(answer.json()["saved_at"].split(":")) == 3
    draft.refresh_from_db()
    assert draft.scenario == "Rewritten."


def test_autosave_of_one_part_leaves_the_others_alone(sign_in, author, draft):
    sign_in(author).post(
        url(draft, "save"), {"version": 1, "language": "en", "materials": "New."}, **JSON
    )
    before = draft.scenario
    draft.refresh_from_db()
    assert (draft.materials, draft.scenario) == ("New.", before)


def test_a_stale_autosave_is_answered_with_both_texts_and_writes_nothing(sign_in, author, draft):
    client = sign_in(author)
    stale = form_of(draft, scenario="Mine.")
    client.post(url(draft, "save"), form_of(draft, scenario="Theirs."), **JSON)
    answer = client.post(url(draft, "save"), stale, **JSON)
    assert answer.status_code == 409
    body = answer.json()
    assert body["code"] == "stale"
    assert (body["yours"]["scenario"], body["theirs"]["scenario"]) == ("Mine.", "Theirs.")
    assert body["version"] == 2
    draft.refresh_from_db()
    assert draft.scenario == "Theirs."


def test_the_same_text_arriving_twice_is_no_conflict(sign_in, author, draft):
    client = sign_in(author)
    sent = form_of(draft, scenario="Once.")
    assert client.post(url(draft, "save"), sent, **JSON).status_code == 200
    assert client.post(url(draft, "save"), sent, **JSON).status_code == 200


def test_without_javascript_a_save_returns_to_the_editor(sign_in, author, draft):
    answer = sign_in(author).post(url(draft), form_of(draft, title="A better title"), follow=True)
    assert answer.redirect_chain == [(url(draft), 302)]
    assert "A better title" in answer.content.decode()


def test_without_javascript_a_stale_save_shows_both_texts_and_one_can_be_chosen(
    sign_in, author, draft
):
    client = sign_in(author)
    stale = form_of(draft, scenario="The version of this tab.", minutes=90)
    client.post(url(draft), form_of(draft, scenario="The version of the other tab."))
    answer = client.post(url(draft), stale)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "this tab" in page
    assert "The version of the other tab." in page
    assert 'name="version" value="2"' in page
    assert client.post(url(draft), {**stale, "version": 2}).status_code == 302
    draft.refresh_from_db()
    assert (draft.scenario, draft.minutes) == ("The version of this tab.", 90)


def test_text_typed_after_the_task_was_submitted_is_shown_to_be_copied(sign_in, author, screened):
    answer = sign_in(author).post(url(screened), form_of(screened, scenario="Too late, but dear."))
    assert answer.status_code == 409
    assert "Too late, but dear." in answer.content.decode()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scenario", "a\x00b"),
        ("scenario", "x" * 200_001),
        ("title", "x" * 201),
        ("minutes", "soon"),
        ("minutes", "0"),
        ("language", "no such"),
        ("category", "not-in-this-domain"),
        ("version", ""),
    ],
)
def test_what_cannot_be_stored_is_refused_with_everything_typed_kept(
    sign_in, author, draft, field, value
):
    sent = form_of(draft, materials="Typed and kept.") | {field: value}
    answer = sign_in(author).post(url(draft), sent)
    assert answer.status_code == 400
    assert "Typed and kept." in answer.content.decode()
    saved = sign_in(author).post(url(draft, "save"), sent, **JSON)
    assert saved.status_code == 400
    assert field in saved.json()["fields"]
    draft.refresh_from_db()
    assert draft.version == 1


def test_odd_but_honest_text_is_kept_as_typed(sign_in, author, draft):
    typed = "Right \u202eto left, zero\u200bwidth, 🧪, 金融\nlast line"
    sign_in(author).post(url(draft), form_of(draft, scenario=typed.replace("\n", "\r\n")))
    draft.refresh_from_db()
    assert draft.scenario == typed


def test_a_category_of_the_domain_can_be_chosen(sign_in, author, draft, finance):
    Category.objects.create(domain=finance, key="credit", name="Credit analysis")
    assert sign_in(author).post(url(draft), form_of(draft, category="credit")).status_code == 302
    draft.refresh_from_db()
    assert draft.category.key == "credit"


def test_the_editor_remarks_on_the_text_and_never_blocks(sign_in, author, draft):
    client = sign_in(author)
    loose = "Write an appropriate memo. Ask j.doe@example.test or IBAN DE89 3704 0044 0532 0130 00."
    client.post(url(draft), form_of(draft, requirements=loose))
    page = client.get(url(draft), HTTP_X_PARTS="1").content.decode()
    assert "No length limit" in page
    assert not re.search(r"(</svg><span>|</b> )[a-z]", page)  # under its field each is a sentence
    assert "“appropriate”" in page
    assert "j.doe@example.test" in page
    assert "DE89 3704 0044 0532 0130 00" in page
    assert "<form" not in page
    assert client.post(url(draft, "submit")).status_code == 302


def test_the_preview_is_a_fragment_for_scripts_and_the_whole_editor_without(sign_in, author, draft):
    sent = form_of(draft, scenario="**Bold** <script>alert(1)</script> [x](javascript:alert(1))")
    fragment = sign_in(author).post(url(draft, "preview"), sent, HTTP_X_PARTS="1")
    page = fragment.content.decode()
    assert "<strong>Bold</strong>" in page
    assert "<script" not in page
    assert 'href="javascript' not in page
    assert "<html" not in page
    whole = sign_in(author).post(url(draft, "preview"), sent).content.decode()
    assert "<strong>Bold</strong>" in whole
    assert 'id="task-form"' in whole
    draft.refresh_from_db()
    assert "Bold" not in draft.scenario


def test_a_preview_of_unusable_fields_still_shows_the_text(sign_in, author, draft):
    answer = sign_in(author).post(
        url(draft, "preview"), form_of(draft, minutes="soon"), HTTP_X_PARTS="1"
    )
    assert answer.status_code == 200


@pytest.mark.parametrize("step", ["edit", "save", "preview", "submit", "withdraw"])
def test_a_draft_is_invisible_to_everybody_else(sign_in, draft, peer, stranger, senior, step):
    for person in (peer, stranger, senior):
        answer = sign_in(person).post(url(draft, step), form_of(draft, title="Stolen"))
        assert answer.status_code == 404
        assert draft.title.encode() not in answer.content
    draft.refresh_from_db()
    assert draft.title != "Stolen"


def test_staff_may_see_a_draft_but_not_write_in_it(sign_in, staff, draft):
    assert sign_in(staff).post(url(draft), form_of(draft)).status_code == 403


def test_without_signing_in_the_editor_leads_to_the_door(client: Any, draft):
    answer = client.get(url(draft))
    assert (answer.status_code, answer["Location"].startswith("/account/login/")) == (302, True)
    assert client.post(url(draft, "save"), form_of(draft), **JSON).status_code == 401


def test_the_editor_costs_few_queries_however_many_tasks_there_are(
    sign_in, author, make_draft, django_assert_max_num_queries
):
    draft = make_draft(author)
    for _n in range(10):
        make_draft(author)
    client = sign_in(author)
    with django_assert_max_num_queries(15):
        assert client.get(url(draft)).status_code == 200
    with django_assert_max_num_queries(10):
        client.post(url(draft, "save"), form_of(draft, title="Again"), **JSON)


def test_after_submitting_the_editor_leads_to_the_task(sign_in, author, screened):
    answer = sign_in(author).get(url(screened))
    assert (answer.status_code, answer["Location"]) == (302, f"/tasks/{screened.pk}/")

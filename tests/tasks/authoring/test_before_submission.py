"""What a submission asks for beside the texts, and what an author is told before it."""

import json

import pytest

from curation.joining.domains.models import Category
from curation.screening.panels.actions import join_panel
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.authoring.actions import submit_task
from curation.tasks.task.models import RateBand, Task
from curation.tasks.task.task_value import value_range, value_sentence
from tests.tasks.authoring.conftest import PARTS, form_of
from tests.tasks.authoring.test_likeness import CASE, THE_SAME_IN_CHINESE

PLANTED = "The heron of Aire Street keeps the second ledger."


def edit(task: Task) -> str:
    return f"/tasks/{task.pk}/edit/"


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ("minutes", "how many minutes a professional needs"),
        ("rate_band", "what an hour of this work costs"),
        ("change", "stays the same or changes with time"),
    ],
)
def test_a_missing_fact_is_named_at_its_field_and_the_draft_stays(
    sign_in, author, make_draft, field, sentence
):
    draft = make_draft(author, **{field: None if field == "minutes" else ""})
    answer = sign_in(author).post(f"/tasks/{draft.pk}/submit/", form_of(draft))
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    draft.refresh_from_db()
    assert draft.stage == "draft"


def test_the_category_is_asked_for_where_the_domain_has_some(sign_in, author, finance, draft):
    credit = Category.objects.create(domain=finance, key="credit", name="Credit")
    client = sign_in(author)
    answer = client.post(f"/tasks/{draft.pk}/submit/", form_of(draft))
    assert "Choose the category" in answer.content.decode()
    sent = form_of(draft, category=credit.key)
    assert client.post(f"/tasks/{draft.pk}/submit/", sent).status_code == 302


def test_an_answer_that_changes_needs_its_sources(sign_in, author, draft):
    client = sign_in(author)
    answer = client.post(f"/tasks/{draft.pk}/submit/", form_of(draft, change="dynamic"))
    assert "one source on each line" in answer.content.decode()
    sent = form_of(draft, change="dynamic", sources="KSchG, section 17\nBGB, section 622")
    assert client.post(f"/tasks/{draft.pk}/submit/", sent).status_code == 302
    page = client.get(f"/tasks/{draft.pk}/").content.decode()
    assert "KSchG, section 17<br>BGB, section 622" in page


@pytest.mark.parametrize(
    ("minutes", "band", "sentence"),
    [
        (180, "100_200", "About 3 hours at 100 to 200 USD an hour: 300 to 600 USD."),
        (150, "50_100", "About 2.5 hours at 50 to 100 USD an hour: 125 to 250 USD."),
        (45, "under_50", "45 minutes at under 50 USD an hour: at most 40 USD."),
        (1, "under_50", "1 minute at under 50 USD an hour: at most 5 USD."),
        (600, "over_400", "About 10 hours at over 400 USD an hour: at least 4,000 USD."),
        (None, "50_100", ""),
        (60, "", ""),
    ],
)
def test_minutes_and_rate_give_the_value(minutes, band, sentence):
    assert value_sentence(minutes, band) == sentence


def test_every_rate_has_a_value():
    assert all(value_range(60, band) for band in RateBand.values)


def test_the_editor_says_the_value_and_what_is_still_missing(sign_in, author, make_draft):
    client = sign_in(author)
    without = make_draft(author, rate_band="")
    assert client.post(f"/tasks/{without.pk}/submit/").status_code == 400
    page = client.get(edit(without)).content.decode()
    assert "1 thing is missing:" in page
    assert 'href="#id_rate_band"' in page
    page = client.get(edit(make_draft(author))).content.decode()
    assert "300 to 600 USD" in page
    assert "missing:" not in page


def test_a_likeness_tells_how_much_and_nothing_of_the_other_text(sign_in, author, peer, make_draft):
    other = make_draft(peer, title="The heron file", materials=f"{CASE} {PLANTED}")
    submit_task(actor=peer, task=other)
    page = sign_in(author).get(edit(make_draft(author, materials=CASE))).content.decode()
    assert "Its wording is very similar to another prompt: " in page
    assert "heron" not in page
    assert other.key not in page


def test_a_likeness_to_ones_own_prompt_names_it(sign_in, author, make_draft):
    other = make_draft(author, title="My first file", materials=CASE)
    submit_task(actor=author, task=other)
    page = sign_in(author).get(edit(make_draft(author, materials=CASE))).content.decode()
    assert "to your prompt “My first file”" in page


def test_a_translation_is_told_by_what_it_shares(sign_in, author, peer, make_draft):
    other = make_draft(peer, scenario="A.", materials=CASE, requirements="B.")
    submit_task(actor=peer, task=other)
    draft = make_draft(author, scenario="甲。", materials=THE_SAME_IN_CHINESE, requirements="乙。")
    page = sign_in(author).get(edit(draft)).content.decode()
    assert "figures, dates or names with another prompt" in page
    assert "Quillon" not in page.replace(THE_SAME_IN_CHINESE, "")


def test_an_exam_question_is_remarked_on_and_may_be_submitted(sign_in, author, make_draft):
    draft = make_draft(
        author,
        scenario="Question 3: leases.",
        materials="IFRS 16.",
        requirements="Explain what a right-of-use asset is. (5 marks)",
    )
    client = sign_in(author)
    assert "Looks like an exam question: it gives marks" in client.get(edit(draft)).content.decode()
    assert client.post(f"/tasks/{draft.pk}/submit/").status_code == 302


def test_a_name_is_a_reminder_and_an_account_something_to_look_at(sign_in, author, make_draft):
    draft = make_draft(author, materials=f"{CASE} Dr Weber pays to DE89 3704 0044 0532 0130 00.")
    page = sign_in(author).get(edit(draft)).content.decode()
    assert "“DE89 3704 0044 0532 0130 00” looks like" in page
    assert "“Dr Weber”: leave a name in only if you made it up." in page


def test_staff_see_both_texts_with_what_differs_and_what_they_share(
    sign_in, author, peer, staff, make_draft
):
    one = make_draft(peer, title="One", materials=CASE)
    two = make_draft(author, title="Two", materials=CASE.replace("disputed", "paid"))
    for writer, task in ((peer, one), (author, two)):
        submit_task(actor=writer, task=task)
    client = sign_in(staff)
    page = client.get(f"/staff/tasks/{two.pk}/alike/").content.decode()
    assert "One" in page
    assert "<del>" in page
    assert "<ins>" in page
    assert "2025-07-14" in page
    assert client.get(f"/staff/tasks/{two.pk}/alike/?with={one.pk}").status_code == 200
    for wrong in ("x", "²", "0", str(two.pk), "9" * 12):
        assert client.get(f"/staff/tasks/{two.pk}/alike/?with={wrong}").status_code == 404
    assert sign_in(author).get(f"/staff/tasks/{two.pk}/alike/").status_code == 403
    assert f"/staff/tasks/{two.pk}/alike/" in client.get(f"/staff/tasks/{two.pk}/").content.decode()


def test_staff_cannot_look_at_a_draft_beside_a_task(sign_in, author, staff, screened, make_draft):
    hidden = make_draft(author, materials=PLANTED)
    page = sign_in(staff).get(f"/staff/tasks/{screened.pk}/alike/?with={hidden.pk}")
    assert page.status_code == 404
    assert PLANTED not in page.content.decode()


def test_the_api_takes_the_facts_and_refuses_what_is_none(sign_in, author, finance):
    client = sign_in(author)

    def send(**changes):
        body = json.dumps({"domain": "finance", **PARTS, **changes})
        return client.post("/api/v1/tasks/", body, content_type="application/json")

    made = send(sources="Facility agreement of 2021")
    assert made.status_code == 201
    read = client.get(f"/api/v1/tasks/{made.json()['id']}/").json()
    assert (read["minutes"], read["rate_band"], read["change"], read["sources"]) == (
        180,
        "100_200",
        "static",
        "Facility agreement of 2021",
    )
    for field, wrong in (
        ("minutes", "180"),
        ("minutes", 0),
        ("minutes", True),
        ("minutes", 10**30),
        ("rate_band", "cheap"),
        ("change", "often"),
        ("sources", 7),
    ):
        answer = send(**{field: wrong})
        assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])


def test_the_editor_costs_few_queries(
    sign_in, author, peer, make_draft, django_assert_max_num_queries
):
    for n in range(3):
        submit_task(actor=peer, task=make_draft(peer, materials=f"{CASE} Annex {n}."))
    draft = make_draft(author, materials=CASE)
    client = sign_in(author)
    client.get(edit(draft))
    with django_assert_max_num_queries(19):
        client.get(edit(draft))


def test_a_stale_choice_is_shown_in_words(sign_in, author, draft):
    client = sign_in(author)
    stale = form_of(draft, rate_band="200_400")
    client.post(edit(draft), form_of(draft, rate_band="50_100"))
    page = client.post(edit(draft), stale).content.decode()
    assert "200 to 400 USD" in page
    assert "Saved version: 50 to 100 USD" in page


def test_the_panel_reads_by_what_a_prompt_was_found(sign_in, author, peer, draft):
    submit_task(actor=author, task=draft)
    found = [
        {"task": "t-one", "similarity": 0.8, "shared": 9},
        {"task": "t-two", "similarity": 0.62, "shared": 0},
    ]
    join_panel(actor=peer, task=open_screening(task=draft, duplicates=found))
    page = sign_in(peer).get(f"/screening/{draft.pk}/").content.decode()
    assert "9 figures, dates or names in common with “t-one”" in page
    assert "similar to “t-two”" in page

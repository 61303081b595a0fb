"""Home: what waits, in order; the slots; the story; each role its own."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from config.views import headline, in_order
from curation.base.process.waiting import Waiting
from curation.tasks.authoring.actions import submit_task
from curation.tasks.task.queries import track


def wait(title: str, due: datetime | None = None, blocks: bool = False) -> Waiting:
    return Waiting(due=due, title=title, detail="", url="/", button="", blocks=blocks)


def test_blocking_work_comes_first_then_by_date_then_without_a_date():
    soon, later = datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 9, tzinfo=UTC)
    waits = [
        wait("free"),
        wait("later", later),
        wait("blocking, no date", None, True),
        wait("soon", soon),
        wait("blocking, later", later, True),
    ]
    assert [w.title for w in in_order(waits)] == [
        "blocking, later",
        "blocking, no date",
        "soon",
        "later",
        "free",
    ]


def test_a_rubric_to_refine_comes_before_a_draft_that_holds_no_slot_yet(
    sign_in, author, refining, make_draft
):
    refining()
    make_draft(author, title="Begun and left")
    page = sign_in(author).get("/").content.decode()
    waits = page[: page.index("Your three prompts")]
    assert waits.index("Refine a rubric") < waits.index("Begun and left")


def test_a_record_without_prompts_says_so_in_words(sign_in, author):
    page = sign_in(author).get("/").content.decode()
    assert "none submitted yet" in page
    assert "0 of 0" not in page


@pytest.mark.parametrize(
    ("n", "sentence"),
    [
        (0, "Nothing is waiting for you"),
        (1, "One thing is waiting for you"),
        (3, "Three things are waiting for you"),
        (23, "23 things are waiting for you"),
    ],
)
def test_the_headline_counts_in_words(n, sentence):
    assert headline(n) == sentence


def test_nobody_has_a_home_without_signing_in(client):
    answer = client.get("/")
    assert (answer.status_code, answer["Location"]) == (302, "/account/login/?next=/")


def test_a_new_expert_sees_three_free_slots_and_the_way_to_start(sign_in, author):
    page = sign_in(author).get("/").content.decode()
    main = page.split("<main")[1].split("</main>")[0]
    assert "You are an expert in Finance now" in main
    assert "Write your first task" in main
    assert main.count("btn-primary") == 1
    assert "Start writing" in main.split("btn-primary")[1].split("</a>")[0]
    assert "0 of 3 slots taken" in page
    assert page.count("Start a draft") == 1


def test_who_has_been_an_expert_for_long_is_not_welcomed_again(sign_in, author):
    author.qualifications.update(since=timezone.now() - timedelta(days=31))
    page = sign_in(author).get("/").content.decode()
    assert "Nothing is waiting for you" in page
    assert "first task" not in page


def test_a_draft_waits_without_taking_a_slot(sign_in, author, draft):
    page = sign_in(author).get("/").content.decode()
    assert "One thing is waiting for you" in page
    assert f'href="/tasks/{draft.pk}/edit/"' in page
    assert "0 of 3 slots taken" in page
    assert page.split("<main")[1].split("</main>")[0].count("btn-primary") == 1


def test_a_submitted_prompt_stands_in_its_slot_with_its_track(sign_in, author, screened):
    page = sign_in(author).get("/").content.decode()
    assert "1 of 3 slots taken" in page
    assert "With the panel: Finance." in page
    assert "The panel can read it now." in page
    assert "Probing skipped: no model is configured." in page


def test_a_colleague_is_asked_to_vote_and_that_comes_first(
    sign_in, author, peer, seated, make_draft
):
    make_draft(peer, title="My own draft")
    answer = sign_in(peer).get("/")
    assert [w.title for w in answer.context["waits"]] == ["Vote on a prompt", "Finish your draft"]
    page = answer.content.decode()
    assert "A colleague is waiting for the first one." in page
    assert author.pseudonym not in page
    assert author.display_name not in page.split("<main")[1].replace("authors", "")


def test_a_prompt_without_a_panel_is_offered_to_the_domain_only(sign_in, peer, stranger, screened):
    assert "1 prompt in your domains is waiting" in sign_in(peer).get("/").content.decode()
    assert "prompt in your domains" not in sign_in(stranger).get("/").content.decode()


def test_staff_see_the_pipeline_and_a_silent_machine(sign_in, staff, author, draft):
    from datetime import timedelta

    from django.utils import timezone

    from curation.tasks.task.models import Task

    submit_task(actor=author, task=draft)
    Task.objects.filter(pk=draft.pk).update(stage_since=timezone.now() - timedelta(hours=2))
    page = sign_in(staff).get("/").content.decode()
    assert "Look at the worker" in page
    assert "The pipeline" in page
    assert "Start a draft" not in page


def test_an_applicant_without_an_application_is_shown_the_way_in(sign_in, applicant):
    page = sign_in(applicant).get("/").content.decode()
    assert 'href="/apply/"' in page
    assert "slots" not in page


@pytest.mark.parametrize(
    ("stage", "came_from", "states"),
    [
        ("draft", "", "now"),
        ("submitted", "draft", "done now"),
        ("screening", "submitted", "done now"),
        ("rejected", "screening", "done stopped"),
        ("refining", "drafting", "done done now"),
        ("in_review", "refining", "done done done now"),
        ("spot_check", "in_review", "done done done done now"),
        ("approved", "in_review", "done done done done done"),
        ("discarded", "approved", "done done done done stopped"),
        ("withdrawn", "draft", "stopped"),
        ("withdrawn", "refining", "done done stopped"),
    ],
)
def test_the_track_shows_how_far_a_task_came(stage, came_from, states):
    assert " ".join(step.state for step in track(stage, came_from)).strip() == states


def test_home_costs_few_queries_however_much_waits(
    sign_in, author, peer, staff, senior, finance, person, make_draft, django_assert_max_num_queries
):
    from curation.screening.panels.actions import join_panel
    from curation.screening.panels.voting_actions import open_screening

    def more(n: int, start: int) -> None:
        for i in range(n):
            writer = person(f"writer{start + i}", finance)
            task = make_draft(writer)
            submit_task(actor=writer, task=task)
            open_screening(task=task)
            join_panel(actor=peer, task=task)
            make_draft(author)
            make_draft(peer)

    clients = [sign_in(p) for p in (author, peer, staff, senior)]
    more(2, 0)
    counts = []
    for client in clients:
        with django_assert_max_num_queries(40) as few:
            client.get("/")
        counts.append(len(few))
    more(10, 2)
    for client, before in zip(clients, counts, strict=True):
        with django_assert_max_num_queries(40) as many:
            client.get("/")
        assert len(many) == before


def test_the_bar_names_the_places_of_each_role(sign_in, author, senior, staff, applicant):
    def bar(person) -> list[str]:
        answer = sign_in(person).get("/")
        return [str(item["label"]) for item in answer.context["nav"]]

    assert bar(author)[:3] == ["Home", "My tasks", "Screening"]
    assert "Trials" not in bar(author)
    assert "Trials" in bar(senior)
    assert bar(staff)[:3] == ["Home", "Pipeline", "Tasks"]
    assert "Audit" in bar(staff)
    assert bar(applicant) == ["Home", "Apply"]


def test_the_bar_counts_what_waits_and_marks_the_place(sign_in, peer, seated):
    client = sign_in(peer)
    nav = {str(i["label"]): i for i in client.get("/screening/").context["nav"]}
    assert nav["Screening"]["count"] == 1
    assert [label for label, item in nav.items() if item["current"]] == ["Screening"]


def test_the_menu_shows_the_pseudonym_and_the_domain(sign_in, author):
    page = sign_in(author).get("/").content.decode()
    assert f"{author.pseudonym} · Finance" in page


def test_single_keys_and_language_follow_the_preferences(sign_in, author):
    client = sign_in(author)
    assert "data-single-keys" in client.get("/").content.decode()
    answer = client.post("/preferences/", {"language": "zh-hans"})
    assert (answer.status_code, answer["Location"]) == (302, "/preferences/")
    page = client.get("/").content.decode()
    assert "data-single-keys" not in page
    assert '<html lang="zh-hans"' in page


def test_a_preference_outside_the_list_is_refused(sign_in, author):
    assert sign_in(author).post("/preferences/", {"language": "tlh"}).status_code == 400
    author.refresh_from_db()
    assert author.language == "en"


def test_preferences_change_nothing_but_themselves(sign_in, author):
    sign_in(author).post(
        "/preferences/", {"language": "en", "is_staff": "on", "email": "x@example.test"}
    )
    author.refresh_from_db()
    assert not author.is_staff
    assert author.email == "author@example.test"

"""Selections of profiles: what a list is, one call for each profile, and no contradiction."""

import json

import pytest

from curation.base.web.refusals import BadInput
from judge.methods.base import registry
from judge.runs.engine.models import Finding, Judgment
from judge.runs.pages.estimate import estimate_of
from tests.conftest import browser_of
from tests.llm_stub import Behaviour
from tests.methods.base import factory

pytestmark = pytest.mark.django_db

LINK = "https://video.example/@"


def listed(*names):
    entries = [{"name": name, "link": f"{LINK}{name}"} for name in names]
    return f"I looked at many.\n\n```json\n{json.dumps(entries)}\n```"


def said(selected=True, *, needed=4, flexible=2, overall=4, **more):
    grades = [{"id": "g1", "grade": needed}, {"id": "g2", "grade": flexible}]
    value = {"analysis": "So.", "grades": grades, "overall": overall, "selected": selected}
    return Behaviour("ok", text=json.dumps({**value, **more}))


NAMES = ("Ann", "Nobody", "Ben")
FENCE = "```json\n{}\n```\n"
# Usual forms of an answer other than the one that is asked for.
UNSURE = {
    "numbered": "1. Ann\n2. Nobody\n3. Ben\n\nSources: https://news.example/a",
    "chinese": "1、Ann\n2、Nobody\n3、Ben",
    "bold": "**1. Ann** (hikes)\n**2. Nobody**\n**3. Ben**",
    "table": "| Name | Why |\n|---|---|\n| Ann | x |\n| Nobody | y |\n| Ben | z |",
    "prose": "We recommend Ann, Nobody and Ben.",
    "budget": "- Ann: great\n- Nobody: good\n- Ben: fine\n- Budget: $50,000",
    "two fences": FENCE.format(json.dumps(NAMES)) + FENCE.format('{"budget": ["Video"]}'),
    "other lists": json.dumps({"notes": ["a", "b"], "creators": [{"name": n} for n in NAMES]}),
    "a line each": "\n".join(json.dumps({"name": name}) for name in NAMES),
    "words after": FENCE.format(json.dumps(NAMES)) + "I hope this helps.",
}


@pytest.fixture
def task():
    return factory.task_of("selection")


def statuses(response):
    rows = factory.finding(response, "list").data["entries"]
    return [(row["name"], row["status"]) for row in rows]


def score(response):
    found = factory.judgment(response)
    return found.score_numerator, found.score_denominator


class TestAList:
    def test_the_score_is_the_share_of_the_demanded_number_that_is_selected(
        self, stub, judge, task
    ):
        response = factory.respond(task, listed("Ann", "Ben"))
        stub.script(said(), said(False, needed=1, overall=2))
        _run, result = judge(method="conditions")
        assert (result["judged"], result["calls"]) == (1, 2)
        assert score(response) == (1, 3)
        first = factory.finding(response, "entry 1").data
        assert first == {
            "analysis": "So.", "grades": {"g1": 4, "g2": 2}, "overall": 4, "selected": True,
        }  # fmt: skip

    def test_only_the_first_entries_count_and_a_repeated_one_takes_a_place(self, stub, judge, task):
        response = factory.respond(task, listed("Ann", "Ann", "Nobody", "Ben", "Cleo"))
        stub.script(said())
        _run, result = judge(method="conditions")
        assert statuses(response) == [
            ("Ann", "matched"), ("Ann", "duplicate"), ("Nobody", "not_in_table"),
        ]  # fmt: skip
        assert factory.finding(response, "list").data["beyond"] == 2
        assert (score(response), result["calls"]) == ((1, 3), 1)

    def test_a_list_of_strangers_is_judged_without_a_call_and_has_no_points(
        self, stub, judge, task
    ):
        stranger = factory.respond(task, listed("Nobody"), "system-1")
        _run, result = judge(method="conditions")
        assert (result["judged"], result["calls"], stub.calls) == (1, 0, 0)
        assert score(stranger) == (0, 3)

    def test_a_response_without_a_list_has_no_points_once_a_model_has_found_none(
        self, stub, judge, task
    ):
        response = factory.respond(task, "I cannot help with that.")
        _run, result = judge(method="conditions")
        assert (result["judged"], result["calls"], score(response)) == (1, 1, (0, 3))

    @pytest.mark.parametrize("text", UNSURE.values(), ids=UNSURE)
    def test_a_list_that_no_parser_reads_for_sure_is_copied_by_one_call(
        self, stub, judge, task, text
    ):
        response = factory.respond(task, text)
        rows = [{"name": name, "link": None} for name in ("Ben", "Nobody", "Ann")]
        stub.script(Behaviour("ok", text=json.dumps({"entries": rows})), said(), said())
        _run, result = judge(method="conditions")
        assert (result["judged"], result["calls"]) == (1, 3)
        assert [name for name, _status in statuses(response)] == ["Ann", "Nobody", "Ben"]
        assert score(response) == (2, 3)
        listing, *profiles = [json.dumps(one.body, ensure_ascii=False) for one in stub.requests]
        assert "hiking." not in listing  # no profile
        assert all("I looked at many" not in profile for profile in profiles)

    @pytest.mark.parametrize(
        ("rows", "reason"),
        [
            ([{"name": "Zoe", "link": None}], "not_in_response"),
            ([{"name": "An", "link": None}], "not_in_response"),
            ([{"name": "Ann", "link": "https://video.example/@Zoe"}], "not_in_response"),
            ([{"name": None, "link": None}], "unreadable"),
            (["Ann"], "unreadable"),
        ],
    )
    def test_a_copy_that_is_none_is_asked_again_and_then_failed(
        self, stub, judge, task, rows, reason
    ):
        response = factory.respond(task, UNSURE["prose"])
        bad = Behaviour("ok", text=json.dumps({"entries": rows}))
        stub.script(bad, bad, bad)
        _run, result = judge(method="conditions")
        assert (result["failed"], result["calls"], result["reasons"]) == (1, 3, {reason: 1})
        assert score(response)[0] is None

    def test_profiles_are_found_by_link_and_else_by_a_name_that_one_of_them_has(
        self, stub, judge, task
    ):
        factory.pool(names=("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"))
        response = factory.respond(
            task, "1. http://www.video.example/@ANN/?tab=about\n2. [Ben](https://video.example/@Nn)"
        )
        judge(method="conditions")
        assert [status for _name, status in statuses(response)] == ["matched", "matched"]

    def test_a_task_without_a_pool_is_skipped(self, stub, judge, task):
        task.selection.delete()
        factory.respond(task, listed("Ann"))
        _run, result = judge(method="conditions")
        assert result["reasons"] == {"no_selection": 1}


class TestAJudgment:
    @pytest.mark.parametrize(
        ("bad", "reason"),
        [
            (said(needed=2), "inconsistent_selection"),
            (said(overall=2), "inconsistent_selection"),
            (said("yes"), "unreadable"),
            (said(overall=4.5), "unreadable"),
            (said(analysis=""), "unreadable"),
            (said(grades=[{"id": "g1", "grade": 5}]), "unreadable"),
            (said(grades=[{"id": "g9", "grade": 5}]), "unreadable"),
            (said(grades=[{"id": "g1", "grade": n} for n in (4, 5)]), "unreadable"),
        ],
    )
    def test_one_that_stays_bad_fails_with_its_reason_and_the_others_stay(
        self, stub, judge, task, bad, reason
    ):
        response = factory.respond(task, listed("Ann", "Ben"))
        stub.script(said(), bad, bad, bad)
        _run, result = judge(method="conditions")
        assert (result["failed"], result["calls"], result["reasons"]) == (1, 4, {reason: 1})
        assert score(response)[0] is None
        assert factory.finding(response, "entry 1").data["selected"] is True
        assert factory.finding(response, "entry 2").reason == reason

    def test_a_further_run_asks_only_for_what_failed(self, stub, judge, task):
        response = factory.respond(task, listed("Ann", "Ben"))
        bad = said(needed=1)
        stub.script(said(), bad, bad, bad)
        judge(method="conditions")
        stub.script(said(False))
        _run, result = judge(method="conditions")
        assert (result["judged"], result["calls"], score(response)) == (1, 1, (1, 3))

    def test_what_cannot_be_met_flexibly_does_not_forbid_a_selection(self, stub, judge, task):
        response = factory.respond(task, listed("Ann"))
        stub.script(said(flexible=1))
        judge(method="conditions")
        assert score(response) == (1, 3)

    def test_a_profile_that_changes_in_the_table_is_judged_anew(self, stub, judge, task):
        factory.respond(task, listed("Ann", "Ben"))
        judge(method="conditions")
        ann = factory.pool().profiles.get(key="ann")
        ann.text = "Ann posts about chess."
        ann.save()
        _run, result = judge(method="conditions")
        assert (result["judged"], result["calls"], Judgment.objects.count()) == (1, 2, 2)


def test_an_estimate_counts_the_call_for_the_list_and_as_many_profiles_as_are_demanded(
    stub, plan, task
):
    factory.respond(task, UNSURE["prose"])
    found = estimate_of(plan(method="conditions"))
    assert (found.responses, found.calls) == (1, 4)


def test_an_estimate_counts_a_call_for_each_profile_of_the_table(stub, plan, task):
    factory.respond(task, listed("Ann", "Ben", "Nobody"))
    found = estimate_of(plan(method="conditions"))
    assert (found.responses, found.calls) == (1, 2)


def test_batches_are_refused_as_a_response_takes_several_questions(stub, plan, task):
    factory.respond(task, listed("Ann"))
    with pytest.raises(BadInput, match="several questions"):
        plan(method="conditions", batch=True)


def test_neither_candidates_nor_judges_are_told_who_was_chosen(stub, judge, task):
    factory.select(task, chosen=("eve", "finn"))
    factory.respond(task, listed("Ann"))
    note = registry.answer_notes([task])[task.pk]
    assert "creators" in note
    assert "first 3 count" in note
    judge(method="conditions")
    sent = json.dumps([request.body for request in stub.requests])
    assert f"{LINK}Ann" in sent
    for name in ("Eve", "Finn"):
        assert f"{LINK}{name}" not in sent
        assert name not in note


def test_a_run_that_stops_keeps_its_profiles_and_a_later_one_asks_for_the_rest(stub, judge, task):
    response = factory.respond(task, listed("Ann", "Ben", "Cleo"))
    _run, result = judge(method="conditions", max_calls=2)
    assert (result["judged"], stub.calls) == (0, 2)
    assert Finding.objects.filter(reason="").count() == 3  # the list and two profiles
    _run, result = judge(method="conditions")
    assert (result["judged"], stub.calls, score(response)[1]) == (1, 3, 3)


def test_the_page_of_a_response_shows_conditions_by_profile_and_what_became_of_the_others(
    stub, judge, task, staff
):
    response = factory.respond(task, listed("Ann", "Nobody", "Ann", "Ben"))
    stub.script(said(needed=4, flexible=1))
    run, _result = judge(method="conditions")
    page = browser_of(staff).get(f"/staff/verdicts/{response.pk}/?judge={run.pk}")
    text = page.content.decode()
    assert page.status_code == 200
    assert "1 of 3 would be selected: 33.3 points of 100" in text
    for words in ("not in the table", "named twice", "1 entry after the first 3", "necessary*"):
        assert words in text
    assert page.context["page"].part.data["rows"][0]["cells"][1][1:] == (1, True)

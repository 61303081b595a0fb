"""Staff draw a sample by domain and candidate, and follow its sheets."""

import hashlib
import re
from typing import Any

import pytest

from curation.tasks.task.models import TaskEvent
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.results.alignment.report import align
from judge.results.alignment_sets.drawing import EligibleResponse, SampleSpec, assign_scorers, draw
from judge.results.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.results.flags.flags import flag_verdict
from judge.runs.engine.models import JudgeRun, Judgment, Verdict
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet
from rubrics.versions.queries import versions_that_count
from tests.markup import one_line
from tests.run_states import in_state
from tests.scoring.pages.conftest import verdicts

pytestmark = pytest.mark.django_db
URL = "/staff/alignment/sets/"


def respond(task: Any, *names: str) -> list[Response]:
    return [
        Response.objects.create(
            key=f"{task.key}-{name}",
            task=task,
            candidate=families.candidate_named(name),
            text="I recommend to refuse.",
            source=Response.Source.IMPORTED,
        )
        for name in names
    ]


def asked(**other: Any) -> dict[str, Any]:
    spec = {"quota": 1, "scorers": 2, "seed": 7, "domains": ["finance"]}
    return {**spec, "candidates": ["ada", "bea"], **other}


def pool(*tasks: str, domain: str = "finance", names: tuple[str, ...] = ("ada", "bea")):
    return [
        EligibleResponse(f"{task}-{name}", task, domain, name) for task in tasks for name in names
    ]


WISH = SampleSpec(2, 7, ("finance",), ("ada", "bea"))


def test_a_sample_is_the_same_on_any_machine_and_fills_every_stratum_with_whole_tasks():
    free = [*pool("t1", "t2", "t3", "t4", "t5"), *pool("alone", names=("ada",))]
    sample = draw(free, WISH)
    assert draw(reversed(free), WISH) == sample
    assert [(s.candidate, s.available, s.drawn) for s in sample.shares] == [
        ("ada", 6, 2),
        ("bea", 5, 2),
    ]
    tasks = [key.rpartition("-")[0] for key in sample.drawn]
    assert [tasks.count(task) for task in tasks] == [2] * 4
    # The order is that of HMAC-SHA256(seed, task), worked out here by hand.
    block = hashlib.sha256().block_size
    key = b"7".ljust(block, b"\0")

    def lot(task: str) -> bytes:
        inner = hashlib.sha256(bytes(b ^ 0x36 for b in key) + task.encode()).digest()
        return hashlib.sha256(bytes(b ^ 0x5C for b in key) + inner).digest()

    assert tasks[::2] == sorted(["t1", "t2", "t3", "t4", "t5"], key=lot)[:2]
    assert len({draw(free, SampleSpec(2, seed, *WISH_REST)).drawn for seed in range(20)}) > 1


WISH_REST = (("finance",), ("ada", "bea"))


def test_a_stratum_that_falls_short_gives_what_it_has_and_says_what_is_missing():
    sample = draw([*pool("t1"), *pool("t2", "t3", names=("ada",))], WISH)
    assert [(s.candidate, s.short) for s in sample.short] == [("bea", 1)]
    assert sample.drawn[:2] == ("t1-ada", "t1-bea")
    assert len(sample.drawn) == 3


def test_of_several_answers_of_a_candidate_to_a_task_one_is_drawn():
    free = [EligibleResponse(f"t1-{n}", "t1", "finance", "ada") for n in range(5)]
    sample = draw(free, SampleSpec(1, 3, ("finance",), ("ada",)))
    assert len(sample.drawn) == 1
    assert sample.shares[0].available == 1


def test_tasks_go_to_those_with_the_least_to_do():
    assert assign_scorers([("a", 2, [1, 2]), ("b", 2, [1, 2, 3])], {1: 1}, 1) == {
        "a": (2,),
        "b": (3,),
    }
    assert assign_scorers([("a", 1, [3, 1, 2])], {1: 9}, 2) == {"a": (2, 3)}


def test_staff_draw_a_set_and_every_response_gets_its_scorers(
    approve, scorer, checker, office, staff, sign_in
):
    for title in ("One", "Two", "Three"):
        respond(approve(title=title), "ada", "bea")
    page = office.get(f"{URL}new/", asked()).content.decode()
    assert "Draw, and assign 4 sheets" in page
    assert not AlignmentSet.objects.exists()
    done = office.post(f"{URL}new/", asked(), follow=True).content.decode()
    made = AlignmentSet.objects.get()
    assert (made.seed, made.quota, made.scorers, made.created_by) == (7, 1, 2, staff)
    assert made.domains == ["finance"]
    assert made.candidates == ["ada", "bea"]
    sheets = Sheet.objects.filter(purpose="alignment")
    assert {(s.user, s.response_id) for s in sheets} == {
        (user, item.response_id) for user in (scorer, checker) for item in made.items.all()
    }
    assert "0 of 4 sheets are handed in." in done
    events = TaskEvent.objects.filter(data__event="sheet_assigned")
    assert {(e.actor, e.data["set"]) for e in events} == {(staff, made.pk)}
    assert "Score the 15 lines" in sign_in(scorer).get("/").content.decode()
    page = office.get(URL).content.decode()
    assert "0 of 4" in page
    assert f"Set {made.pk}" in page


def test_a_set_shows_its_progress_its_time_and_how_far_the_scorers_agree(
    approve, scorer, checker, office
):
    respond(approve(title="One"), "ada")
    office.post(f"{URL}new/", asked(candidates=["ada"]))
    made = AlignmentSet.objects.get()
    for user, met in ((scorer, lambda n: True), (checker, lambda n: n > 2)):
        sheet = Sheet.objects.get(user=user)
        fill_sheet(actor=user, sheet=sheet, verdicts=verdicts(sheet, met=met))
    Sheet.objects.filter(user=scorer).update(worked_seconds=600)
    page = one_line(office.get(f"{URL}{made.pk}/").content.decode())
    assert "Every sheet is handed in." in page
    assert "Of 15 lines judged by more than one person, 80" in page  # 12 of 15 agree
    assert "3 lines are disputed" in page
    minutes = re.findall(r'Minutes spent">([^<]+)<', page)
    assert sorted(minutes) == ["10", "–"]


def test_a_sheet_that_was_handed_back_shows_as_without_a_scorer(approve, scorer, office, sign_in):
    respond(approve(title="One"), "ada")
    office.post(f"{URL}new/", asked(candidates=["ada"], scorers=1))
    sheet = Sheet.objects.get()
    sign_in(sheet.user).post(f"/sheets/{sheet.pk}/hand-back/", {"reason": "I am away."})
    page = office.get(f"{URL}{AlignmentSet.objects.get().pk}/").content.decode()
    assert "1 sheet has no scorer." in page


def test_a_stratum_that_cannot_be_filled_is_named_and_nothing_is_drawn(approve, scorer, office):
    first, second = approve(title="One"), approve(title="Two")
    respond(first, "ada", "bea")
    respond(second, "ada")
    for answer in (
        office.post(f"{URL}new/", asked(quota=2, scorers=1)),
        office.get(f"{URL}new/", asked(quota=2, scorers=1)),
    ):
        assert answer.status_code == 400
        assert "bea in Finance: wanted 2, available 1" in answer.content.decode()
        assert "ada in Finance" not in answer.content.decode()
    assert not AlignmentSet.objects.exists()
    assert not Sheet.objects.exists()


def test_a_response_that_too_few_may_score_or_that_was_scored_is_not_available(
    approve, scorer, office, staff
):
    rows = respond(approve(title="One"), "ada", "bea")
    answer = office.post(f"{URL}new/", asked(scorers=2))
    assert answer.status_code == 400
    assert "ada in Finance: wanted 1, available 0" in answer.content.decode()
    assert "2 responses are left out: too few people may score them." in answer.content.decode()
    assign_alignment_sheet(actor=staff, response=rows[0], scorer=scorer)
    answer = office.post(f"{URL}new/", asked(scorers=1))
    assert answer.status_code == 400
    assert Sheet.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"quota": 0}, "Draw at least 1 response of each candidate."),
        ({"quota": 0, "flagged": "on"}, "No response with a flagged verdict is waiting"),
        ({"quota": -1}, "Type a number of at least 0."),
        ({"quota": ""}, "Please fill this in."),
        ({"scorers": 6}, "Type a number of at most 5."),
        ({"seed": -1}, "Type a number of at least 0."),
        ({"domains": []}, "Choose at least one domain."),
        ({"candidates": []}, "Choose at least one candidate."),
        ({"candidates": ["nobody"]}, "nobody"),
        ({"quota": 1500}, "a set has at most 2000"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused_in_words(approve, scorer, office, change, sentence):
    respond(approve(), "ada", "bea")
    answer = office.post(f"{URL}new/", asked(scorers=1) | change)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not AlignmentSet.objects.exists()


def test_a_seat_taken_in_the_same_moment_undoes_the_whole_draw(
    approve, scorer, office, monkeypatch
):
    from curation.base.web.refusals import Conflict
    from judge.results.alignment_sets import actions as alignment_sets

    respond(approve(), "ada", "bea")
    real, seen = assign_alignment_sheet, []

    def second_fails(**kwargs: Any) -> Any:
        seen.append(kwargs)
        if len(seen) == 2:
            raise Conflict("A seat was taken.", code="seat_taken")
        return real(**kwargs)

    monkeypatch.setattr(alignment_sets, "assign_alignment_sheet", second_fails)
    answer = office.post(f"{URL}new/", asked(scorers=1))
    assert answer.status_code == 409
    assert not AlignmentSet.objects.exists()
    assert not Sheet.objects.exists()


def test_the_page_opens_with_what_can_be_drawn_and_says_so_where_nothing_can(
    approve, scorer, office
):
    assert office.get(f"{URL}new/").status_code == 200
    respond(approve(title="One"), "ada", "bea")
    respond(approve(title="Two"), "ada", "bea")
    assert "Draw, and assign 4 sheets" in office.get(f"{URL}new/").content.decode()
    nobody = office.get(f"{URL}new/?scorers=2")
    assert nobody.status_code == 200
    assert "wanted 1, available 0" in nobody.content.decode()


def test_a_set_is_never_changed_afterwards(approve, scorer, office):
    respond(approve(), "ada")
    office.post(f"{URL}new/", asked(candidates=["ada"], scorers=1))
    for rows in (AlignmentSet.objects.all(), AlignmentItem.objects.all()):
        with pytest.raises(TypeError):
            rows.delete()


def test_the_pages_cost_a_fixed_number_of_queries(
    approve, scorer, office, django_assert_max_num_queries
):
    for n in range(4):
        respond(approve(title=f"Case {n}"), "ada", "bea")
    office.post(f"{URL}new/", asked(quota=2, scorers=1))
    office.post(f"{URL}new/", asked(quota=1, scorers=1))
    made = AlignmentSet.objects.first()
    with django_assert_max_num_queries(12):
        office.get(URL)
    with django_assert_max_num_queries(20):
        office.get(f"{URL}{made.pk}/")
    with django_assert_max_num_queries(28):
        office.get(f"{URL}new/")


def test_a_response_with_a_flagged_verdict_comes_on_top_of_the_sample_and_out_of_the_report(
    approve, scorer, office, staff
):
    ada, bea = respond(approve(title="One"), "ada", "bea")
    for response in (ada, bea):
        judged(response)
    flag_verdict(
        actor=staff, verdict=ada.judgments.get().verdicts.first(), reason="It says so on page 2."
    )
    page = office.get(f"{URL}new/", asked(quota=0, scorers=1, flagged="on"))
    assert "1 response with a flagged verdict is added." in one_line(page.content.decode())
    office.post(f"{URL}new/", asked(quota=0, scorers=1, flagged="on"))
    (item,) = AlignmentItem.objects.all()
    assert (item.response, item.flagged, item.set.flagged) == (ada, True, True)
    sheet = Sheet.objects.get(response=ada)
    fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet))

    run = str(JudgeRun.objects.get().pk)
    left_out, counted = align(run, bootstrap=0), align(run, bootstrap=0, with_flagged=True)
    assert (left_out.as_dict()["flagged_left_out"], list(left_out.experts.responses)) == (1, [])
    assert (counted.as_dict()["flagged_left_out"], list(counted.experts.responses)) == (0, [ada.pk])
    # The flag is gone once experts said what is right: the next set does not take it again.
    again = office.post(f"{URL}new/", asked(quota=0, scorers=1, flagged="on"))
    assert again.status_code == 400


def test_the_limit_of_sheets_counts_the_flagged_responses_too(
    approve, scorer, office, staff, monkeypatch
):
    ada, bea = respond(approve(title="One"), "ada", "bea")
    for response in (ada, bea):
        judged(response)
        verdict = response.judgments.get().verdicts.first()
        flag_verdict(actor=staff, verdict=verdict, reason="It says so on page 2.")
    monkeypatch.setattr("judge.results.alignment_sets.actions.MOST_SHEETS", 1)
    answer = office.post(f"{URL}new/", asked(quota=0, scorers=1, flagged="on"))
    assert answer.status_code == 400
    assert "With the 2 flagged responses that would be 2 sheets" in one_line(
        answer.content.decode()
    )
    assert not AlignmentSet.objects.exists()
    monkeypatch.setattr("judge.results.alignment_sets.actions.MOST_SHEETS", 2)
    assert office.post(f"{URL}new/", asked(quota=0, scorers=1, flagged="on")).status_code == 302


def judged(response: Response) -> None:
    """The verdicts of a judge on a response, all met."""
    version = versions_that_count([response.task_id])[response.task_id]
    run, _made = JudgeRun.objects.get_or_create(
        method="one_shot",
        provider="offline",
        model="rules-1",
        state="finished",
        defaults=in_state("finished"),
    )
    judgment = Judgment.objects.create(
        key=response.key, run=run, response=response, version=version, method="one_shot"
    )
    for line in version.criteria.all():
        Verdict.objects.create(judgment=judgment, criterion=line, outcome="met")
    run.items.create(response=response, version=version, judgment=judgment, state="judged")

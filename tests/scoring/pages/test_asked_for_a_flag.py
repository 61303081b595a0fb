"""A flagged verdict on a response that experts have scored: others are asked, once."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from curation.base.web.refusals import Conflict
from curation.joining.people import User
from judge.asking.candidates.models import Response
from judge.results.alignment.gather_experts import gather_experts
from judge.results.alignment.gather_judge import gather_judge
from judge.results.alignment.raters import Rater
from judge.results.alignment.report import align
from judge.results.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.results.flags.flags import VerdictFlag, flag_verdict
from judge.runs.engine.models import JudgeRun
from judge.scoring.agreement.queries import report as agreement_report
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.assignments.handover import hand_over_sheets
from judge.scoring.assignments.record import facts
from judge.scoring.graded_sheets.actions import assign_graded_sheet, submit_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet
from tests.markup import one_line
from tests.scoring.pages.conftest import verdicts
from tests.scoring.pages.test_alignment_sets import URL, asked, judged, respond

pytestmark = pytest.mark.django_db
NEW = f"{URL}new/"


@pytest.fixture
def response(approve: Any, staff: User) -> Response:
    """A response with a flagged verdict of a judge who finds every line met."""
    (made,) = respond(approve(title="One"), "ada")
    judged(made)
    flag(made, staff)
    return made


@pytest.fixture
def first(response: Response, staff: User, scorer: User) -> Sheet:
    """The first expert's sheet on it, which staff assigned and which finds every line unmet."""
    sheet = assign_alignment_sheet(actor=staff, response=response, scorer=scorer)
    return fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet, met=lambda n: False))


@pytest.fixture
def further(first: Sheet, checker: User, office: Client) -> Sheet:
    """The sheet of the colleague whom the next set asks."""
    assert office.post(NEW, for_flags()).status_code == 302
    return Sheet.objects.get(user=checker)


def for_flags(**other: Any) -> dict[str, Any]:
    return asked(quota=0, scorers=1, flagged="on", candidates=["ada"]) | other


def flag(response: Response, by: User, line: int = 0) -> None:
    verdict = response.judgments.get().verdicts.order_by("pk")[line]
    flag_verdict(actor=by, verdict=verdict, reason="It says so on page 2.")


def words(page: Any) -> str:
    return one_line(page.content.decode())


def run() -> str:
    return str(JudgeRun.objects.get().pk)


def test_the_next_set_asks_somebody_else_and_says_so(
    first, response, scorer, checker, office, sign_in
):
    page = words(office.get(NEW, for_flags()))
    assert "1 response with a flagged verdict is added." in page
    assert "Scored before, so that other experts are asked: 1." in page
    assert office.post(NEW, for_flags()).status_code == 302
    (item,) = AlignmentItem.objects.all()
    assert (item.response, item.flagged) == (response, True)
    given = Sheet.objects.exclude(pk=first.pk).get()
    assert (given.user, given.flagged_item, first.flagged_item) == (checker, item, None)
    page = words(office.get(f"{URL}{item.set_id}/"))
    assert "0 of 1 sheets are handed in." in page
    assert "For a flag" in page
    fill_sheet(actor=checker, sheet=given, verdicts=verdicts(given))
    assert "Every sheet is handed in." in words(office.get(f"{URL}{item.set_id}/"))


def test_its_scorer_is_not_told_why_it_is_asked_for(further, checker, sign_in):
    browser = sign_in(checker)
    for address in ("/", "/scoring/", f"/sheets/{further.pk}/"):
        page = browser.get(address, follow=True)
        assert page.status_code == 200
        assert "flag" not in words(page).lower().replace("flagship", "")


def test_the_form_proposes_what_is_flagged_where_nothing_else_waits(first, checker, office):
    page = office.get(NEW)
    spec = dict(page.context["spec"])
    assert (spec["quota"], spec["flagged"], page.context["sheets"]) == ("0", "on", 1)


def test_the_link_proposes_the_flagged_response_on_top_of_an_even_sample_or_alone(
    first, approve, checker, office
):
    """Of ada nothing but the flagged response waits at first."""

    def proposed() -> tuple[str, set[str]]:
        page = office.get(NEW, {"flagged": "on"})
        spec = page.context["spec"]
        assert page.context["sample"].flagged == (first.response.key,)
        return dict(spec)["quota"], {value for name, value in spec if name == "candidates"}

    respond(approve(title="Two"), "bea")
    assert proposed() == ("0", {"ada"})
    respond(approve(title="Three"), "ada", "bea")
    assert proposed() == ("1", {"ada", "bea"})


def test_nobody_is_asked_twice_for_a_flag(further, checker, office, person, response, staff):
    person("third", response.task.domain)
    fill_sheet(actor=checker, sheet=further, verdicts=verdicts(further))
    flag(response, staff, line=1)
    answer = office.post(NEW, for_flags())
    assert answer.status_code == 400
    respond(response.task, "bea")  # the form needs something to draw
    page = words(office.get(NEW, asked(quota=1, scorers=1, flagged="on", candidates=["bea"])))
    assert "1 response with a flagged verdict is not added: experts are scoring it, or were" in page
    page = words(office.get(f"/staff/verdicts/{response.pk}/", {"judge": run()}))
    assert "Experts were asked because of a flag" in page


def test_the_page_of_the_response_says_whom_the_next_set_asks(
    response, staff, scorer, checker, office
):
    def shown() -> str:
        return words(office.get(f"/staff/verdicts/{response.pk}/", {"judge": run()}))

    assert "Have experts score it" in shown()
    sheet = assign_alignment_sheet(actor=staff, response=response, scorer=scorer)
    assert "Experts are scoring this response now." in shown()
    fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet))
    assert "Have other experts score it" in shown()


def test_nobody_else_is_asked_while_the_first_expert_is_scoring(
    response, staff, scorer, checker, office
):
    assign_alignment_sheet(actor=staff, response=response, scorer=scorer)
    assert office.post(NEW, for_flags()).status_code == 400
    assert Sheet.objects.count() == 1


def test_it_is_left_out_where_nobody_else_may_score_it(first, office):
    page = office.get(NEW, for_flags())
    assert page.status_code == 400
    assert "Too few people may score the responses with a flagged verdict." in words(page)


def test_a_draw_of_flags_alone_says_where_it_asks_for_other_candidates(first, checker, office):
    respond(first.response.task, "bea")
    page = office.get(NEW, for_flags(candidates=["bea"]))
    assert page.status_code == 400
    assert "No chosen candidate has a response with a flagged verdict" in words(page)


def test_what_was_asked_for_a_flag_is_in_the_report_only_on_request(further, checker):
    before = align(run(), bootstrap=0).as_dict()
    fill_sheet(actor=checker, sheet=further, verdicts=verdicts(further, met=lambda n: True))
    after = align(run(), bootstrap=0)
    assert after.as_dict() == before | {"flagged_left_out": 1}
    assert after.experts.raters == (f"expert-{Sheet.objects.get(flagged_item=None).user_id}",)
    counted = align(run(), bootstrap=0, with_flagged=True)
    assert len(counted.experts.raters) == 2
    assert counted.as_dict()["flagged_left_out"] == 0


def test_a_release_leaves_it_out_and_counts_it(further, checker, tmp_path):
    fill_sheet(actor=checker, sheet=further, verdicts=verdicts(further))
    options = {"size": 2, "seed": 1, "out": tmp_path / "gold", "with_responses": True}
    call_command("export_gold", **options, allow_unanchored=True, stdout=StringIO())
    scores = map(json.loads, (tmp_path / "gold" / "scores.jsonl").read_text().splitlines())
    assert [row["rater"] for row in scores if row["kind"] == "expert"] == ["scorer-1"]
    manifest = json.loads((tmp_path / "gold" / "manifest.json").read_text())
    (left,) = [row for row in manifest["left_out"] if "flagged verdict" in row["what"]]
    assert left["count"] == 1


def test_experts_who_differ_have_a_dispute_that_no_statistic_counts(
    further, checker, staff, person, finance, sign_in
):
    fill_sheet(actor=checker, sheet=further, verdicts=verdicts(further, met=lambda n: True))
    overall = agreement_report(staff, "sheet").overall
    assert (overall.report.units, overall.report.percent) == (0, None)
    assert (overall.disputed, overall.open, overall.disputed_for_flags) == (15, 15, 15)
    senior = sign_in(person("senior", finance, senior=True))
    page = words(senior.get("/staff/agreement/?kind=sheet"))
    assert "only where a flag asked for it" in page
    assert f"/staff/agreement/{further.response.task_id}/" in page  # where a senior settles them
    (fact,) = [one for one in facts(checker) if "also scored by another" in one.sentence]
    assert (fact.n, fact.of) == (0, 0)


def test_the_scorers_of_a_set_for_flags_are_compared_with_each_other(
    first, checker, office, person, finance
):
    third = person("third", finance)
    assert office.post(NEW, for_flags(scorers=2)).status_code == 302
    for user, met in ((checker, lambda n: True), (third, lambda n: n > 2)):
        sheet = Sheet.objects.get(user=user)
        fill_sheet(actor=user, sheet=sheet, verdicts=verdicts(sheet, met=met))
    page = words(office.get(f"{URL}{AlignmentSet.objects.get().pk}/"))
    assert "Of 15 lines judged by more than one person, 80" in page  # 12 of 15, without the first
    assert "3 lines are disputed" in page


class TestASheetAssignedByHand:
    """It serves the flag where one is lacking, or where flags alone asked about the response."""

    def by_hand(self, office: Client, response: Response, scorer: User) -> Sheet:
        sent = {"response": response.pk, f"scorer-{response.task_id}": scorer.pk}
        assert office.post("/staff/alignment/sheets/", sent).status_code == 302
        return Sheet.objects.get(user=scorer)

    def test_takes_the_place_of_one_that_was_handed_back(
        self, further, response, office, sign_in, checker, person, finance
    ):
        sign_in(checker).post(f"/sheets/{further.pk}/hand-back/", {"reason": "I am away."})
        assert "1 sheet has no scorer." in words(office.get(f"{URL}{further.flagged_item.set_id}/"))
        given = self.by_hand(office, response, person("third", finance))
        assert given.flagged_item == further.flagged_item
        assert self.by_hand(office, response, person("fourth", finance)).flagged_item is None

    def test_is_for_the_flag_where_nobody_was_asked_for_another_reason(
        self, response, office, scorer, person, finance
    ):
        office.post(NEW, for_flags())
        item = AlignmentItem.objects.get()
        assert Sheet.objects.get().flagged_item == item
        assert self.by_hand(office, response, person("third", finance)).flagged_item == item

    def test_takes_the_place_of_a_colleagues_whose_qualification_ended(
        self, further, checker, person, finance
    ):
        third = person("third", finance)
        checker.qualifications.update(active=False)
        hand_over_sheets(checker.qualifications.all())
        given = Sheet.objects.get(user=third)
        assert given.flagged_item == further.flagged_item


def test_a_draw_at_random_after_a_sheet_was_handed_back_is_no_longer_for_the_flag(
    response, scorer, office, sign_in
):
    office.post(NEW, for_flags())
    sheet = Sheet.objects.get()
    sign_in(sheet.user).post(f"/sheets/{sheet.pk}/hand-back/", {"reason": "I am away."})
    assert office.post(NEW, asked(scorers=1, candidates=["ada"])).status_code == 302
    made = AlignmentSet.objects.first()
    assert made is not None
    assert Sheet.objects.get().flagged_item is None
    assert "0 of 1 sheets are handed in." in words(office.get(f"{URL}{made.pk}/"))


def test_two_experts_who_scored_different_responses_are_asked_about_each_others(
    first, approve, staff, scorer, checker, office
):
    (other,) = respond(first.response.task, "bea")
    judged(other)
    flag(other, staff)
    sheet = assign_alignment_sheet(actor=staff, response=other, scorer=checker)
    fill_sheet(actor=checker, sheet=sheet, verdicts=verdicts(sheet))
    assert office.post(NEW, asked(quota=0, scorers=1, flagged="on")).status_code == 302
    given = Sheet.objects.filter(flagged_item__isnull=False)
    assert {(one.response, one.user) for one in given} == {
        (first.response, checker), (other, scorer)
    }  # fmt: skip


def choices(page: Any) -> str:
    """The scorers offered for the first task of the page."""
    html = one_line(page.content.decode())
    return html.split('<select name="scorer-')[1].split("</select>")[0]


class TestWhoFlaggedAVerdict:
    """They know what the judge says of the response, so they never score it."""

    @pytest.fixture(autouse=True)
    def flagger(self, first: Sheet, checker: User) -> User:
        User.objects.filter(pk=checker.pk).update(is_staff=True, does_scoring=True)
        found = User.objects.get(pk=checker.pk)
        flag(first.response, found, line=1)
        return found

    def test_is_not_asked_by_a_set(self, office):
        answer = office.post(NEW, for_flags())
        assert answer.status_code == 400
        assert "Too few people may score the responses with a flagged verdict." in words(answer)

    def test_is_not_asked_after_taking_the_flag_back(self, flagger, office):
        VerdictFlag.objects.filter(by=flagger).update(withdrawn_at=timezone.now())
        assert office.post(NEW, for_flags()).status_code == 400

    def test_is_refused_by_hand_in_both_forms(self, flagger, response):
        with pytest.raises(Conflict, match="knows what the judge says"):
            assign_alignment_sheet(actor=None, response=response, scorer=flagger)
        with pytest.raises(Conflict, match="knows what the judge says"):
            assign_graded_sheet(response=response, scorer=flagger)

    def test_is_not_offered_by_hand(self, flagger, first, office, person, finance):
        third = person("third", finance)
        page = office.get(f"/staff/alignment/sheets/?task={first.response.task.key}")
        offered = [one.pk for one in (flagger, third) if f'value="{one.pk}"' in choices(page)]
        assert offered == [third.pk]

    def test_takes_over_no_sheet_from_a_colleague(self, office, person, finance):
        third, fourth = person("third", finance), person("fourth", finance)
        assert office.post(NEW, for_flags()).status_code == 302
        given = Sheet.objects.get(flagged_item__isnull=False)
        assert given.user in (third, fourth)
        given.user.qualifications.update(active=False)
        hand_over_sheets(given.user.qualifications.all())
        taken = Sheet.objects.get(flagged_item__isnull=False)
        assert {taken.user, given.user} == {third, fourth}


def test_a_response_that_only_a_flag_asked_about_can_still_be_drawn_at_random(
    response, scorer, checker, office
):
    """Else the responses on which a judge is doubted would leave the population."""
    office.post(NEW, for_flags())
    sheet = Sheet.objects.get()
    fill_sheet(actor=sheet.user, sheet=sheet, verdicts=verdicts(sheet))
    assert office.post(NEW, asked(scorers=1, candidates=["ada"])).status_code == 302
    given = Sheet.objects.exclude(pk=sheet.pk).get()
    assert (given.flagged_item, {given.user, sheet.user}) == (None, {scorer, checker})


def test_an_expert_measured_as_a_judge_is_measured_on_what_was_asked_at_random(further, checker):
    fill_sheet(actor=checker, sheet=further, verdicts=verdicts(further))
    assert gather_judge(Rater(further.rater), gather_experts(Rater(run()), None)).scores == {}


def test_experts_who_agree_because_of_a_flag_are_said_to_be_in_no_figure(further, checker, staff):
    fill_sheet(actor=checker, sheet=further, verdicts=verdicts(further, met=lambda n: False))
    found = agreement_report(staff, "sheet")
    assert found.overall.disputed == 0
    assert "only where a flag asked for it" in found.sentence


def test_a_response_without_a_sheet_goes_to_people_who_scored_another_of_its_task(
    first, scorer, checker, office
):
    """Only who scored the flagged response is kept from it."""
    (other,) = respond(first.response.task, "bea")
    assert office.post(NEW, asked(quota=0, scorers=1, flagged="on")).status_code == 302
    assert office.post(NEW, asked(candidates=["bea"])).status_code == 302
    given = Sheet.objects.filter(response=other)
    assert {(sheet.user, sheet.flagged_item) for sheet in given} == {
        (scorer, None),
        (checker, None),
    }


def test_a_grade_is_asked_for_again_in_the_same_way(response, scorer, checker, office):
    sheet = assign_graded_sheet(response=response, scorer=scorer)
    submit_graded_sheet(actor=scorer, graded_sheet=sheet, grade=4, analysis="One gap.")
    assert office.post(NEW, for_flags(form="grade")).status_code == 302
    given = GradedSheet.objects.exclude(pk=sheet.pk).get()
    assert (given.user, given.flagged_item) == (checker, AlignmentItem.objects.get())
    submit_graded_sheet(actor=checker, graded_sheet=given, grade=1, analysis="All wrong.")
    assert [row[0] for row in align(run(), bootstrap=0).experts.grades] == [sheet.rater]
    assert len(align(run(), bootstrap=0, with_flagged=True).experts.grades) == 2
    page = words(office.get(f"{URL}{AlignmentSet.objects.get().pk}/"))
    assert "Every sheet is handed in." in page

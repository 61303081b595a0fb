"""A scorer's agreement over time, the pause by the rule, and how it ends."""

from typing import Any

import pytest

from curation.base.process import periodic_jobs
from curation.base.web.refusals import Conflict
from curation.joining.notices.models import Notice
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.pages.queue import pool
from judge.scoring.practice.actions import ask_to_practise, lift_pause
from judge.scoring.practice.choosing import add_practice_sheet
from judge.scoring.practice.drift_pausing import pause_drifting_scorers
from judge.scoring.practice.drift_queries import scorer_page
from judge.scoring.practice.known_models import KnownSheet
from judge.scoring.scorers.models import ScorerPause, ScorerPolicyChange
from judge.scoring.sheets.models import Sheet
from tests.scoring.practice.conftest import filled
from tests.scoring.practice.test_known_sheets import RATE, salt_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def known_sheets(known_world, scorer, finance, rule, settings, staff) -> list[Sheet]:
    """Two open known sheets of the scorer, among two real ones."""
    rule(known_rate=RATE)
    settings.SPOT_CHECK_SALT = salt_for(scorer, finance, "yyn")
    for name in ("ada", "bea"):
        assign_alignment_sheet(actor=staff, response=known_world[name], scorer=scorer)
    return [known.sheet for known in KnownSheet.objects.order_by("pk")]


class TestFigures:
    def test_nothing_is_known_before_the_first_known_sheet(self, known_world, scorer, finance):
        page = scorer_page(scorer, finance)
        assert page.last.found.agreement is None
        assert page.last.agreement == "–"
        assert page.last.bias == "unknown: no known line yet"
        assert page.chart == ""

    def test_the_last_lines_the_bias_and_the_chart(
        self, known_sheets, scorer, finance, rule, office
    ):
        rule(pause_lines=20)
        one, two = known_sheets
        filled(one, scorer)
        filled(two, scorer, wrong=5, lenient=True)
        page = scorer_page(scorer, finance)
        # The last 20 lines: five of the first sheet, all right, and fifteen of the second.
        assert (page.last.found.agreed, page.last.found.lines) == (15, 20)
        assert page.last.agreement == "75\xa0%"
        assert page.last.bias == "more lenient by 25.0 of 100 lines"
        low, high = page.last.found.interval
        assert 0.53 < low < 0.54
        assert 0.88 < high < 0.89
        assert [row.here.found.agreed for row in page.sheets] == [10, 15]
        assert page.chart.count("<circle") == 2
        shown = office.get(f"/staff/scorers/finance/{scorer.pk}/").content.decode()
        assert "more lenient by 25.0 of 100 lines" in shown
        assert "Agreement with known verdicts on 2 sheets" in shown

    def test_a_strict_scorer_has_a_bias_of_the_other_sign(self, known_sheets, scorer, finance):
        filled(known_sheets[0], scorer, wrong=3, lenient=False)
        assert scorer_page(scorer, finance).last.bias == "stricter by 20.0 of 100 lines"

    def test_agreement_with_colleagues_is_of_real_sheets(self, known_world, finance):
        page = scorer_page(known_world["first"], finance)
        # Fifteen lines of the agreed response, fifteen of the disputed one, of which one differs.
        assert (page.colleagues.found.agreed, page.colleagues.found.lines) == (29, 30)

    def test_the_list_shows_who_practises_who_is_paused_and_how_far_each_agrees(
        self, known_sheets, scorer, finance, rule, office
    ):
        filled(known_sheets[0], scorer, wrong=3)
        page = office.get("/staff/scorers/finance/").content.decode()
        assert "80\xa0%" in page
        assert "given sheets" in page
        assert "Finance" in office.get("/staff/scorers/").content.decode()


class TestPause:
    def drifted(self, known_sheets: list[Sheet], scorer: Any) -> None:
        filled(known_sheets[0], scorer, wrong=8)

    def test_nobody_is_paused_without_a_rule(self, known_sheets, scorer):
        filled(known_sheets[0], scorer, wrong=15)
        assert pause_drifting_scorers() == 0

    def test_nobody_is_paused_on_too_few_lines(self, known_sheets, scorer, rule):
        rule(pause_below=90, pause_lines=16)
        self.drifted(known_sheets, scorer)
        assert pause_drifting_scorers() == 0

    def test_nobody_is_paused_at_the_rule_itself(self, known_sheets, scorer, rule):
        rule(pause_below=80, pause_lines=15)
        filled(known_sheets[0], scorer, wrong=3)
        assert pause_drifting_scorers() == 0

    def test_whoever_falls_below_is_given_no_new_sheets_and_keeps_the_open_ones(
        self, known_world, known_sheets, scorer, staff, rule, desk
    ):
        rule(pause_below=80, pause_lines=15)
        self.drifted(known_sheets, scorer)
        assert pause_drifting_scorers in periodic_jobs.JOBS
        assert pause_drifting_scorers() == 1
        assert pause_drifting_scorers() == 0
        pause = ScorerPause.objects.get()
        assert (pause.agreed, pause.lines, pause.below) == (7, 15, 80)
        with pytest.raises(Conflict) as refused:
            assign_alignment_sheet(actor=staff, response=known_world["cid"], scorer=scorer)
        assert refused.value.code == "scorer_paused"
        assert not pool(scorer)
        open_one = Sheet.objects.filter(user=scorer, kind="expert", state="open").first()
        assert filled(open_one, scorer).state == "submitted"
        queue = desk.get("/scoring/").content.decode()
        assert "is paused" in queue
        assert "Your open sheets stay yours" in queue
        told = set(Notice.objects.filter(kind__in=("scoring_paused", "scorer_paused"))
                   .values_list("recipient", "kind"))  # fmt: skip
        assert told == {(scorer.pk, "scoring_paused"), (staff.pk, "scorer_paused")}

    def test_the_notice_is_kind_and_names_no_sheet(self, known_sheets, scorer, rule, desk):
        rule(pause_below=80, pause_lines=15)
        self.drifted(known_sheets, scorer)
        pause_drifting_scorers()
        page = desk.get("/notices/").content.decode()
        assert "That happens to careful people too" in page
        assert known_sheets[0].response.task.title not in str(
            Notice.objects.get(kind="scoring_paused").data
        )

    def test_staff_lift_it_and_the_lines_before_do_not_count_again(
        self, known_world, known_sheets, scorer, staff, rule, office, finance
    ):
        rule(pause_below=80, pause_lines=15)
        self.drifted(known_sheets, scorer)
        pause_drifting_scorers()
        address = f"/staff/scorers/finance/{scorer.pk}/"
        assert office.post(address, {"step": "lift", "reason": ""}).status_code == 400
        office.post(address, {"step": "lift", "reason": "We looked at it together."})
        assert ScorerPause.objects.get().ended_at is not None
        assert pause_drifting_scorers() == 0
        assert assign_alignment_sheet(actor=staff, response=known_world["cid"], scorer=scorer).pk
        filled(known_sheets[1], scorer, wrong=4)
        assert pause_drifting_scorers() == 1
        assert ScorerPause.objects.count() == 2
        assert "We looked at it together." in office.get(address).content.decode()
        again = {"actor": staff, "person": scorer, "domain": finance, "reason": "Fine now."}
        lift_pause(**again)
        with pytest.raises(Conflict):
            lift_pause(**again)

    def test_asking_for_practice_ends_the_pause(
        self, known_world, known_sheets, scorer, staff, rule, finance
    ):
        rule(pause_below=80, pause_lines=15, known_rate=0)
        self.drifted(known_sheets, scorer)
        pause_drifting_scorers()
        KnownSheet.objects.filter(sheet__state="open").first().sheet.lines.all().delete()
        given = {"actor": staff, "person": scorer, "domain": finance, "reason": "To look again."}
        with pytest.raises(Conflict) as refused:
            ask_to_practise(**given)
        assert refused.value.code == "no_practice_left"
        # Both known responses were given to the scorer: only one on another task is practice.
        add_practice_sheet(actor=staff, response=known_world["agreed_response"])
        with pytest.raises(Conflict):
            ask_to_practise(**given)
        assert ScorerPause.objects.get().ended_at is None


class TestRules:
    def test_staff_set_them_and_each_change_is_on_record(self, known_world, office, finance):
        sent = {"practice_share": 80, "known_rate": 10, "pause_below": 75, "pause_lines": 60}
        done = office.post("/staff/scorers/finance/rules/", sent, follow=True)
        assert "The rules hold from now on" in done.content.decode()
        change = ScorerPolicyChange.objects.get()
        assert change.before["known_rate"] == 0
        assert change.after == sent
        office.post("/staff/scorers/all-others/rules/", {**sent, "known_rate": 5})
        page = office.get("/staff/scorers/").content.decode()
        assert "All other domains" in page

    @pytest.mark.parametrize(
        "wrong", [{"known_rate": 51}, {"pause_lines": 9}, {"practice_share": 101}]
    )
    def test_what_is_out_of_range_is_refused(self, known_world, office, wrong):
        sent = {"practice_share": 0, "known_rate": 0, "pause_below": 0, "pause_lines": 60, **wrong}
        assert office.post("/staff/scorers/finance/rules/", sent).status_code == 400
        assert not ScorerPolicyChange.objects.exists()

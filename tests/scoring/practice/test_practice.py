"""Practice comes before the first sheet: chosen by staff, scored blind, read line by line."""

import pytest

from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.tasks.task.models import Seat
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.hand_back import hand_back_sheet
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.assignments.queries import assignment_rows, candidates_for_scoring
from judge.scoring.graded_sheets.actions import assign_graded_sheet
from judge.scoring.pages.queue import pool
from judge.scoring.practice.actions import ask_to_practise, let_through, lift_pause, start_practice
from judge.scoring.practice.choosing import add_practice_sheet, explain_lines, set_practice_use
from judge.scoring.scorers.models import ScorerStanding, ScorerStep
from judge.scoring.scorers.practice_models import PracticeAttempt, PracticeSheet
from judge.scoring.sheets.models import Sheet
from tests.scoring.pages.conftest import answered
from tests.scoring.practice.conftest import filled, respond

pytestmark = pytest.mark.django_db


class TestChoosing:
    def test_staff_are_offered_the_responses_whose_verdicts_are_all_known(
        self, known_world, office
    ):
        page = office.get("/staff/scorers/finance/practice/").content.decode()
        assert "Anchored" in page
        assert "Agreed" in page
        assert "Disputed" not in page
        assert "Plain" not in page

    def test_a_chosen_response_keeps_its_verdicts_and_is_explained(self, known_world, office):
        sent = {"response": known_world["agreed_response"].pk}
        made = office.post("/staff/scorers/finance/practice/", sent, follow=True)
        assert "It is a practice sheet now" in made.content.decode()
        chosen = PracticeSheet.objects.get()
        lines = list(chosen.lines.all())
        assert [line.met for line in lines] == [n % 2 == 0 for n in range(15)]
        sent = {f"line-{line.pk}": "" for line in lines} | {
            f"line-{lines[0].pk}": "The sum is in the text.",
            "revision": chosen.revision,
        }
        office.post(f"/staff/practice/{chosen.pk}/", sent)
        assert chosen.lines.first().explanation == "The sum is in the text."
        again = office.post(f"/staff/practice/{chosen.pk}/", sent)
        assert again.status_code == 409
        assert "Somebody changed these explanations" in again.content.decode()

    @pytest.mark.parametrize("name", ["disputed_response", "ada"])
    def test_a_response_with_an_unknown_line_is_no_practice_sheet(self, known_world, staff, name):
        with pytest.raises(Conflict) as refused:
            add_practice_sheet(actor=staff, response=known_world[name])
        assert refused.value.code == "not_known"

    def test_a_response_is_chosen_once_and_only_by_staff(self, practice, staff, author):
        with pytest.raises(Conflict) as refused:
            add_practice_sheet(actor=staff, response=practice.response)
        assert refused.value.code == "practice_already"
        with pytest.raises(Denied):
            add_practice_sheet(actor=author, response=practice.response)
        with pytest.raises(Denied):
            explain_lines(actor=author, practice_sheet=practice, explanations={}, revision=1)

    def test_what_cannot_be_stored_is_refused_at_its_line(self, practice, staff):
        line = practice.lines.first()
        with pytest.raises(BadInput) as refused:
            explain_lines(
                actor=staff,
                practice_sheet=practice,
                explanations={line.pk: "x" * 2001},
                revision=1,
            )
        assert list(refused.value.fields) == [f"line-{line.pk}"]

    def test_a_retired_practice_sheet_keeps_nobody_waiting(
        self, known_world, practice, staff, scorer
    ):
        set_practice_use(actor=staff, practice_sheet=practice, in_use=False)
        assert assign_alignment_sheet(actor=staff, response=known_world["ada"], scorer=scorer).pk
        with pytest.raises(Conflict):
            set_practice_use(actor=staff, practice_sheet=practice, in_use=False)


class TestFirstSheet:
    def test_who_takes_a_response_themself_is_spoken_to(self, known_world, practice, scorer):
        with pytest.raises(Conflict, match="Do a practice sheet in this domain first"):
            take_anchor(actor=scorer, anchor=answered(known_world["plain"]))

    def test_nobody_is_given_a_first_sheet_before_the_practice(
        self, known_world, practice, staff, scorer
    ):
        for give in (
            lambda one: assign_alignment_sheet(actor=staff, response=one, scorer=scorer),
            lambda one: assign_graded_sheet(response=one, scorer=scorer),
        ):
            with pytest.raises(Conflict) as refused:
                give(known_world["ada"])
            assert refused.value.code == "practice_first"
        found = candidates_for_scoring(task=known_world["plain"].key)
        (row,) = assignment_rows(found)
        assert scorer.pk not in {choice.pk for choice in row.choices}

    def test_nor_can_they_take_one_from_the_pool(self, known_world, practice, scorer, staff, desk):
        anchor = answered(known_world["plain"])
        assert not pool(scorer)
        assert desk.post(f"/scoring/anchors/{anchor.pk}/take/").status_code == 409
        let_through(actor=staff, person=scorer, domain=practice.domain, reason="A pilot.")
        assert [one.pk for one in pool(scorer)] == [anchor.pk]

    def test_whoever_has_scored_there_before_is_not_asked(self, known_world, practice, staff):
        second = known_world["second"]
        assert assign_alignment_sheet(actor=staff, response=known_world["ada"], scorer=second).pk
        with pytest.raises(Conflict) as refused:
            start_practice(actor=second, domain=practice.domain)
        assert refused.value.code == "no_practice_needed"

    def test_a_domain_without_practice_asks_nobody(self, known_world, staff, scorer, desk):
        assert "Practice sheet" not in desk.get("/scoring/").content.decode()
        assert assign_alignment_sheet(actor=staff, response=known_world["ada"], scorer=scorer).pk

    def test_home_and_the_queue_lead_to_it_and_it_looks_like_a_sheet(self, practice, desk, scorer):
        assert "Practise scoring in" in desk.get("/").content.decode()
        assert "/scoring/practice/finance/start/" in desk.get("/scoring/").content.decode()
        opened = desk.post("/scoring/practice/finance/start/")
        sheet = Sheet.objects.get(user=scorer)
        assert opened["Location"] == f"/sheets/{sheet.pk}/"
        page = desk.get(opened["Location"]).content.decode()
        assert "This is practice." in page
        assert "What was agreed" not in page
        assert practice.response.candidate.name not in page
        # A second press opens no other one.
        assert desk.post("/scoring/practice/finance/start/")["Location"] == opened["Location"]
        assert Sheet.objects.filter(user=scorer).count() == 1


class TestResult:
    def test_the_scorer_reads_what_was_agreed_line_by_line(self, practice, staff, scorer, desk):
        line = practice.lines.first()
        explain_lines(
            actor=staff,
            practice_sheet=practice,
            explanations={line.pk: "It is in the second paragraph."},
            revision=1,
        )
        sheet = start_practice(actor=scorer, domain=practice.domain)
        assert "second paragraph" not in desk.get(f"/sheets/{sheet.pk}/").content.decode()
        filled(sheet, scorer, wrong=1)
        page = desk.get(f"/scoring/practice/{sheet.pk}/").content.decode()
        assert "14 of 15 lines as agreed." in page
        assert "It is in the second paragraph." in page
        assert page.count(">differs<") == 1

    def test_handing_in_leads_there(self, practice, scorer, desk):
        sheet = start_practice(actor=scorer, domain=practice.domain)
        keys = dict(sheet.version.criteria.values_list("key", "pk"))
        for pk in keys.values():
            sent = {"met": "true", "rationale": ""}
            desk.post(f"/sheets/{sheet.pk}/lines/{pk}/", sent)
        done = desk.post(f"/sheets/{sheet.pk}/submit/")
        assert done["Location"] == f"/scoring/practice/{sheet.pk}/"

    def test_only_the_scorer_reads_it_and_only_of_practice(
        self, known_world, practice, scorer, staff, sign_in, desk
    ):
        sheet = start_practice(actor=scorer, domain=practice.domain)
        assert desk.get(f"/scoring/practice/{sheet.pk}/")["Location"] == f"/sheets/{sheet.pk}/"
        filled(sheet, scorer)
        other = sign_in(known_world["second"])
        assert other.get(f"/scoring/practice/{sheet.pk}/").status_code == 404
        real = assign_alignment_sheet(actor=staff, response=known_world["ada"], scorer=scorer)
        assert desk.get(f"/scoring/practice/{real.pk}/").status_code == 404

    def test_without_a_rule_whoever_hands_in_has_passed(self, known_world, practice, scorer, staff):
        filled(start_practice(actor=scorer, domain=practice.domain), scorer, wrong=15)
        attempt = PracticeAttempt.objects.get()
        assert (attempt.agreed, attempt.lines, attempt.passed) == (0, 15, True)
        assert assign_alignment_sheet(actor=staff, response=known_world["ada"], scorer=scorer).pk

    def test_too_little_agreement_leads_to_another_practice_sheet(
        self, known_world, practice, scorer, staff, rule
    ):
        other = add_practice_sheet(actor=staff, response=known_world["agreed_response"])
        rule(practice_share=80)
        filled(start_practice(actor=scorer, domain=practice.domain), scorer, wrong=4)
        assert PracticeAttempt.objects.get().passed is False
        with pytest.raises(Conflict):
            assign_alignment_sheet(actor=staff, response=known_world["ada"], scorer=scorer)
        sheet = start_practice(actor=scorer, domain=practice.domain)
        assert sheet.response == other.response
        filled(sheet, scorer, wrong=3)
        assert PracticeAttempt.objects.get(sheet=sheet).passed
        assert assign_alignment_sheet(actor=staff, response=known_world["ada"], scorer=scorer).pk

    def test_where_none_is_left_the_staff_are_told_and_let_the_scorer_through(
        self, known_world, practice, scorer, staff, rule, desk, office
    ):
        rule(practice_share=100)
        filled(start_practice(actor=scorer, domain=practice.domain), scorer, wrong=1)
        assert Notice.objects.filter(recipient=staff, kind="practice_none_left").count() == 1
        assert "none left for you" in desk.get("/scoring/").content.decode()
        tried = desk.post("/scoring/practice/finance/start/", follow=True)
        assert "no practice sheet left for you" in tried.content.decode()
        address = f"/staff/scorers/finance/{scorer.pk}/"
        refused = office.post(address, {"step": "let", "reason": " "})
        assert refused.status_code == 400
        assert office.post(address, {"step": "no such", "reason": "Why."}).status_code == 400
        office.post(address, {"step": "let", "reason": "One line was a matter of taste."})
        assert ScorerStep.objects.get().kind == "let_through"
        assert Notice.objects.filter(recipient=scorer, kind="scorer_ready").exists()
        assert assign_alignment_sheet(actor=staff, response=known_world["ada"], scorer=scorer).pk
        with pytest.raises(Conflict):
            let_through(actor=staff, person=scorer, domain=practice.domain, reason="Again.")

    def test_a_line_that_was_reworded_is_not_compared(self, practice, scorer, desk):
        sheet = start_practice(actor=scorer, domain=practice.domain)
        criterion = practice.lines.first().criterion
        type(criterion)._base_manager.filter(pk=criterion.pk).update(text="Another wording.")
        practice.lines.first().delete()
        filled(sheet, scorer)
        assert PracticeAttempt.objects.get().lines == 14
        page = desk.get(f"/scoring/practice/{sheet.pk}/").content.decode()
        assert "unknown: the line was reworded" in page


class TestTasks:
    def test_the_people_of_the_task_do_not_practise_on_it(self, known_world, practice, rule):
        for name in ("author", "reviewer"):
            person = known_world[name]
            assert start_practice(actor=person, domain=practice.domain) is None
        assert not PracticeAttempt.objects.exists()

    def test_whoever_practised_on_a_task_scores_nothing_else_on_it(
        self, known_world, practice, scorer, staff
    ):
        filled(start_practice(actor=scorer, domain=practice.domain), scorer)
        other = respond(known_world["anchored"], "zoe")
        for give in (
            lambda: assign_alignment_sheet(actor=staff, response=other, scorer=scorer),
            lambda: assign_graded_sheet(response=other, scorer=scorer),
        ):
            with pytest.raises(Conflict) as refused:
                give()
            assert refused.value.code == "practised"
        rows = assignment_rows(candidates_for_scoring(task=known_world["anchored"].key))
        assert scorer.pk not in {choice.pk for row in rows for choice in row.choices}

    def test_a_stranger_and_a_person_of_another_domain_do_not_practise(
        self, practice, stranger, sign_in
    ):
        with pytest.raises(Denied):
            start_practice(actor=stranger, domain=practice.domain)
        assert sign_in(stranger).post("/scoring/practice/finance/start/").status_code == 403
        assert not ScorerStanding.objects.exists()

    def test_a_practice_sheet_that_is_handed_back_is_not_given_again(
        self, practice, scorer, known_world
    ):
        sheet = start_practice(actor=scorer, domain=practice.domain)
        hand_back_sheet(actor=scorer, sheet=sheet, reason="Not my field.")
        attempt = PracticeAttempt.objects.get()
        assert (attempt.handed_back, attempt.passed, attempt.sheet) == ("Not my field.", None, None)
        assert start_practice(actor=scorer, domain=practice.domain) is None
        # The seat stays, as for any sheet that is handed back, and no history tells of it.
        assert Seat.objects.filter(user=scorer, task=known_world["anchored"]).exists()
        notes = known_world["anchored"].history.filter(data__event="sheet_handed_back")
        assert not notes.exists()


class TestAgain:
    def test_staff_ask_for_practice_and_it_comes_before_new_sheets(
        self, known_world, practice, scorer, staff, desk
    ):
        filled(start_practice(actor=scorer, domain=practice.domain), scorer)
        given = {"actor": staff, "person": scorer, "domain": practice.domain}
        with pytest.raises(Conflict) as refused:
            ask_to_practise(**given, reason="A change of the guide.")
        assert refused.value.code == "no_practice_left"
        add_practice_sheet(actor=staff, response=known_world["agreed_response"])
        open_one = assign_alignment_sheet(actor=staff, response=known_world["ada"], scorer=scorer)
        ask_to_practise(**given, reason="A change of the guide.")
        with pytest.raises(Conflict) as refused:
            assign_alignment_sheet(actor=staff, response=known_world["bea"], scorer=scorer)
        assert refused.value.code == "practice_first"
        # What is open stays: it can be scored and submitted.
        assert filled(open_one, scorer).state == "submitted"
        with pytest.raises(Conflict) as refused:
            ask_to_practise(**given, reason="Once more.")
        assert refused.value.code == "practice_asked"
        filled(start_practice(actor=scorer, domain=practice.domain), scorer)
        assert assign_alignment_sheet(actor=staff, response=known_world["bea"], scorer=scorer).pk

    def test_nobody_of_the_staff_decides_on_the_own_scoring_or_reads_its_known_sheets(
        self, practice, scorer, staff, sign_in
    ):
        User.objects.filter(pk=scorer.pk).update(is_staff=True, does_scoring=True)
        own = User.objects.get(pk=scorer.pk)
        for step in (ask_to_practise, let_through, lift_pause):
            with pytest.raises(Denied) as refused:
                step(actor=own, person=own, domain=practice.domain, reason="I am fine.")
            assert refused.value.code == "own_scoring"
        client = sign_in(own)
        address = f"/staff/scorers/finance/{own.pk}/"
        assert client.get(address).status_code == 404
        assert client.post(address, {"step": "let", "reason": "I am fine."}).status_code == 404
        assert own.pk not in {
            row.user.pk for row in client.get("/staff/scorers/finance/").context["rows"]
        }
        assert own.pk in {
            row.user.pk for row in sign_in(staff).get("/staff/scorers/finance/").context["rows"]
        }

    def test_staff_who_could_be_given_a_practice_sheet_read_no_verdict_of_it(
        self, practice, scorer, staff, sign_in
    ):
        User.objects.filter(pk=scorer.pk).update(is_staff=True, does_scoring=True)
        own = User.objects.get(pk=scorer.pk)
        address = f"/staff/practice/{practice.pk}/"
        line = practice.lines.first()
        sent = {"revision": practice.revision, f"line-{line.pk}": "It is on page 2."}
        sheet = None
        for _moment in ("before", "during"):
            page = sign_in(own).get(address).content.decode()
            assert "state-yes" not in page
            assert "its verdicts and explanations are not shown" in page
            assert sign_in(own).post(address, sent).status_code == 403
            sheet = sheet or start_practice(actor=own, domain=practice.domain)
        filled(sheet, own)
        assert "state-yes" in sign_in(own).get(address).content.decode()
        assert "state-yes" in sign_in(staff).get(address).content.decode()

    def test_only_staff_with_the_duty_are_told_that_none_is_left(
        self, practice, scorer, staff, person
    ):
        reader = person("reader", is_staff=True)
        User.objects.filter(pk=reader.pk).update(does_scoring=False)
        sheet = start_practice(actor=scorer, domain=practice.domain)
        hand_back_sheet(actor=scorer, sheet=sheet, reason="Not my field.")
        assert start_practice(actor=scorer, domain=practice.domain) is None
        told = Notice.objects.filter(kind="practice_none_left")
        assert set(told.values_list("recipient", flat=True)) == {staff.pk}

    def test_a_step_needs_a_reason_and_staff(self, practice, scorer, staff, author):
        given = {"person": scorer, "domain": practice.domain}
        for step in (ask_to_practise, let_through, lift_pause):
            with pytest.raises(BadInput):
                step(actor=staff, **given, reason="")
            with pytest.raises(Denied):
                step(actor=author, **given, reason="For a friend.")
        with pytest.raises(Conflict) as refused:
            lift_pause(actor=staff, **given, reason="Fine.")
        assert refused.value.code == "not_paused"

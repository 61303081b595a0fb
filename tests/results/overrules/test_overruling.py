"""Staff overrule what a judge says of an item or a claim: the score follows, and both are kept."""

from datetime import date
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.base.web.refusals import BadInput, Conflict, Denied, NotFound
from curation.tasks.task.models import Task
from judge.base.products import EvaluationPeriod
from judge.methods.base.overruling import Said
from judge.results.flags.overrule_actions import overrule_finding, take_back_overrule
from judge.results.flags.overrules import Overrule, OverruledScore
from judge.results.product_index.collecting import CollectionCell, CollectionOrder
from judge.runs.engine.models import Finding, Judgment
from tests.markup import words_of
from tests.results.overrules.conftest import by_judge, page_of, send, with_overrules

pytestmark = pytest.mark.django_db


def held(judgment):
    return dict(Finding.objects.filter(judgment=judgment).values_list("name", "data"))


class TestTheScoreFollows:
    def test_a_claim_that_is_supported_after_all_opens_its_gate(self, judgment, desk):
        """S_reason = (25 - 15) / 25, S_evid = (1 + 9/10 + 1/4) / 3; the judge's own stays 0."""
        reply = send(desk, judgment, "claim:c1", "supported", confidence=100)
        path = reverse("verdict", args=[judgment.response_id])
        assert reply["Location"] == f"{path}?judge={judgment.run_id}#claim-c1"
        assert with_overrules(judgment) == Fraction(10, 25) * Fraction(43, 60)
        assert by_judge(judgment) == 0

    def test_the_confidence_counts_as_percent(self, judgment, desk):
        send(desk, judgment, "claim:c1", "supported", confidence=60)
        assert with_overrules(judgment) == Fraction(10, 25) * Fraction(35, 60)

    def test_items_follow_when_their_gate_is_open(self, judgment, desk):
        """q1 (10) rests on c1, q2 (5) on nothing: partly is half of each."""
        send(desk, judgment, "claim:c1", "supported", confidence=100)
        send(desk, judgment, "item:q2", "partly")
        send(desk, judgment, "item:q1", "partly")
        expected = (Fraction(5 + 10 + 15, 2) + Fraction(5, 2) - 15 + Fraction(0)) / 25
        assert expected == Fraction(5, 50)
        assert with_overrules(judgment) == Fraction(5, 50) * Fraction(43, 60)

    def test_an_item_behind_a_closed_gate_counts_nothing_whatever_people_answer(
        self, judgment, desk
    ):
        send(desk, judgment, "item:q1", "partly")
        assert with_overrules(judgment) == 0

    def test_a_refuted_claim_takes_away_what_rests_on_it(self, judgment, desk):
        send(desk, judgment, "claim:c1", "supported", confidence=100)
        send(desk, judgment, "claim:c3", "supported", confidence=80)
        assert with_overrules(judgment) == 1 * Fraction(27, 30)
        send(desk, judgment, "claim:c3", "refuted", confidence=80)
        assert with_overrules(judgment) == Fraction(10, 25) * Fraction(19, 30)

    def test_the_findings_of_the_judge_stay_as_they_are(self, judgment, desk, findings):
        send(desk, judgment, "claim:c1", "supported", confidence=100)
        send(desk, judgment, "item:q2", "no")
        assert held(judgment) == findings

    def test_taking_back_restores_the_score_and_keeps_what_was_said(self, judgment, desk):
        send(desk, judgment, "item:q2", "no")
        send(desk, judgment, "claim:c1", "supported", confidence=100)
        row = Overrule.objects.get(finding="claim:c1")
        assert desk.post(reverse("overrule-take-back", args=[row.pk])).status_code == 302
        assert with_overrules(judgment) == 0
        last = Overrule.objects.get(finding="item:q2")
        desk.post(reverse("overrule-take-back", args=[last.pk]))
        assert not OverruledScore.objects.exists(), "nothing is overruled any more"
        assert [(one.finding, one.answer) for one in Overrule.objects.all()] == [
            ("item:q2", "no"),
            ("claim:c1", "supported"),
            ("claim:c1", ""),
            ("item:q2", ""),
        ]

    def test_of_two_people_the_latest_counts_and_both_are_kept(
        self, judgment, desk, person, sign_in
    ):
        colleague = sign_in(person("colleague", is_staff=True))
        send(desk, judgment, "claim:c1", "supported", confidence=100)
        send(colleague, judgment, "claim:c1", "supported", confidence=60, reason="It is dated.")
        assert with_overrules(judgment) == Fraction(10, 25) * Fraction(35, 60)
        words = words_of(page_of(desk, judgment).content.decode())
        assert "It is dated." in words
        assert "The register says so." in words

    def test_a_form_sent_twice_overrules_once(self, judgment, desk):
        token = {"csrfmiddlewaretoken": "x" * 64}
        for _twice in range(2):
            reply = send(desk, judgment, "item:q2", "no", **token)
            assert reply.status_code == 302
        assert Overrule.objects.count() == 1


class TestWhatTheJudgeDidNotSay:
    def test_a_claim_that_no_verifier_decided_is_decided_by_a_person(self, planted, desk, findings):
        findings = {**findings, "claim:c1": None, "found:c1": None}
        response, _run = planted(findings, score=(None, 2))
        judgment = Judgment.objects.get(response=response)
        send(desk, judgment, "claim:c1", "supported", confidence=100)
        assert with_overrules(judgment) == Fraction(10, 25) * Fraction(43, 60)
        words = words_of(page_of(desk, judgment).content.decode())
        assert "The judge said nothing." in words
        assert "The judge’s own score unknown" in words

    def test_the_score_stays_unknown_while_anything_else_is(self, planted, desk, findings):
        findings = {**findings, "claim:c1": None, "item:q2": None}
        response, _run = planted(findings, score=(None, 2))
        judgment = Judgment.objects.get(response=response)
        send(desk, judgment, "claim:c1", "supported", confidence=100)
        assert with_overrules(judgment) is None
        send(desk, judgment, "item:q2", "yes")
        assert with_overrules(judgment) == Fraction(10, 25) * Fraction(43, 60)

    def test_skills_alone_follow_without_claims(self, planted, desk, findings):
        alone = {k: v for k, v in findings.items() if k == "basis" or k.startswith("item:q")}
        response, _run = planted(alone, score=(15, 15), method="jade_skills")
        judgment = Judgment.objects.get(response=response)
        send(desk, judgment, "item:q1", "partly")
        assert with_overrules(judgment) == Fraction(10, 15)
        assert send(desk, judgment, "claim:c1", "supported", confidence=9).status_code == 404


class TestWhatIsRefused:
    def refused(self, desk, judgment, *said, says, status=400, **more):
        reply = send(desk, judgment, *said, **more)
        assert reply.status_code == status
        assert says in words_of(reply.content.decode())
        assert not Overrule.objects.exists()
        assert not OverruledScore.objects.exists()
        return reply

    def test_no_reason(self, judgment, desk):
        reply = self.refused(
            desk, judgment, "item:q2", "no", reason=" ", says="Say why, in a sentence."
        )
        assert '<option value="no" selected' in reply.content.decode(), "the answer is kept"

    def test_an_answer_that_there_is_not(self, judgment, desk):
        self.refused(desk, judgment, "item:q2", "refuted", says="Choose one of the answers.")
        self.refused(
            desk, judgment, "claim:c1", "yes", confidence=50, says="Choose one of the answers."
        )

    @pytest.mark.parametrize("confidence", ["", "101", "-1", "many"])
    def test_no_confidence_in_percent(self, judgment, desk, confidence):
        reply = send(desk, judgment, "claim:c1", "supported", confidence=confidence)
        assert reply.status_code == 400
        assert 'class="field-error"' in reply.content.decode()
        assert "The register says so." in reply.content.decode(), "the reason is kept"
        assert not Overrule.objects.exists()

    def test_a_confidence_of_an_item(self, judgment, desk):
        reply = send(desk, judgment, "item:q2", "no", confidence=50)
        assert reply.status_code == 400

    def test_a_word_on_a_page_that_is_not_cited(self, judgment, staff):
        with pytest.raises(BadInput):
            overrule_finding(
                actor=staff,
                judgment=judgment,
                finding="claim:c2",
                said=Said("refuted", 50, "supports"),
                reason="So.",
            )

    def test_what_the_judge_says_already(self, judgment, desk):
        self.refused(desk, judgment, "item:q2", "yes", says="The judge says so already.")
        self.refused(
            desk, judgment, "claim:c1", "refuted", confidence=80, says="The judge says so already."
        )

    @pytest.mark.parametrize("name", ["basis", "report", "found:c1", "item:r9", "claim:", "x"])
    def test_findings_that_are_no_item_and_no_claim(self, judgment, desk, name):
        assert send(desk, judgment, name, "yes").status_code == 404

    def test_findings_of_another_method(self, planted, desk):
        response, _run = planted({"grade": {"x": 3}}, method="graded")
        judgment = Judgment.objects.get(response=response)
        assert send(desk, judgment, "grade", "yes").status_code == 404

    def test_a_judgment_of_another_response(self, judgment, desk, planted, findings):
        other, _run = planted(findings)
        reply = send(desk, judgment, "item:q2", "no", response=other.pk)
        assert reply.status_code == 404

    def test_a_judgment_that_a_run_is_working_on(self, judgment, desk):
        Judgment.objects.filter(pk=judgment.pk).update(state="waiting", score_numerator=None)
        assert send(desk, judgment, "item:q2", "no").status_code == 409
        assert not Overrule.objects.exists()

    def test_an_overrule_that_no_longer_counts_is_not_taken_back(self, judgment, desk):
        for answer in ("no", "partly"):
            send(desk, judgment, "item:q2", answer)
        first, second = Overrule.objects.all()
        path = reverse("overrule-take-back", args=[first.pk])
        assert desk.post(path).status_code == 409
        path = reverse("overrule-take-back", args=[second.pk])
        assert [desk.post(path).status_code for _twice in range(2)] == [302, 409]

    @pytest.mark.parametrize("of_the_rubric", [False, True])
    def test_whoever_wrote_the_task_or_its_rubric_is_refused_and_offered_no_form(
        self, judgment, desk, staff, person, of_the_rubric
    ):
        wrote = {"author": staff}
        if of_the_rubric:
            wrote = {"author": person("author"), "rubric_author": staff}
        Task.objects.filter(pk=judgment.response.task_id).update(origin="own", **wrote)
        assert send(desk, judgment, "item:q2", "no").status_code == 403
        assert "/overrule/" not in page_of(desk, judgment).content.decode()

    def test_whoever_collected_the_response_is_refused_and_offered_no_form(
        self, judgment, desk, staff, person
    ):
        day = date(2026, 5, 1)
        period = EvaluationPeriod.objects.create(key="2026-05", starts_on=day, ends_on=day)
        order = CollectionOrder.objects.create(period=period, task_set="all", by=staff)
        response = judgment.response
        cell = CollectionCell.objects.create(
            order=order,
            task=response.task,
            candidate=response.candidate,
            period=period,
            state="done",
            operator=staff,
            response=response,
            asked_on=day,
        )
        reply = send(desk, judgment, "item:q2", "no")
        assert reply.status_code == 403
        assert "You collected this response" in words_of(reply.content.decode())
        assert "/overrule/" not in page_of(desk, judgment).content.decode()
        CollectionCell.objects.filter(pk=cell.pk).update(operator=person("operator"))
        assert send(desk, judgment, "item:q2", "no").status_code == 302

    def test_experts_are_refused(self, judgment, person, sign_in):
        assert send(sign_in(person("expert")), judgment, "item:q2", "no").status_code == 403
        with pytest.raises(Denied):
            overrule_finding(
                actor=person("other"),
                judgment=judgment,
                finding="item:q2",
                said=Said("no"),
                reason="So.",
            )
        assert not Overrule.objects.exists()


class TestAnswersInWords:
    def test_the_page_shows_both_scores_both_answers_who_and_why(self, judgment, desk, staff):
        send(desk, judgment, "claim:c1", "supported", confidence=100, cited_page="does_not_say")
        words = words_of(page_of(desk, judgment).content.decode())
        assert "Score with overrules 28.7" in words
        assert "The judge’s own score 0.0" in words
        assert f"{staff} overruled the judge" in words
        assert "supported · confidence 100 % · The cited page does not say so." in words
        assert "The judge said: refuted · confidence 80 %" in words
        assert "The page asks $3.50." in words
        assert "28.7 points of 100: reasoning 40.0 % × evidence 71.7 %" in words
        assert "Laundered:" in words

    def test_a_page_without_overrules_has_one_score_and_a_form_for_each(self, judgment, desk):
        page = page_of(desk, judgment).content.decode()
        assert "Score with overrules" not in page
        assert page.count('name="finding"') == 5 + 3

    def test_what_people_type_is_escaped(self, judgment, desk):
        evil = "<img src=x onerror=alert(1)>"
        send(desk, judgment, "item:q2", "no", reason=evil)
        assert evil not in page_of(desk, judgment).content.decode()
        assert evil not in send(desk, judgment, evil, "no", reason=evil).content.decode()

    def test_the_page_takes_one_query_more_with_many_overrules(self, judgment, desk):
        with CaptureQueriesContext(connection) as before:
            page_of(desk, judgment)
        for name in ("q1", "q2", "q3", "r1"):
            send(desk, judgment, f"item:{name}", "partly")
        with CaptureQueriesContext(connection) as after:
            page_of(desk, judgment)
        assert len(after) <= len(before) + 1


def test_a_closed_held_out_task_is_refused(judgment, staff, monkeypatch):
    monkeypatch.setattr("judge.results.flags.overrule_actions.is_closed", lambda task: True)
    with pytest.raises(Conflict):
        overrule_finding(
            actor=staff, judgment=judgment, finding="item:q2", said=Said("no"), reason="So."
        )


def test_taking_back_authorises_itself(judgment, staff, person):
    made = overrule_finding(
        actor=staff, judgment=judgment, finding="item:q2", said=Said("no"), reason="So."
    )
    with pytest.raises(Denied):
        take_back_overrule(actor=person("expert"), overrule=made)
    with pytest.raises(NotFound):
        overrule_finding(actor=staff, judgment=judgment, finding="x", said=Said("no"), reason="So.")

"""Exact answers: what is certain, what a model is asked, and what is refused."""

import json

import pytest

from judge.methods.exact.comparing import stated_answer, stated_confidence
from judge.runs.engine.models import Verdict
from tests.growth import too_slow
from tests.llm_stub import Behaviour
from tests.methods.base import factory


@pytest.mark.parametrize(
    ("response", "answer", "confidence"),
    [
        ("Because …\nAnswer: New York (Confidence: 85%)", "New York", 85),
        ("Because …\n**Answer: New York**\nConfidence: 85 %", "New York", 85),
        ("Because …\n**Answer:** New York\n(Confidence: 85 %)", "New York", 85),
        ("**Answer: A*", "**Answer: A*", None),
        ("Answer: *args", "*args", None),
        ("Answer: _x_", "_x_", None),
        ("Answer: 12\nCorrection: it is 13.", None, None),
        ("Answer:\n12\nNo, it is 13.", None, None),
        ("Answer: level of confidence 95", "level of confidence 95", 95),
        ("最终答案：纽约（置信度：90％）", "纽约", 90),
        ("The final answer is: Paris", "Paris", None),
        ("New York", "New York", None),
        ("Answer: New York\nAnswer: Boston", None, None),
        ("Answer: New York\nAnswer: new york.", "new york.", None),
        ("It may be New York.\nOr Boston.", None, None),
        ("Answer: New York\nThat was my first thought.\nBut no: it is Boston.", None, None),
        ("Answer: 5 (Confidence: 400%)", "5", None),
        ("Answer: 5\nConfidence: 95.5 %", None, None),
        ("Because …\n\nAnswer:\n\n**New York**\n\n", "**New York**", None),
        ("Here it is" + "\n" * 60_000 + "Bye.", None, None),
        ("Here it is" + "\n" * 60_000 + "Answer: 5", "5", None),
    ],
)
def test_the_final_answer_and_its_confidence_are_found_without_a_model(
    response, answer, confidence
):
    assert stated_answer(response) == answer
    assert stated_confidence(response) == confidence


@pytest.mark.parametrize(
    "pattern", ["\n", " ", "\t", "- ", "```\n", "answer ", "answer \n", "(", "confidence: ", "1,"]
)
@pytest.mark.parametrize("reader", [stated_answer, stated_confidence])
def test_a_response_in_a_loop_of_one_sign_is_read_in_linear_time(reader, pattern):
    assert not too_slow(reader, pattern)
    assert not too_slow(lambda text: reader(f"Here it is{text}Bye."), pattern)


def reply(extracted, *, correct, confidence=None, reason="So."):
    said = {
        "extracted": extracted, "reason": reason, "correct": correct, "confidence": confidence
    }  # fmt: skip
    return Behaviour("ok", text=json.dumps(said, ensure_ascii=False))


@pytest.mark.django_db
class TestARun:
    TEXT = "It weighs a lot.\nAnswer: 1.2345 tons (Confidence: 70 %)"

    @pytest.fixture
    def response(self, exact_task):
        return factory.respond(exact_task, self.TEXT)

    def test_an_answer_that_agrees_needs_no_call_and_costs_nothing(self, stub, judge, exact_task):
        for n in range(3):
            factory.respond(exact_task, f"Run {n}.\nAnswer: １,234.5 kg.", f"system-{n}")
        run, result = judge(method="exact")
        assert (result["judged"], result["calls"], stub.calls) == (3, 0, 0)
        assert run.state == "finished"
        assert run.items.filter(state="judged", judgment__state="complete").count() == 3

    def test_an_answer_that_certainly_differs_is_wrong_without_a_call(
        self, stub, judge, exact_task
    ):
        response = factory.respond(exact_task, "Answer: 1,243.5 kg (Confidence: 90 %)")
        _run, result = judge(method="exact")
        assert (result["judged"], result["calls"]) == (1, 0)
        found = factory.judgment(response)
        assert (found.score_numerator, found.score_denominator) == (0, 1)
        data = factory.finding(response, "answer").data
        assert (data["extracted"], data["correct"], data["confidence"], data["asked"]) == (
            "1,243.5 kg",
            False,
            90,
            False,
        )

    def test_an_empty_response_is_wrong_and_no_gap(self, stub, judge, exact_task):
        response = factory.respond(exact_task, " \n\u200b")
        _run, result = judge(method="exact")
        assert (result["judged"], result["skipped"], result["calls"]) == (1, 0, 0)
        assert factory.judgment(response).score_numerator == 0
        data = factory.finding(response, "answer").data
        assert (data["extracted"], data["correct"], data["asked"]) == (None, False, False)

    def test_another_form_of_the_answer_is_asked_about(self, stub, judge, response):
        stub.script(reply("1.2345 tons", correct=True, confidence=70))
        _run, result = judge(method="exact")
        assert (result["judged"], result["calls"]) == (1, 1)
        data = factory.finding(response, "answer").data
        assert (data["correct"], data["confidence"], data["asked"]) == (True, 70, True)
        found = factory.judgment(response)
        assert (found.score_numerator, found.score_denominator) == (1, 1)

    def test_a_wrong_answer_counts_zero(self, stub, judge, response):
        stub.script(reply("1.2345 tons", correct=False))
        judge(method="exact")
        assert factory.judgment(response).score_numerator == 0

    @pytest.mark.parametrize(
        ("bad", "reason"),
        [
            (reply("1,234.5 kg", correct=True), "not_in_response"),
            (reply(None, correct=True), "not_in_response"),
            (reply("1.2345 tons", correct="yes"), "unreadable"),
            (reply("1.2345 tons", correct=1), "unreadable"),
            (reply("1.2345 tons", correct=True, confidence=170), "unreadable"),
            (reply("1.2345 tons", correct=True, confidence=0.7), "unreadable"),
            (reply(["1.2345 tons"], correct=True), "unreadable"),
            (Behaviour("ok", text='{"correct": true}'), "unreadable"),
            (Behaviour("ok", text="yes"), "unreadable"),
        ],
    )
    def test_a_bad_reply_is_asked_again_and_then_failed(self, stub, judge, response, bad, reason):
        stub.script(bad, bad, bad)
        _run, result = judge(method="exact")
        assert (result["failed"], result["calls"]) == (1, 3)
        assert result["reasons"] == {reason: 1}
        assert factory.judgment(response).score_numerator is None

    def test_a_confidence_that_the_response_does_not_state_is_unknown(
        self, stub, judge, exact_task
    ):
        response = factory.respond(exact_task, "It is 1.2345 tons.\nOr so.")
        stub.script(reply("1.2345 tons", correct=True, confidence=100))
        judge(method="exact")
        assert factory.finding(response, "answer").data["confidence"] is None

    def test_the_one_line_of_the_rubric_gets_its_verdict(self, stub, judge, exact_task):
        factory.rubric(exact_task, ["The answer is right."])
        right = factory.respond(exact_task, "Answer: 1234.5 kg", "system-1")
        wrong = factory.respond(exact_task, "Answer: 7", "system-2")
        stub.script(reply("7", correct=False))
        judge(method="exact")
        rows = Verdict.objects.values_list("judgment__response", "outcome")
        assert dict(rows) == {right.pk: "met", wrong.pk: "unmet"}

    def test_an_amended_answer_is_judged_anew(self, stub, judge, exact_task):
        response = factory.respond(exact_task, "Answer: 1234.5 kg")
        judge(method="exact")
        exact_task.reference_answer = "7 kg"
        exact_task.save()
        _run, result = judge(method="exact")
        assert (result["judged"], result["reused"], result["calls"]) == (1, 0, 0)
        assert response.judgments.count() == 2

    def test_batches_hold_only_what_has_to_be_asked(self, stub, judge, exact_task):
        factory.respond(exact_task, "Answer: 1234.5 kg", "system-1")
        factory.respond(exact_task, "Answer: 7", "system-2")
        run, _result = judge(method="exact", batch=True)
        assert run.batches.get().requests == 1
        assert run.items.filter(state="judged").count() == 1

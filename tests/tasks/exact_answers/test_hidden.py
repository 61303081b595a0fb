"""Answer and steps are in no prompt that a candidate or a probing model gets."""

import pytest

from curation.tasks.authoring.actions import submit_task
from judge.asking.calls import model_client
from judge.asking.endpoints.file_rules import readable_text
from judge.asking.prompts import builder
from judge.suggesting.probes import ProbeSample, cut_checklist, probe_and_open_screening
from tests.tasks.exact_answers.conftest import STEPS

pytestmark = pytest.mark.django_db
HIDDEN = ("12 prefectures", "prefectures of Liaoning", STEPS[0].source, "defined by treaty", "2024")


def test_a_candidates_prompt_holds_the_question_and_nothing_of_the_answer(question):
    prompt = str(builder.answer_prompt(readable_text(question, model_client.offline())))
    assert "prefectures of the three north-eastern provinces" in prompt
    assert not [hidden for hidden in HIDDEN if hidden in prompt]


def test_a_probe_is_graded_by_the_one_line_and_its_model_never_reads_it(question, author):
    assert [line.text for line in cut_checklist(question)] == [
        "The final answer is: 12 prefectures"
    ]
    submit_task(actor=author, task=question)
    probe_and_open_screening(question, models=["offline:rules-1"])
    sample = ProbeSample.objects.get()
    assert sample.lines == 1
    assert "defined by treaty" not in sample.answer

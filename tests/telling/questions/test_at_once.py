"""Two seniors at the same instant: one answer, one correction."""

from typing import Any

import pytest

from curation.telling.questions.actions import answer_question, ask_about_rule, correct_answer
from curation.telling.questions.models import AskedQuestion, QuestionEntry
from tests.corrections.test_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def seniors(person: Any, finance: Any) -> list[Any]:
    return [person(name, finance, senior=True) for name in ("one", "two")]


@pytest.fixture
def asked(peer: Any, finance: Any) -> AskedQuestion:
    return ask_about_rule(
        actor=peer, domain=finance, rule="linter:vague_words", text="Is it vague?"
    )


def test_of_two_answers_one_counts_and_the_other_is_refused(asked, seniors):
    codes = at_once(
        *(
            lambda who=who: answer_question(
                actor=who, question=AskedQuestion.objects.get(pk=asked.pk), text="Yes."
            )
            for who in seniors
        )
    )
    assert sorted(codes) == ["", "wrong_state"]
    assert QuestionEntry.objects.filter(question=asked, kind="answer").count() == 1
    asked.refresh_from_db()
    assert (asked.state, asked.entries) == ("answered", 2)


def test_of_two_corrections_one_counts_and_the_other_is_refused(asked, seniors):
    answer = answer_question(actor=seniors[0], question=asked, text="Yes.")
    codes = at_once(
        *(
            lambda who=who: correct_answer(
                actor=who,
                question=AskedQuestion.objects.get(pk=asked.pk),
                entry=answer,
                text="No.",
            )
            for who in seniors
        )
    )
    assert sorted(codes) == ["", "changed_meanwhile"]
    assert QuestionEntry.objects.filter(corrects=answer).count() == 1

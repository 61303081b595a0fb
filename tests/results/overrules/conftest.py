"""A response judged by JADE, and the desk of a member of staff who overrules the judge.

c1 refuted (carries q1 and r2), c2 supported with 90 %, c3 not decided (carries the flaw r1); every
item is answered as it should be. W = 25, so S_reason = (5 - 15) / 25.
"""

from fractions import Fraction

import pytest
from django.urls import reverse

from judge.results.flags.overrules import OverruledScore
from judge.runs.engine.models import Judgment
from tests.methods.jade.conftest import judge, plan, planted, stub  # noqa: F401
from tests.methods.jade.test_pages import mixed


@pytest.fixture
def findings():
    return mixed().findings


@pytest.fixture
def judgment(planted, findings):  # noqa: F811
    """The judgment, with the judge's own score as the engine stores it."""
    score = mixed().score
    response, _run = planted(findings, score=(score.numerator, score.denominator))
    return Judgment.objects.get(response=response)


@pytest.fixture
def desk(sign_in, staff):
    return sign_in(staff)


def send(desk, judgment, finding, answer, *, reason="The register says so.", response=None, **more):
    """Overrule a finding over the page's form."""
    path = reverse("verdict-overrule", args=[response or judgment.response_id])
    said = {"judgment": judgment.pk, "finding": finding, "answer": answer, "reason": reason}
    return desk.post(f"{path}?judge={judgment.run_id}", {**said, **more})


def page_of(desk, judgment):
    reply = desk.get(reverse("verdict", args=[judgment.response_id]), {"judge": judgment.run_id})
    assert reply.status_code == 200
    return reply


def with_overrules(judgment):
    """The stored score with overrules as a fraction; None if it is unknown."""
    row = OverruledScore.objects.get(judgment=judgment)
    return None if row.numerator is None else Fraction(row.numerator, row.denominator)


def by_judge(judgment):
    judgment.refresh_from_db()
    return Fraction(judgment.score_numerator, judgment.score_denominator)

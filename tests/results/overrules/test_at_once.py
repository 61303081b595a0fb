"""Two people overrule one judgment at the same moment: neither score loses the other's answer."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from judge.methods.base import registry
from judge.methods.base.overruling import Said
from judge.results.flags.overrule_actions import overrule_finding
from judge.results.flags.overrules import (
    Overrule,
    OverruledScore,
    findings_of,
    overrules_of,
    score_with,
    standing,
)
from judge.runs.engine.models import Judgment

pytestmark = pytest.mark.django_db(transaction=True)

SAID = {
    "claim:c1": Said("supported", 100),
    "claim:c3": Said("supported", 80),
    "item:q1": Said("partly"),
    "item:q2": Said("partly"),
}


def test_the_score_is_that_of_all_overrules_whoever_came_first(judgment, person):
    people = [person(f"staff-{n}", is_staff=True) for n in range(len(SAID))]
    ready = Barrier(len(SAID))

    def overrule(turn):
        who, (finding, said) = turn
        try:
            found = Judgment.objects.get(pk=judgment.pk)
            ready.wait(timeout=20)
            overrule_finding(actor=who, judgment=found, finding=finding, said=said, reason="So.")
        finally:
            connection.close()

    with ThreadPoolExecutor(len(SAID)) as pool:
        list(pool.map(overrule, zip(people, SAID.items(), strict=True)))
    assert Overrule.objects.count() == len(SAID)
    rows = overrules_of([judgment.pk])[judgment.pk]
    method = registry.get(judgment.method)
    expected = score_with(method, findings_of(judgment.pk), standing(rows))
    stored = OverruledScore.objects.get(judgment=judgment)
    assert (stored.numerator, stored.denominator) == (expected.numerator, expected.denominator)
    assert standing(rows).keys() == SAID.keys()

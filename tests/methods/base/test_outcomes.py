"""A judge's selections against what the client really chose, in the alignment report."""

import json

import pytest
from django.core.management import call_command

from curation.base.web.refusals import BadInput
from judge.results.alignment.report import align
from tests.conftest import browser_of
from tests.methods.base import factory
from tests.methods.base.test_conditions import listed, said

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(stub, judge):
    """Two tasks that ask for 3; the judge selects Ann and Ben, the client chose Ann and Cleo."""
    for _ in range(2):
        task = factory.task_of("selection")
        factory.select(task, chosen=("ann", "cleo"))
        factory.respond(task, listed("Ann", "Ben", "Cleo"))
    stub.script(*2 * (said(), said(), said(False)))
    found, _result = judge(method="conditions", concurrency=1)
    return found


def measured(run, **more):
    return align(str(run.pk), bootstrap=200, **more).as_dict()["outcomes"]


def test_the_part_says_how_often_judge_and_client_agree(run):
    found = measured(run)
    assert found["rater"] == "all"
    assert found["kind"] == "outcome"
    assert (found["cases"], found["responses"], found["tasks"]) == (6, 2, 2)
    assert (found["precision"], found["recall"], found["f1"]) == (0.5, 0.5, 0.5)
    assert found["kappa"] == pytest.approx(-0.5)
    assert (found["estimated"], found["real"]) == (pytest.approx(2 / 3),) * 2
    assert found["ci95"]["precision"] is None
    assert found["why"]["precision_ci95"] == "too few tasks for an interval"


def test_the_client_is_a_rater_who_can_be_asked_for_by_name(run):
    assert measured(run, experts="client")["rater"] == "client"
    with pytest.raises(BadInput, match="nobody"):
        align(str(run.pk), experts="nobody", bootstrap=10)


def test_a_response_without_an_outcome_is_left_out_and_counted(run, stub, judge):
    task = factory.task_of("selection")
    factory.respond(task, listed("Dan"))
    other, _result = judge(method="conditions")
    found = measured(other)
    assert (found["responses"], found["responses_without_outcome"]) == (2, 1)


def test_a_judge_that_selects_nothing_has_no_such_part(stub, judge):
    factory.respond(factory.task_of("text"), "The enterprise value is 120.")
    run, _result = judge(method="graded")
    assert "outcomes" not in align(str(run.pk), bootstrap=10).as_dict()


def test_page_table_and_command_show_it(run, staff, capsys):
    page = browser_of(staff).get(f"/staff/alignment/?judge={run.pk}&bootstrap=1000")
    assert page.status_code == 200
    text = page.content.decode()
    assert "Against what really happened" in text
    assert "Ann" not in text
    table = b"".join(browser_of(staff).get(f"/staff/alignment.csv?judge={run.pk}&bootstrap=1000"))
    assert b"outcome,all,precision,0.5" in table
    call_command("alignment", judge=str(run.pk), bootstrap=10)
    assert "outcome: precision" in capsys.readouterr().out
    call_command("alignment", judge=str(run.pk), bootstrap=10, json=True)
    assert json.loads(capsys.readouterr().out)["outcomes"]["f1"] == 0.5

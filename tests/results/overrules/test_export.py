"""Files of a run's scores carry what people overruled beside the judge's own score."""

import csv
import io
import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from judge.results.flags.overrules import Overrule
from judge.results.verdicts.whole_scores import whole_scores
from judge.scoring.sheets.models import Sheet
from tests.results.overrules.conftest import send

pytestmark = pytest.mark.django_db


@pytest.fixture
def overruled(judgment, desk):
    send(desk, judgment, "item:q2", "no", reason="It names no order.")
    row = Overrule.objects.get()
    desk.post(reverse("overrule-take-back", args=[row.pk]))
    send(desk, judgment, "claim:c1", "supported", confidence=100)
    return judgment


def exported(judgment, capsys):
    call_command("export_scores", str(judgment.run_id))
    return json.loads(capsys.readouterr().out.splitlines()[0])


def test_a_line_has_both_scores_and_all_that_was_said(overruled, capsys, staff):
    line = exported(overruled, capsys)
    assert line["score"] == 0
    overrules = line["findings"]["overrules"]
    assert overrules["score"] == pytest.approx(10 / 25 * 43 / 60)
    said = overrules["said"]
    assert [row["answer"] for row in said["item:q2"]] == ["no", ""]
    assert said["item:q2"][0]["reason"] == "It names no order."
    assert (said["claim:c1"][0]["answer"], said["claim:c1"][0]["confidence"]) == ("supported", 100)
    assert line["findings"]["claim:c1"]["verdict"] == "refuted", "the judge's own finding"
    assert str(staff) not in json.dumps(line)


def test_a_line_without_overrules_says_nothing_of_them(judgment, capsys):
    assert "overrules" not in exported(judgment, capsys)["findings"]


def test_a_table_has_them_among_the_findings(overruled, tmp_path):
    path = tmp_path / "scores.csv"
    call_command("export_scores", str(overruled.run_id), out=str(path))
    (row,) = csv.DictReader(io.StringIO(path.read_text("utf-8-sig")))
    assert json.loads(row["findings"])["overrules"]["score"] == pytest.approx(10 / 25 * 43 / 60)


def test_a_release_has_the_judges_own_findings_alone(overruled):
    (whole,) = whole_scores([overruled.pk])
    assert "overrules" not in whole.said["findings"]


def test_such_a_file_is_imported_as_a_judge_with_its_own_score(overruled, tmp_path):
    path = tmp_path / "scores.jsonl"
    call_command("export_scores", str(overruled.run_id), out=str(path), rater="elsewhere")
    call_command("import_scores", str(path))
    sheet = Sheet.objects.get(rater="elsewhere")
    assert sheet.score == 0
    assert sheet.findings["overrules"]["said"]["claim:c1"][0]["reason"] == "The register says so."

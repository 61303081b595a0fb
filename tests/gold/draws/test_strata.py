"""What a sample is stratified by, quotas of each stratum, and strata with too few tasks."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from curation.joining.domains.models import Category
from curation.screening.panels.models import Screening, ScreeningPolicy
from curation.tasks.task.models import Task
from curation.tasks.task.task_value import value_band
from judge.base.gold_sets.models import GoldDraw, GoldRelease
from judge.gold.releases.pool import pool as all_tasks
from tests.gold.draws.test_export import export


@pytest.fixture
def mixed(programme, finance, law):
    """Four finance tasks and two law tasks that differ in every stratum."""
    audit = Category.objects.create(domain=finance, key="audit", name="Audit")
    rows = [
        ("finance-0", finance, {"category": audit, "language": "de"}, "easy"),
        ("finance-1", finance, {"minutes": 60, "rate_band": "100_200"}, "fair"),
        ("finance-2", finance, {"minutes": 600, "rate_band": "over_400"}, "suspect"),
        ("finance-3", finance, {"language": ""}, None),
        ("law-0", law, {"minutes": 30, "rate_band": "under_50"}, "fair"),
        ("law-1", law, {"category": None}, "unknown"),
    ]
    for key, domain, values, finding in rows:
        task = programme.task(key, domain)
        Task.objects.filter(pk=task.pk).update(**values)
        if finding:
            screened(task, 1, "easy")  # of an earlier text
            screened(task, 2, finding)
    return programme


def screened(task, number, finding):
    Screening.objects.create(
        task=task, round=number, quorum=3, tie=ScreeningPolicy.Tie.values[0], days=7,
        finding=finding,
    )  # fmt: skip


def strata(kind):
    found = all_tasks(kind)
    return {
        stratum: sorted(entry.key for entry in found.entries if entry.stratum == stratum)
        for stratum in found.strata
    }


def test_each_kind_of_stratum_has_its_tasks_and_unknown_is_one_of_its_own(mixed):
    assert strata("category") == {
        "finance/audit": ["finance-0"],
        "finance/casework": ["finance-1", "finance-2", "finance-3"],
        "law/casework": ["law-0"],
        "law/(none)": ["law-1"],
    }
    assert strata("language") == {
        "de": ["finance-0"],
        "en": ["finance-1", "finance-2", "law-0", "law-1"],
        "unknown": ["finance-3"],
    }
    # The last screening counts; without one the difficulty is unknown.
    assert strata("difficulty") == {
        "easy": ["finance-0"],
        "fair": ["finance-1", "law-0"],
        "suspect": ["finance-2"],
        "unknown": ["finance-3", "law-1"],
    }
    assert strata("value") == {
        "under_100": ["law-0"],
        "100_500": ["finance-1"],
        "over_2000": ["finance-2"],
        "unknown": ["finance-0", "finance-3", "law-1"],
    }


@pytest.mark.parametrize(
    ("minutes", "rate", "band"),
    [(None, "50_100", "unknown"), (60, "", "unknown"), (0, "50_100", "unknown"),
     (600, "under_50", "under_100"), (60, "100_200", "100_500"), (300, "100_200", "500_2000"),
     (1200, "100_200", "over_2000")],
)  # fmt: skip
def test_a_value_is_banded_by_the_least_it_may_be(minutes, rate, band):
    assert value_band(minutes, rate) == band


def test_quotas_by_command_fill_each_stratum(mixed, tmp_path):
    export_quotas(tmp_path / "a", "--strata", "category", "--quota", "finance/casework=2",
                  "--quota", "law/(none)=1")  # fmt: skip
    manifest = GoldRelease.objects.get().manifest
    assert manifest["draw"]["allocation"] == "own quotas"
    assert {row["stratum"]: row["drawn"] for row in manifest["strata"] if row["drawn"]} == {
        "finance/casework": 2,
        "law/(none)": 1,
    }
    names = {row["stratum"]: row["name"] for row in manifest["strata"]}
    assert names["finance/audit"] == "Finance: Audit"
    assert names["law/(none)"] == "Law: no category"
    card = (tmp_path / "a" / "DATASHEET.md").read_text()
    assert "per domain and category, shares: own quotas" in card
    assert "| Domain and category | Approved |" in card


def export_quotas(out, *options):
    text = StringIO()
    call_command("export_gold", "--seed", "7", "--out", str(out), *options, stdout=text)
    return text.getvalue()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--quota", "finance=5"], "finance: wanted 5, available 4"),
        (["--quota", "physics=1"], "There is no approved task in: physics"),
        (["--quota", "finance=2", "--quota", "finance=1"], "names “finance” twice"),
        (["--quota", "finance"], "is no quota"),
        (["--quota", "finance=-1"], "is no quota"),
        (["--quota", "finance=2", "--size", "3"], "The quotas add up to 2, the size is 3"),
        (["--size", "2", "--minimum", "9"], "Every stratum has fewer than 9 approved tasks"),
        (["--quota", "law=1", "--minimum", "3"], "Law has 2 approved tasks, fewer than"),
        (["--size", "2", "--minimum", "-1"], "The minimum is a whole number"),
        (["--size", "2", "--leave-out", "law-0=Ill"], "give --draw as well"),
        ([], "--size N --seed N"),
    ],
)
def test_quotas_and_minimums_that_cannot_be_kept_are_refused(mixed, tmp_path, options, says):
    with pytest.raises(CommandError, match=says):
        export_quotas(tmp_path / "out", *options)
    assert not (tmp_path / "out").exists()
    assert not GoldRelease.objects.exists()


def test_strata_with_few_tasks_are_set_aside_and_named(mixed, tmp_path):
    said = export(tmp_path / "out", "--minimum", "3", size=4)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["draw"]["minimum"] == 3
    assert manifest["draw"]["set_aside"] == [{"stratum": "law", "name": "Law", "approved": 2}]
    assert [row["stratum"] for row in manifest["strata"]] == ["finance"]
    assert manifest["counts"]["approved"] == 6
    left = {row["what"]: row["count"] for row in manifest["left_out"]}
    assert left["approved tasks of strata that were set aside"] == 2
    assert left["approved tasks that were not drawn"] == 0
    card = (tmp_path / "out" / "DATASHEET.md").read_text()
    assert "Set aside, with fewer than 3 approved tasks each: Law (2)." in card
    assert "Law: set aside, 2 approved" in said


def test_the_same_settings_give_the_same_sample_for_every_kind(mixed, tmp_path):
    for kind in ("category", "language", "difficulty", "value"):
        for _again in range(2):
            export(tmp_path / f"{kind}{_again}", "--strata", kind, "--redistribute", size=3)
    assert GoldRelease.objects.count() == 4


class TestOnThePage:
    @pytest.fixture
    def browser(self, sign_in, staff):
        return sign_in(staff)

    def test_the_builder_offers_strata_a_minimum_and_a_quota_for_each(self, browser, mixed):
        page = browser.get("/staff/gold/draw/?strata=language&size=6&seed=1").content.decode()
        for shown in ("German", "English", "unknown", 'name="quota_de"', 'name="minimum"'):
            assert shown in page, shown
        page = browser.get("/staff/gold/draw/?size=4&seed=1&minimum=3").content.decode()
        assert "Set aside, with fewer than 3 approved tasks: Law (2)." in page
        assert 'name="quota_law"' not in page

    def test_a_draw_keeps_its_strata_its_quotas_and_what_was_set_aside(
        self, browser, programme, mixed, finance
    ):
        for n in range(4, 8):
            programme.task(f"finance-{n}", finance, anchored=False)
        sent = {"strata": "domain", "size": 1, "seed": 5, "allocation": "own", "minimum": 3,
                "quota_finance": 8}  # fmt: skip
        assert browser.post("/staff/gold/draw/", sent).status_code == 302
        draw = GoldDraw.objects.get()
        assert (draw.size, draw.quotas, draw.minimum) == (8, {"finance": 8}, 3)
        assert draw.set_aside == [{"stratum": "law", "name": "Law", "approved": 2}]
        assert set(draw.items.values_list("stratum", flat=True)) == {"finance"}

    def test_an_unknown_kind_of_stratum_is_refused(self, browser, mixed):
        page = browser.get("/staff/gold/draw/?strata=planet&size=4&seed=1")
        assert page.status_code == 400

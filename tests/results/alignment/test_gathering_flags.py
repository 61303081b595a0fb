"""Sheets that a flag asked for: who is among the experts, and whose sheets count."""

import pytest

from judge.results.alignment.gather_experts import gather_experts
from judge.results.alignment.raters import Rater
from judge.results.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.scoring.sheets.models import Sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(bench, staff, person):
    """An imported judge scored the first of two tasks; ana scored the second, and the first for a
    flag, after ben."""
    for key in ("one", "two"):
        bench.task(key, weights=(5, 5))
        bench.response(key, "Cedar")
    bench.sheet("one", "Cedar", "other-judge", (1, 0), kind="judge")
    bench.sheet("one", "Cedar", "ben", (1, 1))
    bench.sheet("two", "Cedar", "ana", (1, 1))
    sheet = bench.sheet("one", "Cedar", "ana", (0, 0))
    drawn = AlignmentSet.objects.create(
        seed=1, quota=0, flagged=True, domains=["finance"], candidates=["Cedar"]
    )
    item = AlignmentItem.objects.create(
        set=drawn, response=sheet.response, version=sheet.version, domain="finance", flagged=True
    )
    Sheet.objects.filter(pk=sheet.pk).update(
        purpose="alignment", user=person("ana", bench.domain), flagged_item=item
    )


def test_a_sheet_for_a_flag_brings_no_expert_into_the_report_of_an_imported_judge(asked):
    found = gather_experts(Rater("other-judge"), None)
    assert (found.raters, len(found.flagged)) == (("ben",), 1)


def test_on_request_the_expert_counts_with_all_sheets(asked):
    found = gather_experts(Rater("other-judge"), None, with_flagged=True)
    assert (found.raters, len(found.flagged)) == (("ana", "ben"), 0)
    assert {row.task for row in found.responses.values()} == {"one", "two"}


def test_a_report_on_one_domain_counts_what_is_left_out_there(asked, bench, law, sign_in, staff):
    bench.task("three", weights=(5, 5), domain=law)
    bench.response("three", "Cedar")
    for rater, kind in (("other-judge", "judge"), ("ben", "expert")):
        bench.sheet("three", "Cedar", rater, (1, 0), kind=kind)
    address = "/staff/alignment.json?judge=other-judge&domain="
    found = {name: sign_in(staff).get(address + name).json() for name in ("finance", "law")}
    assert [found[name]["flagged_left_out"] for name in found] == [1, 0]

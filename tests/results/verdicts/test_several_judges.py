"""Several judges of the same responses: their majority, and what divides them."""

import json

import pytest
from django.utils import timezone

from rubrics.versions.models import RubricVersion
from tests.markup import words_of
from tests.results.verdicts.conftest import LIST, shown

pytestmark = pytest.mark.django_db


class TestSeveralJudges:
    def test_the_majority_and_what_divides_the_judges_are_shown(
        self,
        judged,
        desk,
        bench,
    ):
        second = bench.run({("one", "Cedar"): (1, 0, 0, 1)}, method="zero_shot")
        third = bench.run({("one", "Cedar"): (1, 0, 1, 1)}, model="judge-2")
        runs = f"runs={judged.pk}&runs={second.pk}&runs={third.pk}"
        comparison = shown(desk, f"{LIST}judges/?{runs}").context["comparison"]
        assert comparison.agreement.lines == 24
        cedar = next(row for row in comparison.candidates if row.name == "Cedar")
        # On the first task the majority says 1, 0, 0, 1; the second is the first judge's alone.
        assert (cedar.responses, cedar.majority) == (2, 75)
        assert cedar.judges == (90, 50, 70)
        (divided,) = comparison.divided
        assert (divided.candidate, divided.divided, divided.lines) == ("Cedar", 2, 4)
        sheets = b"".join(desk.get(f"{LIST}judges.jsonl?{runs}").streaming_content).splitlines()
        mine = next(s for s in map(json.loads, sheets) if s["response"] == "one-Cedar")
        assert mine["scores"] == {"c0": 1, "c1": 0, "c2": 0, "c3": 1}

    def test_by_two_versions_the_newest_counts_and_the_earlier_on_lines_that_did_not_change(
        self,
        judged,
        desk,
        bench,
    ):
        first = bench.versions["one"]
        second = RubricVersion.objects.create(
            task=first.task, number=2, origin="import", frozen_at=timezone.now(), sha256="1" * 64
        )
        for line in first.criteria.all():  # c1 is reworded, c3 weighs more
            line.pk, line.version = None, second
            line.text += " exactly" if line.key == "c1" else ""
            line.weight += line.key == "c3"
            line.save()
        bench.versions["one"] = second
        later = bench.run({("one", "Cedar"): (1, 0, 0, 1)}, method="zero_shot")
        runs = f"runs={judged.pk}&runs={later.pk}"
        reply = shown(desk, f"{LIST}judges/?{runs}")
        found = reply.context["comparison"].agreement
        at = {line: met for (_t, key, line), met in found.majority.items() if key == "one-Cedar"}
        # The first run said 1, 1, 0, 1. Its verdict on the old c1 is none on the new one.
        assert at == {"c0": True, "c1": False, "c2": False, "c3": True}
        assert found.across_versions == 1
        assert "1 response was judged by different versions" in words_of(reply.content.decode())
        cedar = next(r for r in reply.context["comparison"].candidates if r.name == "Cedar")
        # Weights of the second version: 4, 3, 2, 2. The first run's score of it is by the first.
        assert cedar.majority == pytest.approx((100 * 6 / 11 + 100) / 2)
        assert cedar.judges == (100, pytest.approx(100 * 6 / 11))

    def test_one_run_and_a_run_that_shares_its_verdicts_are_refused(self, judged, desk):
        one = desk.get(f"{LIST}judges/?runs={judged.pk}")
        assert one.status_code == 400
        assert "Name at least two runs" in words_of(one.content.decode())
        assert desk.get(f"{LIST}judges/?runs=999&runs={judged.pk}").status_code == 400

"""What a run said, exported and imported elsewhere."""

import io
import json

import pytest
from django.core.management import call_command

from tests.markup import words_of

pytestmark = pytest.mark.django_db


class TestAnotherInstallation:
    def test_a_run_exported_and_imported_gives_the_same_leaderboard_and_report(
        self,
        judged,
        desk,
        tmp_path,
        bench,
    ):
        later = bench.response("two", "Dogwood")
        judged.items.create(response=later, state="skipped", reason="empty_response")
        kin = bench.response("two", "Elm")
        bench.sheet("two", "Elm", "expert-1", (1, 1, 1, 0))
        judged.items.create(response=kin, state="skipped", reason="same_family")
        target = tmp_path / "verdicts.jsonl"
        written = b"".join(desk.get(f"/staff/verdicts.jsonl?judge={judged.pk}").streaming_content)
        target.write_bytes(written)
        call_command("import_scores", str(target), stdout=io.StringIO())
        name = json.loads(written.splitlines()[0])["rater"]
        for by in ("domain", "dimension", "importance"):
            ours, theirs = (
                desk.get(f"/leaderboard.json?run={judge}&by={by}").json()
                for judge in (judged.pk, name)
            )
            for board in (ours, theirs):
                for standing in board["standings"]:
                    standing["gaps"] = sum(standing["gaps"].values())  # the reasons are not known
            for part in ("standings", "comparisons", "brackets", "tasks", "left_out"):
                assert ours[part] == theirs[part]
        reports = [
            desk.get(f"/staff/alignment.json?judge={judge}&experts=expert-1").json()
            for judge in (judged.pk, name)
        ]
        for part in ("preference", "criterion", "score", "by"):
            if part == "by":
                for report in reports:
                    report["by"].pop("judge_family")  # the file does not tell the family
            assert reports[0][part] == reports[1][part]

    def test_a_rater_with_single_numbers_has_no_leaderboard(self, judged, desk, bench):
        bench.sheet("one", "Cedar", "numbers", kind="judge", score=7.5)
        reply = desk.get("/leaderboard/?run=numbers")
        assert reply.status_code == 400
        assert "gave no verdicts on rubric lines" in words_of(reply.content.decode())

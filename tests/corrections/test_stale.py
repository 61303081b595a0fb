"""What rests on an earlier text is found, left out of every result, and counted there."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.tasks.task import text_basis
from judge.asking.candidates.models import Response
from judge.gold.releases.pool import pool
from judge.results.alignment.raters import Rater
from judge.results.alignment.report import align
from judge.results.leaderboard.ranking import board
from judge.results.verdicts.response_list import response_rows
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from judge.runs.pages.repeats import agreement_of_runs
from judge.scoring.anchors.models import Anchor
from judge.scoring.sheets.models import Sheet
from review.senior_seats.models import SpotCheck
from rubrics.corrections.views import confirm_rubric, touched_lines
from tests.corrections.conftest import REQUIREMENTS, amended, reviewed_again
from tests.rubrics.walk import lines_of
from tests.run_states import in_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(built_world: Any) -> JudgeRun:
    return built_world["run"]


@pytest.fixture
def senior(built_world: Any) -> Any:
    return built_world["senior"]


@pytest.fixture
def author(built_world: Any) -> Any:
    return built_world["author"]


def stale(task: Any) -> dict[str, int]:
    return {
        entry.rests.model.partition(".")[2]: entry.count for entry in text_basis.count_stale(task)
    }


def ranked(run: JudgeRun) -> Any:
    return board(Rater(str(run.pk), run), resamples=20)


def go_through(task: Any, author: Any, reviewer: Any) -> None:
    """Confirm an affected rubric with all its touched lines, and have it approved again."""
    kept = {entry.line.pk for entry in touched_lines(task, lines_of(task))}
    confirm_rubric(actor=author, task=task, text_version=task.version, kept=kept)
    reviewed_again(task, author, reviewer)


class TestBeforeAnyAmendment:
    def test_nothing_is_stale_and_everything_counts(self, task, run):
        assert stale(task) == {}
        assert [entry.judged for entry in ranked(run).candidates] == [1, 1]
        assert align(str(run.pk), None, None, 20, 0, None).experts.stale == ()


class TestAnAmendedReferenceAnswerThatAffectsTheRubric:
    def test_every_stale_thing_is_listed(self, task, author, senior):
        amended(task, author, senior, rubric=True)
        assert stale(task) == {
            "RubricVersion": 2,  # the one reviewed, and its open copy, not compared yet
            "Criterion": 30,
            "Round": 1,
            "LineReview": 15,
            "Anchor": 1,
            "Sheet": 3,
            "SheetLine": 45,
            "MetaEvaluation": 1,
            "Judgment": 2,
            "Verdict": 30,
            "RunItem": 3,
        }
        assert task.stage == Stage.REFINING

    def test_the_responses_stand_because_no_candidate_reads_it(self, task, author, senior):
        amended(task, author, senior, rubric=True)
        assert "Response" not in stale(task)
        assert task.anchor.response.superseded_at is None

    def test_the_leaderboard_leaves_the_scores_out_and_says_so(
        self, task, run, author, senior, sign_in, staff
    ):
        amended(task, author, senior, rubric=True)
        for entry in ranked(run).candidates:
            assert entry.judged == 0
            assert entry.gaps == {"rubric_of_earlier_text": 1}
            assert entry.standing.mean is None
            assert set(entry.by.values()) <= {None}
        page = sign_in(staff).get(f"/leaderboard/?run={run.pk}").content.decode()
        assert "scored by the rubric of an earlier text" in page

    def test_the_alignment_leaves_them_out_and_counts_them(self, task, run, author, senior):
        amended(task, author, senior, rubric=True)
        found = align(str(run.pk), None, None, 20, 0, None)
        assert len(found.experts.stale) == 2
        assert found.experts.responses == {}
        assert found.as_dict()["earlier_text_left_out"] == 2

    def test_a_run_planned_meanwhile_skips_the_responses_with_the_reason(
        self, task, author, senior, staff
    ):
        amended(task, author, senior, rubric=True)
        run = plan_run(actor=staff, method="zero_shot", provider="offline")
        reasons = set(run.items.exclude(reason="baseline").values_list("reason", flat=True))
        assert reasons == {"rubric_of_earlier_text"}

    def test_after_the_new_review_only_new_scores_count(
        self, task, run, author, senior, built_world
    ):
        amended(task, author, senior, rubric=True)
        go_through(task, author, built_world["reviewer"])
        assert Anchor.objects.get(task=task).stage == AnchorStage.SCORING  # once more
        assert [entry.judged for entry in ranked(run).candidates] == [0, 0]
        again = plan_run(actor=None, method="zero_shot", provider="offline")
        assert set(again.items.exclude(reason="baseline").values_list("state", flat=True)) == {
            RunItem.State.WAITING
        }
        assert pool().ready(allow_unanchored=False) == ()

    def test_several_judges_do_not_count_its_verdicts(self, task, run, author, senior):
        amended(task, author, senior, rubric=True)
        other = JudgeRun.objects.create(
            method="zero_shot", provider="offline", model="other", **in_state("finished")
        )
        RunItem.objects.create(
            run=other, response=Response.objects.filter(baseline=False)[0], state="judged"
        )
        assert agreement_of_runs([run.pk, other.pk]).majority == {}

    def test_an_export_writes_no_stale_verdict(self, task, run, author, senior, tmp_path):
        amended(task, author, senior, rubric=True)
        out = tmp_path / "scores.csv"
        call_command("export_scores", run.pk, out=out, stdout=StringIO(), stderr=StringIO())
        assert len(out.read_text().splitlines()) == 1, "the head"

    def test_the_list_of_responses_marks_them(self, task, run, author, senior):
        amended(task, author, senior, rubric=True)
        ids = list(Response.objects.filter(baseline=False).values_list("pk", flat=True))
        rows = response_rows(Rater(str(run.pk), run), ids, {})
        assert {row.why for row in rows} == {
            "scored by the rubric of an earlier text, so it is left out of results"
        }


class TestAnAmendedPrompt:
    def test_every_stale_thing_is_listed(self, task, author, senior):
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        assert stale(task) == {
            "Response": 3,
            "Sheet": 3,
            "SheetLine": 45,
            "MetaEvaluation": 1,
            "Judgment": 2,
            "Verdict": 30,
            "RunItem": 3,
        }
        assert task.stage == Stage.APPROVED

    def test_the_baseline_is_retired_and_another_one_is_asked_for(self, task, author, senior):
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        anchor = Anchor.objects.get(task=task)
        assert (anchor.stage, anchor.response, anchor.sheet) == (AnchorStage.ANSWERING, None, None)
        assert Response.objects.get(task=task, baseline=True).superseded_at is not None

    def test_no_stale_score_enters_leaderboard_or_alignment(self, task, run, author, senior):
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        for entry in ranked(run).candidates:
            assert entry.gaps == {"earlier_text": 1}
            assert entry.standing.mean is None
        assert ranked(run).left_out == {}
        for by in ("dimension", "importance"):
            assert board(Rater(str(run.pk), run), by=by, resamples=20).columns == {}
        assert len(align(str(run.pk), None, None, 20, 0, None).experts.stale) == 2

    def test_an_imported_judge_is_left_out_too(self, task, author, senior):
        for response in Response.objects.filter(baseline=False):
            sheet = response.sheets.get()
            copy = Sheet.objects.create(
                response=response,
                version=sheet.version,
                kind="judge",
                purpose="imported",
                rater="judge-x",
                state="submitted",
                submitted_at=sheet.submitted_at,
            )
            copy.lines.bulk_create(
                [
                    type(line)(sheet=copy, criterion=line.criterion, met=True)
                    for line in sheet.lines.all()
                ]
            )
        assert [e.judged for e in board(Rater("judge-x"), resamples=20).candidates] == [1, 1]
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        for entry in board(Rater("judge-x"), resamples=20).candidates:
            assert (entry.judged, entry.gaps) == (0, {"earlier_text": 1})

    def test_a_new_response_to_the_new_prompt_counts(self, task, run, author, senior, staff):
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        old = Response.objects.filter(baseline=False)[0]
        Response.objects.create(
            key="new",
            task=task,
            candidate=old.candidate,
            sample=2,
            text="Three pages: net debt rises to EUR 134.4 million. Consent. " * 5,
            source="imported",
            text_version=task.version,
        )
        again = plan_run(actor=staff, method="zero_shot", provider="offline")
        by_reason = {
            item.response.key: item.reason for item in again.items.select_related("response")
        }
        assert by_reason["new"] == ""
        assert by_reason[old.key] == "earlier_text"

    def test_a_release_leaves_the_responses_out_and_counts_them(
        self, task, author, senior, staff, tmp_path, settings
    ):
        settings.MEDIA_ROOT = tmp_path / "media"
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        out = tmp_path / "gold"
        call_command(
            "export_gold",
            size=1,
            seed=1,
            out=out,
            allow_unanchored=True,
            with_responses=True,
            stdout=StringIO(),
        )
        assert (out / "responses.jsonl").read_text() == ""
        assert (out / "scores.jsonl").read_text() == ""
        manifest = json.loads((out / "manifest.json").read_text())
        (row,) = [r for r in manifest["left_out"] if "earlier text" in r["what"]]
        assert row["count"] == 2
        assert REQUIREMENTS in (out / "tasks.jsonl").read_text()

    def test_an_export_writes_no_stale_verdict_because_nothing_would_tell_it_elsewhere(
        self, task, run, author, senior, tmp_path
    ):
        out, told = tmp_path / "scores.jsonl", StringIO()
        call_command("export_scores", run.pk, out=out, stdout=StringIO())
        before = [json.loads(line) for line in out.read_text().splitlines()]
        assert [set(line["scores"].values()) <= {0, 1} for line in before] == [True, True]
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        out = tmp_path / "later.jsonl"
        call_command("export_scores", run.pk, out=out, stdout=StringIO(), stderr=told)
        after = [json.loads(line) for line in out.read_text().splitlines()]
        assert after == []
        assert "2 responses are left out, because their tasks were amended" in told.getvalue()

    def test_open_work_on_the_earlier_prompt_ends(
        self, task, run, author, senior, built_world, person, finance
    ):
        from curation.joining.notices.models import Notice
        from judge.scoring.sheets.actions import open_alignment_sheet
        from judge.scoring.sheets.queries import current_sheets

        late = person("late", finance)
        response = Response.objects.filter(baseline=False)[0]
        open_alignment_sheet(response, late)
        waiting = plan_run(actor=None, method="zero_shot", provider="offline", model="other")
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        assert not Sheet.objects.filter(state="open").exists()
        assert Notice.objects.get(recipient=late).kind == "sheet_of_earlier_text"
        assert set(waiting.items.values_list("state", "reason")) == {
            ("skipped", "baseline"),
            ("skipped", "earlier_text"),
        }
        assert not current_sheets().exists()

    def test_a_run_that_goes_on_after_it_asks_nothing_more_about_the_task(
        self, task, author, senior
    ):
        waiting = plan_run(actor=None, method="zero_shot", provider="offline", model="other")
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        work_on_run(waiting)
        waiting.refresh_from_db()
        assert (waiting.state, waiting.calls.count()) == ("finished", 0)
        assert not waiting.judgments.exists()

    def test_a_frozen_release_keeps_its_files_and_its_page_names_the_task(
        self, task, author, senior, staff, sign_in, tmp_path, settings
    ):
        settings.MEDIA_ROOT = tmp_path / "media"
        from judge.gold.releases.draw import DrawSpec
        from judge.gold.releases.release import release_gold

        release = release_gold(actor=staff, spec=DrawSpec(size=1))
        before = sign_in(staff).get(f"/staff/gold/releases/{release.number}/").content.decode()
        assert "was amended after this release was frozen" not in before
        amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
        page = sign_in(staff).get(f"/staff/gold/releases/{release.number}/").content.decode()
        assert "was amended after this release was frozen" in page
        assert stale(task)["GoldItem"] == 1


def test_an_amendment_that_touches_neither_leaves_everything_in_place(task, run, author, senior):
    amended(task, author, senior, rubric=False)
    assert stale(task) == {}
    assert [entry.judged for entry in ranked(run).candidates] == [1, 1]
    assert not task.rubric_versions.filter(frozen_at__isnull=True).exists()


def test_only_a_discard_is_marked_as_taken_back(built_world):
    check = SpotCheck.objects.create(
        task=built_world["task"],
        version=built_world["task"].rubric_versions.last(),
        senior=built_world["senior"],
        consistent=True,
        aligned=True,
        evaluable=True,
        verdict="accept",
        remarks="Fine.",
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        SpotCheck.objects.filter(pk=check.pk).update(taken_back_at=check.at)

"""What had the reference answer in view goes stale when it is amended; nothing else does."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from curation.joining.notices.models import Notice
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task import text_basis
from curation.tasks.task.models import Task
from curation.tasks.task.text_basis import Basis
from judge.asking.candidates.models import Response
from judge.methods.base import registry
from judge.methods.query_checklists.models import QueryChecklist, QueryChecklistLine
from judge.results.alignment.raters import Rater
from judge.results.alignment.report import align
from judge.results.leaderboard.ranking import board
from judge.results.verdicts.response_list import response_rows
from judge.results.verdicts.response_page import response_page
from judge.runs.engine.models import JudgeRun, Judgment
from judge.runs.engine.planning.material import MaterialCache, load
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from judge.scoring.graded_sheets.actions import assign_graded_sheet, keep_grade, submit_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.graded_sheets.queries import experts_graded_sheets
from judge.scoring.sheets.models import Sheet
from rubrics.versions.queries import version_that_counts
from tests.conftest import new_person
from tests.corrections.conftest import ANSWER, REQUIREMENTS, RIGHT, amended
from tests.methods.base import factory
from tests.run_states import in_state
from tests.worlds import World

pytestmark = pytest.mark.django_db
CODE = "earlier_reference_answer"
SENTENCE = "scored with an earlier reference answer in view"
WHOLE = {"Judgment": 2, "Finding": 2, "RunItem": 2, "GradedSheet": 1, "Sheet": 1}


def judged(task: Task) -> JudgeRun:
    run = plan_run(actor=None, method="graded", provider="offline", task_keys=[task.key])
    work_on_run(run)
    return run


def submitted(response: Response, who: Any) -> GradedSheet:
    sheet = assign_graded_sheet(response=response, scorer=who)
    return submit_graded_sheet(actor=who, graded_sheet=sheet, grade=4, analysis="One gap.")


@pytest.fixture(scope="module")
def whole_world(built_world: World) -> World:
    """The task of the other tests, also judged and graded as a whole, and scored elsewhere."""
    task = built_world["task"]
    grader = new_person("grader", built_world["finance"])
    response = Response.objects.filter(task=task, baseline=False).first()
    assert response is not None
    sheet = submitted(response, grader)
    Sheet.objects.create(
        response=response,
        kind="judge",
        purpose="imported",
        rater="judge-y",
        state="submitted",
        submitted_at=sheet.submitted_at,
        score=0.5,
        answer_version=task.version,
    )
    return World(grader=grader, response=response, graded=judged(task), sheet=sheet)


@pytest.fixture
def run(whole_world: World) -> JudgeRun:
    return whole_world["graded"]


@pytest.fixture
def senior(built_world: World) -> Any:
    return built_world["senior"]


@pytest.fixture
def author(built_world: World) -> Any:
    return built_world["author"]


def stale(task: Task) -> dict[str, int]:
    return {
        entry.rests.model.partition(".")[2]: entry.count for entry in text_basis.count_stale(task)
    }


def rater(run: JudgeRun) -> Rater:
    return Rater(str(run.pk), run)


class TestAnAmendedReferenceAnswer:
    @pytest.fixture(autouse=True)
    def amend(self, task, whole_world, author, senior):
        amended(task, author, senior, rubric=False)

    def test_every_stale_thing_is_listed_and_no_other(self, task):
        assert stale(task) == WHOLE
        assert task.answer_since == task.version
        assert (task.rubric_since, task.prompt_since) == (0, 0)

    def test_the_leaderboard_leaves_the_scores_out_and_says_why(self, run, sign_in, staff):
        for entry in board(rater(run), resamples=20).candidates:
            assert (entry.judged, entry.gaps) == (0, {CODE: 1})
            assert entry.standing.mean is None
        page = sign_in(staff).get(f"/leaderboard/?run={run.pk}").content.decode()
        assert SENTENCE in page

    def test_what_judged_by_lines_alone_still_counts(self, built_world):
        judges = board(rater(built_world["run"]), resamples=20)
        assert [entry.judged for entry in judges.candidates] == [1, 1]

    def test_the_alignment_leaves_them_out_and_counts_them(self, run):
        found = align(str(run.pk), None, None, 20, 0, None)
        assert len(found.experts.stale) == 2
        assert found.experts.responses == {}
        assert not experts_graded_sheets().exists()

    def test_an_export_writes_none_of_them_and_marks_them_on_request(self, run, tmp_path):
        out, told = tmp_path / "scores.jsonl", StringIO()
        call_command("export_scores", run.pk, out=out, stdout=StringIO(), stderr=told)
        assert out.read_text() == ""
        assert "2 responses are left out, because their tasks were amended" in told.getvalue()
        marked = tmp_path / "marked.jsonl"
        call_command("export_scores", run.pk, out=marked, with_stale=True, stdout=StringIO())
        assert {json.loads(line)["stale"] for line in marked.read_text().splitlines()} == {CODE}

    def test_a_release_takes_none_of_them(self, task, tmp_path, settings):
        settings.MEDIA_ROOT = tmp_path / "media"
        out = tmp_path / "gold"
        options = {"size": 1, "seed": 1, "out": out, "with_responses": True}
        call_command("export_gold", **options, allow_unanchored=True, stdout=StringIO())
        raters = {json.loads(line)["rater"] for line in (out / "scores.jsonl").open()}
        assert not [name for name in raters if "graded" in name or name == "judge-y"]
        assert [name for name in raters if "zero_shot" in name]

    def test_lists_and_pages_say_so(self, run, whole_world):
        ids = [whole_world["response"].pk]
        for name in (rater(run), Rater("judge-y")):
            (row,) = response_rows(name, ids, {})
            assert row.why == f"{SENTENCE}, so it is left out of results"
            assert response_page(ids[0], name).stale == SENTENCE

    def test_the_next_run_asks_anew_by_the_new_answer(self, task, run):
        again = judged(task)
        new = Judgment.objects.filter(items__run=again)
        assert set(new.values_list("answer_version", flat=True)) == {task.version}
        assert not new.filter(items__run=run).exists()
        assert [e.judged for e in board(rater(again), resamples=20).candidates] == [1, 1]

    def test_a_judgment_counts_again_when_the_answer_is_what_it_was(
        self, task, run, author, senior
    ):
        amended(task, author, senior, rubric=False, reference_answer=ANSWER)
        assert [e.judged for e in board(rater(run), resamples=20).candidates] == [0, 0]
        again = judged(task)
        assert set(again.items.filter(judgment__isnull=False).values_list("judgment")) == set(
            run.items.filter(judgment__isnull=False).values_list("judgment")
        ), "the same question is not asked twice"
        assert [e.judged for e in board(rater(run), resamples=20).candidates] == [1, 1]


def test_another_part_leaves_them_in_place(task, whole_world, author, senior):
    """An amended title changes the prompt, and so the responses; that rule stands by itself."""
    amended(task, author, senior, rubric=False, requirements=REQUIREMENTS)
    assert task.answer_since == 0
    assert set(stale(task)) >= {"Response", "Judgment", "GradedSheet"}


class TestAnOpenGradedSheet:
    def test_loses_its_grade_and_is_graded_by_the_new_answer(
        self, task, whole_world, author, senior, built_world
    ):
        late = new_person("late", built_world["finance"])
        sheet = assign_graded_sheet(response=whole_world["response"], scorer=late)
        sheet = keep_grade(actor=late, graded_sheet=sheet, grade=2, analysis="Thin.")
        amended(task, author, senior, rubric=False)
        values = {"grade": 2, "analysis": "Thin.", "revision": sheet.revision}
        with pytest.raises(Exception, match="changed"):
            submit_graded_sheet(actor=late, graded_sheet=sheet, **values)
        sheet.refresh_from_db()
        assert (sheet.grade, sheet.analysis) == (None, "Thin.")
        values["revision"] = sheet.revision
        submit_graded_sheet(actor=late, graded_sheet=sheet, **values)
        assert [one.pk for one in experts_graded_sheets()] == [sheet.pk]

    def test_its_scorer_hears_of_it_and_a_colleague_without_a_grade_does_not(
        self, task, whole_world, author, senior, built_world, sign_in
    ):
        late, slow = (new_person(name, built_world["finance"]) for name in ("late", "slow"))
        sheet = assign_graded_sheet(response=whole_world["response"], scorer=late)
        assign_graded_sheet(response=whole_world["response"], scorer=slow)
        keep_grade(actor=late, graded_sheet=sheet, grade=2, analysis="Thin.")
        amended(task, author, senior, rubric=False)
        (notice,) = Notice.objects.filter(kind="graded_sheet_again")
        assert (notice.recipient, notice.url) == (late, f"/graded-sheets/{sheet.pk}/")
        page = sign_in(late).get("/notices/").content.decode()
        assert "was amended: please grade again" in page
        there = sign_in(late).get(notice.url).content.decode()
        assert RIGHT in there
        assert "Thin." in there


class TestARunAtWork:
    def test_reads_the_answer_that_is_amended_while_it_waits(self, task, author, senior):
        waiting = plan_run(actor=None, method="graded", provider="offline", model="other")
        cache = MaterialCache(waiting)
        items = list(waiting.items.filter(state="waiting"))
        ((_item, before), *_rest) = cache.load_for(items)
        amended(task, author, senior, rubric=False)
        ((_item, after), *_rest) = cache.load_for(items)
        assert (before.answer_version, after.answer_version) == (1, task.version)
        assert "135.4" in after.own.reference
        work_on_run(waiting)
        made = Judgment.objects.filter(items__run=waiting)
        assert set(made.values_list("answer_version", flat=True)) == {task.version}
        assert [e.judged for e in board(rater(waiting), resamples=20).candidates] == [1, 1]


def checklist_in_use(task):
    """A skill checklist of one line."""
    checklist = QueryChecklist.objects.create(
        task=task, number=1, state="in_use", used_at=timezone.now(), sha256="0" * 64
    )
    label = SkillLabel.objects.create(domain=task.domain, key="offers", name="Offers", level=1)
    line = version_that_counts(task).criteria.first()
    QueryChecklistLine.objects.create(
        checklist=checklist, position=1, label=label, criterion=line, weight=5
    )


@pytest.mark.parametrize("key", [*registry.METHODS])
def test_a_method_says_whether_it_reads_the_reference_answer(key, task):
    """Neither prompt nor marks may change with an answer that the method does not declare."""
    method = registry.get(key)
    form = sorted(method.forms)[0]
    Task.objects.filter(pk=task.pk).update(answer_form=form)
    run = JudgeRun.objects.create(method=key, provider="offline", model="m", **in_state("finished"))
    response = Response.objects.filter(task=task, baseline=False).first()
    anchor = task.anchor.sheet if method.needs_example else None
    task.refresh_from_db()
    if form == "selection":
        factory.select(task)
    if "no_checklist" in method.skips:
        checklist_in_use(task)
    item = run.items.create(response=response, version=version_that_counts(task), exemplar=anchor)

    def asked() -> tuple[Any, ...]:
        material = load(item)
        material = method.about(material, response.text)
        prompt = material.prompt(response.text, nonce="n" * 16)
        return prompt.prefix, prompt.suffix, material.marks, material.own

    before = asked()
    Task.objects.filter(pk=task.pk).update(reference_answer="Another answer altogether.")
    item.response.task.refresh_from_db()
    assert (asked() != before) == (Basis.ANSWER in method.reads)
    assert (load(item).answer_version is not None) == (Basis.ANSWER in method.reads)

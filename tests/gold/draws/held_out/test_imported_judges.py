"""Judges that are asked elsewhere: their imported scores are looks too."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.runs.engine.models import HeldOutLook
from judge.scoring.sheets.models import Sheet
from rubrics.versions.models import RubricVersion
from tests.gold.draws.held_out.commands import alignment, held_out, look

NAME = "other-judge"
WHY = "--held-out-reason"


@pytest.fixture
def scores(halves_world, tmp_path):
    """Write a file with a judge's scores on some tasks; gives its path."""

    def write(tasks, *, rater=NAME, kind="judge", only="", skipped="", grade=None):
        lines = []
        responses = Response.objects.filter(task__in=tasks, baseline=False)
        for response in responses.select_related("task", "candidate"):
            if only and response.candidate.name != only:
                continue
            version = RubricVersion.objects.get(task=response.task)
            line = {
                "task": response.task.key,
                "response": response.key,
                "rater": rater,
                "kind": kind,
            }
            if skipped:
                line["skipped"] = skipped
            elif grade:
                line["grade"] = grade
            else:
                line["scores"] = {one.key: 1 for one in version.criteria.all()}
            lines.append(json.dumps(line) + "\n")
        path = tmp_path / "scores.jsonl"
        path.write_text("".join(lines))
        return str(path)

    return write


def import_scores(path, *options):
    text = StringIO()
    call_command("import_scores", path, *options, stdout=text)
    return text.getvalue()


def developed():
    return Task.objects.exclude(pk__in=held_out())


class TestImporting:
    def test_scores_on_held_out_tasks_need_a_reason(self, scores):
        path = scores(Task.objects.all())
        for options in ((), (WHY, "  ")):
            with pytest.raises(CommandError, match=r"3 tasks in this file are held out.*say why"):
                import_scores(path, *options)
        assert not Sheet.objects.filter(rater=NAME).exists()
        assert not HeldOutLook.objects.exists()

    def test_the_look_is_recorded_with_the_name_of_the_judge(self, scores):
        said = import_scores(scores(Task.objects.all()), WHY, "Their last version.")
        assert said == "18 sheets added.\n"
        row = HeldOutLook.objects.get()
        assert (row.run, row.judge, row.reason) == (None, NAME, "Their last version.")
        assert row.configuration == {"judge": NAME}

    def test_scores_on_other_tasks_are_no_look(self, scores):
        import_scores(scores(developed()))
        import_scores(scores(developed(), rater="third"), WHY, "Not needed.")
        assert not HeldOutLook.objects.exists()

    def test_what_experts_said_and_what_a_judge_was_not_asked_are_no_look(self, scores):
        import_scores(scores(held_out(), rater="guest", kind="expert"))
        import_scores(scores(held_out(), skipped="same_family"))
        assert not HeldOutLook.objects.exists()

    def test_the_same_file_again_is_no_further_look(self, scores):
        path = scores(held_out())
        import_scores(path, WHY, "Final.")
        assert import_scores(path) == "6 sheets already there, unchanged.\n"
        assert HeldOutLook.objects.count() == 1


class TestCounting:
    def test_each_import_counts_and_each_name_is_a_configuration(self, scores, draw):
        import_scores(scores(held_out(), only="ada"), WHY, "Half of it.")
        import_scores(scores(held_out(), only="bea"), WHY, "The rest.")
        import_scores(scores(held_out(), rater="third"), WHY, "Another one.")
        assert look(draw)["held_out"] == {
            "tasks": 3, "looks": 4, "configurations": 3, "imported": [NAME, "third"],
            "runs_before": 0, "opened": 0,
        }  # fmt: skip

    def test_grades_are_looks_as_well(self, scores, draw, browser):
        import_scores(scores(held_out(), grade=4), WHY, "Grades alone.")
        found = look(draw)["held_out"]
        assert (found["looks"], found["imported"]) == (2, [NAME])
        assert "Grades alone." in browser.get(f"/staff/gold/draws/{draw.pk}/").content.decode()

    def test_scores_of_before_the_split_are_counted_apart(self, scores, draw):
        import_scores(scores(held_out()), WHY, "Once.")
        with connection.cursor() as cursor:
            cursor.execute("UPDATE judge_goldsplit SET at = %s", [timezone.now()])
        said = alignment("--judge", NAME, "--tasks", f"draw:{draw.pk}/held-out")
        assert "not looked at yet. Judged 1 time before it was held out." in said


class TestWhereItIsSaid:
    WORDS = (
        "looked at 1 time, with 1 configuration. Imported, with its name for a configuration: "
        f"“{NAME}”."
    )

    @pytest.fixture
    def half(self, draw, scores):
        import_scores(scores(Task.objects.all()), WHY, "Their <last> version.")
        return f"draw:{draw.pk}/held-out"

    def test_an_imported_judge_is_measured_on_what_is_not_held_out_unless_named(self, half):
        found = json.loads(alignment("--judge", NAME, "--json"))
        assert found["task_set"] == {"set": "open", "total": None, "measured": 6, "missing": {}}
        assert found["held_out"]["looks"] == 0
        every = json.loads(alignment("--judge", NAME, "--tasks", "all", "--json"))
        assert every["task_set"]["measured"] == 9
        assert every["held_out"]["imported"] == [NAME]

    def test_reports_name_the_judge(self, half, browser):
        assert self.WORDS in alignment("--judge", NAME, "--tasks", half)
        for address in ("/staff/alignment/?judge=", "/leaderboard/?run="):
            page = browser.get(f"{address}{NAME}&tasks={half}").content.decode()
            assert self.WORDS in page

    def test_the_page_of_the_draw_says_who_looked_and_why(self, half, draw, browser):
        run = look(draw, "The judge is final.")["run"]
        page = browser.get(f"/staff/gold/draws/{draw.pk}/").content.decode()
        assert "looked at 2 times, with 2 configurations" in page
        assert f"Imported: “{NAME}”" in page
        assert "Their &lt;last&gt; version." in page
        assert f'href="/staff/runs/{run}/"' in page
        assert "The judge is final." in page

    def test_the_number_of_queries_does_not_grow(
        self, half, draw, browser, scores, django_assert_max_num_queries
    ):
        address = f"/staff/gold/draws/{draw.pk}/"
        with CaptureQueriesContext(connection) as before:
            browser.get(address)
        for n in range(4):
            import_scores(scores(held_out(), rater=f"judge-{n}"), WHY, "More.")
        with django_assert_max_num_queries(len(before)):
            browser.get(address)

"""Tuning and measuring apart: reports and orders of answers over a half."""

import html
import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judge.asking.candidates.generation_models import Generation
from judge.asking.candidates.models import Candidate
from judge.scoring.sheets.models import Sheet
from tests.gold.draws.held_out.commands import alignment, held_out, judge


class TestReports:
    def test_a_report_names_its_set_and_counts_what_is_missing_by_reason(self, draw, chief):
        Sheet.objects.filter(response__task__key="finance-0", purpose="alignment").update(
            state="open"
        )
        Candidate.objects.create(name="nobody")
        run = str(judge("--method", "one_shot", "--tasks", f"draw:{draw.pk}",
                        "--held-out-reason", "All of it.")["run"])  # fmt: skip
        found = json.loads(alignment("--judge", run, "--json"))
        assert found["task_set"] == {
            "set": f"draw:{draw.pk}", "total": 9, "measured": 6,
            "missing": {"put_aside": 2, "no_sheet": 1},
        }  # fmt: skip
        assert found["held_out"]["looks"] == 1
        said = alignment("--judge", run)
        assert f"Tasks: Draw {draw.pk}, 6 of 9; 3 missing (2: the plan put its responses" in said
        assert "looked at 1 time, with 1 configuration" in said

    def test_a_report_can_be_narrowed_to_a_half(self, draw):
        run = str(judge("--tasks", "all", "--held-out-reason", "All.")["run"])
        whole = json.loads(alignment("--judge", run, "--json"))
        assert whole["task_set"]["measured"] == 9
        half = json.loads(
            alignment("--judge", run, "--tasks", f"draw:{draw.pk}/development", "--json")
        )
        assert (half["task_set"]["measured"], half["held_out"]["tasks"]) == (6, 0)
        with pytest.raises(CommandError, match="names no set of tasks"):
            alignment("--judge", run, "--tasks", "half")

    def test_a_run_is_reported_on_the_set_it_was_planned_on(self, draw, browser):
        run = judge("--tasks", f"draw:{draw.pk}/development")["run"]
        page = browser.get(f"/staff/alignment/?judge={run}").content.decode()
        assert f"Tasks: Draw {draw.pk}, development half, all 6 of them." in page
        page = browser.get(f"/leaderboard/?run={run}").content.decode()
        assert f"Tasks: Draw {draw.pk}, development half, all 6 of them." in page
        assert browser.get(f"/staff/alignment/?judge={run}&tasks=draw:999").status_code == 400

    def test_a_set_in_which_nothing_was_judged_is_refused(self, draw, chief):
        run = str(judge("--tasks", f"draw:{draw.pk}/development")["run"])
        with pytest.raises(CommandError, match="scored no response of this judge in: Draw"):
            alignment("--judge", run, "--tasks", f"draw:{draw.pk}/held-out")

    def test_a_leaderboard_ranks_over_a_set(self, draw):
        run = str(judge("--tasks", "all", "--held-out-reason", "All.")["run"])
        text = StringIO()
        call_command("leaderboard", "--run", run, "--tasks", f"draw:{draw.pk}/held-out",
                     "--json", stdout=text)  # fmt: skip
        found = json.loads(text.getvalue())
        assert found["tasks"] == 3
        assert found["task_set"]["set"] == f"draw:{draw.pk}/held-out"
        assert found["held_out"]["tasks"] == 3
        with pytest.raises(CommandError, match="There is no draw 999"):
            call_command("leaderboard", "--run", run, "--tasks", "draw:999", stdout=StringIO())

    def test_a_number_of_the_board_leads_to_the_responses_of_its_set(self, draw, browser):
        run = judge("--tasks", "all", "--held-out-reason", "All.")["run"]
        name = f"draw:{draw.pk}/development"
        page = browser.get(f"/leaderboard/?run={run}&tasks={name}").content.decode()
        link = re.search(r'href="(/staff/verdicts/[^"]+)"', page)
        assert link is not None
        listed = browser.get(html.unescape(link[1])).content.decode()
        assert "Held out, not shown" not in listed
        assert "6 responses for" in listed
        assert browser.get(f"/staff/verdicts/?judge={run}&tasks=draw:999").status_code == 400


class TestOrdersAndSets:
    def test_answers_are_ordered_for_a_set(self, browser, draw):
        candidate = Candidate.objects.create(name="larch", provider="offline", model="rules-1")
        address = f"/staff/candidates/{candidate.pk}/generate/"
        sent = {"samples": 1, "concurrency": 1, "tasks": f"draw:{draw.pk}/held-out"}
        answer = browser.post(address, sent)
        assert answer.status_code == 302
        made = Generation.objects.get()
        assert made.task_set == f"draw:{draw.pk}/held-out"
        assert set(made.items.values_list("task", flat=True)) == set(
            held_out().values_list("pk", flat=True)
        )
        assert f"Draw {draw.pk}, held-out half" in browser.get(answer.url).content.decode()
        assert browser.post(address, {**sent, "tasks": "draw:999"}).status_code == 400

    def test_an_order_without_a_set_is_for_every_task(self, browser, draw):
        candidate = Candidate.objects.create(name="larch", provider="offline", model="rules-1")
        sent = {"samples": 1, "concurrency": 1}
        browser.post(f"/staff/candidates/{candidate.pk}/generate/", sent)
        assert Generation.objects.get().items.count() == 9

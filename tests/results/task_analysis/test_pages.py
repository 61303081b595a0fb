"""How tasks and lines do over the candidates: the pages, the files, the command, a decision."""

import csv
import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.tasks.task.models import Task
from judge.base.gold_sets.halves import open_held_out_half, split_in_halves
from judge.base.gold_sets.models import GoldDraw, GoldDrawItem
from judge.base.stats.item_analysis import Concern
from judge.results.difficulty.analyses import ProposalOutcome
from judge.runs.engine.models import Judgment
from rubrics.versions.actions import import_version
from tests.markup import words_of
from tests.results.task_analysis.conftest import WHO

pytestmark = pytest.mark.django_db
LIST = "/staff/task-analysis/"
SIX = "candidates=5&responses=6"


def shown(desk: Any, address: str) -> Any:
    reply = desk.get(address)
    assert reply.status_code == 200, reply.content[:400]
    return reply


def page_of(key: str, query: str = SIX) -> str:
    task = Task.objects.get(key=key)
    return f"{reverse('task-analysis-task', args=[task.pk])}?{query}"


def found(reply: Any) -> dict[str, set[str]]:
    """Task -> concerns, as "line:concern", "task:concern" about the task itself."""
    return {
        row.task.key: {
            f"{p.line.number if p.line else 'task'}:{p.concern}" for p in row.all_proposals
        }
        for row in reply.context["found"].rows
    }


class TestTheList:
    def test_what_was_planted_is_found(self, judged, desk):
        assert found(shown(desk, f"{LIST}?judge={judged.pk}&{SIX}")) == {
            "full": {"task:saturated", *(f"{n}:always_met" for n in (1, 2, 3, 4))},
            "good": set(),
            "odd": {"task:reversed"},
            # Of two lines alike, either decides nothing: the other one does the work.
            "twin": {"1:redundant", "1:idle", "2:redundant", "2:idle", "4:never_met"},
        }

    def test_the_figures_are_those_of_the_leaderboard(self, judged, desk):
        rows = {r.task.key: r for r in shown(desk, f"{LIST}?{SIX}").context["found"].rows}
        good = rows["good"].figures
        assert (good.candidates, good.mean) == (6, pytest.approx((0 + 1 + 3 + 5 + 8 + 10) / 60))
        assert good.difficulty == pytest.approx(1 - good.mean)
        assert rows["full"].why_none == "all scores are equal"
        assert rows["odd"].figures.discrimination < -0.8

    def test_too_few_candidates_or_responses_say_nothing(self, judged, desk):
        reply = shown(desk, f"{LIST}?candidates=7&responses=7")
        assert not any(found(reply).values())
        assert "No task has scores of 7 candidates yet" in words_of(reply.content.decode())

    def test_a_response_with_a_failed_line_has_no_score_and_counts_where_it_was_decided(
        self,
        bench,
        desk,
    ):
        bench.task("one", weights=(4, 3))
        for who in WHO:
            bench.response("one", who)
        bench.run({("one", who): (1, None if who == "Fir" else 0) for who in WHO})
        row = shown(desk, f"{LIST}?show=any&{SIX}").context["found"].rows[0]
        assert row.figures.candidates == 5
        assert [line.figures.responses for line in row.lines] == [6, 5]

    def test_an_imported_judge_is_analysed_by_the_version_most_responses_have(
        self, judged, desk, bench
    ):
        for who in WHO[:3]:
            bench.sheet("good", who, "a friend", (1, 0, 0, 1), kind="judge")
        reply = shown(desk, f"{LIST}?judge=a friend&candidates=3&responses=3&show=any")
        assert found(reply) == {
            "good": {"1:always_met", "2:never_met", "3:never_met", "4:always_met"}
        }

    def test_what_rests_on_an_earlier_text_is_left_out_and_counted(self, judged, desk, bench):
        for who in WHO[:3]:
            bench.sheet("good", who, "a friend", (1, 0, 0, 1), kind="judge")
        Task.objects.filter(key="good").update(version=9, prompt_since=9)
        row = shown(desk, f"{LIST}?judge={judged.pk}&{SIX}&show=any").context["found"]
        assert (row.stale, [r.task.key for r in row.rows]) == (6, ["full", "odd", "twin"])
        reply = shown(desk, f"{LIST}?judge={judged.pk}&{SIX}")
        assert "6 responses are left out: they rest on earlier texts" in words_of(
            reply.content.decode()
        )
        friend = shown(desk, f"{LIST}?judge=a friend&{SIX}").context["found"]
        assert (friend.rows, friend.stale) == ((), 3)

    def test_the_order_and_the_choice_of_tasks(self, judged, desk):
        def keys(query: str) -> list[str]:
            page = shown(desk, f"{LIST}?{SIX}&{query}").context["page"]
            return [row.task.key for row in page]

        assert keys("") == ["full", "odd", "twin"]
        assert keys("show=any&order=easiest")[0] == "full"
        assert keys("show=any&order=hardest")[-1] == "full"
        # Where nothing can be said comes last.
        assert keys("show=any&order=weakest") == ["odd", "good", "twin", "full"]
        assert keys("show=decided") == []

    @pytest.mark.parametrize(
        "query",
        ["candidates=2", "responses=x", "saturated=0", "judge=nobody", "order=best", "colour=red"],
    )
    def test_what_cannot_be_analysed_is_refused(self, judged, desk, query):
        assert desk.get(f"{LIST}?{query}").status_code == 400

    def test_without_a_run_the_page_says_what_to_do(self, desk):
        assert "Nothing to analyse yet" in words_of(shown(desk, LIST).content.decode())

    def test_a_judge_of_single_numbers_has_nothing_to_analyse(self, judged, desk, bench):
        bench.sheet("good", "Fir", "numbers", kind="judge", score=7)
        reply = desk.get(f"{LIST}?judge=numbers")
        assert reply.status_code == 400
        assert "no verdicts on rubric lines" in reply.content.decode()

    def test_the_number_of_queries_does_not_grow(self, judged, desk, bench):
        def asked() -> int:
            with CaptureQueriesContext(connection) as queries:
                shown(desk, f"{LIST}?{SIX}&show=any")
            return len(queries)

        before = asked()
        bench.task("more", weights=(2, 2))
        for who in WHO:
            bench.response("more", who)
        bench.run({("more", who): (1, 0) for who in WHO})
        assert asked() == before <= 19


class TestTheFiles:
    def rows(self, reply: Any) -> list[dict[str, str]]:
        text = b"".join(reply.streaming_content).decode("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text)))

    def test_tasks_and_lines_as_tables(self, judged, desk):
        tasks = self.rows(desk.get(f"/staff/task-analysis.csv?{SIX}"))
        assert [row["task"] for row in tasks] == ["full", "good", "odd", "twin"]
        assert tasks[0]["concerns"] == "saturated"
        assert tasks[0]["no_discrimination_because"] == "all scores are equal"
        lines = self.rows(desk.get(f"/staff/task-analysis/lines.csv?{SIX}"))
        assert len(lines) == 16
        twin = next(row for row in lines if (row["task"], row["line"]) == ("twin", "1"))
        assert (twin["share_met"], twin["same_as"]) == ("0.5000", "2")

    def test_the_command_prints_a_line_of_json_for_each_task(self, judged):
        out = io.StringIO()
        call_command("task_analysis", "--json", "--responses=6", stdout=out)
        rows = [json.loads(line) for line in out.getvalue().splitlines()]
        assert [row["task"] for row in rows] == ["full", "good", "odd", "twin"]
        assert rows[0]["why"] == {"discrimination": "all scores are equal"}
        assert rows[3]["lines"][3]["concerns"] == ["never_met"]
        out = io.StringIO()
        call_command("task_analysis", "--responses=6", stdout=out)
        assert "3 of 4 tasks need a look" in out.getvalue()

    @pytest.mark.parametrize(
        ("option", "said"),
        [
            ("--candidates=2", "at least 3"),
            ("--saturated=2", "up to 1"),
            ("--domain=x", "no domain"),
        ],
    )
    def test_the_command_refuses_what_makes_no_sense(self, judged, option, said):
        with pytest.raises(CommandError, match=said):
            call_command("task_analysis", option)


class TestADecision:
    def send(self, desk: Any, key: str, **values: Any) -> Any:
        return desk.post(page_of(key), {"outcome": "kept", "reason": "It stays.", **values})

    def value(self, desk: Any, key: str, place: str) -> str:
        row = shown(desk, page_of(key)).context["row"]
        return next(
            p.value
            for p in row.all_proposals
            if f"{p.line.number if p.line else 'task'}:{p.concern}" == place
        )

    def test_what_is_kept_is_no_longer_proposed_and_stays_on_record(self, judged, desk, staff):
        scores = list(Judgment.objects.order_by("pk").values_list("score_numerator", flat=True))
        reply = self.send(desk, "full", proposals=[self.value(desk, "full", "task:saturated")])
        assert reply.status_code == 302
        outcome = ProposalOutcome.objects.get()
        assert (outcome.outcome, outcome.by, outcome.criterion) == ("kept", staff, None)
        assert outcome.evidence["figures"]["saturated"] == 6
        assert outcome.evidence["limits"]["responses"] == 6
        rows = shown(desk, f"{LIST}?{SIX}").context["found"].rows
        full = next(row for row in rows if row.task.key == "full")
        assert len(full.open) == 4
        assert len(full.all_proposals) == 5
        assert "It stays." in words_of(shown(desk, page_of("full")).content.decode())
        after = list(Judgment.objects.order_by("pk").values_list("score_numerator", flat=True))
        assert after == scores

    def test_a_later_version_of_the_rubric_is_looked_at_anew(self, judged, desk, bench):
        self.send(desk, "full", proposals=[self.value(desk, "full", "task:saturated")])
        task = Task.objects.get(key="full")
        line = {"text": "Other.", "importance": "important", "weight": 5, "dimension": "accuracy"}
        bench.versions["full"] = import_version(task=task, lines=[line])
        again = bench.run({("full", who): (1,) for who in WHO})
        row = shown(desk, page_of("full", f"{SIX}&judge={again.pk}")).context["row"]
        assert "task:saturated" in {p.value for p in row.open}
        before = shown(desk, page_of("full", f"{SIX}&judge={judged.pk}")).context["row"]
        assert "task:saturated" not in {p.value for p in before.open}

    def test_a_line_is_decided_on_by_itself(self, judged, desk):
        self.send(desk, "twin", proposals=[self.value(desk, "twin", "4:never_met")])
        row = shown(desk, page_of("twin")).context["row"]
        assert "4:never_met" not in {f"{p.line.number}:{p.concern}" for p in row.open}
        assert len(row.open) == len(row.all_proposals) - 1 == 4

    def test_without_a_choice_or_a_reason_nothing_is_stored(self, judged, desk):
        value = self.value(desk, "full", "task:saturated")
        assert self.send(desk, "full").status_code == 400
        reply = self.send(desk, "full", proposals=[value], reason=" ")
        assert "Say why it stays as it is." in reply.content.decode()
        assert self.send(desk, "full", proposals=[value], outcome="gone").status_code == 400
        assert not ProposalOutcome.objects.exists()

    def test_what_the_figures_no_longer_say_is_a_conflict(self, judged, desk):
        reply = self.send(desk, "good", proposals=["task:saturated"])
        assert reply.status_code == 409
        assert not ProposalOutcome.objects.exists()

    def test_a_task_of_another_benchmark_has_nobody_to_ask(self, judged, desk):
        assert "nobody can be asked" in words_of(shown(desk, page_of("full")).content.decode())
        value = self.value(desk, "full", "task:saturated")
        reply = self.send(desk, "full", proposals=[value], outcome="asked", words="Look.")
        assert reply.status_code == 409
        assert not ProposalOutcome.objects.exists()

    def test_a_task_the_judge_never_read_is_not_found(self, judged, desk, bench):
        bench.task("unread", weights=(1,))
        assert desk.get(page_of("unread")).status_code == 404

    def test_the_words_to_the_author_name_no_candidate_and_no_judge(self, judged, desk):
        for key in ("full", "odd", "twin"):
            words = shown(desk, page_of(key)).context["form"]["words"].value()
            assert words
            assert not [name for name in (*WHO, judged.model) if name in words]


def test_every_concern_has_a_label_and_fits_its_column():
    assert {value for value, _label in ProposalOutcome._meta.get_field("concern").choices} == {
        concern.value for concern in Concern
    }
    assert max(map(len, Concern)) <= 12


class TestTasksOfASet:
    @pytest.fixture
    def draw(self, judged, staff):
        """A draw of the four tasks; half of them held out."""
        made = GoldDraw.objects.create(size=4, seed=1, allocation="proportional")
        for task in Task.objects.all():
            GoldDrawItem.objects.create(draw=made, task=task, stratum="finance")
        split_in_halves(actor=staff, seed=1, percent=50, gold_draw=made)
        return made

    def test_tasks_that_are_held_out_count_only_where_they_are_named(self, draw, desk):
        def keys(name: str) -> set[str]:
            reply = shown(desk, f"{LIST}?{SIX}&tasks={name}")
            return {row.task.key for row in reply.context["found"].rows}

        open_now, held = keys(""), keys(f"draw:{draw.pk}/held-out")
        assert (len(open_now), len(held)) == (2, 2)
        assert keys("all") == open_now | held
        assert desk.get(f"{LIST}?tasks=draw:99").status_code == 400

    def test_what_experts_said_of_them_stays_hidden_until_the_half_is_open(
        self, draw, desk, bench, staff
    ):
        for key in ("full", "good", "odd", "twin"):
            for who in WHO:
                bench.sheet(key, who, "expert-1", (1, 0, 1, 0))
        address = f"{LIST}?{SIX}&tasks=all&judge=expert-1"
        assert len(shown(desk, address).context["found"].rows) == 2
        open_held_out_half(actor=staff, split=draw.split, reason="The judge is settled.")
        assert len(shown(desk, address).context["found"].rows) == 4

"""From a cell of the leaderboard to the judge's reason for one line, beside the experts'."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judge.candidates.models import Response
from judge.engine.models import Verdict
from judge.flags.models import VerdictFlag
from judge.sheets.models import Sheet, SheetLine
from rubrics.versions.models import RubricVersion
from tests.alignment.conftest import Bench, bench, fill_three  # noqa: F401
from tests.markup import words_of

pytestmark = pytest.mark.django_db
LIST = "/staff/verdicts/"


@pytest.fixture
def judged(bench: Bench) -> Any:  # noqa: F811
    """A run over two tasks with three candidates; one line of one response failed."""
    fill_three(bench)
    return bench.run(
        {
            ("one", "Cedar"): (1, 1, 0, 1),
            ("one", "Birch"): (1, 0, 0, 0),
            ("one", "Alder"): (0, 0, 1, 1),
            ("two", "Cedar"): (1, 1, 1, 1),
            ("two", "Birch"): (0, 1, None, 1),
            ("two", "Alder"): (0, 0, 0, 0),
        }
    )


@pytest.fixture
def desk(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)


def page(key: str, **query: Any) -> str:
    path = reverse("verdict", args=[Response.objects.get(key=key).pk])
    return path + ("?" + "&".join(f"{k}={v}" for k, v in query.items()) if query else "")


def shown(desk: Any, address: str) -> Any:
    reply = desk.get(address)
    assert reply.status_code == 200, reply.content[:400]
    return reply


class TestTheList:
    def test_a_cell_of_the_leaderboard_leads_to_its_responses(self, judged, desk):
        board = shown(desk, f"/leaderboard/?run={judged.pk}&by=importance")
        cell = next(c for c in board.context["p"].rows[0].cells if c.url.endswith("=essential"))
        found = shown(desk, cell.url)
        rows = found.context["rows"]
        assert {row.candidate for row in rows} == {"Cedar"}
        # Over the essential lines alone, as the cell: the line of weight 4, met both times.
        assert [(row.score, row.met, row.lines) for row in rows] == [(100, 1, 1), (100, 1, 1)]

    def test_scores_experts_and_their_difference_stand_side_by_side(self, judged, desk):
        rows = shown(desk, f"{LIST}?judge={judged.pk}").context["rows"]
        assert [(r.candidate, r.score, r.expert, r.difference) for r in rows] == [
            ("Alder", 30, 30, 0),
            ("Birch", 40, 70, -30),
            ("Cedar", 80, 100, -20),
            ("Alder", 0, 30, -30),
            ("Birch", None, 70, None),
            ("Cedar", 100, 100, 0),
        ]

    def test_a_response_without_a_score_says_why(self, judged, desk):
        said = words_of(shown(desk, f"{LIST}?judge={judged.pk}").content.decode())
        assert "Lines missing" in said

    def test_the_lowest_scores_come_first_on_request_and_gaps_last(self, judged, desk):
        rows = shown(desk, f"{LIST}?judge={judged.pk}&order=lowest").context["rows"]
        assert [row.score for row in rows] == [0, 30, 40, 80, 100, None]

    def test_the_newest_run_is_shown_without_a_choice(self, judged, desk):
        assert shown(desk, LIST).context["judge"].run == judged

    def test_without_a_run_the_page_says_what_to_do(self, desk):
        assert "No verdicts yet" in words_of(shown(desk, LIST).content.decode())

    def test_an_imported_judge_has_the_same_list(self, judged, desk, bench):  # noqa: F811
        bench.sheet("one", "Cedar", "a friend", (1, 0, 1, 1), kind="judge")
        rows = shown(desk, f"{LIST}?judge=a friend").context["rows"]
        assert [(row.candidate, row.score, row.met) for row in rows] == [("Cedar", 70, 3)]

    @pytest.mark.parametrize(
        "query", ["judge=nobody", "candidate=Nobody", "order=best", "page=x", "colour=red"]
    )
    def test_what_cannot_be_shown_is_refused(self, judged, desk, query):
        assert desk.get(f"{LIST}?{query}").status_code == 400

    def test_the_number_of_queries_does_not_grow(self, judged, desk):
        def asked(query: str) -> int:
            with CaptureQueriesContext(connection) as queries:
                shown(desk, f"{LIST}?judge={judged.pk}{query}")
            return len(queries)

        # Six rows or two: a domain's filter asks for the domain, twice.
        assert asked("") == asked("&candidate=Cedar") == asked("&domain=finance") - 2 <= 20


class TestOneResponse:
    def test_every_line_has_the_verdict_and_reason_of_judge_and_expert(self, judged, desk):
        found = shown(desk, page("one-Cedar", judge=judged.pk))
        lines = found.context["lines"]
        assert [line.judge.met for line in lines] == [True, True, False, True]
        assert lines[2].judge.why == "The judge on c2"
        assert [(e.rater, e.said.met, e.said.why) for e in lines[2].experts] == [
            ("expert-1", True, "because")
        ]
        assert [line.differ for line in lines] == [False, False, True, False]
        assert (found.context["page"].judge.points, found.context["page"].differing) == (80, 1)

    def test_only_the_lines_that_differ_are_shown_on_request(self, judged, desk):
        found = shown(desk, page("one-Cedar", judge=judged.pk, lines="differ"))
        assert [line.n for line in found.context["lines"]] == [3]
        assert "1 of 4 lines are shown" in words_of(found.content.decode())

    @pytest.mark.parametrize(
        ("query", "numbers"),
        [
            ({"importance": "important"}, [2, 3]),
            ({"dimension": "depth"}, [4]),
            ({"lines": "unmet"}, [3]),
            ({"lines": "undecided"}, []),
            ({"lines": "flagged"}, []),
        ],
    )
    def test_lines_are_narrowed(self, judged, desk, query, numbers):
        found = shown(desk, page("one-Cedar", judge=judged.pk, **query))
        assert [line.n for line in found.context["lines"]] == numbers

    def test_the_same_page_shows_a_response_that_nobody_but_the_judge_has_scored(
        self, judged, desk
    ):
        SheetLine.objects.all().delete()
        Sheet.objects.all().delete()
        found = shown(desk, page("one-Cedar", judge=judged.pk))
        assert "no expert has scored it" in words_of(found.content.decode())
        assert [line.judge.met for line in found.context["lines"]] == [True, True, False, True]

    def test_the_anchors_verdict_stands_beside_where_the_judge_saw_an_example(
        self,
        judged,
        desk,
        bench,  # noqa: F811
    ):
        bench.response("one", "Base", baseline=True)
        example = bench.sheet("one", "Base", "senior", (0, 1, 1, 0), why="in the example")
        judged.items.filter(response__task__key="one").update(exemplar=example)
        lines = shown(desk, page("one-Cedar", judge=judged.pk)).context["lines"]
        assert [line.anchor.met for line in lines] == [False, True, True, False]
        assert lines[0].anchor.why == "in the example"

    def test_what_the_judge_quotes_is_looked_up_in_the_response(self, judged, desk):
        Verdict.objects.filter(criterion__key="c0").update(
            why="It says “Cedar on one” but not “Cedar on fire”."
        )
        found = shown(desk, page("one-Cedar", judge=judged.pk))
        said = words_of(found.content.decode())
        assert "“Cedar on one”, at character 0 of the response" in said
        assert "“Cedar on fire” is not in the response." in said

    def test_next_and_previous_follow_the_list_and_keep_its_filters(self, judged, desk):
        found = shown(desk, page("one-Cedar", judge=judged.pk, candidate="Cedar"))
        assert (found.context["position"], found.context["of"]) == (1, 2)
        after = Response.objects.get(key="two-Cedar")
        assert found.context["after"] == after.pk
        assert f"/staff/verdicts/{after.pk}/?judge={judged.pk}&amp;candidate=Cedar" in (
            found.content.decode()
        )
        assert found.context["before"] is None

    def test_other_judges_of_the_response_are_named_line_by_line(
        self,
        judged,
        desk,
        bench,  # noqa: F811
    ):
        other = bench.run({("one", "Cedar"): (1, 0, 0, 1)}, method="zero_shot")
        found = shown(desk, page("one-Cedar", judge=judged.pk, lines="judges"))
        (line,) = found.context["lines"]
        assert line.n == 2
        assert [(o.rater, o.said.met) for o in line.others] == [(str(other.pk), False)]

    def test_a_response_the_run_skipped_says_why(self, judged, desk, bench):  # noqa: F811
        later = bench.run({}, skipped={("one", "Cedar"): "same_family"})
        found = shown(desk, page("one-Cedar", judge=later.pk))
        assert "It was skipped, because" in words_of(found.content.decode())

    def test_a_baseline_and_a_missing_response_are_not_found(self, judged, desk, bench):  # noqa: F811
        bench.response("one", "Base", baseline=True)
        assert desk.get(page("one-Base", judge=judged.pk)).status_code == 404
        assert desk.get("/staff/verdicts/999999/").status_code == 404

    def test_the_sheet_of_an_expert_leads_here(self, judged, desk):
        sheet = Sheet.objects.get(response__key="one-Cedar")
        reply = desk.get(f"/staff/alignment/sheets/{sheet.pk}/?judge={judged.pk}")
        assert reply["Location"] == page("one-Cedar", judge=judged.pk)


class TestFlags:
    @pytest.fixture
    def verdict(self, judged: Any) -> Verdict:
        return Verdict.objects.get(judgment__response__key="one-Cedar", criterion__key="c2")

    def flag(self, desk: Any, verdict: Verdict, reason: str = "The table shows it.") -> Any:
        path = reverse("verdict-flag", args=[verdict.judgment.response_id])
        return desk.post(
            f"{path}?judge={verdict.judgment.run_id}", {"verdict": verdict.pk, "reason": reason}
        )

    def test_a_flag_is_listed_with_what_experts_say_and_changes_no_score(
        self, verdict, judged, desk
    ):
        before = desk.get(f"/leaderboard.json?run={judged.pk}").json()
        reply = self.flag(desk, verdict)
        assert reply["Location"] == (f"{page('one-Cedar', judge=judged.pk)}#verdict-{verdict.pk}")
        assert desk.get(f"/leaderboard.json?run={judged.pk}").json() == before
        (row,) = shown(desk, "/staff/flags/").context["rows"]
        assert (row.met, row.agree, row.differ) == (False, 0, 1)
        assert row.flag.reason == "The table shows it."
        rows = shown(desk, f"{LIST}?judge={judged.pk}&only=flagged").context["rows"]
        assert [(r.candidate, r.flags) for r in rows] == [("Cedar", 1)]

    def test_a_flag_without_a_reason_is_refused_beside_its_line(self, verdict, desk):
        reply = self.flag(desk, verdict, "  ")
        assert reply.status_code == 400
        assert "Say why the verdict is wrong" in words_of(reply.content.decode())
        assert not VerdictFlag.objects.exists()

    def test_a_second_flag_of_the_same_person_is_a_conflict(self, verdict, desk):
        self.flag(desk, verdict)
        assert self.flag(desk, verdict, "Once more.").status_code == 409
        assert VerdictFlag.objects.count() == 1

    def test_a_line_without_a_verdict_cannot_be_flagged(self, judged, desk):
        failed = Verdict.objects.get(outcome="failed")
        assert self.flag(desk, failed).status_code == 409

    def test_a_verdict_of_another_response_is_not_found(self, verdict, desk):
        other = Verdict.objects.get(judgment__response__key="two-Cedar", criterion__key="c0")
        path = reverse("verdict-flag", args=[verdict.judgment.response_id])
        assert desk.post(path, {"verdict": other.pk, "reason": "x"}).status_code == 404

    def test_a_flag_taken_back_stays_on_record_and_can_be_set_again(self, verdict, desk):
        self.flag(desk, verdict)
        flag = VerdictFlag.objects.get()
        for _twice in range(2):
            assert desk.post(f"/staff/flags/{flag.pk}/withdraw/").status_code == 302
        flag.refresh_from_db()
        assert flag.withdrawn_at is not None
        assert shown(desk, "/staff/flags/").context["rows"] == []
        self.flag(desk, verdict)
        assert VerdictFlag.objects.count() == 2

    def test_whoever_takes_back_a_flag_of_a_colleague_is_named_beside_it(
        self, verdict, desk, person, sign_in, staff
    ):
        self.flag(desk, verdict)
        flag = VerdictFlag.objects.get()
        colleague = person("colleague", is_staff=True)
        sign_in(colleague).post(f"/staff/flags/{flag.pk}/withdraw/")
        desk.post(f"/staff/flags/{flag.pk}/withdraw/")  # too late: it changes nothing
        flag.refresh_from_db()
        assert (flag.by, flag.withdrawn_by) == (staff, colleague)
        (row,) = shown(desk, "/staff/flags/").context["rows"]
        assert row.flag == flag
        assert f"Taken back by {colleague}" in words_of(desk.get("/staff/flags/").content.decode())
        found = shown(desk, page("one-Cedar", judge=flag.verdict.judgment.run_id))
        assert f"{colleague} took the flag back" in words_of(found.content.decode())
        assert not any(line.flags for line in found.context["lines"])
        # An open flag comes before it.
        self.flag(desk, verdict, "Once more.")
        rows = shown(desk, "/staff/flags/").context["rows"]
        assert [row.flag.reason for row in rows] == ["Once more.", "The table shows it."]

    def test_the_list_of_a_judge_counts_no_flag_on_another_judge(
        self,
        verdict,
        judged,
        desk,
        bench,  # noqa: F811
    ):
        self.flag(desk, verdict)
        other = bench.run({("one", "Cedar"): (1, 0, 0, 1)}, method="zero_shot")
        bench.sheet("one", "Cedar", "imported-judge", (1, 1, 0, 1), kind="judge")
        for judge, flags in ((judged.pk, 1), (other.pk, 0), ("imported-judge", 0)):
            rows = shown(desk, f"{LIST}?judge={judge}").context["rows"]
            assert [r.flags for r in rows if r.task == "One" and r.candidate == "Cedar"] == [flags]
            only = shown(desk, f"{LIST}?judge={judge}&only=flagged").context["rows"]
            assert len(only) == flags


class TestSeveralJudges:
    def test_the_majority_and_what_divides_the_judges_are_shown(
        self,
        judged,
        desk,
        bench,  # noqa: F811
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
        bench,  # noqa: F811
    ):
        first = bench.versions["one"]
        second = RubricVersion.objects.create(
            task=first.task, number=2, origin="import", frozen_at=timezone.now(), sha256="1" * 64
        )
        for line in first.criteria.all():  # c1 is worded anew, c3 weighs more
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


class TestAnotherInstallation:
    def test_a_run_exported_and_imported_gives_the_same_leaderboard_and_report(
        self,
        judged,
        desk,
        tmp_path,
        bench,  # noqa: F811
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

    def test_a_rater_with_single_numbers_has_no_leaderboard(self, judged, desk, bench):  # noqa: F811
        bench.sheet("one", "Cedar", "numbers", kind="judge", score=7.5)
        reply = desk.get("/leaderboard/?run=numbers")
        assert reply.status_code == 400
        assert "gave no verdicts on rubric lines" in words_of(reply.content.decode())

"""From a cell of the leaderboard to the judge's reason for one line, beside the experts'."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judge.asking.candidates.models import Response
from judge.runs.engine.models import Judgment, Verdict
from judge.scoring.sheets.models import Sheet, SheetLine
from tests.markup import words_of
from tests.results.verdicts.conftest import LIST, page, shown

pytestmark = pytest.mark.django_db


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

    def test_a_response_that_is_still_being_judged_has_no_score_here_and_on_the_board(
        self, judged, desk
    ):
        half_way = Judgment.objects.get(response__key="one-Alder")
        half_way.verdicts.exclude(criterion__key="c2").delete()  # met, and all that is stored
        Judgment.objects.filter(pk=half_way.pk).update(
            state="waiting", score_numerator=None, score_denominator=None
        )
        judged.items.filter(judgment=half_way).update(state="waiting")
        rows = shown(desk, f"{LIST}?judge={judged.pk}&candidate=Alder").context["rows"]
        assert [(row.score, row.met, row.lines, row.why) for row in rows] == [
            (None, 0, 0, "Waiting"),
            (0, 0, 4, ""),
        ]
        board = desk.get(f"/leaderboard.json?run={judged.pk}&by=dimension").json()
        (alder,) = [row for row in board["standings"] if row["candidate"] == "Alder"]
        assert set(alder["by"].values()) == {0}

    def test_the_lowest_scores_come_first_on_request_and_gaps_last(self, judged, desk):
        rows = shown(desk, f"{LIST}?judge={judged.pk}&order=lowest").context["rows"]
        assert [row.score for row in rows] == [0, 30, 40, 80, 100, None]

    def test_the_newest_run_is_shown_without_a_choice(self, judged, desk):
        assert shown(desk, LIST).context["judge"].run == judged

    def test_without_a_run_the_page_says_what_to_do(self, desk):
        assert "No verdicts yet" in words_of(shown(desk, LIST).content.decode())

    def test_an_imported_judge_has_the_same_list(self, judged, desk, bench):
        bench.sheet("one", "Cedar", "a friend", (1, 0, 1, 1), kind="judge")
        rows = shown(desk, f"{LIST}?judge=a friend").context["rows"]
        assert [(row.candidate, row.score, row.met) for row in rows] == [("Cedar", 70, 3)]

    def test_a_sheet_that_says_nothing_of_some_lines_has_no_score(self, judged, desk, bench):
        for rater, kind in (("a friend", "judge"), ("expert-2", "expert")):
            sheet = bench.sheet("one", "Cedar", rater, (1, 0, 0, 0), kind=kind)
            sheet.lines.exclude(criterion__key="c0").delete()
        (row,) = shown(desk, f"{LIST}?judge=a friend").context["rows"]
        assert (row.score, row.met, row.lines) == (None, 1, 1)
        assert row.why == "a line without a verdict"
        assert row.expert == 100  # of the other expert alone

    def test_a_response_with_two_sheets_of_an_imported_judge_is_listed_once(
        self, judged, desk, bench
    ):
        bench.sheet("one", "Cedar", "a friend", (1, 0, 1, 1), kind="judge")
        bench.sheet("one", "Cedar", "a friend", kind="judge", score=4)
        found = shown(desk, f"{LIST}?judge=a friend").context
        assert [row.candidate for row in found["rows"]] == ["Cedar"]
        assert found["page"].paginator.count == 1

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

        # Six rows or two: a domain's filter asks for the domain.
        assert asked("") == asked("&candidate=Cedar") == asked("&domain=finance") - 1 <= 20


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
        bench,
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
        bench,
    ):
        other = bench.run({("one", "Cedar"): (1, 0, 0, 1)}, method="zero_shot")
        found = shown(desk, page("one-Cedar", judge=judged.pk, lines="judges"))
        (line,) = found.context["lines"]
        assert line.n == 2
        assert [(o.rater, o.said.met) for o in line.others] == [(str(other.pk), False)]

    def test_a_response_the_run_skipped_says_why(self, judged, desk, bench):
        later = bench.run({}, skipped={("one", "Cedar"): "same_family"})
        found = shown(desk, page("one-Cedar", judge=later.pk))
        assert "It was skipped, because" in words_of(found.content.decode())

    def test_a_baseline_and_a_missing_response_are_not_found(self, judged, desk, bench):
        bench.response("one", "Base", baseline=True)
        assert desk.get(page("one-Base", judge=judged.pk)).status_code == 404
        assert desk.get("/staff/verdicts/999999/").status_code == 404

    def test_the_sheet_of_an_expert_leads_here(self, judged, desk):
        sheet = Sheet.objects.get(response__key="one-Cedar")
        reply = desk.get(f"/staff/alignment/sheets/{sheet.pk}/?judge={judged.pk}")
        assert reply["Location"] == page("one-Cedar", judge=judged.pk)

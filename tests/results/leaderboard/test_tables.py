"""The leaderboard by category, and as a table for a paper."""

import csv
import html
import io
import json
from io import StringIO

import pytest
from django.core.management import call_command

from judge.asking.candidates.models import Candidate
from judge.results.leaderboard.open_boards import take_off_board

TABLE = "/leaderboard/table/"


def command(*options):
    out = StringIO()
    call_command("leaderboard", *options, stdout=out)
    return out.getvalue()


def file_of(browser, kind, query=""):
    answer = browser.get(f"/leaderboard/table.{kind}{query}")
    assert answer.status_code == 200, answer.content
    return answer


class TestByCategory:
    def test_the_command_has_a_column_for_each_category(self, judged_world):
        found = json.loads(command("--by", "category", "--json", "--tasks", "all"))
        columns = found["standings"][0]["by"]
        assert set(columns) == {"finance/mapping", "finance/search", "finance/"}
        assert "Company mapping" in command("--by", "category", "--tasks", "all")

    def test_a_category_can_be_ranked_alone(self, judged_world):
        alone = ("--by", "category", "--group", "finance/mapping", "--tasks", "all", "--json")
        found = json.loads(command(*alone))
        assert found["tasks"] == 15
        first = found["standings"][0]
        assert first["mean"] == pytest.approx(first["by"]["finance/mapping"])

    def test_the_page_shows_them(self, browser, judged_world):
        shown = html.unescape(browser.get("/leaderboard/?by=category&tasks=all").content.decode())
        assert "People & info_1" in shown
        assert "Without a category" in shown

    def test_another_grouping_is_refused(self, browser, judged_world):
        answer = browser.get("/leaderboard/?by=colour", headers={"Accept": "application/json"})
        assert answer.status_code == 400
        assert "category" in answer.json()["detail"]


class TestTheTable:
    def test_it_has_rank_product_house_kind_average_and_categories(self, browser, judged_world):
        rows = list(
            csv.DictReader(io.StringIO(file_of(browser, "csv").content.decode("utf-8-sig")))
        )
        oak = next(row for row in rows if row["product"] == "Oak Search")
        assert (oak["version"], oak["house"], oak["kind"]) == ("2 & 3", "Grove", "Agent product")
        assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
        by = [float(oak["Company mapping"]), float(oak["People & info_1"])]
        assert all(0 <= score <= 100 for score in by)
        averages = [float(row["average"]) for row in rows]
        assert averages == sorted(averages, reverse=True)

    def test_the_average_is_over_tasks(self, browser, judged_world):
        rows = list(
            csv.DictReader(
                io.StringIO(file_of(browser, "csv", "?tasks=all").content.decode("utf-8-sig"))
            )
        )
        for row in rows:
            parts = [15 * float(row["Company mapping"]), 14 * float(row["People & info_1"])]
            whole = sum(parts) + float(row["Without a category"])
            assert float(row["average"]) == pytest.approx(whole / 30, abs=1e-4)

    def test_markdown_escapes_what_would_change_the_table(self, browser, judged_world):
        text = file_of(browser, "md").content.decode()
        head, rule, *_rows = text.splitlines()
        assert head.startswith("| Rank | Product | Version | House | Kind | Average |")
        assert "info\\_1" in head
        assert rule.count("|") == head.count("|")

    def test_latex_escapes_its_own_signs(self, browser, judged_world):
        text = file_of(browser, "tex").content.decode()
        assert r"People \& info\_1" in text
        assert r"2 \& 3" in text
        assert text.count(r"\begin{tabular}{rllllr") == 1
        columns = {line.count(" & ") for line in text.splitlines() if line.endswith(r"\\")}
        assert len(columns) == 1

    def test_the_page_shows_it_and_offers_the_files(self, browser, judged_world):
        shown = html.unescape(browser.get(TABLE).content.decode())
        assert "Oak Search" in shown
        assert all(f"/leaderboard/table.{kind}?" in shown for kind in ("csv", "md", "tex"))

    def test_a_candidate_off_the_board_is_named_below_it(self, browser, judged_world, chief):
        take_off_board(
            actor=chief, candidate=Candidate.objects.get(name="Oak"), reason="Planned to fail."
        )
        shown = browser.get(TABLE).content.decode()
        assert "Oak Search" not in shown
        assert "Planned to fail." in shown

    def test_a_domain_the_judge_knows_nothing_of_is_refused_with_those_it_knows(
        self, browser, judged_world
    ):
        answer = browser.get(f"{TABLE}?domain=law", headers={"Accept": "application/json"})
        assert answer.status_code == 400
        assert "Available: finance" in answer.json()["detail"]

    def test_a_file_of_another_kind_is_not_found(self, browser, judged_world):
        assert browser.get("/leaderboard/table.docx").status_code == 404

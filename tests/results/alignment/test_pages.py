"""The alignment and leaderboard pages: the sentence first, the same numbers in tables and files."""

import csv
import io
from types import SimpleNamespace

import pytest

from judge.results.alignment.models import TrustThresholds
from judge.results.leaderboard.words import sentence
from judge.runs.engine.models import JudgeRun, RunItem
from tests.conftest import new_domain
from tests.markup import one_line, without_tokens
from tests.results.alignment.conftest import Bench, fill_three
from tests.results.alignment.test_report import TRUE_TO_THE_EXPERTS
from tests.run_states import in_state
from tests.worlds import World


@pytest.fixture(scope="module")
def measured_world(world_database):
    """Two runs over the same responses, by two methods."""
    finance = new_domain("finance")
    bench = Bench(finance)
    fill_three(bench)
    verdicts = dict(TRUE_TO_THE_EXPERTS)
    verdicts["one", "Alder"] = (1, 1, 1, 1)
    one_shot = bench.run(verdicts)
    zero_shot = bench.run(dict.fromkeys(TRUE_TO_THE_EXPERTS, (1, 0, 0, 0)), method="zero_shot")
    return World(finance=finance, one_shot=one_shot, zero_shot=zero_shot)


@pytest.fixture
def measured(measured_world):
    return measured_world["one_shot"], measured_world["zero_shot"]


@pytest.fixture
def browser(sign_in, staff):
    return sign_in(staff)


def test_the_page_opens_with_the_sentence_and_names_the_thresholds(browser, measured):
    page = browser.get("/staff/alignment/").content.decode()
    assert page.index("verdict-sentence") < page.index("By domain")
    assert "Do not use this judge for <b>ranking</b> candidates yet" in page
    assert "at least 20 are required" in page
    assert "lower bound of the CDR at least 0.40" in page
    assert "compared with Run" in page  # the zero-shot twin was found by itself


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("cancelled", "was cancelled, so its gaps stay"),
        ("paused", "is paused; these figures change when it goes on"),
        ("running", "is under way, so these figures will change"),
        ("finished", "could not judge every response"),
    ],
)
def test_a_report_says_first_that_its_run_has_gaps_and_what_becomes_of_them(
    browser, sign_in, senior, measured, state, said
):
    run = measured[0]
    last = run.items.order_by("pk").last()
    RunItem.objects.filter(pk=last.pk).update(state="failed" if state == "finished" else "waiting")
    JudgeRun.objects.filter(pk=run.pk).update(**in_state(state))
    for address in (f"/staff/alignment/?judge={run.pk}", f"/leaderboard/?run={run.pk}"):
        page = one_line(browser.get(address).content.decode())
        assert f"Run {run.pk} {said}" in page
        assert f"{run.items.count() - 1} of {run.items.count()} responses are judged." in page
        assert page.index(said) < page.index("verdict-sentence")
        assert f'href="/staff/runs/{run.pk}/">Open the run' in page
    page = sign_in(senior).get(f"/staff/alignment/?judge={run.pk}").content.decode()
    assert said in page
    assert "Open the run" not in page  # it is the staff's page
    JudgeRun.objects.filter(pk=run.pk).update(**in_state("finished"))
    RunItem.objects.filter(pk=last.pk).update(state="judged")
    page = browser.get(f"/staff/alignment/?judge={run.pk}").content.decode()
    assert "responses are judged." not in page


def test_charts_are_images_with_a_sentence_and_no_inline_style(browser, measured):
    page = without_tokens(browser.get("/staff/alignment/").content.decode())
    assert page.count('role="img"') >= 2
    assert "style=" not in page
    assert "NaN" not in page
    assert "responses; the dashed line is equality" in page


def test_the_worst_disagreement_shows_both_reasons(browser, measured):
    page = browser.get("/staff/alignment/").content.decode()
    assert "The judge accepted 2 lines the expert did not." in page
    assert "The judge on c0" in page
    assert "because" in page


def test_seniors_read_the_report_without_what_would_unblind_them(sign_in, senior, measured):
    page = sign_in(senior).get("/staff/alignment/").content.decode()
    assert "Do not use this judge for" in page
    assert "Hidden from seniors" in page
    for name in ("Cedar", "Birch", "Alder", "The judge on"):
        assert name not in page
    assert sign_in(senior).get("/staff/alignment/thresholds/").status_code == 403
    assert "judge_family" not in sign_in(senior).get("/staff/alignment.json").json()["by"]


def test_experts_and_visitors_do_not_see_it(sign_in, author, client, measured):
    assert sign_in(author).get("/staff/alignment/").status_code == 403
    assert client.get("/staff/alignment/").status_code == 302


def test_the_files_hold_the_same_numbers(browser, measured):
    one_shot, zero_shot = measured
    query = f"?judge={one_shot.pk}&compare={zero_shot.pk}"
    report = browser.get(f"/staff/alignment.json{query}").json()
    answer = browser.get(f"/staff/alignment.csv{query}")
    assert answer["X-Content-Type-Options"] == "nosniff"
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    (cdr,) = [
        row for row in rows
        if (row["judge"], row["group"], row["figure"])
        == (str(one_shot.pk), "all", "preference.cdr_micro")
    ]  # fmt: skip
    assert float(cdr["value"]) == report["preference"]["cdr_micro"]
    assert (cdr["low"], report["preference"]["ci95"]) == ("", None)  # two tasks
    assert cdr["why"] == report["preference"]["why"]["ci95"] == "too few tasks for an interval"
    assert any(row["group"] == "difference" for row in rows)


def test_what_cannot_be_compared_is_refused_on_the_page(browser, measured):
    for number in ("999", "²", "9" * 4_400):
        answer = browser.get(f"/staff/alignment/?judge={number}")
        assert answer.status_code == 400
        assert b"cannot be made" in answer.content
    assert browser.get("/staff/alignment.csv?judge=999").status_code == 400


def test_staff_set_thresholds_and_the_history_stays(browser, measured, staff):
    values = {
        "cdr_lower": "0.3", "tasks": "2", "strict_pairs": "4", "coverage": "0.9",
        "j_lower": "0.5", "mean_bias": "10", "read": "0",
    }  # fmt: skip
    assert browser.post("/staff/alignment/thresholds/", values).status_code == 302
    assert TrustThresholds.objects.get().set_by == staff
    page = browser.get("/staff/alignment/").content.decode()
    assert "lower bound of the CDR at least 0.30" in page
    refused = browser.post("/staff/alignment/thresholds/", values | {"coverage": "7"})
    assert refused.status_code == 400
    assert b'value="0.3"' in refused.content
    assert TrustThresholds.objects.count() == 1


def test_too_few_tasks_to_tell_any_two_apart_are_said_and_no_place_or_bracket_is_drawn(
    browser, measured
):
    one_shot, _ = measured
    page = browser.get("/leaderboard/").content.decode()
    assert "verdict-sentence" in page
    assert "3 candidates need at least 7 common tasks before any two can be told apart" in page
    assert "so far two have at most 2 in common" in page
    assert "Go to the runs to judge more tasks" in page
    assert 'class="bracket" rowspan' not in page
    assert "cannot be told apart" not in page
    assert "too few tasks" in page
    assert "Scores without an interval: an interval needs at least 6 tasks." in page
    assert f"/staff/alignment/?judge={one_shot.pk}" in page
    assert "style=" not in page
    board = browser.get("/leaderboard.json").json()
    assert (board["tasks_needed"], board["tasks_compared"], board["brackets"]) == (7, 2, [])
    for standing in board["standings"]:
        assert (standing["ci95"], standing["best_place"]) == (None, None)
        assert standing["why"] == {
            "ci95": "too few tasks for an interval",
            "places": "too few tasks to tell any two apart",
        }  # fmt: skip
        assert set(standing["by_why"].values()) == {"too few tasks for an interval"}


def test_enough_tasks_draw_places_as_ranges_and_brackets(browser, measured, bench):
    more = [f"more-{n}" for n in range(7)]
    fill_three(bench, more)
    bench.run(
        {
            (task, who): (n % 2, 1, 0, 0) if who != "Alder" else (0, 0, 0, 0)
            for n, task in enumerate(more)
            for who in ("Cedar", "Birch", "Alder")
        }
    )
    page = browser.get("/leaderboard/").content.decode()
    assert "2 candidates lead, and 7 tasks cannot tell them apart." in page
    assert "1–2" in page
    assert 'class="bracket" rowspan="2"' in page
    assert "Go to the runs to judge more tasks" not in page


def test_the_leaderboard_can_be_grouped_and_taken_away(browser, measured):
    one_shot, _ = measured
    page = browser.get("/leaderboard/?by=dimension").content.decode()
    assert "Safety and risk" in page
    assert browser.get("/leaderboard/?by=luck").status_code == 400
    assert browser.get("/leaderboard/?run=999").status_code == 400
    answer = browser.get(f"/leaderboard.csv?run={one_shot.pk}")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    board = browser.get("/leaderboard.json").json()
    assert [row["candidate"] for row in rows] == [s["candidate"] for s in board["standings"]]
    first = board["standings"][0]
    # The file has the points of the page; what programs read as JSON stays a share.
    assert float(rows[0]["score"]) == pytest.approx(100 * first["mean"])
    assert (rows[0]["low"], first["ci95"]) == ("", None)
    assert rows[0]["why"].startswith("ci95: too few tasks for an interval")
    assert f'<td class="num best">{float(rows[0]["score"]):.1f}</td>' in page
    assert float(rows[0]["coverage_percent"]) == 100


def test_the_pages_cost_a_fixed_number_of_queries(browser, measured, django_assert_max_num_queries):
    with django_assert_max_num_queries(46):
        browser.get("/staff/alignment/")
    with django_assert_max_num_queries(16):
        browser.get("/leaderboard/")


def test_the_sentence_counts_pairs_and_never_invents_a_hundred(browser, measured):
    page = browser.get("/staff/alignment/").content.decode()
    counts = browser.get("/staff/alignment.json").json()["preference"]
    agree = counts["agree"]
    pairs = agree + counts["reversed"] + counts["judge_ties"] + counts["missing"]
    assert f"<b>{agree} of {pairs}</b> pairs as the experts do" in page


def test_coming_from_a_run_the_report_compares_it_with_its_twin_unless_told_not_to(
    browser, measured
):
    one_shot, _ = measured
    page = browser.get(f"/staff/alignment/?judge={one_shot.pk}").content.decode()
    assert "compared with Run" in page
    alone = browser.get(f"/staff/alignment/?judge={one_shot.pk}&compare=").content.decode()
    assert "compared with Run" not in alone
    assert "compare=&amp;" in alone  # the files to take away hold the same comparison


@pytest.mark.parametrize(
    ("places", "tasks", "said"),
    [
        (
            [(1, 1), (2, 3), (2, 3)],
            5,
            "c0 leads, and the gap is larger than chance explains.",
        ),
        ([(1, 2), (2, 3), (2, 3)], 5, "c0 leads, but 5 tasks cannot tell it apart"),
        ([(1, 2), (2, 3), (2, 3)], 1, "c0 leads, but 1 task cannot tell it apart"),
        ([(1, 3)] * 3, 5, "5 tasks cannot tell the 3 candidates apart."),
        ([(1, 3)] * 3, 1, "1 task cannot tell the 3 candidates apart."),
        (
            [(1, 2), (1, 2), (3, 3)],
            5,
            "2 candidates lead, and 5 tasks cannot tell them apart.",
        ),
        ([(1, 2), (1, 2), (3, 3)], 1, "2 candidates lead, and 1 task cannot tell them apart."),
        ([(1, 2), (1, 3), (2, 3)], 5, "2 candidates may hold the first place; 5 tasks"),
        ([(1, 2), (1, 3), (2, 3)], 1, "2 candidates may hold the first place; 1 task cannot"),
    ],
)
def test_the_leaderboards_sentence_says_no_more_than_its_places(places, tasks, said):
    rows = [
        SimpleNamespace(
            standing=SimpleNamespace(
                mean=0.5, candidate=f"c{n}", best_place=best, worst_place=worst
            )
        )
        for n, (best, worst) in enumerate(places)
    ]
    board = SimpleNamespace(candidates=rows, tasks=tasks, result=SimpleNamespace(decides=True))
    assert sentence(board).startswith(said)

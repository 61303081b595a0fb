"""The index from scores: its file, its scale, how periods are linked, growth and steps."""

import io
import json

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from curation.base.records.faults import FileRefused
from curation.base.web.refusals import BadInput
from judge.base.stats.irt import probability
from judge.base.stats.numbers import Reason
from judge.results.product_index.cells import Cell, read_bytes
from judge.results.product_index.dates import months_in
from judge.results.product_index.index import build

HEAD = "task,product,version,period,score\n"
GAINS = {"Cedar": 0.2, "Larch": 0.1, "Birch": 0.3}
LEAP = ("Larch", "2025-11", 2.5)


def cells(seed=3, tasks=80, periods=("2025-05", "2025-08", "2025-11", "2026-02")):
    """Draw scores of three products; Larch makes a leap in November."""
    random = np.random.default_rng(seed)
    a, b = np.exp(random.normal(0, 0.3, tasks)), random.normal(0.5, 1.2, tasks)
    found = []
    for at, (product, gain) in enumerate(GAINS.items()):
        theta = (-1.0, 0.0, 1.0)[at]
        for n, period in enumerate(periods):
            theta += gain * (n > 0) + (LEAP[2] if (product, period) == LEAP[:2] else 0)
            right = random.random(tasks) < probability(np.array([theta]), a, b)[0]
            found += [
                Cell(f"t{task:02}", product, f"v{n + 1}", period, float(right[task]))
                for task in range(tasks)
                if random.random() < 0.8
            ]
    return found


def as_csv(rows):
    return HEAD + "".join(
        f"{row.task},{row.product},{row.version},{row.period},"
        f"{'' if row.score is None else row.score}\n"
        for row in rows
    )


class TestTheFile:
    def test_an_empty_score_is_not_measured(self):
        found = read_bytes((HEAD + "t,p,v,2025-05,\nt,p,w,2025-05,0.5\n").encode(), "f.csv")
        assert [row.score for row in found] == [None, 0.5]

    def test_columns_may_stand_in_any_order_and_a_mark_of_utf8_is_fine(self):
        found = read_bytes("\ufeffscore,task,product,version,period\n1,t,p,v,x\n".encode(), "f")
        assert found == [Cell("t", "p", "v", "x", 1.0)]

    @pytest.mark.parametrize(
        ("content", "faults"),
        [
            (b"", [(1, name) for name in ("task", "product", "version", "period", "score")]),
            (b"task,product,version,score\n", [(1, "period")]),
            ((HEAD[:-1] + ",weight\n").encode(), [(1, "weight")]),
            ((HEAD + "t,p,v,x,1.2\nt,p,,x,y\n").encode(),
             [(2, "score"), (3, "version"), (3, "score")]),
            ((HEAD + "t,p,v,x,nan\n").encode(), [(2, "score")]),
            ((HEAD + "t,p,v,x,1\nt,p,v,x,0\n").encode(), [(3, "task")]),
            ((HEAD + "t,p,v,x\n").encode(), [(2, "line")]),
            (HEAD.encode(), [(1, "file")]),
            ((HEAD + "t,\xe9,v,x,1\n").encode("latin-1"), [(2, "file")]),
            ((HEAD + 't,"p,v,x,1\n').encode(), [(2, "line")]),
        ],
    )  # fmt: skip
    def test_every_fault_is_named_with_its_line_and_field(self, content, faults):
        with pytest.raises(FileRefused) as refusal:
            read_bytes(content, "f.csv")
        assert [(one.line, one.field) for one in refusal.value.problems] == faults


class TestTheIndex:
    def test_growth_is_found_and_the_leap_is_the_only_breakthrough(self):
        found = build(cells())
        rows = {(row.product, row.period): row.ability.theta for row in found.rows}
        for product in GAINS:
            assert rows[product, "2026-02"] > rows[product, "2025-05"]
        leaps = [(s.product, s.after.period) for s in found.steps if s.step.breakthrough]
        assert leaps == [LEAP[:2]]
        assert len(found.steps) == 9
        speed = found.velocities["Larch"]
        assert speed.ci95[0] < speed.per_month < speed.ci95[1]

    def test_the_first_period_is_the_reference_unless_another_is_named(self):
        assert build(cells()).reference == "2025-05"
        other = build(cells(), reference="2025-11")
        there = [row.ability.theta for row in other.rows if row.period == "2025-11"]
        assert sum(there) == pytest.approx(0, abs=1e-6)

    def test_an_unknown_reference_is_refused_with_the_known_ones(self):
        with pytest.raises(BadInput, match="2025-05, 2025-08, 2025-11, and 2026-02|2025-05"):
            build(cells(), reference="2024")

    def test_a_version_in_two_periods_has_an_ability_in_each(self):
        rows = cells()
        again = [
            Cell(c.task, c.product, "v1", "2025-08", c.score)
            for c in rows
            if c.product == "Cedar" and c.period == "2025-11"
        ]
        found = build([*rows, *again])
        mine = [row for row in found.rows if (row.product, row.version) == ("Cedar", "v1")]
        assert [row.period for row in mine] == ["2025-05", "2025-08"]
        assert mine[0].ability.theta != mine[1].ability.theta
        assert not any(row.linked for row in found.rows)

    def test_periods_without_a_common_task_are_linked_by_their_versions(self):
        rows = [c for c in cells() if c.period in ("2025-05", "2025-08")]
        moved = [c._replace(task=f"new {c.task}") if c.period == "2025-08" else c for c in rows]
        apart = build(moved)
        assert {row.ability.why for row in apart.rows if row.period == "2025-08"} == {
            Reason.DISCONNECTED
        }
        both = [
            Cell(f"new {c.task}", c.product, "v1", "2025-08", c.score)
            for c in rows
            if c.period == "2025-05"
        ]
        linked = build([*moved, *both])
        known = {(r.product, r.version, r.period): r for r in linked.rows}
        assert known["Cedar", "v2", "2025-08"].ability.theta is not None
        one, two = (known["Cedar", "v1", p].ability for p in ("2025-05", "2025-08"))
        assert abs(one.theta - two.theta) < 0.3 * one.se  # 60 equal scores, and no drift elsewhere
        assert {period for (_p, _v, period), row in known.items() if row.linked} == {"2025-08"}

    def test_a_product_of_one_period_has_no_velocity_and_says_why(self):
        found = build([c for c in cells() if c.product != "Birch" or c.period == "2025-08"])
        assert found.velocities["Birch"].per_month is None
        assert found.velocities["Birch"].why is Reason.ONE_DATE

    def test_periods_of_unknown_dates_have_no_velocity_and_say_why(self):
        found = build([c._replace(period=f"round {c.period[-2:]}") for c in cells()])
        assert found.velocities["Cedar"].why is Reason.NO_DATE

    def test_a_step_is_between_all_that_is_known_of_both_versions(self):
        rows = cells(seed=5)
        again = [
            c._replace(version="v1", period=period, score=1 - c.score if n % 3 == 0 else c.score)
            for period in ("2025-08", "2025-11")
            for n, c in enumerate(rows)
            if (c.product, c.period) == ("Cedar", "2025-05")
        ]
        found = build([*rows, *again])
        mine = {
            version: [
                row.ability.theta
                for row in found.rows
                if (row.product, row.version) == ("Cedar", version)
            ]
            for version in ("v1", "v2")
        }
        assert len(mine["v1"]) == 3
        step = next(one.step for one in found.steps if one.product == "Cedar")
        assert step.gain == pytest.approx(mine["v2"][0] - sum(mine["v1"]) / 3)

    def test_tasks_are_in_the_order_of_their_numbers(self):
        rows = [c._replace(task=f"q{int(c.task[1:])}") for c in cells(tasks=12)]
        assert list(build(rows).tasks) == [f"q{n}" for n in range(12)]

    def test_the_order_of_the_lines_changes_nothing(self):
        rows = cells()
        assert build(rows).as_dict() == build(rows[::-1]).as_dict()

    def test_no_scores_are_refused(self):
        with pytest.raises(BadInput):
            build([Cell("t", "p", "v", "2025-05", None)])


@pytest.mark.parametrize(
    ("key", "month"),
    [("2026-05", 4.5), ("26-05", 4.5), ("2026Q2", 4.5), ("2026-Q2", 4.5), ("202605", 4.5)],
)
def test_dates_of_periods_are_read_from_their_keys(key, month):
    assert months_in(key) == pytest.approx(2026 * 12 + month)


@pytest.mark.parametrize("key", ["spring", "2026-13", "", "round 3"])
def test_other_keys_have_no_date(key):
    assert months_in(key) is None


class TestTheCommand:
    def run(self, *arguments):
        out = io.StringIO()
        call_command("index", *arguments, stdout=out)
        return out.getvalue()

    def test_it_prints_the_promised_json(self, tmp_path):
        path = tmp_path / "scores.csv"
        path.write_text(as_csv(cells()))
        found = json.loads(self.run("--scores", str(path), "--json"))
        ability = found["abilities"][0]
        assert {"product", "version", "period", "theta", "se", "ci95"} <= set(ability)
        assert ability["ci95"][0] < ability["theta"] < ability["ci95"][1]
        assert {"task", "a", "b", "se_a", "se_b", "fit", "why"} <= set(found["tasks"][0])
        assert found["reference"] == "2025-05"
        assert found["cells"] == len(cells())
        assert found["log_likelihood"] < 0

    def test_degenerate_rows_and_columns_are_null_with_a_reason(self, tmp_path):
        path = tmp_path / "scores.csv"
        more = [Cell(f"t{n:02}", "Oak", "v1", "2025-05", 1.0) for n in range(60)]
        more += [Cell("easy", p, "v1", "2025-05", 1.0) for p in GAINS]
        path.write_text(as_csv([*cells(), *more]))
        found = json.loads(self.run("--scores", str(path), "--json"))
        oak = next(row for row in found["abilities"] if row["product"] == "Oak")
        assert (oak["theta"], oak["se"], oak["ci95"]) == (None, None, None)
        assert oak["why"] == "all right"
        easy = next(row for row in found["tasks"] if row["task"] == "easy")
        assert (easy["a"], easy["b"], easy["why"]) == (None, None, "all right")

    def test_it_prints_tables_for_people(self, tmp_path):
        path = tmp_path / "scores.csv"
        path.write_text(as_csv(cells()))
        printed = self.run("--scores", str(path), "--reference", "2025-08")
        assert "Reference: 2025-08." in printed
        assert "Larch: breakthrough from v2 to v3" in printed

    def test_a_bad_file_is_refused_with_its_lines(self, tmp_path):
        path = tmp_path / "scores.csv"
        path.write_text(HEAD + "t,p,v,x,2\nt,,v,x,1\n")
        with pytest.raises(CommandError) as refusal:
            self.run("--scores", str(path))
        assert f"{path}:2: score:" in str(refusal.value)
        assert f"{path}:3: product:" in str(refusal.value)

    def test_a_missing_file_and_no_source_are_refused(self, tmp_path):
        with pytest.raises(CommandError, match="cannot be read"):
            self.run("--scores", str(tmp_path / "none.csv"))
        with pytest.raises(CommandError):
            self.run()

    def test_an_unknown_reference_is_refused(self, tmp_path):
        path = tmp_path / "scores.csv"
        path.write_text(as_csv(cells()))
        with pytest.raises(CommandError, match="no period"):
            self.run("--scores", str(path), "--reference", "1999")

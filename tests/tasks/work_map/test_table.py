"""The work map as a table: `manage.py work_map`, and the files staff download."""

import tempfile
from typing import Any

import openpyxl
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from curation.base.web.csv_export import lines
from curation.base.web.workbooks import workbook
from curation.joining.domains.models import Category, Domain
from curation.tasks.work_map import table
from curation.tasks.work_map.models import WorkMap, WorkMapChange, WorkType
from curation.tasks.work_map.table import WorkTypes

# Table 2 of the xbench paper: the work of recruiters, with its two columns of yes and no.
RECRUITING = """domain,category,category_name,name,feasible,evaluable
finance,demand,Demand analysis,Requirement decomposition,yes,yes
finance,demand,Demand analysis,Persona positioning,yes,yes
finance,collecting,Information collection,Public search,yes,yes
finance,collecting,Information collection,Relationship graph,yes,yes
finance,collecting,Information collection,Organisation analysis,no,yes
finance,completion,Completion,Experience completion,yes,yes
finance,completion,Completion,Cold calls,yes,no
finance,assessment,Assessment,Resume screening,yes,yes
finance,assessment,Assessment,Interview,no,no
finance,assessment,Assessment,Career guidance,yes,no
"""


def written(tmp_path: Any, text: str) -> str:
    path = tmp_path / "map.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def stored() -> list[Any]:
    return [
        *WorkType.objects.order_by("pk").values(),
        *WorkMap.objects.order_by("pk").values(),
        *Category.objects.order_by("pk").values(),
        WorkMapChange.objects.count(),
    ]


def test_a_table_is_imported_in_its_order_and_twice_changes_nothing(tmp_path, finance, capsys):
    path = written(tmp_path, RECRUITING)
    call_command("work_map", path, dry_run=True)
    assert not WorkType.objects.exists()
    assert not Category.objects.exists()
    call_command("work_map", path)
    assert "10 added, 0 changed, 0 unchanged" in capsys.readouterr().out
    assert [w.name for w in WorkType.objects.all()][:2] == [
        "Requirement decomposition",
        "Persona positioning",
    ]
    assert sum(w.benchmarked for w in WorkType.objects.all()) == 6
    assert WorkType.objects.get(key="interview").share is None
    before = stored()
    call_command("work_map", path)
    assert "0 added, 0 changed, 10 unchanged" in capsys.readouterr().out
    assert stored() == before


def test_every_fault_is_named_with_line_and_column_and_nothing_is_stored(tmp_path, finance):
    path = written(
        tmp_path,
        "domain,category,category_name,name,share,importance,feasible,interviewed_on,market_size\n"
        "finance,search,Search,Good,10,4,yes,2026-02-01,\n"
        "law,search,Search,Other domain,10,4,yes,,\n"
        "finance,search,Search,Bad share,120,4,yes,,\n"
        "finance,search,Search,Bad number,ten,4,yes,,\n"
        "finance,search,Search,Bad importance,1,nine,perhaps,yesterday,\n"
        "finance,lost,,No category,1,4,yes,,\n"
        "finance,search,Search,Good,1,4,yes,,\n"
        "finance,search,Search,Half a market,1,4,yes,,5\n",
    )
    with pytest.raises(CommandError) as refusal:
        call_command("work_map", path)
    said = str(refusal.value).replace(path, "F").splitlines()
    for start in (
        "F:3: domain:",
        "F:4: share:",
        "F:5: share:",
        "F:6: importance:",
        "F:6: feasible:",
        "F:6: interviewed_on:",
        "F:7: category:",
        "F:8: work_type:",
        "F:9: market_size:",
    ):
        assert any(line.startswith(start) for line in said), (start, said)
    assert stored() == [0]


def test_shares_above_the_whole_are_refused_for_the_domain(tmp_path, finance):
    rows = "".join(f"finance,search,Search,Work {n},30\n" for n in range(4))
    path = written(tmp_path, "domain,category,category_name,name,share\n" + rows)
    with pytest.raises(CommandError, match="add up to 120 %"):
        call_command("work_map", path)
    assert not WorkType.objects.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no line in this file"),
        ("domain,category\n", ":1: name: There is no column"),
        ("domain,category,name,shares\nfinance,a,b,1\n", ":1: shares: There is no such column"),
        ("domain,category,name,name\nfinance,a,b,c\n", ":1: name: This column stands there twice"),
        ("domain,category,name\n", "no line in this file"),
        ('{"domain": "finance", "name": 3}', ":1: file: This is no table"),
        ('{"domain": "finance", "time_bins": [1, 2]}', ":1: file: This is no table"),
        ("domain,category,name,,share\nfinance,a,b,x,1\n", ":1: row: Column 4 has cells"),
        ('domain,category,name\n"open,a,b', ":2: row: The quotation marks"),
    ],
)
def test_a_file_that_is_no_work_map_is_refused_with_a_sentence(tmp_path, finance, text, said):
    with pytest.raises(CommandError, match=said):
        call_command("work_map", written(tmp_path, text))


def test_missing_and_foreign_files_are_refused(tmp_path, finance):
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("work_map", str(tmp_path / "none.csv"))
    path = tmp_path / "map.csv"
    path.write_bytes(b"domain,category,name\nfinance,a,\xff\n")
    with pytest.raises(CommandError, match=":2: line: This line is not UTF-8 text"):
        call_command("work_map", str(path))
    path.write_bytes(b"\x89PNG\r\n")
    with pytest.raises(CommandError, match="This is no table"):
        call_command("work_map", str(path))
    path.write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(CommandError, match="workbook cannot be read"):
        call_command("work_map", str(path))


def test_the_files_of_the_page_are_read_again_without_a_change(sign_in, staff, finance, tmp_path):
    head = (
        RECRUITING.splitlines()[0] + ",share,market_size,market_currency,market_year,market_source"
    )
    market = ",11900000000,USD,2024,A survey"
    rows = [f"{line},{n + 1}.25{market}" for n, line in enumerate(RECRUITING.splitlines()[1:])]
    call_command("work_map", written(tmp_path, "\n".join([head, *rows, ""])))
    WorkType.objects.filter(key="interview").update(name="=1+1", simulation="@sum")
    before = stored()
    for kind in ("csv", "xlsx"):
        answer = sign_in(staff).get(reverse(f"work-map-{kind}", args=[finance.key]))
        data = b"".join(answer.streaming_content) if answer.streaming else answer.content
        path = tmp_path / f"again.{kind}"
        path.write_bytes(data)
        call_command("work_map", str(path))
        assert stored() == before, kind
    sheet = openpyxl.load_workbook(path).worksheets[0]
    names = [cell for row in sheet.iter_rows() for cell in row if cell.value == "=1+1"]
    assert [cell.data_type for cell in names] == ["s"]  # a text, no formula


LINE = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=30)


class TestRoundTrip(TestCase):
    """Whatever a map holds, its table brings it back."""

    @settings(max_examples=30)
    @given(
        names=st.lists(LINE, min_size=1, max_size=4, unique=True),
        shares=st.lists(st.none() | st.decimals(0, 25, places=2), min_size=4, max_size=4),
        flags=st.lists(st.none() | st.booleans(), min_size=8, max_size=8),
        importance=st.none() | st.integers(1, 5),
        kind=st.sampled_from(["csv", "xlsx"]),
    )
    def test_export_and_import_give_the_same_map(self, names, shares, flags, importance, kind):
        domain = Domain.objects.create(key="round", name="Round")
        category = Category.objects.create(domain=domain, key="c", name="C")
        for n, name in enumerate(names):
            WorkType.objects.create(
                domain=domain,
                category=category,
                key=f"k-{n}",
                position=n + 1,
                name=name,
                share=shares[n],
                importance=importance,
                feasible=flags[n],
                evaluable=flags[4 + n],
            )
        rows = list(table.rows_of(WorkType.objects.filter(domain=domain)))
        columns = ("key", "name", "share", "importance", "feasible", "evaluable", "position")
        before = list(WorkType.objects.values(*columns))
        self._write(kind, rows)
        WorkMapChange.objects.all().delete()
        WorkType.objects.all().delete()
        WorkTypes().run(self.path)
        assert list(WorkType.objects.values(*columns)) == before
        WorkMapChange.objects.all().delete()
        for rows_gone in (WorkType, WorkMap, Category, Domain):
            rows_gone.objects.all().delete()

    def _write(self, kind: str, rows: list[Any]) -> None:
        data = (
            workbook(rows, head=table.HEAD, name="Work map")
            if kind == "xlsx"
            else "".join(lines(table.HEAD, rows)).encode("utf-8")
        )
        with tempfile.NamedTemporaryFile(suffix=f".{kind}", delete=False) as file:
            file.write(data)
        self.path = file.name

"""A taxonomy as a table: `manage.py skills`, and the files staff download."""

import csv
import io

import openpyxl
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from curation.tasks.skills.models import SkillChange, SkillLabel

TABLE = """level,name,name_zh,description
intent,Choose among offers,在报价中选择,The reader has to decide.
need,Price today,当前价格,A price that changes.
need,Terms of a contract,合同条款,
constraint,Within a budget,在预算之内,
"""


def written(tmp_path, text, name="skills.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def stored():
    return [*SkillLabel.objects.order_by("pk").values(), SkillChange.objects.count()]


def test_a_table_is_imported_in_its_order_and_twice_changes_nothing(tmp_path, finance, capsys):
    path = written(tmp_path, TABLE)
    call_command("skills", path, domain="finance", dry_run=True)
    assert "Nothing was stored" in capsys.readouterr().out
    assert not SkillLabel.objects.exists()
    call_command("skills", path, domain="finance")
    assert "4 added, 0 changed, 0 unchanged" in capsys.readouterr().out
    found = SkillLabel.objects.values_list("level", "position", "key")
    assert list(found) == [
        (1, 1, "choose-among-offers"),
        (2, 1, "price-today"),
        (2, 2, "terms-of-a-contract"),
        (3, 1, "within-a-budget"),
    ]
    before = stored()
    call_command("skills", path, domain="finance")
    assert "0 added, 0 changed, 4 unchanged" in capsys.readouterr().out
    assert stored() == before


def test_a_later_table_changes_and_retires_and_leaves_the_rest(tmp_path, finance, capsys):
    call_command("skills", written(tmp_path, TABLE), domain="finance")
    later = (
        "level,label,name,retired\nneed,price-today,Price of today,\nintent,choose-among-offers,"
    )
    later += "Choose among offers,yes\n"
    call_command("skills", written(tmp_path, later, "later.csv"), domain="finance")
    assert "0 added, 2 changed, 0 unchanged" in capsys.readouterr().out
    price = SkillLabel.objects.get(key="price-today")
    assert (price.name, price.description) == ("Price of today", "A price that changes.")
    assert SkillLabel.objects.get(key="choose-among-offers").retired_at is not None
    assert SkillLabel.objects.count() == 4


def test_every_fault_is_named_with_its_line_and_nothing_is_stored(tmp_path, finance):
    faulty = TABLE + "wish,Something,,\nneed,,,\nneed,Price today,,\n"
    with pytest.raises(CommandError) as refusal:
        call_command("skills", written(tmp_path, faulty), domain="finance")
    said = str(refusal.value)
    assert "skills.csv:6: level: Write intent, need or constraint." in said
    assert "skills.csv:7: label:" in said
    assert "skills.csv:8: label: Line 3 has the label “price-today” already." in said
    assert not SkillLabel.objects.exists()
    with pytest.raises(CommandError, match="no domain with the key"):
        call_command("skills", written(tmp_path, TABLE), domain="physics")
    with pytest.raises(CommandError, match="There is no such column"):
        call_command("skills", written(tmp_path, "level,name,share\nneed,A,3\n"), domain="finance")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"level": 1, "name": "A"}', "skills.csv:1: file: This is no table."),
        ("level,,name\nneed,x,A\n", "skills.csv:1: row: Column 2 has cells and no name."),
    ],
)
def test_what_is_no_table_of_labels_is_refused_with_a_sentence(tmp_path, finance, text, said):
    with pytest.raises(CommandError, match=said):
        call_command("skills", written(tmp_path, text), domain="finance")
    assert not SkillLabel.objects.exists()


def test_an_empty_column_without_a_name_is_ignored(tmp_path, finance):
    call_command("skills", written(tmp_path, "level,,name,\nneed,,A,\n"), domain="finance")
    assert SkillLabel.objects.get().name == "A"


def test_what_is_downloaded_can_be_imported_and_changes_nothing(tmp_path, finance, sign_in, staff):
    call_command("skills", written(tmp_path, TABLE), domain="finance")
    SkillLabel.objects.filter(key="price-today").update(description="=1+1")
    browser = sign_in(staff)
    file = browser.get(reverse("skills-csv", args=["finance"])).getvalue().decode("utf-8-sig")
    assert "'=1+1" in file
    assert len(list(csv.DictReader(io.StringIO(file)))) == 4
    book = browser.get(reverse("skills-xlsx", args=["finance"])).content
    assert openpyxl.load_workbook(io.BytesIO(book)).active.max_row == 5
    (tmp_path / "out.xlsx").write_bytes(book)
    before = stored()
    call_command("skills", written(tmp_path, file, "out.csv"), domain="finance")
    call_command("skills", str(tmp_path / "out.xlsx"), domain="finance")
    assert stored() == before

"""The command that measures the linter, and the page that quotes it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from rubrics.linter.rules import RULES
from rubrics.marks.precision import Count
from tests.rubrics.walk import lines_of

PAGE = Path(settings.BASE_DIR) / "docs" / "linter.md"


def printed(capsys: Any, *args: str) -> str:
    call_command("linter_figures", *args)
    return capsys.readouterr().out.strip()


def test_the_page_quotes_what_the_command_prints(capsys: Any) -> None:
    page = PAGE.read_text(encoding="utf-8")
    quoted = re.search(r"<!-- figures -->\n(.*?)\n<!-- /figures -->", page, re.DOTALL)
    assert quoted is not None
    assert quoted.group(1) == printed(capsys)


def test_both_halves_hold_both_languages_and_every_rule_is_measured(capsys: Any) -> None:
    found = json.loads(printed(capsys, "--json"))
    assert sum(found["lines"].values()) > 180
    for half in ("tune", "held_out"):
        assert found[half].keys() == {rule.code for rule in RULES}
        # Marks are to be trusted: a rule that cries wolf would not be read twice.
        right = sum(count["right"] for count in found[half].values())
        wrong = sum(count["wrong"] for count in found[half].values())
        assert right / (right + wrong) > 0.8
        assert all(count["right"] + count["missed"] for count in found[half].values())


def test_shares_of_nothing_are_undefined() -> None:
    assert Count().precision is None
    assert Count().recall is None
    assert (Count(right=3, wrong=1) + Count(missed=3)).as_dict() == {
        "right": 3,
        "wrong": 1,
        "missed": 3,
        "precision": 0.75,
        "recall": 0.5,
    }


def test_a_file_of_rubrics_is_answered_with_rates(capsys: Any, tmp_path: Path) -> None:
    rubric = tmp_path / "rubric.jsonl"
    task = {
        "id": "t1",
        "requirements": "State net debt.",
        "rubric": [
            {"text": "States net debt; names the bank.", "importance": "optional", "weight": 9}
        ],
    }
    rubric.write_text("\n".join(json.dumps(row) for row in (task, {"text": "Is it right?"})))
    found = json.loads(printed(capsys, str(rubric), "--json"))
    assert (found["rubrics"], found["lines"], found["marked"]) == (2, 2, 2)
    assert {code for code, n in found["marks"].items() if n} == {
        "several_requirements",
        "weight_fits",
        "not_a_statement",
    }
    assert "| `weight_fits` | 1 | 50.0 |" in printed(capsys, str(rubric))


def test_a_file_that_is_none_is_refused_with_its_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    for content, said in (("{}", "row 1"), ("{", "line 1"), ("[]", "line 1")):
        broken.write_text(content)
        with pytest.raises(CommandError, match=said):
            call_command("linter_figures", str(broken))
    with pytest.raises(CommandError, match="not both"):
        call_command("linter_figures", str(broken), "--tasks")
    with pytest.raises(CommandError, match="missing"):
        call_command("linter_figures", str(tmp_path / "missing.jsonl"))


@pytest.mark.django_db
def test_the_tasks_of_the_database_are_answered_with_rates(capsys: Any, task: Any) -> None:
    line = lines_of(task)[0]
    line.text = "The answer is correct and complete."
    line.save()
    found = json.loads(printed(capsys, "--tasks", "--json"))
    assert (found["rubrics"], found["lines"]) == (1, 15)
    assert found["marks"]["no_concrete_content"] == 1

"""`manage.py reference`."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.management.commands import reference


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(reference, "FOLDER", tmp_path / "reference")
    return tmp_path / "reference"


def test_pages_are_written_and_a_page_that_differs_is_named(folder: Path) -> None:
    with pytest.raises(CommandError, match=r"permissions\.md"):
        call_command("reference", "--check")
    call_command("reference")
    call_command("reference", "--check")
    page = folder / "permissions.md"
    page.write_text(page.read_text("utf-8") + "by hand", encoding="utf-8")
    with pytest.raises(CommandError, match=r"\(permissions\.md\)"):
        call_command("reference", "--check")


def test_a_variable_without_a_meaning_is_refused(folder: Path, monkeypatch: Any) -> None:
    monkeypatch.delitem(reference.MEANINGS, "VAR_DIR")
    with pytest.raises(CommandError, match="VAR_DIR"):
        call_command("reference")
    assert not folder.exists()

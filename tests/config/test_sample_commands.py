"""The commands of the sample programme where they must refuse."""

import pytest
from django.core.management import CommandError, call_command

from curation.tasks.task.models import Task

pytestmark = pytest.mark.django_db


def test_the_demo_refuses_a_database_that_holds_a_programme_and_changes_nothing(finance, tmp_path):
    with pytest.raises(CommandError, match="holds a programme already"):
        call_command("demo", "--out", str(tmp_path / "demo"))
    assert not Task.objects.exists()
    assert not (tmp_path / "demo").exists()


def test_the_demo_refuses_a_folder_that_holds_a_release_before_it_does_any_work(tmp_path):
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "tasks.jsonl").write_text("{}")
    with pytest.raises(CommandError, match="gold is not empty"):
        call_command("demo", "--out", str(tmp_path))
    assert not Task.objects.exists()


def test_the_figures_of_the_linter_name_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match="cannot be read: No such file or directory."):
        call_command("linter_figures", str(tmp_path / "none.jsonl"))

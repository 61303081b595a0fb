"""The installation refuses to start on a mistake, and says which variable to mend."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config import environment
from judge.asking import providers

GOOD = {
    "SECRET_KEY": "a-secret-of-more-than-thirty-two-characters",
    "ALLOWED_HOSTS": "example.test",
}


def start(tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=settings.BASE_DIR,
        env={"PATH": "", "VAR_DIR": str(tmp_path), **variables},
        capture_output=True,
        text=True,
    )


def test_it_starts_for_development_with_debug_alone(tmp_path):
    assert start(tmp_path, DEBUG="1").returncode == 0


def test_it_starts_beside_the_secret_that_make_run_made(tmp_path):
    (tmp_path / "secret_key").write_text("x9" * 30)
    assert start(tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({}, "SECRET_KEY"),
        ({"SECRET_KEY": "changeme", "ALLOWED_HOSTS": "example.test"}, "SECRET_KEY"),
        ({"SECRET_KEY": "short", "ALLOWED_HOSTS": "example.test"}, "SECRET_KEY"),
        (
            GOOD | {"SECRET_KEY": "only-for-this-machine-never-for-a-server-" + "0" * 24},
            "SECRET_KEY",
        ),
        ({"SECRET_KEY": GOOD["SECRET_KEY"]}, "ALLOWED_HOSTS"),
        ({"DEBUG": "1", "ALLOWED_HOSTS": "assay.example.org"}, "DEBUG"),
        ({"DEBUG": "perhaps"}, "DEBUG"),
        (GOOD | {"DATABASE_URL": "mysql://root@localhost/x"}, "DATABASE_URL"),
        (GOOD | {"SPOT_CHECK_RATE": "30"}, "SPOT_CHECK_RATE"),
        (GOOD | {"PUBLIC_URL": "assay.example.org"}, "PUBLIC_URL"),
        (GOOD | {"PUBLIC_URL": "https://assay.example.org/here"}, "PUBLIC_URL"),
        (GOOD | {"DIGEST_HOUR": "24"}, "DIGEST_HOUR"),
        (GOOD | {"PROMPTS_PER_EXPERT": "three"}, "PROMPTS_PER_EXPERT"),
        (GOOD | {"RUBRIC_MIN_CRITERIA": "20", "RUBRIC_MAX_CRITERIA": "10"}, "RUBRIC_MAX_CRITERIA"),
        (GOOD | {"RUBRIC_MIN_CRITERIA": "50"}, "RUBRIC_MAX_CRITERIA"),
        (GOOD | {"DRAFT_MODEL": "gpt-x"}, "DRAFT_MODEL"),
        (GOOD | {"LINT_MODEL": "openai:"}, "LINT_MODEL"),
        (GOOD | {"PROBE_MODELS": "openai:a, acme:b"}, "PROBE_MODELS"),
        (GOOD | {"PROBE_GRADER": "openai:a,openai:b"}, "PROBE_GRADER"),
        (GOOD | {"EMAIL_URL": "post://me:pass-word@host"}, "EMAIL_URL"),
        (GOOD | {"CELERY_BROKER_URL": "http://:pass-word@host"}, "CELERY_BROKER_URL"),
    ],
)
def test_the_settings_refuse_a_mistake_and_name_the_variable(
    tmp_path, monkeypatch, variables, named
):
    """The settings are read as by a process that is given these variables and no others."""
    for name in set(os.environ) - {"PATH"}:
        monkeypatch.delenv(name)
    for name, value in {"VAR_DIR": str(tmp_path), **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", ["manage.py", "check"])
    with pytest.raises(ImproperlyConfigured) as refusal:
        runpy.run_path(settings.BASE_DIR / "config" / "settings.py")
    assert named in str(refusal.value)
    assert "pass-word" not in str(refusal.value)


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        (GOOD | {"SPOT_CHECK_RATE": "30"}, "SPOT_CHECK_RATE"),
        (GOOD | {"EMAIL_URL": "post://me:pass-word@host"}, "EMAIL_URL"),
    ],
)
def test_it_refuses_to_start_with_one_sentence_that_names_the_variable(tmp_path, variables, named):
    done = start(tmp_path, **variables)
    assert done.returncode != 0
    assert named in done.stderr.strip().splitlines()[-1]
    assert done.stderr.count("\n") == 1
    assert "pass-word" not in done.stderr


def command(tmp_path: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command of a fresh clone: nothing is set, nothing was made."""
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=settings.BASE_DIR,
        env={"PATH": "", "VAR_DIR": str(tmp_path), **variables},
        capture_output=True,
        text=True,
    )


HELP_OF_ALL = """
import sys
sys.argv = ["manage.py", "--help"]
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from django.core.management import get_commands, load_command_class
own = [n for n, app in get_commands().items() if app in ("config", "curation", "rubrics", "judge")]
for name in own:
    app = get_commands()[name]
    print(load_command_class(app, name).create_parser("manage.py", name).format_help()[:60])
print(len(own), "commands")
"""


class TestACommandOfAFreshClone:
    @pytest.mark.parametrize(
        "words", [("judge", "--help"), ("help", "leaderboard"), ("work", "-h")]
    )
    def test_it_says_what_it_does_without_any_setting(self, tmp_path, words):
        done = command(tmp_path, *words)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("usage: manage.py")
        assert not done.stderr

    def test_every_command_of_ours_does(self, tmp_path):
        done = subprocess.run(
            [sys.executable, "-c", HELP_OF_ALL],
            cwd=settings.BASE_DIR,
            env={"PATH": "", "VAR_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert int(done.stdout.split()[-2]) >= 15

    @pytest.mark.parametrize(
        "words", [("judge",), ("judge", "--method", "zero_shot"), ("migrate",)]
    )
    def test_a_missing_setting_is_one_sentence_that_says_the_way_on(self, tmp_path, words):
        done = command(tmp_path, *words)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith("SECRET_KEY is missing or too weak.")
        assert "make run" in done.stderr
        assert not done.stdout

    def test_a_database_without_tables_is_one_sentence(self, tmp_path):
        done = command(tmp_path, "leaderboard", DEBUG="1")
        assert done.returncode == 1
        assert done.stderr == (
            "The database is not up to date. Run `manage.py migrate`, then the command again.\n"
        )

    def test_the_exception_itself_is_there_for_who_asks(self, tmp_path):
        done = command(tmp_path, "leaderboard", "--traceback", DEBUG="1")
        assert done.returncode == 1
        assert "no such table" in done.stderr
        assert "Traceback" in done.stderr


def test_the_providers_that_settings_may_name_are_those_there_are():
    assert set(environment.PROVIDERS) == set(providers.BUILT_IN)


def test_a_secret_never_appears_in_the_refusal(tmp_path):
    done = start(tmp_path, SECRET_KEY="weak-but-mine", ALLOWED_HOSTS="example.test")
    assert "weak-but-mine" not in done.stderr


def test_it_starts_with_a_secret_and_host_names_and_warns_where_links_would_be_guessed(tmp_path):
    guessed = start(tmp_path, **GOOD)
    assert guessed.returncode == 0
    assert "assay.W001" in guessed.stderr
    assert "https://example.test" in guessed.stderr


def test_it_warns_where_no_link_can_be_made(tmp_path):
    unknown = start(tmp_path, **(GOOD | {"ALLOWED_HOSTS": ".example.test"}))
    assert "all of them wait" in unknown.stderr


def test_it_does_not_warn_where_its_address_is_told(tmp_path):
    told = start(tmp_path, **GOOD, PUBLIC_URL="https://assay.example.org/")
    assert told.returncode == 0
    assert "assay.W001" not in told.stderr

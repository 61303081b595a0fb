"""Who answers when nobody chose."""

import subprocess
import sys

import pytest

from judge.asking.providers import UnknownProviderError, configured, default, get
from judge.asking.providers.vendor import family_of

pytestmark = pytest.mark.django_db


def test_without_a_key_the_offline_rules_answer(no_keys):
    assert default().name == "offline"
    assert default().offline
    assert "no model" in default().label
    assert [provider.name for provider in configured()] == ["offline"]


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_a_key_makes_its_vendor_the_default(no_keys, monkeypatch, name):
    monkeypatch.setenv(f"{name.upper()}_API_KEY", "k")
    assert default().name == name
    assert [provider.name for provider in configured()] == [name, "offline"]


def test_an_empty_key_is_no_key(no_keys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "  ")
    assert default().name == "offline"


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(UnknownProviderError, match="openai, anthropic, offline"):
        get("oracle")


def test_accounts_differ_by_key_and_do_not_show_it(no_keys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "key-one")
    one = get("openai").account
    monkeypatch.setenv("OPENAI_API_KEY", "key-two")
    assert get("openai").account != one
    assert "key-one" not in one


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-5.1", "openai"),
        ("o3-mini", "openai"),
        ("anthropic_claude-opus-4.5_no_tool", "anthropic"),
        ("gemini-3-pro", "google"),
        ("deepseek-r1-distill-llama-70b", "deepseek"),
        ("Qwen3-235B", "alibaba"),
        ("in-house-9", "openai"),
    ],
)
def test_a_name_tells_the_house(model, family):
    assert get("openai").family(model) == family


def test_an_unknown_name_has_the_family_the_caller_says():
    assert family_of("in-house-9", "unknown") == "unknown"
    assert get("offline").family("rules-1") == "offline"


def test_no_sdk_is_loaded_before_somebody_is_called():
    code = (
        "import sys, judge.asking.providers;"
        "import judge.asking.prompts.builder, judge.asking.prompts.parsing;"
        "print([m for m in ('openai', 'anthropic', 'httpx2', 'django') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"

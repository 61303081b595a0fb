"""A model's opinion on the lines: asked for, shown as what it is, set aside, and never needed."""

import json
from typing import Any

import pytest
from django.test import Client

from judge.asking.calls.models import Call
from judge.asking.prompts.parsing import parse_opinions
from judge.jobs import jobs
from judge.suggesting.line_reviews import LineOpinion, OpinionRequest
from rubrics.lines.actions import edit_line
from rubrics.marks.queries import rubric_marks
from rubrics.sending.actions import send_to_review
from tests.llm_stub import Behaviour
from tests.rubrics.desk import url
from tests.rubrics.walk import lines_of

pytestmark = pytest.mark.django_db

SAYS = "Two examiners would round this differently; name the tolerance."


@pytest.fixture
def model(stub: Any, settings: Any) -> Any:
    """A model that has one opinion, on the first line, and talks about a line there is not."""
    settings.LINT_MODEL = "openai:reader"

    def answer(task: Any) -> None:
        key = lines_of(task)[0].key
        opinions = [{"id": key, "says": SAYS}, {"id": "c999", "says": "Who?"}]
        stub.script(Behaviour("ok", text=json.dumps({"opinions": opinions})))

    return answer


def ask(browser: Client, task: Any) -> Any:
    return browser.post(url("rubric-opinion", task))


def test_an_opinion_is_asked_for_shown_as_one_and_set_aside(
    browser: Client, task: Any, model: Any, author: Any
) -> None:
    assert "Ask a model to read the lines" in browser.get(url("rubric", task)).content.decode()
    model(task)
    assert ask(browser, task).status_code == 302
    again = ask(browser, task)
    assert again.status_code == 409
    assert "A model is reading the lines" in browser.get(url("rubric", task)).content.decode()
    assert browser.get(url("rubric-opinion", task)).status_code == 204
    assert jobs.drain() >= 1
    ended = browser.get(url("rubric-opinion", task)).content.decode()
    assert "The model has read your lines." in ended
    assert "data-refresh" not in ended  # nobody asks any longer
    line = lines_of(task)[0]
    page = browser.get(url("rubric", task)).content.decode()
    assert f"A model&#x27;s opinion: {SAYS}" in page
    assert "Read by openai reader" in page
    call = Call.objects.get(purpose="lint")
    assert len(call.prompt_sha256) == len(call.prompt_version) == 64
    assert OpinionRequest.objects.get().call == call
    assert LineOpinion.objects.get().text == line.text  # nothing about the line there is not
    mark = rubric_marks(task, lines_of(task)).lines[0][-1]
    assert mark.by_model
    reason = {"mark": mark.token, f"because-{mark.token}": "The table gives whole millions."}
    browser.post(url("rubric-line-mark", task, line), reason)
    assert rubric_marks(task, lines_of(task)).lines[0][-1].state == "aside"
    edit_line(actor=author, task=task, criterion=line, text="States net debt as EUR 134.4 million.")
    assert not [m for m in rubric_marks(task, lines_of(task)).lines[0] if m.by_model]


@pytest.mark.parametrize("fault", ["401", "refusal", "prose"])
def test_a_model_that_fails_costs_nothing_but_the_opinion(
    browser: Client, task: Any, stub: Any, settings: Any, fault: str
) -> None:
    settings.LINT_MODEL = "openai:reader"
    stub.script(Behaviour("ok", text="Fine lines!") if fault == "prose" else fault)
    ask(browser, task)
    jobs.drain()
    page = browser.get(url("rubric", task)).content.decode()
    assert "The model could not read the lines this time" in page
    assert "openai" not in page
    assert OpinionRequest.objects.get().problem.startswith("openai reader: ")


def test_the_offline_rules_say_that_they_have_no_opinion(
    browser: Client, task: Any, settings: Any
) -> None:
    settings.LINT_MODEL = "offline:"
    ask(browser, task)
    jobs.drain()
    assert "have no opinion beyond the marks" in browser.get(url("rubric", task)).content.decode()
    assert not LineOpinion.objects.exists()


def test_nobody_is_asked_where_no_model_is_named_and_nothing_is_read_that_was_sent(
    browser: Client, task: Any, author: Any, settings: Any
) -> None:
    assert "Ask a model" not in browser.get(url("rubric", task)).content.decode()
    assert ask(browser, task).status_code == 409
    settings.LINT_MODEL = "openai:reader"
    ask(browser, task)
    send_to_review(actor=author, task=task)
    jobs.drain()
    assert OpinionRequest.objects.get().state == "failed"
    assert not Call.objects.exists()
    assert ask(browser, task).status_code == 409


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ('```json\n{"opinions": [{"id": "a", "says": " Round  it. "},]}\n```', {"a": "Round it."}),
        ('{"opinions": [{"id": "a", "says": ""}, {"id": 3, "says": "x"}, "y"]}', {}),
        ('{"opinions": [{"id": "a", "says": "One."}, {"id": "a", "says": "Two."}]}', {"a": "One."}),
        ("I like them all.", None),
        ("", None),
    ],
)
def test_only_what_is_unmistakable_is_read(reply: str, read: dict[str, str] | None) -> None:
    assert parse_opinions(reply, ["a", "b"]) == read


def test_an_endless_opinion_is_cut() -> None:
    says = {"opinions": [{"id": "a", "says": "x" * 5_000}]}
    assert len((parse_opinions(json.dumps(says), ["a"]) or {})["a"]) == 600

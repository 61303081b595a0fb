"""What the author's browser asks for and sends."""

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from curation.tasks.task.models import Task
from judge.jobs import jobs
from rubrics.lines.actions import line_token
from rubrics.versions.models import Criterion

JSON = {"HTTP_ACCEPT": "application/json"}
PARTS = {"HTTP_X_PARTS": "1", "HTTP_ACCEPT": "application/json, text/html"}


def url(name: str, task: Task, line: Criterion | None = None) -> str:
    return reverse(name, args=[task.pk, line.pk] if line else [task.pk])


def editor(line: Criterion, /, **changes: Any) -> dict[str, Any]:
    """What the editor's form sends."""
    return {
        "text": line.text,
        "importance": line.importance,
        "weight": line.weight,
        "dimension": line.dimension,
        "version": line_token(line),
        **changes,
    }


def send(browser: Client, task: Task, **more: Any) -> Any:
    """Send the rubric to its reviewers, lines of the draft that nobody read included."""
    return browser.post(url("rubric-send", task), {"as_drafted": "1", **more})


def done(browser: Client, task: Task, line: Criterion, **more: Any) -> Any:
    """Press "Done, next line" without scripts."""
    return browser.post(url("rubric-line", task, line), {"then": "next", **more})


def filled(html: str) -> list[str]:
    """The labels of the filled buttons of a page; the copies for scripts do not count."""
    shown = re.sub(r"<(template|dialog)\b.*?</\1>", "", html, flags=re.DOTALL)
    found = re.findall(r'class="btn btn-primary[^>]*>(.*?)</button>', shown, flags=re.DOTALL)
    return [" ".join(re.sub(r"<span.*", "", label, flags=re.DOTALL).split()) for label in found]


def work() -> list[bool]:
    """Do what the worker would take of marks now."""
    return [job(pk) for job, pk in jobs.due() if job is jobs.mark_lines]


def page(browser: Client, task: Task, **more: Any) -> str:
    return browser.get(url("rubric", task), **more).content.decode()


def fetch(browser: Client, *came: str) -> Any:
    """What the page's script fetches, after the page and these answers came."""
    (address,) = re.findall(r'data-refresh="([^"]*/mark/)"', came[-1])
    marks = dict(re.findall(r'data-marks="(\d+)-(\w+)"', "".join(came)))  # the latest of each line
    shown = ".".join(f"{pk}-{digest}" for pk, digest in marks.items())
    return browser.get(address, {"shown": shown}, **PARTS)


def counted(browser: Client, task: Task, line: Criterion, **changes: Any) -> str:
    """The answer to a save in the background."""
    answer = browser.post(url("rubric-line", task, line), editor(line, **changes), **JSON)
    return str(answer.json()["html"])

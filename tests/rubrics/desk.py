"""What the author's browser asks for and sends."""

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from curation.tasks.task.models import Task
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

"""Commands that look at a held-out half, and what they printed."""

import json
from io import StringIO

from django.core.management import call_command

from curation.tasks.task.models import Task
from judge.base.gold_sets.models import Half
from judge.runs.engine.models import RunItem


def held_out():
    return Task.objects.filter(half__half=Half.HELD_OUT)


def judge(*options):
    text = StringIO()
    call_command(
        "judge", "--method", "zero_shot", "--provider", "offline", "--json", *options, stdout=text
    )
    return json.loads(text.getvalue().splitlines()[-1])


def look(draw, reason="The judge is final.", *options):
    return judge("--tasks", f"draw:{draw.pk}/held-out", "--held-out-reason", reason, *options)


def tasks_of(run):
    return set(RunItem.objects.filter(run=run).values_list("response__task__key", flat=True))


def alignment(*options):
    text = StringIO()
    call_command("alignment", "--bootstrap", "50", *options, stdout=text)
    return text.getvalue()

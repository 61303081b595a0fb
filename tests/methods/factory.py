"""Tasks and responses of every form of answer, made without going through screens."""

from judge.engine.models import Finding, Judgment
from rubrics.versions.actions import import_version
from tests.judge_engine import factory

GOLD = ("Acme|Acme Corp", "Beta Works", "Gamma", "Delta|Delta AG")
QUESTIONS = (
    "Where did she study?|Zürich",
    "What did she build at Acme?|the search index",
    "Since when does she lead?|2019",
)


def task_of(form, *, lines=None, reference=None):
    """A task of a form with what its method needs: gold list, questions or reference answer."""
    if form == "exact":
        made = factory.external_task(lines=0, answer_form=form)
        made.reference_answer = reference or "1,234.5 kg"
        made.save()
        return made
    if form == "text":
        return factory.external_task(lines=2, baseline=False)
    made = factory.external_task(lines=0, answer_form=form)
    rubric(made, lines or (GOLD if form == "list" else QUESTIONS))
    return made


def rubric(task, texts):
    return import_version(
        task=task,
        lines=[
            {
                "key": f"g{n}",
                "text": text,
                "importance": "essential",
                "weight": n,
                "dimension": "accuracy",
            }
            for n, text in enumerate(texts, start=1)
        ],
    )


def respond(task, text, name="system-1"):
    return factory.respond(task, name, text)


def finding(response, name):
    return Finding.objects.get(judgment__response=response, name=name)


def judgment(response):
    return Judgment.objects.get(response=response)

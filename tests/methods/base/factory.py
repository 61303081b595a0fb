"""Tasks and responses of every form of answer, made without going through screens."""

from judge.methods.profiles.actions import add_pool, set_outcome, set_selection
from judge.methods.profiles.import_profiles import import_profiles
from judge.methods.profiles.models import ProfilePool
from judge.runs.engine.models import Finding, Judgment
from rubrics.versions.actions import import_version
from tests.runs.engine import factory

GOLD = ("Acme|Acme Corp", "Beta Works", "Gamma", "Delta|Delta AG")
QUESTIONS = (
    "Where did she study?|Zürich",
    "What did she build at Acme?|the search index",
    "Since when does she lead?|2019",
)
CONDITIONS = (
    ("Posts about hiking", "essential", 9),
    ("Has many followers", "optional", 4),
)


def pool(key="creators", names=("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")):
    """A pool whose profiles have a link each; made once."""
    made = ProfilePool.objects.filter(key=key).first() or add_pool(
        actor=None, key=key, name="Creators"
    )
    lines = ["key,name,link,text,language,followers"] + [
        f"{name.lower()},{name},https://video.example/@{name},{name} posts about hiking.,"
        f"fr,{n * 1000}"
        for n, name in enumerate(names, start=1)
    ]
    import_profiles(actor=None, pool=made, data="\n".join(lines).encode(), file="creators.csv")
    return made


def select(task, number=3, chosen=(), key="creators"):
    """Say that a task asks for profiles of the pool, and which were really chosen."""
    set_selection(actor=None, task=task, pool=pool(key), number=number, what="creators")
    if chosen:
        set_outcome(actor=None, task=task, chosen=list(chosen), reason="The client's list.")


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
    if form == "selection":
        conditions(made)
        select(made)
        return made
    rubric(made, lines or (GOLD if form == "list" else QUESTIONS))
    return made


def conditions(task, lines=CONDITIONS):
    return import_version(
        task=task,
        lines=[
            {
                "key": f"g{n}",
                "text": text,
                "importance": importance,
                "weight": weight,
                "dimension": "constraint_satisfaction",
            }
            for n, (text, importance, weight) in enumerate(lines, start=1)
        ],
    )


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

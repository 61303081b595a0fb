"""Own tasks come in through the same door as in the browser: as an author's drafts."""

import pytest
from django.core.management import CommandError

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Category, Domain
from curation.tasks.authoring.actions import save_draft, submit_task
from curation.tasks.task.models import Seat, Slot, Task
from rubrics.versions.models import RubricVersion
from tests.gold.importing.conftest import line, own

pytestmark = pytest.mark.django_db
BY = ("--author", "author@example.test")


def test_an_own_task_becomes_its_authors_draft_and_takes_no_slot(write, run, author):
    said = run("import_tasks", write(own(), own("o-2", rubric=None)), *BY)
    assert said == "2 tasks added."
    task = Task.objects.get(key="o-1")
    assert (task.stage, task.author, task.origin) == (Stage.DRAFT, author, "own")
    assert task.title == "Write a memo of one page."
    assert Seat.objects.get(task=task).role == "author"
    assert not Slot.objects.exists()
    version = RubricVersion.objects.get(task=task)
    assert (version.origin, version.frozen, version.criteria.count()) == ("import", True, 15)


def complete(author):
    """The imported draft with the facts its author adds in the editor."""
    task = Task.objects.get()
    facts = {"minutes": 60, "rate_band": "50_100", "change": "static"}
    return save_draft(actor=author, task=task, version=task.version, **facts)


def test_the_imported_rubric_opens_for_refining_when_the_panel_keeps_the_task(write, run, author):
    run("import_tasks", write(own()), *BY)
    task = complete(author)
    submit_task(actor=author, task=task)
    task.advance(Stage.SCREENING, actor=None)
    task.advance(Stage.DRAFTING, actor=None)
    task.refresh_from_db()
    assert task.stage == Stage.REFINING
    open_one = RubricVersion.objects.get(task=task, frozen_at__isnull=True)
    assert open_one.origin == "expert"
    assert [c.key for c in open_one.criteria.all()] == [f"c{n}" for n in range(1, 16)]
    assert task.history.last().reason == "The rubric came with the imported file."


def test_the_policy_of_the_browser_holds_for_every_part(write, refused, author):
    told = refused(
        "import_tasks",
        write(
            own("o-1", rubric=[line(n) for n in range(1, 15)]),
            own("o-2", rubric=[line(n) for n in range(1, 42)]),
            own("o-3", rubric=[line(n, weight=11 if n == 2 else 5) for n in range(1, 16)]),
            own("o-4", reference_answer=None, scenario=" "),
            own("o-5", domain="alchemy"),
            own("o-6", category="spells"),
            own("o-7", rubric=[line(n, text=f"{max(n, 2)}") for n in range(1, 16)]),
        ),
        *BY,
    )
    assert told == [
        "file.jsonl:1: rubric: A rubric has 15 to 40 lines; this one has 14.",
        "file.jsonl:2: rubric: A rubric has 15 to 40 lines; this one has 41.",
        "file.jsonl:3: rubric[2].weight: Weights run from 1 to 10. Ten is the heaviest. "
        "The file says 11.",
        "file.jsonl:4: scenario: Describe the work scenario: who you are, what happened, "
        "what is at stake.",
        "file.jsonl:4: reference_answer: Write the reference answer you would stand behind.",
        'file.jsonl:5: domain: There is no domain "alchemy" here. Available: finance.',
        'file.jsonl:6: category: There is no category "spells" in this domain.',
        "file.jsonl:7: rubric[2].text: Line 1 of the rubric has the same text.",
        "8 faults; nothing was stored.",
    ]
    assert not Task.objects.exists()


def test_another_benchmarks_domain_takes_no_own_task(write, refused, author):
    Domain.objects.create(key="puzzles", name="Puzzles", external=True)
    told = refused("import_tasks", write(own(domain="puzzles")), *BY)
    assert told[0].startswith('file.jsonl:1: domain: There is no domain "puzzles" here.')


def test_the_author_must_be_qualified_in_every_domain(write, refused, author, law):
    told = refused("import_tasks", write(own(), own("o-2", domain="law")), *BY)
    assert told[0] == 'file.jsonl:2: domain: The author is not qualified in "law".'


def test_an_own_task_needs_a_known_author(write, run):
    with pytest.raises(CommandError, match="--author EMAIL"):
        run("import_tasks", write(own()))
    with pytest.raises(CommandError, match="Nobody here has the address"):
        run("import_tasks", write(own()), "--author", "nobody@example.test")


def test_a_known_category_is_used(write, run, author, finance):
    category = Category.objects.create(domain=finance, key="treasury", name="Treasury")
    run("import_tasks", write(own(category="treasury", labels=["q3"])), *BY)
    task = Task.objects.get()
    assert (task.category, task.labels) == (category, ["q3"])


def test_the_same_file_again_changes_nothing_even_after_the_author_went_on_writing(
    write, run, author
):
    path = write(own())
    run("import_tasks", path, *BY)
    Task.objects.update(scenario="Rewritten by the author.")
    assert run("import_tasks", path, *BY) == "1 task already there, unchanged."
    assert Task.objects.get().scenario == "Rewritten by the author."


def test_another_authors_task_is_not_taken_over(write, run, refused, author, peer):
    path = write(own())
    run("import_tasks", path, *BY)
    told = refused("import_tasks", path, "--author", "peer@example.test")
    assert told[0].startswith("file.jsonl:1: id: Another author's task already has this id.")


def test_a_submitted_tasks_rubric_is_not_changed_by_a_file(write, run, refused, author):
    run("import_tasks", write(own()), *BY)
    changed = own(rubric=[line(n, weight=6) for n in range(1, 16)])
    assert "1 task got a new version" in run("import_tasks", write(changed), *BY, "--new-version")
    submit_task(actor=author, task=complete(author))
    told = refused("import_tasks", write(own()), *BY, "--new-version")
    assert "This task was submitted" in told[0]

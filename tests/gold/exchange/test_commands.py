"""Questions of xbench's files as tasks, and tasks with an exact answer as such a file."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from curation.tasks.task.models import Task
from judge.gold.transfer.xbench_file import Question, csv_of, read_questions

pytestmark = pytest.mark.django_db

KEY = "canary-4711"
QUESTIONS = [
    Question(2, "q-1", "In which year was the bridge opened?", "1968", steps="1. Find the bridge."),
    Question(3, "q-2", "Wie lang ist der Tunnel in km?\nNur die Zahl.", "57.1"),
]


def write(path, questions=QUESTIONS, key=KEY):
    path.write_text(csv_of(questions, key), encoding="utf-8")
    return str(path)


def run(*args):
    out = StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


def test_a_file_becomes_tasks_of_another_benchmark_with_their_answers(tmp_path):
    said = run("import_xbench", write(tmp_path / "in.csv"), "--key", KEY)

    assert "2 tasks added" in said
    task = Task.objects.get(key="q-1")
    assert (task.origin, task.answer_form, task.stage) == ("external", "exact", "approved")
    assert task.domain.key == "xbench"
    assert task.exact_answer.answer == "1968"
    assert [step.text for step in task.exact_answer.steps.all()] == ["Find the bridge."]
    again = run("import_xbench", str(tmp_path / "in.csv"), "--key", KEY)
    assert "already there" in again
    assert Task.objects.count() == 2


def test_the_domain_can_be_named(tmp_path):
    run("import_xbench", write(tmp_path / "in.csv"), "--key", KEY, "--domain", "bridges")

    assert {task.domain.key for task in Task.objects.all()} == {"bridges"}


def test_a_file_of_ours_comes_back_with_the_same_bytes(tmp_path):
    run("import_xbench", write(tmp_path / "in.csv"), "--key", KEY)
    run("export_xbench", str(tmp_path / "first.csv"), "--key", KEY)
    Task.objects.filter(key="q-2").update(key="q-3")  # another installation, as it were
    first = (tmp_path / "first.csv").read_bytes()

    questions = read_questions(tmp_path / "first.csv", KEY)
    renamed = [
        Question(q.line, f"copy-{q.id}", q.prompt, q.answer, q.steps, q.details) for q in questions
    ]
    run("import_xbench", write(tmp_path / "copy.csv", renamed), "--key", KEY)
    Task.objects.exclude(key__startswith="copy-").update(answer_form="text")
    run("export_xbench", str(tmp_path / "second.csv"), "--key", KEY)

    assert (tmp_path / "second.csv").read_bytes() == (tmp_path / "copy.csv").read_bytes()
    assert [q.prompt for q in questions] == [q.prompt for q in QUESTIONS]
    assert [q.answer for q in questions] == [q.answer for q in QUESTIONS]
    assert b"bridge" not in first


def test_a_wrong_key_gives_one_sentence_and_stores_nothing(tmp_path):
    with pytest.raises(CommandError, match="This key does not open the file") as refused:
        run("import_xbench", write(tmp_path / "in.csv"), "--key", "wrong")

    assert "\n" not in str(refused.value)
    assert not Task.objects.exists()


def test_a_fault_of_a_question_is_named_with_its_line_in_the_file(tmp_path):
    long = Question(3, "q-2", "Which?", "word " * 60)
    with pytest.raises(CommandError, match=r"in\.csv:3: exact\.answer"):
        run("import_xbench", write(tmp_path / "in.csv", [QUESTIONS[0], long]), "--key", KEY)

    assert not Task.objects.exists()


def test_nothing_to_export_is_refused_and_no_file_is_written(tmp_path):
    with pytest.raises(CommandError, match="no approved task with an exact answer"):
        run("export_xbench", str(tmp_path / "out.csv"), "--key", KEY)

    assert not (tmp_path / "out.csv").exists()


def test_a_file_is_never_overwritten(tmp_path):
    run("import_xbench", write(tmp_path / "in.csv"), "--key", KEY)
    before = (tmp_path / "in.csv").read_bytes()

    with pytest.raises(CommandError, match="exists"):
        run("export_xbench", str(tmp_path / "in.csv"), "--key", KEY)

    assert (tmp_path / "in.csv").read_bytes() == before

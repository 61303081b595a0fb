"""Titles, names and labels hold one line of what can be seen, whoever writes them and how."""

import json
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from curation.base.text.storable import one_line
from curation.base.web.fields import LineField
from curation.joining.invitations.models import Invitation
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate
from tests.joining.accounts.steps import invite
from tests.tasks.authoring.conftest import form_of

JSON = {"HTTP_ACCEPT": "application/json"}
TURNED = "Lease \u202egnp.exe\u202c of \u2067Aire\u2069 House\u200b\u200f\n(2)"
PLAIN = "Lease gnp.exe of Aire House (2)"
# Right-to-left, joined and ornate texts as people write them.
OURS = (
    "חוזה שכירות\u200f (2)",
    "عقد الإيجار\u200e A-12",
    "می\u200cخواهم بدانم",
    "क्\u200dष",
    "👩\u200d💻 and ❤\ufe0f\u200d🔥",
    "租赁合同（二）",  # noqa: RUF001
    "Café, 5 % – “naïve”",
)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (TURNED, PLAIN),
        ("a\u2066b\u2069\u202ac\u202c", "abc"),
        ("one\r\ntwo\u2028three\tfour", "one two three four"),
        ("soft\u00adhyphen\ufeff \U000e0041tag", "softhyphen tag"),
        ("a\u200db, x\u200c y", "ab, x y"),
        ("Latin\u200f\u200e\u061c", "Latin"),
        *((text, text) for text in OURS),
    ],
)
def test_what_turns_or_hides_is_dropped_and_what_a_script_needs_stays(typed, kept):
    assert one_line(typed) == kept
    assert one_line(kept) == kept


def test_a_task_is_titled_alike_by_page_autosave_and_program(sign_in, author, draft):
    client = sign_in(author)
    client.post(
        "/tasks/new/", {"domain": "finance", "title": TURNED.replace("\n", " "), "language": "en"}
    )
    assert Task.objects.latest("pk").title == PLAIN
    saved = client.post(f"/tasks/{draft.pk}/save/", form_of(draft, title=TURNED), **JSON)
    assert saved.status_code == 200
    draft.refresh_from_db()
    assert draft.title == PLAIN
    # The same words from another tab are no second version.
    again = form_of(draft, version=1, title=TURNED)
    assert client.post(f"/tasks/{draft.pk}/save/", again, **JSON).status_code == 200
    answer = client.post(
        "/api/v1/tasks/", {"domain": "finance", "title": TURNED}, content_type="application/json"
    )
    assert answer.status_code == 201
    assert answer.json()["title"] == PLAIN


@pytest.mark.parametrize("title", OURS)
def test_a_title_in_any_script_is_kept_as_typed(sign_in, author, draft, title):
    sign_in(author).post(f"/tasks/{draft.pk}/save/", form_of(draft, title=title), **JSON)
    draft.refresh_from_db()
    assert draft.title == title


def test_a_name_on_an_invitation_turns_nothing_that_follows_it(sign_in, staff):
    invite(sign_in(staff), name=TURNED)
    assert Invitation.objects.get().name == PLAIN


def test_many_rows_at_once_and_updates_keep_the_rule(author, finance):
    made = [Candidate(name=f"{TURNED} {n}", family="x\u202e") for n in range(2)]
    Candidate.objects.bulk_create(made)
    assert [one.name for one in made] == [f"{PLAIN} 0", f"{PLAIN} 1"]
    assert set(Candidate.objects.values_list("family", flat=True)) == {"x"}
    User.objects.filter(pk=author.pk).update(display_name=TURNED)
    author.refresh_from_db()
    assert author.display_name == PLAIN


@pytest.mark.parametrize(
    ("name", "refused"), [(TURNED, True), ("Cedar\u200f", True), *((text, False) for text in OURS)]
)
@pytest.mark.django_db
def test_a_file_may_name_a_candidate_in_any_script_but_not_turn_what_follows(
    tmp_path, draft, name, refused
):
    line = {"task": draft.key, "id": "r1", "model": name, "text": "An answer."}
    path = tmp_path / "responses.jsonl"
    path.write_text(json.dumps(line) + "\n")
    if refused:
        with pytest.raises(CommandError, match="control characters are not allowed here"):
            call_command("import_responses", str(path))
        assert not Candidate.objects.exists()
    else:
        call_command("import_responses", str(path))
        assert Candidate.objects.get().name == name


def test_every_one_line_text_of_people_keeps_the_rule():
    def fields() -> Any:
        for model in apps.get_models():
            for field in model._meta.local_concrete_fields:
                if isinstance(field, LineField):
                    yield f"{model.__name__}.{field.name}"

    assert set(fields()) >= {
        "User.display_name", "User.affiliation", "Task.title", "Domain.name", "Domain.name_zh",
        "Category.name", "Attachment.name", "Invitation.name", "Invitation.vendor",
        "Application.affiliation", "Application.degree", "Exam.title", "Exam.title_zh",
        "Question.topic", "Question.unit", "Candidate.name", "Candidate.version",
        "Candidate.family", "Candidate.model", "JudgeRun.model", "JudgeRun.experts", "Price.model",
        "ApiToken.name",
    }  # fmt: skip

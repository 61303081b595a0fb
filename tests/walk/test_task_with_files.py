"""A task with a PDF that has a figure, a picture and a spreadsheet, from writing to gold.

The stub's record proves what each model was sent. A model that takes no pictures is asked about
nothing, and the page of the run says so before it is started.
"""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from curation.base.file_contents.models import ContentPicture
from curation.joining.domains.models import Category, Domain
from curation.joining.people import User
from judge.asking.calls.models import Call
from judge.asking.endpoints.models import ServedModel
from judge.results.registry.actions import add_candidate, order_responses
from tests import documents
from tests.attached import pictures_in, words_in
from tests.conftest import PASSWORD, new_person
from tests.llm_stub import Stub
from tests.walk import judging, rubric
from tests.walk.people import Person, the_machine_works

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    "covenants.pdf": documents.pdf_with(
        "Leverage below 3.5x", "Interest cover above 2.0x", figures=[(2, "teal", 200)]
    ),
    "net debt.png": documents.picture(size=(60, 30)),
    "debt.xlsx": documents.workbook(Debt=[["year", "debt"], [2025, 134.5]]),
}


@pytest.fixture
def stub(monkeypatch: Any, settings: Any, tmp_path: Path) -> Any:
    settings.SPOT_CHECK_RATE = 1.0
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.DRAFT_MODEL = settings.BASELINE_MODEL = "openai:seer"
    settings.PROBE_MODELS, settings.PROBE_GRADER = ["openai:seer"], "openai:seer"
    for name, pictures in (("seer", True), ("reader", False), ("judge-7", True)):
        ServedModel.objects.create(provider="openai", model=name, pictures=pictures)
    with Stub() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-files")
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        yield server


@pytest.fixture
def people() -> dict[str, Person]:
    finance = Domain.objects.create(key="finance", name="Finance", name_zh="金融", position=1)
    Category.objects.create(domain=finance, key="credit", name="Credit")
    new_person("staff", is_staff=True, is_superuser=True)
    for name in ("ines", "ruben", "sofia"):
        new_person(name, finance)
    for name in ("founder", "sena", "mateo"):
        new_person(name, finance, senior=True)
    names = ("staff", "ines", "ruben", "sofia", "founder", "sena", "mateo")
    found = {name: Person(name) for name in names}
    for person in found.values():
        person.sign_in(PASSWORD)
    return found


def test_a_task_with_files_goes_from_writing_to_gold(stub: Stub, people: dict[str, Person]) -> None:
    staff, author = people["staff"], people["ines"]
    rubric.lets_members_come_forward(staff, suspect_percent=0)  # the stub's answers all fail
    task = rubric.writes_and_submits(author, stranger=people["ruben"], files=FILES)
    colleagues_read_the_files(task, people["founder"], author)
    rubric.is_kept_by_the_panel(task, people["founder"], author, probed="answers passed")
    rubric.refines_the_rubric(task, author)
    review = rubric.asks_for_one_change(task, people["ruben"], author)
    rubric.answers_and_sends_again(task, author)
    rubric.approves_the_rest(review, people["ruben"])
    rubric.passes_the_spot_check(task, people["sena"], author, people["sofia"])
    judging.is_drawn_for_gold(task, staff)
    sheet = judging.scores_the_baseline(task, people["sofia"], author)
    judging.sends_the_scoring_back_once(sheet, people["mateo"], people["sofia"])

    a_candidate_answers(staff)
    a_judge_without_pictures_is_not_asked(stub, staff)
    a_judge_is_asked(staff)
    everybody_was_sent_everything(stub)
    manifest, files = judging.is_released(staff, author)
    the_release_has_the_files(manifest, files)


def colleagues_read_the_files(task: int, member: Person, author: Person) -> None:
    author.open(f"/tasks/{task}/")
    author.sees(*FILES)
    member.open("/screening/")
    assert member.browser.get(f"/tasks/{task}/").status_code == 404, "before they take a place"


def a_candidate_answers(staff: Person) -> None:
    office = User.objects.get(email=staff.email)
    candidate = add_candidate(actor=office, name="Seer", provider="openai", model="seer")
    order_responses(actor=office, candidate=candidate, concurrency=1)
    the_machine_works()
    staff.open("/staff/candidates/")
    staff.sees("Seer")


def a_judge_without_pictures_is_not_asked(stub: Stub, staff: Person) -> None:
    before = stub.calls
    staff.open("/staff/runs/new/")
    staff.press(
        "Plan the run", method="one_shot", chosen="openai:reader", concurrency=2,
        allow_same_family="on",
    )  # fmt: skip
    staff.sees("the task has pictures, and this model takes none")
    assert stub.calls == before


def a_judge_is_asked(staff: Person) -> None:
    staff.open("/staff/runs/new/")
    staff.press(
        "Plan the run", method="one_shot", provider="openai", model="judge-7", concurrency=2,
        allow_same_family="on",
    )  # fmt: skip
    staff.sees("1 response, about 1 call")
    run = staff.page.address
    staff.press("Start the run")
    the_machine_works()
    staff.open(run)
    staff.sees("Finished", "Nothing has failed.")


def everybody_was_sent_everything(stub: Stub) -> None:
    purposes = set(Call.objects.exclude(provider="offline").values_list("purpose", flat=True))
    assert purposes == {"probe", "draft", "baseline", "answer", "judge"}
    pictures = [
        row.file.read()
        for row in ContentPicture.objects.filter(for_models=True).order_by("content__ending")
    ]
    assert len(pictures) == 2
    assert stub.requests
    for request in stub.requests:
        words = words_in(request)
        for text in ("[Page 2]\nInterest cover above 2.0x", "year,debt\n2025,134.5"):
            assert text in words
        assert pictures_in(request) == pictures
        assert "ines@" not in words


def the_release_has_the_files(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    listed = [json.loads(line) for line in files["attachments.jsonl"].decode().splitlines()]
    assert [row["name"] for row in listed] == list(FILES)
    assert manifest["counts"]["attachments"] == 3
    texts = {row["name"]: row["text_sha256"] for row in listed}
    assert texts["debt.xlsx"] == hashlib.sha256(b"year,debt\n2025,134.5").hexdigest()
    assert texts["net debt.png"] == ""
    assert {row["name"]: row["pictures"] for row in listed} == {
        "covenants.pdf": 1, "net debt.png": 1, "debt.xlsx": 0,
    }  # fmt: skip
    (task,) = (json.loads(line) for line in files["tasks.jsonl"].decode().splitlines())
    assert [entry["name"] for entry in task["files"]] == list(FILES)
    assert (task["minutes"], task["change"]) == (75, "static")
    with zipfile.ZipFile(io.BytesIO(files["attachments.zip"])) as packed:
        for row in listed:
            assert hashlib.sha256(packed.read(row["file"])).hexdigest() == row["sha256"]

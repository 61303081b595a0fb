"""A task from business is entered with its permission, and two people go through its text."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.attachments.actions import add_attachment
from curation.tasks.authoring.actions import submit_task
from curation.tasks.business.models import Collection, Deidentification
from curation.tasks.business.queries import candidates
from curation.tasks.task.models import Task
from tests.tasks.business.conftest import RECORD, TICKED, collected, deidentified

FORM: dict[str, Any] = {
    **{name: str(value) for name, value in RECORD.items()},
    "domain": "finance",
    "title": "Map the companies",
    "minutes": "40",
    "hourly_rate": "90.50",
}
BOXES = dict.fromkeys(TICKED, "on")


def test_staff_enter_a_task_with_its_permission(sign_in, staff, finance):
    answer = sign_in(staff).post(reverse("business-new"), FORM)
    assert answer.status_code == 302
    task = Task.objects.get()
    assert (task.origin, task.author, task.stage) == ("collected", None, Stage.DRAFT)
    assert task.collection is not None
    assert (task.collection.owner, task.collection.entered_by) == ("Harbour Recruiting", staff)
    assert str(task.hourly_rate) == "90.50"
    assert answer.url == reverse("task-edit", args=[task.pk])
    assert "takes no slot" in sign_in(staff).get(answer.url).content.decode()


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("owner", " "),
        ("permitted_by", ""),
        ("permitted_on", ""),
        ("permission_scope", ""),
        ("permission_text", ""),
        ("collected_on", ""),
        ("collected_on", "2999-01-01"),
        ("hourly_rate", "0"),
        ("domain", ""),
    ],
)
def test_without_a_whole_permission_nothing_is_entered(sign_in, staff, finance, field, typed):
    answer = sign_in(staff).post(reverse("business-new"), FORM | {field: typed})
    assert answer.status_code == 400
    assert answer.context["form"].errors[field]
    assert "R. Lund, managing partner" in answer.content.decode() or field == "permitted_by"
    assert not Task.objects.exists()
    assert not Collection.objects.exists()


def test_the_database_takes_no_collected_task_without_permission(finance):
    for given in (
        {"origin": "collected"},
        {"origin": "own"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Task.objects.create(key="x", domain=finance, **given)
    with pytest.raises(IntegrityError), transaction.atomic():
        Collection.objects.create(**RECORD | {"permission_text": "", "permission_document": ""})


def test_a_dynamic_task_says_until_when_it_is_valid(staff, colleague, enter):
    task = deidentified(enter(change="dynamic", sources="The register."), staff, colleague)
    with pytest.raises(BadInput) as refusal:
        submit_task(actor=staff, task=task)
    assert "last day" in str(refusal.value.fields["valid_until"])
    with pytest.raises(IntegrityError), transaction.atomic():
        Task.objects.filter(pk=task.pk).update(stage=Stage.SUBMITTED)


def test_two_people_go_through_the_text_before_it_is_submitted(sign_in, staff, colleague, enter):
    task = enter()
    with pytest.raises(Conflict, match="Two people go through"):
        submit_task(actor=staff, task=task)
    address = reverse("business-task", args=[task.pk])
    first = sign_in(staff)
    left_out = {**BOXES, "version": task.version}
    del left_out["amounts"]
    refused = first.post(address, left_out)
    assert refused.status_code == 400
    assert refused.context["form"].errors["amounts"]
    assert first.post(address, {**BOXES, "version": task.version}).status_code == 302
    check = Deidentification.objects.get()
    confirm = reverse("business-confirm", args=[check.pk])
    assert first.post(confirm).status_code == 403  # not the same person twice
    with pytest.raises(Conflict, match="Two people go through"):
        submit_task(actor=staff, task=task)
    assert "Confirm a de-identification" in sign_in(colleague).get("/").content.decode()
    assert sign_in(colleague).post(confirm).status_code == 302
    submit_task(actor=staff, task=Task.objects.get(pk=task.pk))
    assert Task.objects.get(pk=task.pk).stage == Stage.SUBMITTED


def test_a_check_is_sent_back_with_a_reason(sign_in, staff, colleague, enter):
    task = enter()
    sign_in(staff).post(
        reverse("business-task", args=[task.pk]), {**BOXES, "version": task.version}
    )
    check = Deidentification.objects.get()
    back = reverse("business-send-back", args=[check.pk])
    assert sign_in(colleague).post(back, {"reason": ""}).status_code == 400
    said = {"reason": "The port is named in the third line."}
    assert sign_in(colleague).post(back, said).status_code == 302
    page = sign_in(staff).get(reverse("business-task", args=[task.pk])).content.decode()
    assert "The port is named in the third line." in page
    assert sign_in(colleague).post(reverse("business-confirm", args=[check.pk])).status_code == 409


def test_a_change_of_text_or_files_asks_for_both_people_again(sign_in, staff, colleague, enter):
    task = deidentified(enter(), staff, colleague)
    file = SimpleUploadedFile("brief.txt", b"The brief of the client.")
    add_attachment(actor=staff, thing=task, upload=file)
    with pytest.raises(Conflict, match="Two people go through"):
        submit_task(actor=staff, task=task)
    page = sign_in(staff).get(reverse("business-task", args=[task.pk])).content.decode()
    assert "The text or its files changed." in page
    deidentified(task, colleague, staff)
    submit_task(actor=staff, task=Task.objects.get(pk=task.pk))


def test_rules_point_at_names_addresses_links_and_amounts(staff, finance):
    task = collected(
        staff,
        finance,
        scenario="Dr Weber of Nordhafen Logistics GmbH asked Maria Lopez for help.",
        materials="Write to maria@nordhafen.example or +49 40 1234567; see https://nordhafen.example",
        requirements="The fee is EUR 12,000; she earns 88,000 now. In 2024 it was 1,5 %, 35 万.",
        title="A list",
    )
    found = {row.label: " | ".join(row.found) for row in candidates(task)}
    assert "Maria Lopez" in found["Names"]
    assert "Dr Weber" in found["Names"]
    assert "Logistics GmbH" in found["Companies"]
    contacts = found["E-mails, telephone and account numbers"]
    assert "maria@nordhafen.example" in contacts
    assert "https://nordhafen.example" in found["Links"]
    assert found["Amounts"].startswith("EUR 12,000 | 88,000 | 35 万")


def test_the_record_is_changed_by_staff_only_and_not_from_an_old_page(
    sign_in, staff, author, enter
):
    task = enter()
    address = reverse("business-record", args=[task.pk])
    values = {**FORM, "version": 1, "owner": "Harbour Recruiting Ltd"}
    assert sign_in(author).post(address, values).status_code == 403
    assert sign_in(staff).post(address, values).status_code == 302
    assert sign_in(staff).post(address, values | {"owner": "Other"}).status_code == 409
    assert Collection.objects.get().owner == "Harbour Recruiting Ltd"


def test_authors_cannot_open_the_editor_of_a_collected_task(sign_in, author, enter):
    task = enter()
    assert sign_in(author).get(reverse("task-edit", args=[task.pk])).status_code == 404
    assert sign_in(author).get(reverse("business-task", args=[task.pk])).status_code == 403


def test_a_permission_of_the_future_is_refused(sign_in, staff, finance):
    tomorrow = timezone.localdate() + timedelta(days=1)
    answer = sign_in(staff).post(reverse("business-new"), FORM | {"permitted_on": f"{tomorrow}"})
    assert answer.context["form"].errors["permitted_on"]

"""Staff keep the skills library of a domain in the browser."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Category
from curation.joining.notices.models import Notice
from curation.tasks.skills.actions import begin_skill, enter_effort, take_back_effort
from curation.tasks.skills.labelling import set_labels
from curation.tasks.skills.models import CategorySuitability, EffortEntry, SkillChange, SkillLabel
from curation.tasks.task.models import Origin, Task
from tests.rubrics.walk import to_refining
from tests.tasks.skills.conftest import new_label


def page(browser, finance) -> str:
    return browser.get(reverse("skills", args=[finance.key])).content.decode()


def sent(**more):
    """The form of a label as a browser sends it."""
    return {
        "version": "0",
        "level": "3",
        "name": "Within a budget",
        "name_zh": "在预算之内",
        "description": "The task limits what may be spent.",
        **more,
    }


def test_a_label_is_added_changed_and_shown_with_its_history(sign_in, staff, finance):
    browser = sign_in(staff)
    assert browser.post(reverse("skill-label-new", args=[finance.key]), sent()).status_code == 302
    made = SkillLabel.objects.get()
    assert (made.key, made.level, made.position) == ("within-a-budget", 3, 1)
    shown = page(browser, finance)
    assert "Within a budget" in shown
    assert "The task limits what may be spent." in shown

    address = reverse("skill-label", args=[made.pk])
    answer = browser.post(address, sent(version=made.version, name="Within a limit", position="4"))
    assert answer.status_code == 302
    made.refresh_from_db()
    assert (made.name, made.key, made.position) == ("Within a limit", "within-a-budget", 4)
    assert "Within a budget → Within a limit" in page(browser, finance)
    late = browser.post(address, sent(version=1, name="Something else", position="4"))
    assert late.status_code == 409
    made.refresh_from_db()
    assert made.name == "Within a limit"


def test_the_page_is_chinese_where_the_reader_is(sign_in, staff, finance, label):
    browser = sign_in(staff)
    browser.cookies["django_language"] = "zh-hans"
    assert "比较报价" in page(browser, finance)


@pytest.mark.parametrize(
    ("field", "typed"),
    [("name", " "), ("name", "!!"), ("level", "4"), ("position", "0"), ("name", "Compare offers")],
)
def test_what_cannot_be_a_label_is_refused_at_its_field(
    sign_in, staff, finance, label, field, typed
):
    answer = sign_in(staff).post(
        reverse("skill-label-new", args=[finance.key]), sent(**{field: typed})
    )
    assert answer.status_code == 400
    assert answer.context["form"].errors[field]
    assert SkillLabel.objects.count() == 1


def test_a_label_is_retired_with_a_reason_and_brought_back(sign_in, staff, finance, label):
    browser = sign_in(staff)
    address = reverse("skill-label-retire", args=[label.pk])
    refused = browser.post(address, {"version": label.version, "reason": " "})
    assert refused.status_code == 400
    assert "Say in a sentence why it is retired." in refused.content.decode()
    browser.post(address, {"version": label.version, "reason": "Two labels said the same."})
    label.refresh_from_db()
    assert label.retired_at is not None
    assert "Two labels said the same." in page(browser, finance)
    assert browser.post(address, {"version": label.version - 1}).status_code == 409
    browser.post(address, {"version": label.version})
    label.refresh_from_db()
    assert label.retired_at is None
    kinds = list(SkillChange.objects.values_list("kind", flat=True))
    assert kinds == ["restored", "retired", "added"]


def test_a_skill_begins_as_a_rubric_of_its_writer(sign_in, staff, finance, label, author):
    browser = sign_in(staff)
    begin = reverse("skill-begin", args=[label.pk])
    given = {"version": label.version, "writer": author.pk}
    assert browser.post(begin, given).status_code == 302
    task = Task.objects.get(origin=Origin.SKILL)
    label.refresh_from_db()
    assert label.skill == task
    assert (task.stage, task.author, task.rubric_author) == (Stage.REFINING, None, author)
    assert task.rubric_versions.filter(frozen_at__isnull=True).count() == 1
    assert Notice.objects.get(recipient=author, kind="skill_begun").url == reverse(
        "rubric", args=[task.pk]
    )
    bench = sign_in(author).get(reverse("rubric", args=[task.pk]))
    assert bench.status_code == 200
    assert "Weighs offers." in bench.content.decode()
    assert "Compare offers" in sign_in(author).get("/").content.decode()

    browser = sign_in(staff)
    again = browser.post(begin, {"version": label.version, "writer": author.pk})
    assert again.status_code == 409
    assert Task.objects.filter(origin=Origin.SKILL).count() == 1
    shown = browser.get(reverse("skill-label", args=[label.pk])).content.decode()
    assert reverse("staff-task", args=[task.pk]) in shown
    assert begin not in shown
    assert browser.get(reverse("staff-task", args=[task.pk])).status_code == 200


def test_staff_may_write_a_skill_and_experts_of_other_domains_may_not(
    sign_in, staff, person, law, finance, label
):
    browser = sign_in(staff)
    begin = reverse("skill-begin", args=[label.pk])
    stranger = person("lawyer", law)
    refused = browser.post(begin, {"version": label.version, "writer": stranger.pk})
    assert refused.status_code == 400
    assert not Task.objects.exists()
    assert browser.post(begin, {"version": label.version, "writer": staff.pk}).status_code == 302
    assert Task.objects.get().rubric_author == staff


def test_a_renamed_label_renames_its_skill(sign_in, staff, finance, label, author):
    browser = sign_in(staff)
    given = {"version": label.version, "writer": author.pk}
    browser.post(reverse("skill-begin", args=[label.pk]), given)
    label.refresh_from_db()
    changed = sent(version=label.version, level="2", name="Compare bids", position="1")
    browser.post(reverse("skill-label", args=[label.pk]), changed)
    task = Task.objects.get()
    assert (task.title, task.scenario) == ("Compare bids", "The task limits what may be spent.")


def test_a_retired_label_gets_no_skill(sign_in, staff, finance, label, author):
    browser = sign_in(staff)
    reason = {"version": label.version, "reason": "Not needed."}
    browser.post(reverse("skill-label-retire", args=[label.pk]), reason)
    label.refresh_from_db()
    given = {"version": label.version, "writer": author.pk}
    assert browser.post(reverse("skill-begin", args=[label.pk]), given).status_code == 409
    assert not Task.objects.exists()


def test_hours_are_entered_summed_and_taken_back(sign_in, staff, finance, label, author):
    browser = sign_in(staff)
    address = reverse("skill-effort", args=[label.pk])
    for hours, note in (("1.5", "First draft"), ("2", "")):
        given = {"person": author.pk, "hours": hours, "note": note}
        assert browser.post(address, given).status_code == 302
    shown = browser.get(reverse("skill-label", args=[label.pk])).content.decode()
    assert "3.50" in shown
    assert "First draft" in shown
    assert "3.50" in page(browser, finance)
    entry = EffortEntry.objects.get(note="")
    undo = reverse("skill-effort-take-back", args=[entry.pk])
    assert browser.post(undo).status_code == 302
    assert browser.post(undo).status_code == 409
    assert "1.50" in page(browser, finance)
    for wrong in ("0", "-1", "201", "1.234", "many"):
        refused = browser.post(address, {"person": author.pk, "hours": wrong})
        assert refused.status_code == 400, wrong


def test_the_suitability_of_a_category_is_said_with_a_reason(sign_in, staff, finance):
    category = Category.objects.create(domain=finance, key="memos", name="Memos")
    browser = sign_in(staff)
    assert "not said yet" in page(browser, finance)
    address = reverse("open-judgement", args=[category.pk])
    assert browser.post(address, {"verdict": "partly", "reason": ""}).status_code == 400
    assert not CategorySuitability.objects.exists()
    reason = "Half of its sources are not public."
    assert browser.post(address, {"verdict": "partly", "reason": reason}).status_code == 302
    shown = page(browser, finance)
    assert "Only partly suitable" in shown
    assert reason in shown
    assert "Open judgement of a category: Memos" in shown


def test_the_database_keeps_the_rules_too(staff, finance, label, author):
    def refused(make):
        with pytest.raises(IntegrityError), transaction.atomic():
            make()

    refused(lambda: SkillLabel.objects.create(domain=finance, key="x", name="x", level=4))
    refused(lambda: SkillLabel.objects.create(domain=finance, key=label.key, name="x", level=1))
    refused(lambda: EffortEntry.objects.create(label=label, person=author, hours=0))
    refused(lambda: SkillChange.objects.create(domain=finance, kind="retired"))
    skill = {"domain": finance, "origin": "skill", "stage": "refining"}
    refused(lambda: Task.objects.create(key="a", **skill))  # nobody writes it
    written = skill | {"rubric_author": author}
    refused(lambda: Task.objects.create(key="b", **written | {"stage": "screening"}))
    task = Task.objects.create(key="c", **written)
    SkillLabel.objects.filter(pk=label.pk).update(skill=task)
    other = new_label(staff, finance, "Other")
    refused(lambda: SkillLabel.objects.filter(pk=other.pk).update(skill=task))


def test_experts_read_no_library(sign_in, author, finance, label):
    browser = sign_in(author)
    for address in (
        reverse("skills", args=[finance.key]),
        reverse("skill-label", args=[label.pk]),
        reverse("skills-csv", args=[finance.key]),
        reverse("labels"),
    ):
        assert browser.get(address).status_code == 403


def test_the_effort_is_accounted_for_each_skill_person_and_task(
    sign_in, staff, finance, author, person
):
    screener = person("screener", finance)
    task = to_refining(author, screener, finance)
    first, second = new_label(staff, finance, "First", 1), new_label(staff, finance, "Second", 3)
    begin_skill(actor=staff, label=first, version=first.version, writer=author)
    begin_skill(actor=staff, label=second, version=second.version, writer=author)
    address = reverse("skills-effort", args=[finance.key])
    browser = sign_in(staff)
    shown = browser.get(address).content.decode()
    assert "No hours are entered yet." in shown
    assert "No label stands on a task yet." in shown
    for who, hours in ((author, "1.5"), (screener, "3"), (author, "2")):
        enter_effort(actor=staff, label=first, person=who, hours=Decimal(hours))
    wrong = enter_effort(actor=staff, label=second, person=author, hours=Decimal(9))
    take_back_effort(actor=staff, entry=wrong)
    set_labels(actor=staff, task=task, labels=[first.pk, second.pk], seen=[])
    with CaptureQueriesContext(connection) as asked:
        shown = browser.get(address).content.decode()
    assert "6.50 hours of work on 1 skill." in " ".join(shown.split())
    assert f"{author.display_name} · 3.50" in shown
    assert "not entered" in shown
    assert "1 labelled task: 2.00 labels on average, from 2 to 2." in " ".join(shown.split())
    other = to_refining(author, screener, finance, title="Another")
    set_labels(actor=staff, task=other, labels=[second.pk], seen=[])
    enter_effort(actor=staff, label=second, person=screener, hours=Decimal(1))
    with CaptureQueriesContext(connection) as more:
        browser.get(address)
    assert len(more) == len(asked)
    assert sign_in(author).get(address).status_code == 403

"""A checklist is composed by rule, put in use once, and never changes from then on."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.tasks.skills.actions import retire_label
from curation.tasks.task.models import Task
from judge.methods.query_checklists.actions import (
    drop_checklist,
    overrule,
    propose_checklist,
    put_in_use,
    take_back_overrule,
)
from judge.methods.query_checklists.compose import compose, standing_overrules
from judge.methods.query_checklists.models import (
    ChecklistOverrule,
    QueryChecklist,
    QueryChecklistLine,
)
from judge.methods.query_checklists.queries import frozen_for
from rubrics.versions.models import Criterion
from tests.methods.query_checklists.conftest import in_use, proposed
from tests.methods.query_checklists.labelled import label_all


def line(text: str) -> Criterion:
    return Criterion.objects.get(text=text, version__frozen_at__isnull=False)


def test_the_lines_follow_from_labels_and_skills_in_their_order(checklist_world, task, staff):
    first = compose(task)
    assert [(one.point.text, one.point.weight) for one in first.lines] == [
        ("Names at least two suppliers with their addresses.", 10),
        ("Says how long delivery takes.", 5),
        ("Compares at least two offers on the same terms.", 10),
        ("States prices in one  currency.", 10),
        ("Compares offers whose terms differ as if equal.", -15),
    ]
    assert first.of == 3
    assert [one.key.split(":")[0] for one in first.lines] == [
        *["find-a-supplier"] * 2,
        *["compare-offers"] * 3,
    ]
    label_all(staff, task)
    label_all(staff, task, checklist_world["supplier"], checklist_world["offers"])
    assert compose(task) == first


def test_what_two_skills_say_counts_once_with_more_weight(task):
    twins = [one for part in compose(task).skills for one in part.lines if one.same_as]
    assert [one.point.text for one in twins] == ["States prices in one currency."]
    assert twins[0].same_as == next(
        one.key for one in compose(task).lines if "one  currency" in one.point.text
    )


def test_a_task_without_an_active_skill_gets_none(checklist_world, staff):
    bare = checklist_world["bare"]
    with pytest.raises(Conflict) as refusal:
        propose_checklist(actor=staff, task=bare)
    assert refusal.value.code == "nothing_active"
    skill = checklist_world["rules"].skill
    Task.objects.filter(pk=skill.pk).update(stage=Stage.IN_REVIEW)
    label_all(staff, bare, checklist_world["rules"])
    with pytest.raises(Conflict):
        propose_checklist(actor=staff, task=bare)
    assert not QueryChecklist.objects.exists()


def test_only_a_checklist_in_use_is_given_to_a_method_in_one_query(checklist_world, task, staff):
    bare = checklist_world["bare"]
    made = proposed(staff, task)
    assert frozen_for([task.pk, bare.pk]) == {}
    in_use(staff, task, made)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        found = frozen_for([task.pk, bare.pk])
    assert len(asked) == 1
    assert list(found) == [task.pk]
    checklist = found[task.pk]
    assert (checklist.pk, len(checklist.sha256), len(checklist.lines)) == (made.pk, 64, 5)
    assert checklist.sha256 == compose(task).sha256
    last = checklist.lines[-1]
    assert (last.text, last.weight, last.flaw, last.skill) == (
        "Compares offers whose terms differ as if equal.",
        -15,
        True,
        "compare-offers",
    )
    assert len({one.key for one in checklist.lines}) == 5
    label_all(staff, bare, checklist_world["rules"])
    in_use(staff, bare)
    with CaptureQueriesContext(connection) as asked:
        assert len(frozen_for([task.pk, bare.pk])) == 2
    assert len(asked) == 1


def test_it_stays_when_labels_and_skills_change_until_a_later_one_replaces_it(
    checklist_world, task, staff, senior
):
    first = in_use(senior, task)
    before = frozen_for([task.pk])
    label_all(staff, task, checklist_world["supplier"])
    offers = checklist_world["offers"]
    retire_label(actor=staff, label=offers, version=offers.version, reason="Too narrow.")
    assert frozen_for([task.pk]) == before
    second = in_use(senior, task)
    first.refresh_from_db()
    assert (first.state, first.ended_by, second.number) == ("replaced", senior, 2)
    assert first.lines.count() == 5  # it stays with what it judged
    now = frozen_for([task.pk])[task.pk]
    assert (now.pk, len(now.lines)) == (second.pk, 3)


def test_nobody_puts_lines_in_use_that_they_did_not_read(checklist_world, task, staff):
    made = proposed(staff, task)
    read = compose(task).sha256
    label_all(staff, task, checklist_world["supplier"])
    with pytest.raises(Conflict) as refusal:
        put_in_use(actor=staff, checklist=made, sha256=read)
    assert refusal.value.code == "changed_meanwhile"
    assert frozen_for([task.pk]) == {}


def test_the_same_lines_are_not_put_in_use_twice_and_flaws_alone_never(
    checklist_world, task, staff
):
    in_use(staff, task)
    with pytest.raises(Conflict) as refusal:
        in_use(staff, task)
    assert refusal.value.code == "nothing_new"
    drop_checklist(actor=staff, checklist=QueryChecklist.objects.get(state="proposed"))
    bare = checklist_world["bare"]
    label_all(staff, bare, checklist_world["rules"])
    made = proposed(staff, bare)
    rules = checklist_world["rules"]
    names = line("Names the rule that forbids the import.")
    overrule(actor=staff, checklist=made, label=rules, criterion=names, reason="Not asked.")
    with pytest.raises(Conflict) as refusal:
        in_use(staff, bare, made)
    assert refusal.value.code == "nothing_to_earn"


def test_people_overrule_a_line_and_an_activation_with_a_reason(checklist_world, task, staff):
    made = proposed(staff, task)
    supplier, rules = checklist_world["supplier"], checklist_world["rules"]
    delivery = line("Says how long delivery takes.")
    with pytest.raises(BadInput) as refusal:
        overrule(actor=staff, checklist=made, label=supplier, criterion=delivery, reason="  ")
    assert "reason" in refusal.value.fields
    overrule(actor=staff, checklist=made, label=supplier, criterion=delivery, reason="Nobody asks.")
    overrule(actor=staff, checklist=made, label=rules, reason="It crosses a border.")
    offers = checklist_world["offers"]
    out = overrule(actor=staff, checklist=made, label=offers, reason="There is one offer.")
    with pytest.raises(Conflict) as twice:
        overrule(actor=staff, checklist=made, label=offers, reason="Again.")
    assert twice.value.code == "overruled_already"
    texts = [one.point.text for one in compose(task, standing_overrules(made)).lines]
    assert texts == [
        "Names at least two suppliers with their addresses.",
        "States prices in one currency.",  # nothing says it better any more
        "Names the rule that forbids the import.",
        "Advises to break a law.",
    ]
    take_back_overrule(actor=staff, checklist=made, overruled=out)
    with pytest.raises(Conflict):
        take_back_overrule(actor=staff, checklist=made, overruled=out)
    in_use(staff, task, made)
    assert [row.weight for row in QueryChecklistLine.objects.filter(checklist=made)] == [
        *(10, 10, 10, -15, 10, -15),
    ]
    for change in (
        lambda: overrule(actor=staff, checklist=made, label=rules, reason="Late."),
        lambda: take_back_overrule(actor=staff, checklist=made, overruled=out),
        lambda: drop_checklist(actor=staff, checklist=made),
    ):
        with pytest.raises(Conflict) as late:
            change()
        assert late.value.code == "wrong_stage"
    later = proposed(staff, task)  # begins with what was overruled, and by whom
    kept = standing_overrules(later).values()
    assert {(row.kind, row.reason, row.by) for row in kept} == {
        ("left_out", "Nobody asks.", staff),
        ("added", "It crosses a border.", staff),
    }


def test_what_is_overruled_without_an_effect_does_not_stay(checklist_world, task, staff):
    made = proposed(staff, task)
    offers, rules = checklist_world["offers"], checklist_world["rules"]
    overrule(actor=staff, checklist=made, label=rules, reason="It crosses a border.")
    overrule(actor=staff, checklist=made, label=offers, reason="There is one offer.")
    label_all(staff, task, checklist_world["supplier"], rules)
    assert compose(task, standing_overrules(made)).overruled == ()
    in_use(staff, task, made)
    assert standing_overrules(made) == {}
    assert len(frozen_for([task.pk])[task.pk].lines) == 5


def test_a_line_or_skill_that_is_not_there_cannot_be_overruled(checklist_world, task, staff, law):
    made = proposed(staff, task)
    with pytest.raises(BadInput):
        overrule(
            actor=staff,
            checklist=made,
            label=checklist_world["supplier"],
            criterion=line("Advises to break a law."),
            reason="Elsewhere.",
        )
    other = checklist_world["rules"]
    Task.objects.filter(pk=other.skill_id).update(stage=Stage.REFINING)
    with pytest.raises(BadInput):
        overrule(actor=staff, checklist=made, label=other, reason="Not approved.")
    assert not ChecklistOverrule.objects.exists()


def test_frozen_rows_never_change(task, staff):
    made = in_use(staff, task)
    row = made.lines.first()
    row.weight = 5
    with pytest.raises(TypeError):
        row.save()
    with pytest.raises(TypeError):
        made.lines.update(weight=5)
    with pytest.raises(TypeError):
        made.overrules.all().delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        QueryChecklist.objects.create(task=task, number=2, state="in_use")
    with pytest.raises(IntegrityError), transaction.atomic():
        QueryChecklist.objects.filter(pk=made.pk).update(sha256="")
    with pytest.raises(IntegrityError), transaction.atomic():
        QueryChecklistLine.objects.create(
            checklist=made, position=9, label=row.label, criterion=line(RULE), weight=7
        )


RULE = "Names the rule that forbids the import."


def test_who_may_not_compose_or_use_one(checklist_world, task, staff, person, finance):
    made = proposed(staff, task)
    sha256 = compose(task).sha256
    for somebody in (checklist_world["writer"], checklist_world["reviewer"], person("nobody")):
        with pytest.raises(Denied):
            put_in_use(actor=somebody, checklist=made, sha256=sha256)
        with pytest.raises(Denied):
            drop_checklist(actor=somebody, checklist=made)
    Task.objects.filter(pk=task.pk).update(origin="own", author=staff)
    made = QueryChecklist.objects.get(pk=made.pk)
    with pytest.raises(Denied):
        put_in_use(actor=staff, checklist=made, sha256=sha256)

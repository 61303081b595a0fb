"""Each sitting gets its paper as rows; what was answered so far goes along."""

import django.db.models.deletion
from django.db import migrations, models

from curation.question_bank.grading import is_right


def carry(apps, schema_editor):
    """A row for each question of each sitting, in the bank's order, with its answer."""
    Sitting = apps.get_model("curation", "ExamSitting")
    Question = apps.get_model("curation", "Question")
    Row = apps.get_model("curation", "SittingQuestion")
    bank = {}
    for question in Question.objects.order_by("exam__domain", "position", "pk").select_related("exam"):
        bank.setdefault(question.exam.domain_id, []).append(question)
    has_paper = set(Row.objects.values_list("sitting_id", flat=True).distinct())
    rows = []
    for sitting in Sitting.objects.select_related("application").order_by("pk"):
        if sitting.pk in has_paper:
            continue
        for place, question in enumerate(bank.get(sitting.application.domain_id, []), start=1):
            answer = sitting.answers.get(question.key_id)
            marked = sitting.submitted_at is not None
            right = is_right(question.kind, question.key, answer, question.unit)
            rows.append(
                Row(
                    sitting=sitting,
                    question=question,
                    position=place,
                    order=list(range(len(question.options))),
                    answer=answer,
                    answered_at=None if answer is None else sitting.saved_at,
                    points=(question.points if right else 0) if marked else None,
                    marked_at=sitting.submitted_at,
                )
            )
    Row.objects.bulk_create(rows, batch_size=500)


def give_back(apps, schema_editor):
    """The answers as one object of each sitting."""
    Sitting = apps.get_model("curation", "ExamSitting")
    Row = apps.get_model("curation", "SittingQuestion")
    answers = {}
    for row in Row.objects.select_related("question").exclude(answer=None).order_by("pk"):
        answers.setdefault(row.sitting_id, {})[row.question.key_id] = row.answer
    for sitting in Sitting.objects.filter(pk__in=answers).order_by("pk"):
        sitting.answers = answers[sitting.pk]
        sitting.save(update_fields=["answers"])


class Migration(migrations.Migration):

    dependencies = [
        ("curation", "0008_likeness_of_prompts"),
    ]

    operations = [
        migrations.AddField(
            model_name="exam",
            name="marking_days",
            field=models.PositiveSmallIntegerField(default=5),
        ),
        migrations.AddField(
            model_name="question",
            name="replaces",
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="replaced_by", to="curation.question"),
        ),
        migrations.RunPython(carry, give_back),
    ]

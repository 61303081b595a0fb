"""Keep each step of a conflict of interest, and let staff dismiss a declaration."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def write_steps(apps, schema_editor):
    """Write the steps that are still known: the declaration, and the last answer or decision."""
    Step = apps.get_model('review', 'ConflictStep')
    for row in apps.get_model('review', 'ConflictOfInterest').objects.order_by('pk').iterator():
        steps = [Step(conflict=row, kind='declared', by_id=row.declared_by_id, at=row.at)]
        if row.state != 'declared' and row.decided_by_id is not None:
            steps.append(
                Step(
                    conflict=row,
                    kind=row.state,
                    by_id=row.decided_by_id,
                    reason=row.reason,
                    at=row.decided_at or row.at,
                )
            )
        Step.objects.bulk_create(steps)


def write_columns(apps, schema_editor):
    """Write the last answer or decision of each conflict back."""
    Step = apps.get_model('review', 'ConflictStep')
    for row in apps.get_model('review', 'ConflictOfInterest').objects.order_by('pk').iterator():
        last = Step.objects.filter(conflict=row).exclude(kind='declared').order_by('-pk').first()
        if row.state != 'declared' and last is not None:
            row.reason, row.decided_by_id, row.decided_at = last.reason, last.by_id, last.at
            row.save(update_fields=['reason', 'decided_by', 'decided_at'])


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0007_spot_checks_taken_back'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='declaration',
            name='dismissed_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='declaration',
            name='dismissed_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='declaration',
            name='dismissed_reason',
            field=models.TextField(blank=True, default=''),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name='declaration',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('dismissed_at__isnull', True), ('dismissed_by__isnull', True)), models.Q(('dismissed_at__isnull', False), ('dismissed_by__isnull', False), models.Q(('dismissed_reason', ''), _negated=True)), _connector='OR'), name='a_declaration_is_dismissed_by_somebody_for_a_reason'),
        ),
        migrations.CreateModel(
            name='ConflictStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('declared', 'declared'), ('confirmed', 'confirmed'), ('disputed', 'disputed'), ('upheld', 'upheld'), ('ended', 'ended')], max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('conflict', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='review.conflictofinterest')),
            ],
            options={
                'ordering': ('id',),
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['disputed', 'upheld', 'ended']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='a_conflict_is_disputed_and_decided_for_a_reason')],
            },
        ),
        migrations.RemoveConstraint(
            model_name='conflictofinterest',
            name='a_conflict_is_disputed_or_ended_for_a_reason',
        ),
        migrations.RunPython(write_steps, write_columns),
        migrations.RemoveField(model_name='conflictofinterest', name='reason'),
        migrations.RemoveField(model_name='conflictofinterest', name='decided_by'),
        migrations.RemoveField(model_name='conflictofinterest', name='decided_at'),
    ]

from django.db import migrations, models


def number(apps, schema_editor):
    """Count the states in the order they were set."""
    for name in ('TrustThresholds', 'AnchorPolicy'):
        rows = apps.get_model('judge', name).objects
        for place, pk in enumerate(rows.order_by('id').values_list('pk', flat=True), start=1):
            rows.filter(pk=pk).update(number=place)


class Migration(migrations.Migration):

    dependencies = [
        ('judge', '0023_release_hash_is_unique'),
    ]

    operations = [
        migrations.AddField(
            model_name='trustthresholds',
            name='number',
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='anchorpolicy',
            name='number',
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='trustthresholds',
            constraint=models.UniqueConstraint(fields=('number',), name='thresholds_are_set_one_by_one'),
        ),
        migrations.AddConstraint(
            model_name='anchorpolicy',
            constraint=models.UniqueConstraint(fields=('number',), name='anchor_policies_are_set_one_by_one'),
        ),
    ]

from collections import Counter

from django.db import migrations, models


def number(apps, schema_editor):
    """Count the slots each expert was given, in the order they were given."""
    grants = apps.get_model('curation', 'SlotGrant')
    counted = Counter()
    for grant in grants.objects.order_by('at', 'id'):
        counted[grant.expert_id] += 1
        grants.objects.filter(pk=grant.pk).update(number=counted[grant.expert_id])


class Migration(migrations.Migration):

    dependencies = [
        ('curation', '0016_sent_forms'),
    ]

    operations = [
        migrations.AddField(
            model_name='slotgrant',
            name='number',
            field=models.PositiveSmallIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='slotgrant',
            constraint=models.UniqueConstraint(fields=('expert', 'number'), name='a_slot_is_granted_once_by_its_number'),
        ),
    ]

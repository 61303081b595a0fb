"""One release for one content.

Before this, two equal requests at the same moment could freeze the same content twice. Such releases
stay: their numbers were given out, their files were downloaded. The lowest number is the release;
each later one is marked as being the same, and its page leads there. No row and no file is removed.
"""

import django.db.models.deletion
from django.db import migrations, models


def mark_equal_releases(apps, schema_editor):
    releases = apps.get_model("judge", "GoldRelease").objects
    first = {}
    for pk, sha256 in releases.order_by("number").values_list("pk", "sha256"):
        if first.setdefault(sha256, pk) != pk:
            releases.filter(pk=pk).update(same_as=first[sha256])
    # PostgreSQL builds no index on a table with checks still waiting for the end.
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):

    dependencies = [
        ('judge', '0022_price_events'),
    ]

    operations = [
        migrations.AddField(
            model_name='goldrelease',
            name='same_as',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judge.goldrelease'),
        ),
        migrations.RunPython(mark_equal_releases, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='goldrelease',
            constraint=models.UniqueConstraint(condition=models.Q(('same_as__isnull', True)), fields=('sha256',), name='release_hash_is_unique'),
        ),
    ]

"""Who took a flag back, and an index by which calls are listed by model."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judge', '0029_endpoints'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='verdictflag',
            name='withdrawn_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='verdictflag',
            constraint=models.CheckConstraint(condition=models.Q(('withdrawn_by__isnull', True), ('withdrawn_at__isnull', False), _connector='OR'), name='who_takes_a_flag_back_does_it_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='call',
            index=models.Index(fields=['provider', 'model', 'id'], name='call_of_model'),
        ),
    ]

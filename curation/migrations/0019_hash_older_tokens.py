"""Tokens made before they were hashed go on working, for a year; their keys are let go."""

import hashlib
from datetime import timedelta

from django.db import migrations
from django.utils import timezone
from django.utils.crypto import salted_hmac

OLD = 'authtoken_token'
SALT = 'curation.models.people.User.session'


def take_over(apps, schema_editor):
    connection = schema_editor.connection
    if OLD not in connection.introspection.table_names():
        return
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT user_id, key FROM {OLD}')
        rows = cursor.fetchall()
    people = apps.get_model('curation', 'User').objects.in_bulk([row[0] for row in rows])
    tokens = apps.get_model('curation', 'ApiToken').objects
    for user_id, key in rows:
        person = people[user_id]
        facts = f'{person.password}|{person.is_staff}|{person.is_superuser}|{person.session_epoch}'
        tokens.create(
            user_id=user_id,
            name='Made before tokens had names',
            digest=hashlib.sha256(key.encode()).hexdigest(),
            opened_with=salted_hmac(SALT, facts, algorithm='sha256').hexdigest(),
            ends_at=timezone.now() + timedelta(days=365),
        )
    schema_editor.execute(f'DROP TABLE {OLD}')


class Migration(migrations.Migration):

    dependencies = [
        ('curation', '0018_api_tokens'),
    ]

    operations = [
        migrations.RunPython(take_over, migrations.RunPython.noop),
    ]

"""The answers of a sitting stand in its paper now. Apart from the copying, because a database does
not change a table in the transaction that wrote to it."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("curation", "0011_standing_and_readers"),
    ]

    operations = [
        migrations.RemoveField(model_name="examsitting", name="answers"),
    ]

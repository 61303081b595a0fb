"""Calls hold their whole request again; what their prompts share stands nowhere apart."""

from importlib import import_module

from django.db import migrations

put_back = import_module("judge.migrations.0021_prompt_prefixes").put_back


class Migration(migrations.Migration):
    dependencies = [("judge", "0025_takeovers")]

    operations = [
        migrations.RunPython(put_back, migrations.RunPython.noop),
        migrations.DeleteModel("PromptPrefix"),
    ]

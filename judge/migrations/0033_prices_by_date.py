"""A price counts from a moment on; the one known so far counted for all calls, and still does."""

import django.utils.timezone
from django.db import migrations, models
from django.db.models import F


def keep_when_entered(apps, schema_editor):
    """The prices so far begin at the beginning; when each was entered stays known."""
    apps.get_model("judge", "Price").objects.update(entered_at=F("since"), since=None)


def keep_one(apps, schema_editor):
    """Back to one price for each model: the newest that is in force."""
    price = apps.get_model("judge", "Price")
    now = django.utils.timezone.now()
    for row in price.objects.exclude(since=None).order_by("since"):
        others = price.objects.filter(provider=row.provider, model=row.model).exclude(pk=row.pk)
        if row.since <= now:
            others.filter(models.Q(since=None) | models.Q(since__lt=row.since)).delete()
        elif others.exists():
            row.delete()
    price.objects.update(since=F("entered_at"))


class Migration(migrations.Migration):
    dependencies = [("judge", "0032_text_versions")]

    operations = [
        migrations.AddField(
            model_name="price",
            name="entered_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.RemoveConstraint(model_name="price", name="one_price_per_model"),
        migrations.AlterField(
            model_name="price",
            name="since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(keep_when_entered, keep_one),
        migrations.AlterModelOptions(
            name="price", options={"ordering": ("provider", "model", "id")}
        ),
        migrations.AddConstraint(
            model_name="price",
            constraint=models.UniqueConstraint(
                fields=["provider", "model", "since"], name="one_price_per_model_and_start"
            ),
        ),
        migrations.AddConstraint(
            model_name="price",
            constraint=models.UniqueConstraint(
                condition=models.Q(("since__isnull", True)),
                fields=["provider", "model"],
                name="one_price_per_model_from_the_beginning",
            ),
        ),
        migrations.AddField(
            model_name="priceevent",
            name="since",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]

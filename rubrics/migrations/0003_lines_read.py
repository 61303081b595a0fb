from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("rubrics", "0002_line_history")]

    operations = [
        migrations.AlterField(
            model_name="linechange",
            name="kind",
            field=models.CharField(
                choices=[
                    ("edited", "Line edited"),
                    ("added", "Line added"),
                    ("removed", "Line removed"),
                    ("moved", "Line moved"),
                    ("split", "Line split"),
                    ("merged", "Lines merged"),
                    ("brought_back", "Line brought back"),
                    ("confirmed", "Line read and kept"),
                    ("reason", "Reason given"),
                    ("undone", "Step undone"),
                ],
                max_length=12,
            ),
        ),
    ]

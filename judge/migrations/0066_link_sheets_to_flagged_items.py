from typing import Any

from django.db import migrations


def link_sheets(apps: Any, editor: Any) -> None:
    """Link the sheets that sets asked for because of a flag to the items they were asked for.

    Where sets hold the response for flags alone, these are all sheets since the draw of each, to the
    next. Where another set drew it at random, they are those of the people whom the draw assigned.
    """
    items = apps.get_model("judge", "AlignmentItem").objects
    events = apps.get_model("curation", "TaskEvent").objects
    at_random = set(items.filter(flagged=False).values_list("response_id", flat=True))
    for item in items.filter(flagged=True).select_related("set", "response").order_by("-pk"):
        model = "GradedSheet" if item.set.form == "grade" else "Sheet"
        sheets = apps.get_model("judge", model).objects.filter(
            response=item.response_id,
            kind="expert",
            user__isnull=False,
            flagged_item__isnull=True,
            opened_at__gte=item.set.created_at,
        )
        if model == "Sheet":
            sheets = sheets.filter(purpose="alignment")
        if item.response_id in at_random:
            assigned = events.filter(
                task=item.response.task_id,
                data__event="sheet_assigned",
                data__set=item.set_id,
                data__response=item.response.key,
            )
            scorers = [data["scorer"] for data in assigned.values_list("data", flat=True)]
            sheets = sheets.filter(user__in=scorers)
        sheets.update(flagged_item=item)


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0044_index_of_origins"),
        ("judge", "0065_sheets_for_flags"),
    ]

    operations = [migrations.RunPython(link_sheets, migrations.RunPython.noop)]

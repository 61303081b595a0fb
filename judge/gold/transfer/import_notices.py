"""What becomes of an import, told to who started it."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.joining.notices.notify import Kind, Topic, send_notice
from judge.gold.transfer.import_models import DataImport

KINDS = (
    Kind(
        "import_done",
        Topic.PROGRAMME,
        _("“%(file)s” is imported"),
        _("New: %(added)s. Already there: %(unchanged)s."),
        _("Open the import"),
    ),
    Kind(
        "import_failed",
        Topic.PROGRAMME,
        _("“%(file)s” was not imported"),
        _("Nothing of it was stored. Its page says why."),
        _("Open the import"),
    ),
)


def tell(row: DataImport, counts: Mapping[str, Any] | None) -> None:
    """Tell who started an import how it ended; `counts` is None where it failed."""
    numbers = {name: f"{(counts or {}).get(name, 0):,}" for name in ("added", "unchanged")}
    send_notice(
        row.asked_by,
        "import_failed" if counts is None else "import_done",
        once=f"import-{row.pk}-{row.revision}",
        url=reverse("staff-import", args=[row.pk]),
        file=row.file_name,
        **numbers,
    )

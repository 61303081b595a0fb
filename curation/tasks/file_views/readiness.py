"""Whether the files of a thing may go to its readers."""

from typing import Any

from django.utils.translation import gettext as _

from curation.base.file_contents.models import FileContent


def file_gaps(thing: Any) -> dict[str, list[str]]:
    """Return what its files keep a task or trial from being submitted for: "files" -> sentences.

    A file that nobody has read yet may name its author, or run something. Two queries.
    """
    held = thing.attachments.filter(removed_at__isnull=True).order_by("pk")
    names = list(held.values_list("name", "sha256"))
    if not names:
        return {}
    known = FileContent.objects.filter(sha256__in={sha256 for _name, sha256 in names})
    reasons = dict(known.values_list("sha256", "reason"))
    sentences = []
    for name, sha256 in names:
        if sha256 not in reasons:
            sentences.append(
                _(
                    "“%(name)s” is still being read. Wait until the page says below the file what "
                    "was found in it, then send this again."
                )
                % {"name": name}
            )
        elif reasons[sha256] == "active":
            sentences.append(
                _(
                    "“%(name)s” runs scripts, holds other files or leads out when it is opened. "
                    "Remove it, print it to a new PDF and add that; then send this again."
                )
                % {"name": name}
            )
    return {"files": sentences} if sentences else {}

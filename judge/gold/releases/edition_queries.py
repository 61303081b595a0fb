"""An edition's content as its page prints it, with the names of domains."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from curation.joining.domains.models import Domain


def shown(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a content with the domains' names in the reader's language as `name`. One query."""
    names = {one.key: str(one) for one in Domain.objects.all()}

    def named(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [
            {**row, "name": names.get(row["domain"], row["domain"]) or _("All domains")}
            for row in rows
        ]

    return {
        **content,
        **{part: named(content[part]) for part in ("releases", "new", "changed", "retired")},
    }

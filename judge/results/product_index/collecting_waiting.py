"""The answers that wait for an operator, for Home."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.waiting import Waiting
from judge.results.product_index.collecting import queue_of


def waiting(user: Any) -> list[Waiting]:
    """Return an operator's open cell, else how many can be taken. Three queries at most."""
    if not user.is_operator:
        return []
    queue = queue_of(user)
    if queue.own is not None:
        return [
            Waiting(
                due=queue.own.leased_until,
                title=_("Collect an answer"),
                detail=_("%(product)s %(version)s · %(task)s")
                % {
                    "product": queue.own.candidate.product,
                    "version": queue.own.candidate.version,
                    "task": queue.own.task.title,
                },
                url=reverse("collecting-cell", args=[queue.own.pk]),
                button=_("Go on with it"),
                section="collecting",
            )
        ]
    if not queue.waiting:
        return []
    return [
        Waiting(
            due=None,
            title=ngettext(
                "%(n)s answer can be collected", "%(n)s answers can be collected", queue.waiting
            )
            % {"n": f"{queue.waiting:,}"},
            detail=_("Products that are asked by hand, one task at a time"),
            url=reverse("collecting"),
            button=_("Open the queue"),
            section="collecting",
        )
    ]

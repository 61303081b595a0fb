"""Rubrics read for pages."""

from rubrics.queries.versions import (
    AT_ONCE,
    counting_versions,
    lines_of,
    own_rubrics,
    reasons_of,
    version_ids_that_count,
    version_that_counts,
    version_to_read,
    versions_of,
    versions_that_count,
    working_version,
)
from rubrics.queries.waiting import waiting
from rubrics.queries.workbench import (
    LineView,
    Workbench,
    against_draft,
    basis_of,
    counts_against,
    workbench,
)

__all__ = [
    "AT_ONCE",
    "LineView",
    "Workbench",
    "against_draft",
    "basis_of",
    "counting_versions",
    "counts_against",
    "lines_of",
    "own_rubrics",
    "reasons_of",
    "version_ids_that_count",
    "version_that_counts",
    "version_to_read",
    "versions_of",
    "versions_that_count",
    "waiting",
    "workbench",
    "working_version",
]

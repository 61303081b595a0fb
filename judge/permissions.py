"""Judge's rows of the table of permissions."""

from curation.access.permissions import (
    is_its_owner,
    is_operator,
    is_qualified_in_its_domain,
    is_qualified_somewhere,
    is_senior_in_its_domain,
    is_staff,
)
from curation.tasks.access import is_its_author, writes_its_rubric
from judge.facts import is_the_senior_who_checks_it, its_domain_came_with_another_benchmark
from judge.profiles.access import is_still_written

PERMISSIONS: dict[str, list] = {
    "draft.view": [[is_its_author], [writes_its_rubric], [is_staff]],
    "draft.ask": [[writes_its_rubric]],
    "selection.view": [[is_its_author], [writes_its_rubric], [is_staff]],
    "selection.set": [[is_its_author, is_still_written], [is_staff]],
    "sheet.view": [[is_its_owner]],
    "sheet.score": [
        [is_its_owner, is_qualified_in_its_domain],
        [is_its_owner, is_qualified_somewhere, its_domain_came_with_another_benchmark],
    ],
    "sheet.hand_back": [[is_its_owner], [is_staff]],
    "collect": [[is_operator], [is_staff]],
    "anchor.check": [[is_the_senior_who_checks_it, is_senior_in_its_domain]],
}

"""Judge's rows of the table of permissions."""

from typing import Any

from curation.base.access.duties import Duty
from curation.base.access.permissions import (
    has_duty,
    is_its_owner,
    is_operator,
    is_qualified_in_its_domain,
    is_qualified_somewhere,
    is_senior_in_its_domain,
    is_staff,
    register,
    signed_in,
)
from curation.tasks.skills.access import labels_as_a_senior
from curation.tasks.task.queries import is_its_author, is_not_its_author, writes_its_rubric
from judge.gold.transfer.import_fields import holds_scores, holds_tasks
from judge.methods.profiles.access import is_still_written


def its_domain_came_with_another_benchmark(user: Any, thing: Any) -> bool:
    """Nobody can qualify in an external domain, so any expert may work there."""
    return bool(thing.domain_external)


def is_the_senior_who_checks_it(user: Any, evaluation: Any) -> bool:
    return signed_in(user, None) and evaluation.senior_id == user.pk


EDITS, SCORES = has_duty(Duty.EDITING), has_duty(Duty.SCORING)
PERMISSIONS: dict[str, list] = {
    "draft.view": [[is_its_author], [writes_its_rubric], [is_staff]],
    "draft.ask": [[writes_its_rubric]],
    "selection.view": [[is_its_author], [writes_its_rubric], [is_staff]],
    "selection.set": [[is_its_author, is_still_written], [EDITS]],
    "sheet.view": [[is_its_owner]],
    "sheet.score": [
        [is_its_owner, is_qualified_in_its_domain],
        [is_its_owner, is_qualified_somewhere, its_domain_came_with_another_benchmark],
    ],
    "sheet.hand_back": [[is_its_owner], [SCORES]],
    "checklist.use": [[EDITS, is_not_its_author], [labels_as_a_senior]],
    "judgment.overrule": [[SCORES, is_not_its_author]],
    # Retiring an approved task keeps it out of the next draws.
    "task.retire": [[has_duty(Duty.GOLD), is_not_its_author]],
    "collecting": [[is_operator], [is_staff]],
    # Tasks are for those who edit, responses and scores for those who score. `import` opens the
    # pages; `import.change` is about one upload or kept mapping.
    "import": [[EDITS], [SCORES]],
    "import.tasks": [[EDITS]],
    "import.scores": [[SCORES]],
    "import.change": [[EDITS, holds_tasks], [SCORES, holds_scores]],
    "collect": [[is_operator], [SCORES]],
    "anchor.check": [[is_the_senior_who_checks_it, is_senior_in_its_domain]],
}

register(PERMISSIONS)

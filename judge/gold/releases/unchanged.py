"""Whether the tasks of a release still stand as they were written."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Task
from judge.gold.releases.pool import Entry
from judge.scoring.anchors.models import Anchor
from rubrics.versions.queries import versions_that_count


def check_unchanged(drawn: Sequence[Entry]) -> None:
    """Raise Conflict if a drawn task or its anchor is no longer what was written."""
    pks = [entry.pk for entry in drawn]
    texts: dict[int, int] = {}  # approved tasks -> the version of their text
    for start in range(0, len(pks), 500):
        rows = Task.objects.filter(pk__in=pks[start : start + 500], stage=Stage.APPROVED)
        texts.update(rows.values_list("pk", "version"))
    versions = versions_that_count(pks)
    anchors = {entry.anchor for entry in drawn if entry.anchor is not None}
    validated = Anchor.objects.filter(stage=AnchorStage.VALIDATED, pk__in=anchors)
    gone = anchors - set(validated.values_list("pk", flat=True))
    changed = [
        entry.key
        for entry in drawn
        if texts.get(entry.pk) != entry.text_version
        or entry.pk not in versions
        or versions[entry.pk].pk != entry.version.pk
        or entry.anchor in gone
    ]
    if changed:
        raise Conflict(
            _("These tasks were moved on while the files were written: %(tasks)s. Draw again.")
            % {"tasks": ", ".join(changed[:12])},
            code="tasks_moved",
        )

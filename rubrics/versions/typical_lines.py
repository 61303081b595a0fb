"""What is usual among the approved rubrics of a domain, for authors to compare with."""

from django.db.models import Q, Sum

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import ANSWERABLE, AnswerForm, Task
from rubrics.versions import balance
from rubrics.versions.models import Criterion
from rubrics.versions.queries import versions_that_count

RECENT = 50  # newest approved rubrics considered


def usual_essential_share(domain_id: int) -> tuple[int, int] | None:
    """Return the usual share of weight in Essential lines of a domain's approved rubrics.

    The quartiles (low, high) over the newest approved tasks, in whole percent; None with too few.
    """
    tasks = list(
        Task.objects.filter(
            origin__in=ANSWERABLE,
            stage=Stage.APPROVED,
            domain_id=domain_id,
            answer_form=AnswerForm.TEXT,
        )
        .order_by("-id")
        .values_list("pk", flat=True)[:RECENT]
    )
    if len(tasks) < balance.MIN_RUBRICS:
        return None
    rows = (
        Criterion.objects.filter(version__in=versions_that_count(tasks).values())
        .order_by()
        .values("version_id")
        .annotate(all=Sum("weight"), essential=Sum("weight", filter=Q(importance="essential")))
    )
    return balance.usual_share([(row["essential"] or 0) / row["all"] for row in rows])

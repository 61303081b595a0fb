"""Share one account's rate limit among processes: each reports its limit and takes its share.

Processes share through the database, which every installation has. They learn of a refusal within a
second; until then each may meet one of its own.
"""

from datetime import timedelta

from django.utils import timezone

from judge.asking.providers.limiter import Learnt, Limiter
from judge.base.queue import alive
from judge.base.queue.models import AccountUse

FRESH = timedelta(seconds=10)  # older rows belong to processes that have ended
KEPT = timedelta(hours=1)

_LEARNT = ["wanted", "limit", "good", "refused_at", "paused_until", "seen_at"]


class Sharing:
    """The row of one run or order among the work that uses an account.

    Args:
        account: the opaque name of the key.
        wanted: calls at once it asks for.
        work: its name, unique in this process.
        process: the process, each of which has its own limiter; by default this one.
    """

    def __init__(
        self, limiter: Limiter, account: str, *, wanted: int, work: str, process: str = ""
    ) -> None:
        self.limiter, self.account, self.wanted = limiter, account, wanted
        self.process = process or alive.process_name()
        self.holder = f"{self.process}/{work}"

    def exchange(self) -> None:
        """Report our limit and adopt that of the others. Two queries."""
        now = timezone.now()
        learnt = self.limiter.learnt()
        ago = learnt.refused_ago
        use = AccountUse(
            account=self.account,
            holder=self.holder,
            wanted=self.wanted,
            limit=learnt.limit,
            good=learnt.good,
            refused_at=None if ago is None else now - timedelta(seconds=ago),
            paused_until=now + timedelta(seconds=learnt.paused_for),
            seen_at=now,
        )
        AccountUse.objects.bulk_create(
            [use],
            update_conflicts=True,
            unique_fields=["account", "holder"],
            update_fields=_LEARNT,
        )
        rows = list(AccountUse.objects.filter(account=self.account, seen_at__gte=now - FRESH))
        others = [row for row in rows if not row.holder.startswith(f"{self.process}/")]
        others = [row for row in others if not alive.has_ended(row.holder.partition("/")[0])]
        if not others:
            self.limiter.follow(None, share=1.0)
            return
        ours = sum(row.wanted for row in rows if row.holder.startswith(f"{self.process}/"))
        theirs = sum(row.wanted for row in others)
        # As within one process, assume that the account bears the highest number asked for.
        self.limiter.raise_ceiling(max(row.wanted for row in others))
        refused = [row for row in others if row.refused_at is not None]
        last = max(refused, key=lambda row: row.refused_at or now, default=None)
        pause = max((row.paused_until or now) - now for row in others)
        self.limiter.follow(
            Learnt(
                limit=last.limit if last else 0,
                good=last.good if last else 0,
                refused_ago=(
                    (now - last.refused_at).total_seconds() if last and last.refused_at else None
                ),
                paused_for=max(0.0, pause.total_seconds()),
            ),
            share=ours / (ours + theirs),
        )

    def leave(self) -> None:
        """Remove the row, so that the others take its share."""
        AccountUse.objects.filter(account=self.account, holder=self.holder).delete()
        AccountUse.objects.filter(seen_at__lt=timezone.now() - KEPT).delete()
        self.limiter.follow(None, share=1.0)

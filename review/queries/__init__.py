"""Reviews and spot checks, read for pages. Nobody's name is ever selected here."""

from review.queries.author import AuthorReader
from review.queries.reviewer import ReviewPage, review_page
from review.queries.reviews import expired, mine, pool
from review.queries.spot_checks import SpotCheckPage, queue, rates, spot_check_page
from review.queries.waiting import waiting

__all__ = [
    "AuthorReader",
    "ReviewPage",
    "SpotCheckPage",
    "expired",
    "mine",
    "pool",
    "queue",
    "rates",
    "review_page",
    "spot_check_page",
    "waiting",
]

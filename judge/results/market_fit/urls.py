"""Pages of technology-market fit, for staff alone: they show candidates' scores."""

from curation.base.access.page import page
from judge.results.market_fit import views

urlpatterns = [
    page("market-fit/", views.market_fit, "market-fit", menu="leaderboard", GET="staff"),
    page(
        "market-fit/<key:key>/",
        views.market_fit_domain,
        "market-fit-domain",
        menu="leaderboard",
        GET="staff",
    ),
    page(
        "market-fit/<key:key>/csv/",
        views.market_fit_csv,
        "market-fit-csv",
        menu="leaderboard",
        GET="staff",
    ),
    page(
        "market-fit/<key:key>/price/",
        views.market_fit_price,
        "market-fit-price",
        menu="leaderboard",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "market-fit/<key:key>/demand/",
        views.market_fit_demand,
        "market-fit-demand",
        menu="leaderboard",
        GET="staff",
        POST="staff.scoring",
    ),
]

"""Pages of technology-market fit, for staff alone: they show candidates' scores."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.market_fit import views

page = Pages("market-fit/", menu="leaderboard", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.market_fit, "market-fit", "GET", label=_("Technology-market fit")),
    page("<key:key>/", views.market_fit_domain, "market-fit-domain", "GET", label="domain"),
    page("<key:key>/csv/", views.market_fit_csv, "market-fit-csv", "GET"),
    page("<key:key>/price/", views.market_fit_price, "market-fit-price", "GET POST"),
    page("<key:key>/demand/", views.market_fit_demand, "market-fit-demand", "GET POST"),
]

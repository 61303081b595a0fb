"""Pages of the index, of products and of periods, for staff alone."""

from curation.base.access.page import page
from judge.results.product_index import views

_MENU = {"menu": "leaderboard"}

urlpatterns = [
    page("index/", views.index, "product-index", **_MENU, GET="staff"),
    page("index.csv", views.index_csv, "product-index-csv", **_MENU, GET="staff"),
    page("index.json", views.index_json, "product-index-json", **_MENU, GET="staff"),
    page("index/availability/", views.availability, "availability", **_MENU, GET="staff"),
    page(
        "index/matrices/",
        views.matrices,
        "score-matrices",
        **_MENU,
        GET="staff",
        POST="staff.scoring",
    ),
    page("staff/products/", views.products, "products", **_MENU, GET="staff", POST="staff.scoring"),
    page(
        "staff/products/<int:pk>/",
        views.product,
        "product",
        **_MENU,
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/products/<int:pk>/versions/",
        views.put_version,
        "product-version",
        **_MENU,
        POST="staff.scoring",
    ),
    page(
        "staff/products/<int:pk>/versions/<int:candidate>/out/",
        views.take_out_version,
        "product-version-out",
        **_MENU,
        POST="staff.scoring",
    ),
    page("staff/periods/", views.periods, "periods", **_MENU, GET="staff", POST="staff.scoring"),
    page(
        "staff/periods/<int:pk>/",
        views.period,
        "period",
        **_MENU,
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/periods/<int:pk>/adopt/", views.adopt, "period-adopt", **_MENU, POST="staff.scoring"
    ),
]

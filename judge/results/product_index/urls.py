"""Pages of the index, of products and of periods, for staff alone."""

from curation.base.access.page import Pages
from judge.results.product_index import views

staff = Pages("staff/", menu="leaderboard", GET="staff", POST="staff.scoring")
own = Pages(menu="leaderboard", GET="staff")

urlpatterns = [
    own("index/", views.index, "product-index", "GET"),
    own("index.csv", views.index_csv, "product-index-csv", "GET"),
    own("index.json", views.index_json, "product-index-json", "GET"),
    own("index/availability/", views.availability, "availability", "GET"),
    own("index/matrices/", views.matrices, "score-matrices", "GET", POST="staff.scoring"),
    staff("products/", views.products, "products", "GET POST"),
    staff("products/<int:pk>/", views.product, "product", "GET POST"),
    staff("products/<int:pk>/versions/", views.put_version, "product-version", "POST"),
    staff(
        "products/<int:pk>/versions/<int:candidate>/out/",
        views.take_out_version,
        "product-version-out",
        "POST",
    ),
    staff("periods/", views.periods, "periods", "GET POST"),
    staff("periods/<int:pk>/", views.period, "period", "GET POST"),
    staff("periods/<int:pk>/adopt/", views.adopt, "period-adopt", "POST"),
]

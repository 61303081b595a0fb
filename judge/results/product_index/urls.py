"""Pages of the index, of products and of periods, for staff alone."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.product_index import views

staff = Pages("staff/", menu="leaderboard", GET="staff", POST="staff.scoring")
own = Pages(menu="leaderboard", GET="staff")

urlpatterns = [
    own("index/", views.index, "product-index", "GET", label=_("Index over versions"),
        short=_("Index")),
    own("index.csv", views.index_csv, "product-index-csv", "GET"),
    own("index.json", views.index_json, "product-index-json", "GET"),
    own("index/availability/", views.availability, "availability", "GET", label=_("Availability")),
    own("index/matrices/", views.matrices, "score-matrices", "GET", POST="staff.scoring",
        label=_("Score matrices")),
    staff("products/", views.products, "products", "GET POST", label=_("Products"),
          up="product-index"),
    staff("products/<int:pk>/", views.product, "product", "GET POST", label="product.name"),
    staff("products/<int:pk>/versions/", views.put_version, "product-version", "POST"),
    staff("products/<int:pk>/versions/<int:candidate>/out/", views.take_out_version,
          "product-version-out", "POST"),
    staff("periods/", views.periods, "periods", "GET POST", label=_("Periods"), up="product-index"),
    staff("periods/<int:pk>/", views.period, "period", "GET POST", label="period.key"),
    staff("periods/<int:pk>/adopt/", views.adopt, "period-adopt", "POST"),
]  # fmt: skip

"""Pages of collecting answers by hand: the operator's queue, and staff's orders."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.product_index import collecting_views as views

staff = Pages("staff/collecting/", menu="leaderboard", GET="staff", POST="staff.scoring")
collecting = Pages("collecting/", menu="collecting", GET="collecting", POST="collect")

urlpatterns = [
    collecting("", views.queue, "collecting", "GET", label=_("Collecting"), counts="collecting"),
    collecting("next/", views.take, "collecting-take", "POST"),
    collecting("<int:pk>/", views.cell, "collecting-cell", "GET POST"),
    collecting("<int:pk>/skip/", views.skip, "collecting-skip", "POST"),
    collecting("<int:pk>/back/", views.back, "collecting-back", "POST"),
    collecting("<int:pk>/files/<int:file>/", views.cell_file, "collecting-file", "GET"),
    staff("", views.orders, "collection-orders", "GET", label=_("Answers by hand"),
          up="availability"),
    staff("new/", views.new_order, "collection-order-new", "GET POST", label=_("Order answers")),
    staff("operators/", views.operators, "operators", "GET", POST="staff.administration",
          label=_("Operators")),
    staff("operators/<int:pk>/end/", views.end_operator, "operator-end",
          POST="staff.administration"),
    staff("<int:pk>/", views.order, "collection-order", "GET"),
    staff("<int:pk>/cancel/", views.cancel, "collection-order-cancel", "POST"),
    staff("cells/<int:pk>/again/", views.again, "collection-cell-again", "POST"),
]  # fmt: skip

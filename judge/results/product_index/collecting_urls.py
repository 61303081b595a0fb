"""Pages of collecting answers by hand: the operator's queue, and staff's orders."""

from curation.base.access.page import page
from judge.results.product_index import collecting_views as views

urlpatterns = [
    page("collecting/", views.queue, "collecting", menu="collecting", GET="collecting"),
    page("collecting/next/", views.take, "collecting-take", menu="collecting", POST="collect"),
    page(
        "collecting/<int:pk>/",
        views.cell,
        "collecting-cell",
        menu="collecting",
        GET="collecting",
        POST="collect",
    ),
    page(
        "collecting/<int:pk>/skip/",
        views.skip,
        "collecting-skip",
        menu="collecting",
        POST="collect",
    ),
    page(
        "collecting/<int:pk>/back/",
        views.back,
        "collecting-back",
        menu="collecting",
        POST="collect",
    ),
    page(
        "collecting/<int:pk>/files/<int:file>/",
        views.cell_file,
        "collecting-file",
        menu="collecting",
        GET="collecting",
    ),
    page("staff/collecting/", views.orders, "collection-orders", menu="leaderboard", GET="staff"),
    page(
        "staff/collecting/new/",
        views.new_order,
        "collection-order-new",
        menu="leaderboard",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/collecting/operators/",
        views.operators,
        "operators",
        menu="leaderboard",
        GET="staff",
        POST="staff.administration",
    ),
    page(
        "staff/collecting/operators/<int:pk>/end/",
        views.end_operator,
        "operator-end",
        menu="leaderboard",
        POST="staff.administration",
    ),
    page(
        "staff/collecting/<int:pk>/",
        views.order,
        "collection-order",
        menu="leaderboard",
        GET="staff",
    ),
    page(
        "staff/collecting/<int:pk>/cancel/",
        views.cancel,
        "collection-order-cancel",
        menu="leaderboard",
        POST="staff.scoring",
    ),
    page(
        "staff/collecting/cells/<int:pk>/again/",
        views.again,
        "collection-cell-again",
        menu="leaderboard",
        POST="staff.scoring",
    ),
]

"""Pages of meta evaluation."""

from curation.base.access.page import page
from judge.scoring.agreement import meta_views as views

urlpatterns = [
    page(
        "scoring/anchors/<int:pk>/check/",
        views.take,
        "meta-take",
        menu="scoring",
        POST="senior",
    ),
    page(
        "meta/<int:pk>/",
        views.check,
        "meta",
        menu="scoring",
        GET="senior",
        POST="senior",
    ),
]

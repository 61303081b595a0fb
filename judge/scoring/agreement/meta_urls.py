"""Pages of meta evaluation."""

from curation.base.access.page import Pages
from judge.scoring.agreement import meta_views as views

page = Pages(menu="scoring", GET="senior", POST="senior")

urlpatterns = [
    page("scoring/anchors/<int:pk>/check/", views.take, "meta-take", "POST"),
    page("meta/<int:pk>/", views.check, "meta", "GET POST", label="page.title", of="page.task"),
]

"""Pages of endpoints and models, for staff."""

from functools import partial

from curation.base.access.page import page
from judge.asking.endpoints import views

_page = partial(page, menu="staff-runs")
SCORING, KEYS = "staff.scoring", "staff.administration"

urlpatterns = [
    _page("staff/models/", views.models, "staff-models", GET="staff"),
    _page("staff/models/new/", views.model_new, "staff-model-new", GET="staff", POST=SCORING),
    _page(
        "staff/models/programme/", views.programme, "staff-models-programme",
        GET="staff", POST=SCORING,
    ),
    _page("staff/models/<int:pk>/", views.model, "staff-model", GET="staff", POST=SCORING),
    _page("staff/models/<int:pk>/test/", views.model_test, "staff-model-test", POST=SCORING),
    _page("staff/models/<int:pk>/retire/", views.model_retire, "staff-model-retire", POST=SCORING),
    _page(
        "staff/models/<int:pk>/parameters/<slug:purpose>/", views.model_parameters,
        "staff-model-parameters", GET="staff", POST=SCORING,
    ),
    _page(
        "staff/endpoints/new/", views.endpoint_new, "staff-endpoint-new", GET="staff", POST=KEYS
    ),
    _page(
        "staff/endpoints/<slug:name>/", views.endpoint, "staff-endpoint", GET="staff", POST=KEYS
    ),
    _page(
        "staff/endpoints/<slug:name>/retire/", views.endpoint_retire, "staff-endpoint-retire",
        POST=KEYS,
    ),
]  # fmt: skip

"""Pages of endpoints and models, for staff."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.asking.endpoints import views

page = Pages("staff/", menu="staff-runs", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("models/", views.models, "staff-models", "GET", label=_("Models"), tab="staff-runs"),
    page("models/new/", views.model_new, "staff-model-new", "GET POST", label=_("Add a model")),
    page("models/programme/", views.programme, "staff-models-programme", "GET POST",
         label=_("Models that the programme asks")),
    page("models/<int:pk>/", views.model, "staff-model", "GET POST", label="served",
         up="staff-endpoint"),
    page("models/<int:pk>/test/", views.model_test, "staff-model-test", "POST"),
    page("models/<int:pk>/retire/", views.model_retire, "staff-model-retire", "POST"),
    page("models/<int:pk>/parameters/<slug:purpose>/", views.model_parameters,
         "staff-model-parameters", "GET POST", label="purpose"),
    page("endpoints/new/", views.endpoint_new, "staff-endpoint-new", "GET",
         POST="staff.administration", label=_("Add an endpoint"), up="staff-models"),
    page("endpoints/<slug:name>/", views.endpoint, "staff-endpoint", "GET",
         POST="staff.administration", label="endpoint.label", up="staff-models"),
    page("endpoints/<slug:name>/retire/", views.endpoint_retire, "staff-endpoint-retire",
         POST="staff.administration"),
]  # fmt: skip

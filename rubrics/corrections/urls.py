"""Pages of corrections of a rubric."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import page
from rubrics.corrections import views

urlpatterns = [
    page("tasks/<int:pk>/rubric/amended/", views.amended, "rubric-amended", menu="tasks",
         GET="signed_in", POST="signed_in", label=_("The rubric and the amended text")),
]  # fmt: skip

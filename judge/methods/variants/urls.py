"""Pages of prompts and variants, for staff."""

from curation.base.access.page import page
from judge.methods.variants import views

urlpatterns = [
    page(
        "staff/workshop/prompts/new/", views.prompt_new, "judge-prompt-new", menu="alignment",
        GET="staff", POST="staff.scoring",
    ),
    page(
        "staff/workshop/prompts/<int:number>/", views.prompt, "judge-prompt", menu="alignment",
        GET="staff",
    ),
    page(
        "staff/workshop/variants/new/", views.variant_new, "judge-variant-new", menu="alignment",
        GET="staff", POST="staff.scoring",
    ),
    page(
        "staff/workshop/variants/<int:pk>/", views.variant, "judge-variant", menu="alignment",
        GET="staff",
    ),
]  # fmt: skip

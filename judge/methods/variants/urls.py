"""Pages of prompts and variants, for staff."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.methods.variants import views

page = Pages("staff/workshop/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("prompts/new/", views.prompt_new, "judge-prompt-new", "GET POST",
         label=_("Write a prompt")),
    page("prompts/<int:number>/", views.prompt, "judge-prompt", "GET", label="prompt"),
    page("variants/new/", views.variant_new, "judge-variant-new", "GET POST",
         label=_("Make a variant")),
    page("variants/<int:pk>/", views.variant, "judge-variant", "GET", label="variant.name"),
]  # fmt: skip

"""Pages of prompts and variants, for staff."""

from curation.base.access.page import Pages
from judge.methods.variants import views

page = Pages("staff/workshop/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("prompts/new/", views.prompt_new, "judge-prompt-new", "GET POST"),
    page("prompts/<int:number>/", views.prompt, "judge-prompt", "GET"),
    page("variants/new/", views.variant_new, "judge-variant-new", "GET POST"),
    page("variants/<int:pk>/", views.variant, "judge-variant", "GET"),
]

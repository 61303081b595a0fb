"""Django's admin, for domains and categories, which staff edit as data.

Everything that belongs to the process (people, applications, tasks, reviews) is left out on
purpose: it changes through the workbench, with a reason and a history row. Exams are left out too:
their keys are hidden from staff who sit the exam, and a question that was asked never changes.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from curation.domains.models import Category, Domain

admin.site.site_header = "Assay"
admin.site.site_title = "Assay"


class StaffOnly(admin.options.BaseModelAdmin):
    """Lets all staff edit a table without Django's own permissions."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_staff)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_staff)

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return bool(request.user.is_staff)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_staff)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Domain)
class DomainAdmin(StaffOnly, admin.ModelAdmin):
    list_display = ("name", "name_zh", "key", "position")
    list_editable = ("position",)
    exclude = ("external",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).filter(external=False)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("key",) if obj else ()  # files and exports refer to the domain by it


@admin.register(Category)
class CategoryAdmin(StaffOnly, admin.ModelAdmin):
    list_display = ("name", "name_zh", "domain", "key")
    list_filter = ("domain",)
    search_fields = ("name", "name_zh", "key")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("domain", "key") if obj else ()

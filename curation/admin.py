"""Django's admin, for domains and categories, which staff edit as data.

Everything that belongs to the process (people, applications, tasks, reviews) is left out on
purpose: it changes through the workbench, with a reason and a history row. Exams are left out too:
their keys are hidden from staff who sit the exam, and a question that was asked never changes.
"""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from curation.base.access.permissions import allows, authorize
from curation.base.web.forms import reason_field
from curation.joining.domains.models import Category, Domain
from curation.joining.people import User
from curation.staff.programme_settings.models import SettingChange

admin.site.site_header = "Assay"
admin.site.site_title = "Assay"


class ReasonedForm(forms.ModelForm):
    """The columns of a row, and why they change."""

    reason = reason_field(_("Reason"), rows=2)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = True


class WithHistory(admin.ModelAdmin):
    """Lets all staff read a table, and administrators change it on the record."""

    form = ReasonedForm
    kept: tuple[str, ...] = ()  # the columns of the history

    def has_module_permission(self, request: HttpRequest) -> bool:
        return allows(request.user, "staff")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return allows(request.user, "staff")

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return allows(request.user, "staff.administration")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return allows(request.user, "staff.administration")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def key_of(self, row: Any) -> str:
        """Return the name of a row in the history."""
        return f"{row._meta.model_name}:{row.key}"

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save a row, and from what to what it changed."""
        authorize(request.user, "staff.administration")
        earlier = type(obj)._default_manager.filter(pk=obj.pk).first() if change else None
        super().save_model(request, obj, form, change)
        before, after = self._values(earlier), self._values(obj)
        if before != after:
            SettingChange.objects.create(
                key=self.key_of(obj),
                before=before,
                after=after,
                actor=cast(User, request.user),
                reason=form.cleaned_data["reason"],
            )

    def _values(self, row: Any) -> dict[str, Any]:
        if row is None:
            return {}
        values = {name: getattr(row, name) for name in self.kept}
        plain = int | str
        return {name: v if isinstance(v, plain) else str(v) for name, v in values.items()}


@admin.register(Domain)
class DomainAdmin(WithHistory):
    kept = ("name", "name_zh", "key", "position")
    list_display = ("name", "name_zh", "key", "position")
    exclude = ("external",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).filter(external=False)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("key",) if obj else ()  # files and exports refer to the domain by it


@admin.register(Category)
class CategoryAdmin(WithHistory):
    kept = ("name", "name_zh", "key", "domain")
    list_display = ("name", "name_zh", "domain", "key")
    list_filter = ("domain",)
    search_fields = ("name", "name_zh", "key")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("domain", "key") if obj else ()

    def key_of(self, row: Any) -> str:
        return f"category:{row.domain.key}/{row.key}"

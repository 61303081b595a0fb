"""The admin, for what staff edit as data: domains, categories, exams and their questions.

Everything the process owns (people, applications, tasks, reviews) is deliberately not here: it
changes through the workbench, with a reason and a row of history.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from curation.marking import key_fits
from curation.models import Category, Domain, Exam, Question


class StaffOnly(admin.options.BaseModelAdmin):
    """Whoever is staff may edit these tables; no further permission has to be given."""

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
        return ("key",) if obj else ()  # files and exports name the domain by it


@admin.register(Category)
class CategoryAdmin(StaffOnly, admin.ModelAdmin):
    list_display = ("name", "name_zh", "domain", "key")
    list_filter = ("domain",)
    search_fields = ("name", "name_zh", "key")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("domain", "key") if obj else ()


@admin.register(Exam)
class ExamAdmin(StaffOnly, admin.ModelAdmin):
    list_display = ("title", "domain", "minutes", "pass_percent", "attempts")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("domain",) if obj else ()


class QuestionForm(forms.ModelForm):
    """Refuses a key that could not mark the question."""

    class Meta:
        model = Question
        fields = (
            "exam", "position", "key_id", "kind", "topic", "text", "options", "unit", "key",
            "points", "study",
        )  # fmt: skip
        help_texts = {
            "options": _('For choices: a list of texts, such as ["one", "two"].'),
            "key": _(
                "For choices the places of the right options, counted from 0: [2]. For a number "
                '{"value": "1.24", "tolerance": "0.01"}. Never shown outside this page.'
            ),
            "study": _("What to study after a wrong answer. It must not give the answer away."),
        }

    def clean_key_id(self) -> str:
        value: str = self.cleaned_data["key_id"]
        if not value.replace("-", "").replace("_", "").isalnum() or not value.isascii():
            raise ValidationError(_("Use letters, digits, - and _ only."))
        return value

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if {"kind", "options", "key"} <= values.keys() and not key_fits(
            values["kind"], values["options"], values["key"]
        ):
            self.add_error("key", _("This key cannot mark a question of this kind."))
        return values


@admin.register(Question)
class QuestionAdmin(StaffOnly, admin.ModelAdmin):
    form = QuestionForm
    list_display = ("key_id", "exam", "position", "kind", "topic", "points")
    list_filter = ("exam",)
    search_fields = ("text", "topic")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("exam", "key_id") if obj else ()  # saved answers name the question by it

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_staff)  # answers are kept by key_id and stay readable

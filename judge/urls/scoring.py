"""Addresses of scoring: sheets, and the check of anchors."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

"""Addresses of tasks."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

"""Addresses of judge."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

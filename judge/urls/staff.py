"""Addresses of runs, alignment, leaderboard and gold."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

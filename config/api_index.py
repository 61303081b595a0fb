"""The index of the API: the addresses and methods the caller may use."""

import re
from collections.abc import Sequence
from typing import Any

from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.base.access import permissions
from curation.base.web.optional_urls import url_or_empty

VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_CONVERTER = re.compile(r"<(?:\w+:)?(\w+)>")


class Address(serializers.Serializer):
    """One address with the methods the caller may use."""

    name = serializers.CharField()
    url = serializers.CharField()
    methods = serializers.DictField(child=serializers.CharField())


class Beginning(serializers.Serializer):
    """The answer of the index."""

    detail = serializers.CharField()
    documentation = serializers.URLField()
    schema = serializers.URLField()
    tokens = serializers.URLField(required=False)
    addresses = Address(many=True)


class Index(APIView):
    """Lists the addresses of the API.

    Attributes:
        addresses: the patterns to list; `config.urls` passes them to `as_view`.
    """

    addresses: Sequence[URLPattern] = ()

    @extend_schema(operation_id="index", responses={200: Beginning})
    def get(self, request: Request) -> Response:
        """List what the caller may ask, with the methods of each address."""
        known = request.user.is_authenticated
        answer: dict[str, Any] = {
            "detail": _("You can request these addresses. Replace the names in braces.")
            if known
            else _(
                "Sign in, or send a token with each request: “Authorization: Token …”. A token is "
                "made on the page of your account, or by staff with manage.py drf_create_token."
            ),
            "documentation": request.build_absolute_uri(reverse("api-docs")),
            "schema": request.build_absolute_uri(reverse("api-schema")),
        }
        if tokens := url_or_empty("tokens"):
            answer["tokens"] = request.build_absolute_uri(tokens)
        answer["addresses"] = _usable(request, self.addresses) if known else []
        return Response(answer)


def _usable(request: Request, addresses: Sequence[URLPattern]) -> list[dict[str, Any]]:
    """Return the addresses with a method the caller may use, in alphabetical order."""
    here = reverse("api-index")
    found: dict[str, dict[str, Any]] = {}
    for pattern in addresses:
        view: Any = pattern.callback
        rest = _CONVERTER.sub(r"{\1}", str(pattern.pattern)).replace("{pk}", "{id}")
        verbs = {
            verb: _first_line(getattr(view.view_class, verb.lower()))
            for verb in VERBS
            if (needed := permissions.permission_of(pattern.name or "", verb))
            and permissions.allows(request.user, needed)
        }
        if verbs:
            url = request.build_absolute_uri(here) + rest
            found[rest] = {
                "name": (pattern.name or "").removeprefix("api-"),
                "url": url,
                "methods": verbs,
            }
    return [found[rest] for rest in sorted(found)]


def _first_line(method: Any) -> str:
    return (method.__doc__ or "").strip().partition("\n")[0]

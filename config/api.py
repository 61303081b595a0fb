"""The API's shared parts: the same permission table, and fast JSON."""

from typing import Any

import orjson
from django.db.models import CharField
from rest_framework import authentication
from rest_framework.authtoken.models import Token
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from curation import access, second_factor
from curation.prepared import Prepared, Slot

_OWNER = Prepared(lambda: Token.objects.filter(pk=Slot("key", CharField())).select_related("user"))


class TokenAuthentication(authentication.TokenAuthentication):
    """DRF's own, whose query is written once."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        token = _OWNER.first(key=key)
        if token is None or not token.user.is_active:
            return super().authenticate_credentials(key)  # which refuses, and says why
        return token.user, token


class RoutePermission(BasePermission):
    """Asks the route table, after DRF has read the token or the session."""

    def has_permission(self, request: Request, view: Any) -> bool:
        permission = getattr(request, "permission", None)
        if permission is None or not access.allows(request.user, permission):
            return False
        if second_factor.is_missing(request.user):
            raise second_factor.refusal()  # a token carries the same power as a password
        return True


class FastJSONRenderer(BaseRenderer):
    """JSON by orjson: a list of 100 tasks is mostly encoding."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        if data is None:
            return b""
        return orjson.dumps(data, default=str, option=orjson.OPT_NON_STR_KEYS)

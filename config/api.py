"""The API's shared parts: tokens, the same permission table, and fast JSON."""

from typing import Any

import orjson
from django.utils.translation import gettext as _
from rest_framework import authentication, exceptions
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from curation.access import permissions as access
from curation.access import second_factor
from curation.api_tokens.actions import find_token


class TokenAuthentication(authentication.TokenAuthentication):
    """DRF's own, with tokens that are stored hashed and that end."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        token = find_token(key)
        if token is None:
            raise exceptions.AuthenticationFailed(
                _(
                    "This token opens nothing: it is mistyped, or it has ended. Make another one "
                    "under Preferences, API tokens."
                )
            )
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

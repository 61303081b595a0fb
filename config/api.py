"""What all API views share: authentication by token, the permission table, JSON output."""

from typing import Any

import orjson
from django.utils.translation import gettext as _
from rest_framework import authentication, exceptions
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from curation.base.access import permissions, second_factor
from curation.joining.accounts.api_tokens import find_token


class TokenAuthentication(authentication.TokenAuthentication):
    """Token authentication with our own tokens, which are stored hashed and expire."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        token = find_token(key)
        if token is None:
            raise exceptions.AuthenticationFailed(
                _(
                    "This token does not work: it is mistyped, or it has ended. Make another "
                    "one under Preferences, API tokens."
                )
            )
        return token.user, token


class RoutePermission(BasePermission):
    """Checks the route's permission once DRF has authenticated the request."""

    def has_permission(self, request: Request, view: Any) -> bool:
        permission = getattr(request, "permission", None)
        if permission is None or not request.user.is_authenticated:
            return permission is not None and permissions.allows(request.user, permission)
        permissions.authorize(request.user, permission)
        if second_factor.is_missing(request.user):
            raise second_factor.refusal()  # a token grants as much as a password
        return True


class FastJSONRenderer(BaseRenderer):
    """JSON by orjson: most of the time of a list of 100 tasks is encoding."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        if data is None:
            return b""
        return orjson.dumps(data, default=str, option=orjson.OPT_NON_STR_KEYS)

"""The OpenAPI schema of the API and the page that shows it."""

from typing import Any

from django.conf import settings
from django.http import JsonResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from config import errors
from curation.base.web.refusals import BadInput

LANGUAGES = [code for code, _name in settings.LANGUAGES]
KNOWN = {"format", "lang"}  # query parameters


class Schema(SpectacularAPIView):
    """The library's view without its parameter `version`, which it copies into a header as sent."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Answer with the schema; refuse an unknown parameter or language as JSON."""
        problems: dict[str, list[str]] = {
            name: [_("The API description does not have this parameter.")]
            for name in sorted(set(request.query_params) - KNOWN)
        }
        if request.query_params.get("lang", LANGUAGES[0]) not in LANGUAGES:
            problems["lang"] = [
                _("The languages are %(languages)s.") % {"languages": ", ".join(LANGUAGES)}
            ]
        if problems:
            detail = _(
                "The request for the API description contains something it does not support."
            )
            return JsonResponse(errors.refusal_body(BadInput(detail, fields=problems)), status=400)
        return super().get(request, *args, **kwargs)


class Docs(SpectacularSwaggerSplitView):
    """The page that shows the schema. It is always HTML, whatever `format` asks for."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Choose HTML: the library would refuse another format with three bare words."""
        page = self.get_renderers()[0]
        return page, page.media_type

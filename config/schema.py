"""The description of the API, with the parameters it knows, and the page that shows it."""

from typing import Any

from django.conf import settings
from django.http import JsonResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from config import errors
from curation.web.refusals import BadInput

LANGUAGES = [code for code, _name in settings.LANGUAGES]
KNOWN = {"format", "lang"}


class Schema(SpectacularAPIView):
    """The library's view without its `version`, which it writes into a header as it came."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Answer with the description, or refuse an unknown parameter or language, as JSON."""
        problems: dict[str, list[str]] = {
            name: [_("The description of the API does not know this parameter.")]
            for name in sorted(set(request.query_params) - KNOWN)
        }
        if request.query_params.get("lang", LANGUAGES[0]) not in LANGUAGES:
            problems["lang"] = [
                _("The languages are %(languages)s.") % {"languages": ", ".join(LANGUAGES)}
            ]
        if problems:
            detail = _("The description of the API was asked for in a way it does not know.")
            return JsonResponse(errors.body(BadInput(detail, fields=problems)), status=400)
        return super().get(request, *args, **kwargs)


class Docs(SpectacularSwaggerSplitView):
    """The library's page for people. It has one form only, whatever `format` asks for."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Answer as a page: the library's refusal of another format is three bare words."""
        page = self.get_renderers()[0]
        return page, page.media_type

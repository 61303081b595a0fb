"""The strict and bounded JSON parser of the API."""

from typing import Any

import orjson
from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser

from curation.base.web.refusals import BadInput


class StrictJSONParser(BaseParser):
    """Parses standard JSON: UTF-8, no NaN, no lone surrogates, bounded nesting.

    Python's own parser accepts lone surrogates, which databases cannot store, and recurses without
    a bound.
    """

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw = stream.read(limit + 1)
        if len(raw) > limit:
            raise BadInput(
                _("The request is larger than %(n)s MB.") % {"n": limit // 1024**2},
                code="too_large",
            )
        try:
            return orjson.loads(raw)
        except orjson.JSONDecodeError as problem:
            raise BadInput(
                _("The request cannot be read as JSON: %(why)s.") % {"why": problem},
                code="parse_error",
            ) from None

"""The person's own language wins over the browser's."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import translation


class PersonLanguage:
    """Answers in the language the signed-in person chose, unless a cookie says otherwise."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and "django_language" not in request.COOKIES:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)

"""The tasks of the authoring tests serve here as well."""

from tests.authoring.conftest import draft, make_draft, screened, seated
from tests.rubrics.conftest import refining, screener

__all__ = ["draft", "make_draft", "refining", "screened", "screener", "seated"]

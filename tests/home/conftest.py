"""The tasks of the authoring tests serve here as well."""

from tests.rubrics.conftest import refining, screener
from tests.tasks.authoring.conftest import draft, make_draft, screened, seated

__all__ = ["draft", "make_draft", "refining", "screened", "screener", "seated"]

"""What is found of curation, and its case folding in SQLite."""

from curation.telling.search import case_folding, search
from curation.telling.search.queries import SOURCES

case_folding.connect()
search.register(*SOURCES)

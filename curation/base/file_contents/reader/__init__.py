"""Reads one file in a process of its own: its text, and pictures of it.

Office documents and PDFs come from people, and their libraries are large and partly native. So
`curation.base.file_contents.reading` starts `python -m curation.base.file_contents.reader`, which
knows neither Django nor the database nor any secret, has limits for time and memory, and may crash
without harm. PDFium also serves one thread of a process only.
"""

"""How much is read of a file, and how much of it a model gets. Numbers only: no Django here."""

SECONDS = 20  # of one reading; an upload waits for it, and servers end requests after 30
MEMORY = 1536 * 1024 * 1024  # bytes of address space of the process that reads

PAGES = 200  # of a PDF whose text is read
SLIDES = 300
CELLS = 100_000  # of a workbook or a CSV, empty ones included
CHARACTERS = 100_000  # of the text of one file
PICTURES = 10  # pages without text of one PDF that models get as pictures

TASK_CHARACTERS = 300_000  # of the texts of all files of a task in one prompt
TASK_PICTURES = 20  # of all files of a task in one prompt

EDGE = 1568  # pixels of the longer side of a picture; vendors scale larger ones down
PICTURE_BYTES = 1024 * 1024  # above it a picture is stored as JPEG

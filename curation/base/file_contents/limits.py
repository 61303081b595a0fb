"""How much is read of a file, and how much of it a model gets. Numbers only: no Django here."""

EDITION = 3  # of the reader; one more whenever it finds something else in the same file

SECONDS = 20  # of processor, of one reading
PAGE_SECONDS = 8  # of processor, of drawing one page, which somebody waits for
MEMORY = 1536 * 1024 * 1024  # bytes of address space of the process that reads

PAGES = 200  # of a PDF whose text is read, and which are shown; the download has all
SLIDES = 300
CELLS = 100_000  # of a workbook or a CSV, empty ones included
CHARACTERS = 100_000  # of the text of one file
ELSEWHERE = 300_000  # characters beside the text, in which names are looked for
PICTURES = 10  # pages of one PDF, or pictures within one document, that models get
FIGURE_SHARE = 0.02  # of a page of a PDF; an image on less is a logo or a signature, not a figure
FIGURE_AREA = 10_000  # square points, about 3.5 x 3.5 cm; the same for a picture in a document
PIXELS = 120_000_000  # of all pictures within one document; decoding more takes too long
PARTS = 20_000  # of one page of a PDF that are searched for images

SHEET_CELLS = 2_000_000  # of a workbook that is imported as a table
SHEET_BYTES = 400 * 1024 * 1024  # of such a workbook, unpacked

TASK_CHARACTERS = 300_000  # of the texts of all files of a task in one prompt
TASK_PICTURES = 20  # of all files of a task in one prompt

EDGE = 1568  # pixels of the longer side of a picture; vendors scale larger ones down
PICTURE_BYTES = 1024 * 1024  # above it a picture is stored as JPEG

"""Where the objects of a PDF page stand on it: boxes as left, bottom, right and top in points."""

from pypdfium2 import PdfObject

Box = tuple[float, float, float, float]


def place_of(part: PdfObject) -> Box:
    """Return where an object stands on the page, out of all forms that hold it."""
    found: Box = part.get_bounds()
    form = part.container
    while form is not None:
        found = form.get_matrix().on_rect(*found)
        form = form.container
    return found


def shared(one: Box, other: Box) -> Box:
    """Return the rectangle that two share; one without an area if they share none."""
    return (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )


def area(box: Box) -> float:
    """Return the area of a box in square points."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])

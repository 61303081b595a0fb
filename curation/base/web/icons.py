"""The icons of the interface, on a 16 x 16 grid, filled with the colour of the text."""

from collections.abc import Mapping


def _path(data: str, *, hole: bool = False, off: bool = False) -> str:
    rule = ' fill-rule="evenodd"' if hole else ""
    return f'<path{rule}{" class=" + chr(34) + "off" + chr(34) if off else ""} d="{data}"/>'


def _circle(inside: str) -> str:
    """Return a disc of radius 6.5 with ``inside`` cut out."""
    return _path(f"M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z{inside}", hole=True)


def _bars(filled: int) -> str:
    """Return three rising bars, the first ``filled`` of them at full strength."""
    shapes = ((0, 5), (6, 9), (12, 14))
    return "".join(
        _path(f"M{x} {15 - high}h3.6v{high}h-3.6z", off=at >= filled)
        for at, (x, high) in enumerate(shapes)
    )


_RING = _circle("m0 2a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9z")
_QUOTE = "h5.4v5.2c0 2.8-1.4 4.5-3.8 5.2l-.7-1.5c1.4-.6 2.1-1.7 2.1-3.3h-3z"

ICONS: dict[str, str] = {
    "check": _path("M13.6 3.2l1.6 1.5L6.5 13.6L1 8.4l1.5-1.7l3.9 3.7z"),
    "cross": _path(
        "M3.6 2L8 6.4L12.4 2L14 3.6L9.6 8l4.4 4.4l-1.6 1.6L8 9.6L3.6 14L2 12.4L6.4 8L2 3.6z"
    ),
    "return": _path(
        "M6.2 1.5v3.2h3.3a4.4 4.4 0 0 1 0 8.8H5v-2.1h4.5a2.3 2.3 0 0 0 0-4.6H6.2V10L1.5 5.8z"
    ),
    "ring": _RING,
    "quarter": _RING + _path("M8 3.5a4.5 4.5 0 0 1 4.5 4.5H8z"),
    "half": _RING + _path("M8 3.5a4.5 4.5 0 0 1 0 9z"),
    "threequarter": _RING + _path("M8 3.5a4.5 4.5 0 1 1-4.5 4.5H8z"),
    "full": _circle("m3.2 3.7l1.3 1.2l-5 5.2l-3.3-3.2l1.3-1.3l2 1.9z"),
    "dot": '<circle cx="8" cy="8" r="4.5"/>',
    "diamond": _path("M8 .6L15.4 8L8 15.4L.6 8zm0 2.9L3.5 8L8 12.5L12.5 8z", hole=True),
    "lock": _path("M3 7h1V5a4 4 0 0 1 8 0v2h1v7.5H3zm3 0h4V5a2 2 0 0 0-4 0z", hole=True),
    "clock": _RING + _path("M7.3 4.2h1.5v3.6l2.5 1.5l-.8 1.2l-3.2-1.9z"),
    "grip": _path("M5 3h2v2H5zm4 0h2v2H9zM5 7h2v2H5zm4 0h2v2H9zM5 11h2v2H5zm4 0h2v2H9z"),
    "square": _path("M2 2h12v12H2zm2 2v8h8V4z", hole=True),
    "warning": _path(
        "M8 1.2L15.6 14.6H.4zm-.9 4.9l.2 4h1.4l.2-4zM7.1 11.1v1.8h1.8v-1.8z", hole=True
    ),
    "triangle": _path("M8 2.5L15 14H1z"),
    "bars1": _bars(1),
    "bars2": _bars(2),
    "bars3": _bars(3),
    "chevron": _path("M2.6 4.6L8 10l5.4-5.4L15 6.2l-7 7l-7-7z"),
    "search": _path(
        "M6.5 1a5.5 5.5 0 0 1 4.4 8.8l4 4l-1.4 1.4l-4-4A5.5 5.5 0 1 1 6.5 1zm0 2a3.5 3.5 0 1 0 0 7"
        "a3.5 3.5 0 0 0 0-7z",
        hole=True,
    ),
    "keyboard": _path(
        "M0 3h16v10H0zm2 2v2h2V5zm3.3 0v2h2V5zm3.4 0v2h2V5zM12 5v2h2V5zM4 9v2h8V9z", hole=True
    ),
    "plus": _path("M7 1h2v6h6v2H9v6H7V9H1V7h6z"),
    "quote": _path(f"M1 3{_QUOTE}M9.4 3{_QUOTE}"),
}

SHAPES: dict[str, tuple[str, str]] = {
    # status or shape -> (icon, tone); `name_shapes` adds the stages of the processes
    **dict.fromkeys(("ring", "open", "waiting", "planned"), ("ring", "")),
    **dict.fromkeys(("diamond", "machine"), ("diamond", "machine")),
    "quarter": ("quarter", ""),
    **dict.fromkeys(("half", "running"), ("half", "")),
    "threequarter": ("threequarter", ""),
    **dict.fromkeys(("full", "accepted", "done", "passed"), ("full", "yes")),
    **dict.fromkeys(("return", "returned", "paused"), ("return", "wait")),
    **dict.fromkeys(("cross", "failed"), ("cross", "no")),
    **dict.fromkeys(("square", "stopped"), ("square", "")),
    **dict.fromkeys(("lock", "locked", "frozen"), ("lock", "")),
    **dict.fromkeys(("warning", "late", "incomplete"), ("warning", "wait")),
}


def name_shapes(shapes: Mapping[str, str]) -> None:
    """Add statuses: status -> name of a shape."""
    SHAPES.update({status: SHAPES[shape] for status, shape in shapes.items()})

"""What the bytes of a PDF say of scripts, other files and people. Pure: neither Django nor PDFium.

The search sees what is not compressed. `reader.pdf_inside` gives it a PDF that was written again
without compressed objects.
"""

import re


def _name(name: str) -> bytes:
    """Return a pattern for a PDF name, each letter of which may be written as # and two digits."""
    letters = b"".join(b"(?:%c|#(?i:%02x))" % (letter, letter) for letter in name.encode())
    return b"/" + letters + rb"(?![^\x00\t\n\f\r ()<>\[\]{}/%])"


_ACTIVE = re.compile(
    b"|".join(
        map(
            _name,
            ("JavaScript", "Launch", "EmbeddedFile", "EmbeddedFiles", "RichMedia", "GoToE",
             "ImportData", "XFA"),
        )
    )
)  # fmt: skip
_OPENING = re.compile(_name("OpenAction") + rb"\s*+(?:(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R|<<)")
_OBJECT = re.compile(rb"(?<!\d)(\d{1,10})\s{1,9}\d{1,5}\s{1,9}obj")
_LEADS_OUT = re.compile(b"|".join(map(_name, ("URI", "GoToR", "SubmitForm"))))
_ACTION = 2_000  # bytes of an action that are looked at
_AUTHOR = re.compile(
    _name("Author") + rb"\s*(?:\(((?:\\.|[^\\)]){1,400})\)|<([0-9A-Fa-f\s]{1,800})>)"
    rb"|<dc:creator>(.{1,400}?)</dc:creator>",
    re.DOTALL,
)


def is_active(data: bytes) -> bool:
    """Return whether a PDF runs something, holds files, or leads out when it is opened."""
    return _ACTIVE.search(data) is not None or _opens_elsewhere(data)


def _opens_elsewhere(data: bytes) -> bool:
    """Return whether what happens at opening leads out of the document. Linear in its length."""
    places = []
    objects = set()
    for found in _OPENING.finditer(data):
        if found[1]:
            objects.add(int(found[1]))
        else:
            places.append(found.end())
    if objects:
        places += [one.end() for one in _OBJECT.finditer(data) if int(one[1]) in objects]
    return any(_LEADS_OUT.search(data, at, _end_of(data, at)) for at in places)


def _end_of(data: bytes, at: int) -> int:
    end = data.find(b"endobj", at, at + _ACTION)
    return end if end >= 0 else at + _ACTION


def authors(data: bytes) -> frozenset[str]:
    """Return the authors that a PDF names outside of its compressed objects."""
    people = set()
    for literal, hexadecimal, described in _AUTHOR.findall(data):
        if hexadecimal:
            digits = re.sub(rb"\s", b"", hexadecimal)
            raw = bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
        else:
            raw = literal or re.sub(rb"<[^<>]*>", b" ", described)
        people.add(as_text(raw).strip())
    return frozenset(people - {""})


def as_text(raw: bytes) -> str:
    """Return a string of a PDF as text: UTF-16 with its mark, else UTF-8 or what comes near."""
    coding = "utf-16-be" if raw.startswith(b"\xfe\xff") else "utf-8"
    return raw.removeprefix(b"\xfe\xff").decode(coding, "replace")

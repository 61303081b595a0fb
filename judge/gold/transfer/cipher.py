"""The cipher of xbench's files: XOR with the bytes of the key, repeated, in base64.

It keeps questions and answers from being found word for word on the web. It does not keep a
secret: the files of xbench carry their key in the column `canary`.
"""

import base64
from itertools import cycle


class UnreadableError(ValueError):
    """A text is not in this cipher."""


class WrongKeyError(UnreadableError):
    """A text was written with another key."""


def encrypt(text: str, key: str) -> str:
    """Return a text in the cipher.

    Raises ValueError for an empty key.
    """
    return base64.b64encode(_xor(text.encode(), key)).decode()


def decrypt(text: str, key: str) -> str:
    """Return the text that was written with this key, which is not empty.

    Raises:
        UnreadableError: the text is not base64.
        WrongKeyError: the key gives bytes that are no UTF-8 text, or control characters. A short
            text may be read with a wrong key by chance.
    """
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:  # not ASCII, or not base64
        raise UnreadableError(str(error)) from error
    try:
        found = _xor(data, key).decode()
    except UnicodeDecodeError as error:
        raise WrongKeyError(str(error)) from error
    if any(ord(character) < 32 and character not in "\t\n\r" for character in found):
        raise WrongKeyError("control characters")
    return found


def _xor(data: bytes, key: str) -> bytes:
    if not key:
        raise ValueError("A key has at least one character.")
    return bytes(byte ^ mask for byte, mask in zip(data, cycle(key.encode()), strict=False))

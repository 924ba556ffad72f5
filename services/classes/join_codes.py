"""Join codes: made, read as people type them, and drawn as a QR picture."""

import io
import secrets

JOIN_PATH = "/join"
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters of a join code: none that is mistaken for another one when it is read from a wall. Eight of them
make 8 * 10^11 codes: with two tries a minute nobody finds one."""
CODE_LENGTH = 8
_MISREAD = str.maketrans("", "", " -–—_.\t\r\n\u00a0\u2009\u202f")


def new_join_code() -> str:
    """A new random join code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def clean_join_code(written: str) -> str:
    """A join code as it is stored, of one that was typed with spaces, hyphens or small letters; "" for what is none.

    A whole link is read as the code in it.
    """
    last = written.strip().rstrip("/").rpartition("/")[2] if "/" in written else written
    code = last[:64].translate(_MISREAD).upper()
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else ""


def spaced_join_code(code: str) -> str:
    """A join code as it is shown: "ABCD EFGH"."""
    half = CODE_LENGTH // 2
    return f"{code[:half]} {code[half:]}".strip()


def join_address(public_url: str, code: str) -> str:
    """Address that leads to a class: signed in or not."""
    return f"{public_url}{JOIN_PATH}/{code}"


def qr_picture(address: str, *, dots: int = 8) -> bytes:
    """QR code of an address as a PNG, black on white with its quiet zone. dots: pixels of one module."""
    # A tenth of a second, for the pages that show none.
    import segno

    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(picture, kind="png", scale=dots, border=4)
    return picture.getvalue()

"""A small PDF with lines of text, written by hand (ISO 32000-1, 7.5)."""

from collections.abc import Sequence


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A document with one page for each group of lines."""
    numbers = range(4, 4 + 2 * len(pages), 2)
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in zip(numbers, pages, strict=True):
        drawn = "BT /F1 14 Tf 72 720 Td 20 TL " + " ".join(f"({_escaped(line)}) Tj T*" for line in lines) + " ET"
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
            f" /Contents {number + 1} 0 R >>",
            f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        ]
    return _assembled(objects)


def _assembled(objects: Sequence[str]) -> bytes:
    document, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(document))
        document += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size, start = len(objects) + 1, len(document)
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return document + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")

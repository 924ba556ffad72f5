"""`python -m sandbox.canvas.documents COURSE/SLUG [--out FOLDER]`, `--check`, `--sizes`: what sources become."""

import argparse
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from sandbox.canvas.documents.render import pdf_of, rendered
from sandbox.canvas.documents.source import LAYOUTS, MATERIALS, SIZES, Source, all_sources, source


def main(words: list[str]) -> int:
    """Print pages, or problems; 1 when there are problems."""
    parser = argparse.ArgumentParser(prog="python -m sandbox.canvas.documents")
    parser.add_argument("key", nargs="?", help="COURSE/SLUG, such as biol201/lecture-06-membranes")
    parser.add_argument("--out", type=Path, help="write the file and pictures of its pages into this folder")
    parser.add_argument("--check", action="store_true", help="render every source, or those of COURSE")
    parser.add_argument("--sizes", action="store_true", help="write the sizes of all files, so that lists render none")
    options = parser.parse_args(words)
    if options.check:
        problems = list(_problems(options.key or ""))
        sys.stdout.write("\n".join(problems or ["every source can be rendered"]) + "\n")
        return 1 if problems else 0
    if options.sizes:
        _write_sizes()
        return 0
    found = source(options.key.removeprefix(f"{MATERIALS}/").removesuffix(".md"))
    for number, text in enumerate(_pages(found), 1):
        sys.stdout.write(f"=== {number} ===\n{text.strip()}\n\n")
    if options.out:
        _write(found, options.out)
    return 0


def _problems(course: str) -> Iterator[str]:
    found = [each for each in all_sources() if each.course.startswith(course)]
    for each in found:
        try:
            rendered(each)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            yield f"{each.key}: {type(error).__name__}: {str(error)[:300]}"


def _pages(found: Source) -> list[str]:
    from pypdf import PdfReader

    if found.kind in ("pptx", "gslides"):
        from pptx import Presentation

        deck = Presentation(io.BytesIO(rendered(found)))
        return [
            "\n".join(shape.text_frame.text for shape in slide.shapes if shape.has_text_frame)
            + "".join(
                f"\n{cell.text}" for shape in slide.shapes if shape.has_table for cell in shape.table.iter_cells()
            )
            + (f"\n[Notes: {slide.notes_slide.notes_text_frame.text}]" if slide.has_notes_slide else "")
            for slide in deck.slides
        ]
    if found.kind in ("pdf", "scan", "encrypted", "png"):
        return [page.extract_text() for page in PdfReader(io.BytesIO(pdf_of(found))).pages]
    return [found.body]


def _write_sizes() -> None:
    lines = (
        f'  "{each.key}": ["{each.digest}", {len(rendered(each))}]' for each in all_sources() if each.kind in LAYOUTS
    )
    SIZES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _write(found: Source, folder: Path) -> None:
    from pypdfium2 import PdfDocument

    folder.mkdir(parents=True, exist_ok=True)
    (folder / str(found.head.get("file", f"{found.slug}.html"))).write_bytes(rendered(found))
    if LAYOUTS.get(found.kind) == "application/pdf" or found.kind in ("pptx", "gslides"):
        for number, page in enumerate(PdfDocument(pdf_of(found)), 1):
            page.render(scale=1.2).to_pil().save(folder / f"{found.slug}-{number:03}.png")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

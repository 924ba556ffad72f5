"""Real files of other projects, read by Homeroom and by an independent reader: words lost and added per thousand.

`python -m bench.files.corpus FOLDER [KIND …]` reads every file below FOLDER. The other side are `pandoc` and
`pdftotext` of the PATH, and what stands between the tags of a slide; a kind whose reader is missing is only read.
"""

import html
import re
import shutil
import subprocess
import sys
import time
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.load.table import print_table
from services.errors import HomeroomError
from services.files.documents.document_worker import read_document
from services.files.upload import Upload

TITLE = "Files of others: words of an independent reader that ours lacks, and words that it adds, per thousand"
HEAD = ("kind", "files", "read", "refused", "crashed", "compared", "words", "lost ‰", "added ‰", "seconds")
_TIMEOUT_S = 60
_WORST = 12
_CRASHES = (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)
_WORD = re.compile(r"[^\W_]+")
_SLIDE = re.compile(r"ppt/(?:slides/slide|notesSlides/notesSlide|charts/chart|diagrams/data)\d+\.xml")
_PARAGRAPH, _RUN = re.compile(r"<a:p[ >].*?</a:p>", re.DOTALL), re.compile(r"<a:t(?: [^>]*)?>([^<]*)|<a:br")
_PANDOC_KINDS = {"docx": "docx", "odt": "odt", "rtf": "rtf", "epub": "epub", "html": "html", "ipynb": "ipynb"}


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    """One file: words of each side, and what only one side has. error: why ours has nothing."""

    path: Path
    error: str = ""
    is_refused: bool = False
    words: int | None = None
    lost: Counter[str]
    added: Counter[str]
    seconds: float = 0


def compared(paths: Sequence[Path]) -> Iterator[_Comparison]:
    """Every file, read by both sides."""
    for path in paths:
        none = Counter[str]()
        began = time.process_time()
        try:
            ours = _ours(path)
        except HomeroomError as error:
            yield _Comparison(path=path, error=str(error), is_refused=True, lost=none, added=none)
            continue
        except _CRASHES as error:
            yield _Comparison(path=path, error=repr(error), lost=none, added=none)
            continue
        seconds = time.process_time() - began
        try:
            theirs = _other_reader(path)(path)
        except (OSError, ValueError, KeyError, subprocess.SubprocessError):
            yield _Comparison(path=path, lost=none, added=none, seconds=seconds)
            continue
        yield _Comparison(path=path, words=theirs.total(), lost=theirs - ours, added=ours - theirs, seconds=seconds)


def _counted(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _ours(path: Path) -> Counter[str]:
    records = read_document(Upload(name=path.name, content=path.read_bytes()))
    pages = [record["page"] for record in records if "page" in record]
    return _counted("\n".join(f"{page['text']}\n{page['notes']}" for page in pages))


def _other_reader(path: Path) -> Callable[[Path], Counter[str]]:
    kind = path.suffix.lower().lstrip(".")
    if kind == "pdf":
        return _pdftotext
    return _slide_tags if kind in ("pptx", "ppsx") else _pandoc


def _pdftotext(path: Path) -> Counter[str]:
    return _counted(_output([_program("pdftotext"), "-enc", "UTF-8", str(path), "-"]))


def _pandoc(path: Path) -> Counter[str]:
    source = _PANDOC_KINDS.get(path.suffix.lower().lstrip("."), path.suffix.lower().lstrip("."))
    return _counted(_output([_program("pandoc"), "--sandbox", "-f", source, "-t", "plain", "--wrap=none", str(path)]))


def _slide_tags(path: Path) -> Counter[str]:
    with zipfile.ZipFile(path) as package:
        slides = [package.read(name).decode() for name in package.namelist() if _SLIDE.fullmatch(name)]
    paragraphs = [paragraph for slide in slides for paragraph in _PARAGRAPH.findall(slide)]
    return _counted(html.unescape("\n".join("".join(run or " " for run in _RUN.findall(p)) for p in paragraphs)))


def _program(name: str) -> str:
    place = shutil.which(name)
    if place is None:
        raise FileNotFoundError(name)
    return place


def _output(command: Sequence[str]) -> str:
    answer = subprocess.run(command, capture_output=True, check=True, timeout=_TIMEOUT_S)
    return answer.stdout.decode(errors="replace")


def rows(comparisons: Mapping[str, Sequence[_Comparison]]) -> list[list[str]]:
    """Rows of the table: a kind each."""
    return [_row(kind, files) for kind, files in comparisons.items()]


def _row(kind: str, files: Sequence[_Comparison]) -> list[str]:
    both = [file for file in files if file.words]
    words = sum(file.words or 0 for file in both)
    return [
        kind,
        f"{len(files)}",
        f"{sum(not file.error for file in files)}",
        f"{sum(file.is_refused for file in files)}",
        f"{sum(bool(file.error) and not file.is_refused for file in files)}",
        f"{len(both)}",
        f"{words:,}",
        f"{_per_thousand(sum(file.lost.total() for file in both), words)}",
        f"{_per_thousand(sum(file.added.total() for file in both), words)}",
        f"{sum(file.seconds for file in files):.1f}",
    ]


def _per_thousand(part: int, whole: int) -> str:
    return f"{1000 * part / whole:.1f}" if whole else ""


def _print_worst(files: Sequence[_Comparison]) -> None:
    for file in (file for file in files if file.error):
        print(f"  {file.path.name}: {'refused' if file.is_refused else 'CRASHED'}: {file.error[:150]}")
    for side in ("lost", "added"):
        worst = sorted(files, key=lambda file: getattr(file, side).total(), reverse=True)[:_WORST]
        for file in (file for file in worst if getattr(file, side)):
            words = getattr(file, side)
            examples = " ".join(word for word, _ in words.most_common(20))
            print(f"  {side} {words.total()} of {file.words}: {file.path.name}: {examples}")


def main(folder: Path, kinds: Sequence[str]) -> None:
    """Print the table, and below it what was refused and the worst files of each kind."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    by_kind: dict[str, list[Path]] = {}
    for path in paths:
        kind = path.suffix.lower().lstrip(".")
        if not kinds or kind in kinds:
            by_kind.setdefault(kind, []).append(path)
    comparisons = {kind: list(compared(group)) for kind, group in by_kind.items()}
    print_table(TITLE, HEAD, rows(comparisons))
    for kind, files in comparisons.items():
        print(f"\n{kind}")
        _print_worst(files)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

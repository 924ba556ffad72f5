"""`MaterialIndex`: the words of one material's passages in their order, in the compact form that the store keeps."""

import base64
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from zlib import crc32

import numpy as np
import numpy.typing as npt

from services.i18n.search_tokens import search_tokens
from services.materials.material import MaterialPage, MaterialText
from services.materials.search.contents_pages import is_contents
from services.materials.search.passages import PagePart, Passage, part_text, split_passages
from services.materials.search.stems import Language, language_of, stem_words

FORMAT = 4
"""Goes up with every change of the form or of what is indexed: an index of another format is built anew."""
MOST_WORDS = 65_535
"""Distinct stems of a material; the rest, of a file with more, is not found."""
HEADING_MARK = " › "
"""Between the headings of a label, the outer ones first."""
_HEAD = struct.Struct("<BIIIII")
_PARTS = tuple(PagePart)

Hashes = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class MaterialIndex:
    """Index of a material.

    vocabulary: hash of each distinct stem. tokens: for each word of the passages, its place in the vocabulary.
    places: (passages, 7): page, part, start, end, number of tokens, how many of these, the first, are the label's, and
    whether it is of a table of contents.
    words: the stems as text, compressed.
    """

    vocabulary: Hashes
    tokens: npt.NDArray[np.uint16]
    places: Numbers
    words: bytes = field(repr=False)

    def passage(self, number: int) -> Passage:
        page, part, start, end = (int(value) for value in self.places[number, :4])
        return Passage(page=page, part=_PARTS[part], start=start, end=end)

    def encode(self) -> str:
        """Write the index as text for the store; about as long as a third of what was read."""
        arrays = b"".join(
            array.tobytes() for array in (self.vocabulary, self.tokens, np.ascontiguousarray(self.places.T))
        )
        packed = zlib.compress(arrays, 6)
        counts = (len(self.vocabulary), len(self.tokens), len(self.places))
        head = _HEAD.pack(FORMAT, *counts, len(packed), len(self.words))
        return base64.b64encode(head + packed + self.words).decode()


def hash_stem(stem: str) -> int:
    """Hash of 32 bits: among the 50,000 words of a large library one pair in three libraries is taken for the same."""
    return crc32(stem.encode())


def index_text(text: MaterialText) -> MaterialIndex:
    """Index what was read of a material."""
    known: dict[str, int] = {}
    tokens: list[int] = []
    places: list[tuple[int, ...]] = []
    pages = {page.number: page for page in text.pages}
    contents = {page.number for page in text.pages if is_contents(page.label, page.text)}
    main = _main_language(text.pages)
    title = _shared_heading(text.pages)
    for passage in split_passages(text.pages):
        page = pages[passage.page]
        words = search_tokens(passage.of(page))
        language = language_of(words, main)
        label = list(stem_words(search_tokens(page.label.removeprefix(title)), language))
        own = [*label, *stem_words(words, language)]
        kept = [known.setdefault(word, len(known)) for word in own if word in known or len(known) < MOST_WORDS]
        heading = min(len(label), len(kept))
        span = (_PARTS.index(passage.part), passage.start, passage.end)
        places.append((page.number, *span, len(kept), heading, page.number in contents))
        tokens.extend(kept)
    return MaterialIndex(
        vocabulary=np.fromiter(map(hash_stem, known), np.uint32, len(known)),
        tokens=np.array(tokens, np.uint16),
        places=np.array(places, np.int32).reshape(-1, 7),
        words=zlib.compress("\n".join(known).encode(), 6),
    )


def decode_index(encoded: str) -> MaterialIndex:
    """Read an index from the store. Raises `ValueError` for one of another format, and for a damaged one."""
    try:
        return _decoded(base64.b64decode(encoded))
    except (struct.error, zlib.error, IndexError) as error:
        raise ValueError("The index is damaged.") from error


def _decoded(packed: bytes) -> MaterialIndex:
    version, words, tokens, passages, length, words_length = _HEAD.unpack_from(packed)
    if version != FORMAT or len(packed) != _HEAD.size + length + words_length:
        raise ValueError(f"The index is not whole, or has another format ({version}).")
    arrays = zlib.decompress(packed[_HEAD.size : _HEAD.size + length])
    ends = list(accumulate((4 * words, 2 * tokens, 28 * passages)))
    return MaterialIndex(
        vocabulary=np.frombuffer(arrays[: ends[0]], np.uint32),
        tokens=np.frombuffer(arrays[ends[0] : ends[1]], np.uint16),
        places=np.frombuffer(arrays[ends[1] :], np.int32).reshape(7, passages).T,
        words=packed[_HEAD.size + length :],
    )


def _main_language(pages: Sequence[MaterialPage]) -> Language:
    beginning = " ".join(part_text(page, part)[:2000] for page in pages[:10] for part in PagePart)
    return language_of(search_tokens(beginning))


def _shared_heading(pages: Sequence[MaterialPage]) -> str:
    """The heading that stands above all others, as it is the title: it says nothing of a single section."""
    firsts = {page.label.partition(HEADING_MARK)[0] for page in pages}
    return f"{firsts.pop()}{HEADING_MARK}" if len(firsts) == 1 and len(pages) > 1 else ""

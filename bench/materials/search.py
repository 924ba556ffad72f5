"""Search over course materials: its time and memory by the number of passages.

Vectors of passages are drawn by chance, as a search takes as long with any; those of questions are made by the model.
"""

import random
import statistics
import time
from pathlib import Path

import numpy as np

from bench.materials.sample_library import sample_question, sample_texts
from services.materials.embeddings.own_vectors import MODEL, OwnVectors
from services.materials.embeddings.sentence_encoder import DIMENSIONS
from services.materials.search.library_index import IndexedMaterial, LibraryIndex
from services.materials.search.material_index import MaterialIndex, decode_index, index_text
from services.materials.search.meanings import encode_meanings
from services.materials.search.relevance import search_index
from services.storage.documents import Collection
from services.storage.sqlite import SqliteDocuments

TITLE = "Course materials: search"
HEAD = (
    "passages",
    "indexed in",
    "stored for a page",
    "cold search",
    "warm p50",
    "p95",
    "in memory",
    "words alone: p50",
)
SIZES = (500, 5_000, 50_000)
ASKED = 60
SENTENCES = 4
"""Of a passage, as in the campus's materials."""


def measure(data_dir: Path) -> list[tuple[str, ...]]:
    return [_speed(data_dir / str(size), size) for size in SIZES]


def _speed(data_dir: Path, size: int) -> tuple[str, ...]:
    documents = SqliteDocuments(data_dir)
    documents.ensure_collections([Collection(name="material_indexes", owned=False)])
    texts = list(sample_texts(size))
    began = time.perf_counter()
    indexes = [(material, index_text(text).encode()) for material, text in texts]
    indexed_s = time.perf_counter() - began
    chance, numbers, vectors = random.Random(1), np.random.default_rng(1), OwnVectors()
    made = {material.id: _chance_vectors(decode_index(index), numbers) for material, index in indexes}
    for material, index in indexes:
        row = {"id": material.id, "data": index, "vectors": made[material.id]}
        documents.insert("material_indexes", row)
    began = time.perf_counter()
    stored = {document["id"]: document for document in documents.find("material_indexes", {})}
    entries = [
        vectors.with_vectors(
            IndexedMaterial(material=material, index=decode_index(stored[material.id]["data"])),
            stored[material.id]["vectors"],
        )
        for material, _ in texts
    ]
    library = LibraryIndex(entries)
    question = sample_question(chance)
    search_index(library, question, vector=vectors.of_question(question))
    cold_s = time.perf_counter() - began
    seconds, by_words = [], []
    for _ in range(ASKED):
        question = sample_question(chance)
        began = time.perf_counter()
        search_index(library, question, vector=vectors.of_question(question))
        middle = time.perf_counter()
        search_index(library, question)
        seconds.append(middle - began)
        by_words.append(time.perf_counter() - middle)
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    stored_bytes = sum(len(index) + len(made[material.id]) for material, index in indexes)
    return (
        f"{size:,}",
        f"{indexed_s:.1f} s, {size / indexed_s:,.0f} a second",
        f"{stored_bytes / size:,.0f} bytes",
        f"{cold_s * 1000:.0f} ms",
        f"{cuts[9] * 1000:.1f} ms",
        f"{cuts[18] * 1000:.1f} ms",
        f"{library.nbytes / 1e6:.1f} MB",
        f"{statistics.median(by_words) * 1000:.1f} ms",
    )


def _chance_vectors(index: MaterialIndex, numbers: np.random.Generator) -> str:
    shape = (1 + SENTENCES, DIMENSIONS // 8)
    return encode_meanings([numbers.integers(0, 256, shape, np.uint8) for _ in range(len(index.places))], MODEL)

"""Search over course materials: its time and memory by the number of passages."""

import random
import statistics
import time
from pathlib import Path

from bench.materials.sample_library import sample_question, sample_texts
from services.materials.search.library_index import IndexedMaterial, LibraryIndex
from services.materials.search.material_index import decode_index, index_text
from services.materials.search.relevance import search_index
from services.storage.documents import Collection
from services.storage.sqlite import SqliteDocuments

TITLE = "Course materials: search"
HEAD = ("passages", "indexed in", "stored for a page", "cold search", "warm p50", "p95", "in memory")
SIZES = (500, 5_000, 50_000)
ASKED = 60


def measure(data_dir: Path) -> list[tuple[str, ...]]:
    return [_speed(data_dir / str(size), size) for size in SIZES]


def _speed(data_dir: Path, size: int) -> tuple[str, ...]:
    documents = SqliteDocuments(data_dir)
    documents.ensure_collections([Collection(name="material_indexes", owned=False)])
    texts = list(sample_texts(size))
    began = time.perf_counter()
    indexes = [(material, index_text(text).encode()) for material, text in texts]
    indexed_s = time.perf_counter() - began
    for material, index in indexes:
        documents.insert("material_indexes", {"id": material.id, "data": index})
    chance = random.Random(1)
    began = time.perf_counter()
    stored = {document["id"]: document["data"] for document in documents.find("material_indexes", {})}
    library = LibraryIndex(
        [IndexedMaterial(material=material, index=decode_index(stored[material.id])) for material, _ in texts]
    )
    search_index(library, sample_question(chance))
    cold_s = time.perf_counter() - began
    seconds = []
    for _ in range(ASKED):
        question = sample_question(chance)
        began = time.perf_counter()
        search_index(library, question)
        seconds.append(time.perf_counter() - began)
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    stored_bytes = sum(len(index) for _, index in indexes)
    return (
        f"{size:,}",
        f"{indexed_s:.1f} s, {size / indexed_s:,.0f} a second",
        f"{stored_bytes / size:,.0f} bytes",
        f"{cold_s * 1000:.0f} ms",
        f"{cuts[9] * 1000:.1f} ms",
        f"{cuts[18] * 1000:.1f} ms",
        f"{library.nbytes / 1e6:.1f} MB",
    )

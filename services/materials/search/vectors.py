"""Vectors of passages: how they are stored, and how near they are to a question's."""

import base64
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.int8]
"""(passages, dimensions), each number rounded to a byte: a quarter of the memory, and the same order but for ties."""
_ROWS = 4096
_LARGEST = 127


def encode_vectors(vectors: Vectors, model: str) -> str:
    """Write vectors as text for the store, with the model that made them."""
    return f"{model} {vectors.shape[1]} {base64.b64encode(vectors.tobytes()).decode()}"


def decode_vectors(encoded: str, *, model: str, passages: int) -> Vectors | None:
    """Read vectors from the store; None for those of another model or division into passages, and damaged ones."""
    its_model, _, rest = encoded.partition(" ")
    dimensions, _, data = rest.partition(" ")
    if its_model != model or not dimensions.isdecimal():
        return None
    try:
        numbers = np.frombuffer(base64.b64decode(data), np.int8)
    except ValueError:
        return None
    return numbers.reshape(passages, -1) if numbers.size == passages * int(dimensions) and passages else None


def quantise(rows: Sequence[Sequence[float]]) -> Vectors:
    """Round vectors of numbers between -1 and 1, each scaled to its largest, to bytes."""
    numbers = np.array(rows, np.float32)
    largest = np.maximum(np.abs(numbers).max(axis=1, keepdims=True), 1e-9)
    rounded: Vectors = np.round(numbers * (_LARGEST / largest)).astype(np.int8)
    return rounded


def similarities(vectors: Vectors, question: Vectors) -> npt.NDArray[np.float32]:
    """Cosine of each vector with the question's, of shape (1, dimensions)."""
    wanted = question[0].astype(np.float32)
    found = np.zeros(len(vectors), np.float32)
    for start in range(0, len(vectors), _ROWS):
        rows = vectors[start : start + _ROWS].astype(np.float32)
        lengths = np.maximum(np.linalg.norm(rows, axis=1), 1e-9)
        found[start : start + _ROWS] = rows @ wanted / lengths
    return found / max(float(np.linalg.norm(wanted)), 1e-9)

